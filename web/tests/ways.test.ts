import { describe, expect, it } from 'vitest';
import type { ScenePiece } from '../src/board/scene';
import type { Point } from '../src/board/shapes';
import { chained, hasRules, isWay, laidRoads, merged, paintBridges, paintRivers, paintSquares, ribbonOf } from '../src/board/ways';

/** A stretch from one x to another: its right bank, then its left bank back again. */
const stretch = (from: number, to: number, kind = 'river', y = 10): ScenePiece => {
  const xs = [from, (from + to) / 2, to];
  const outline: Point[] = [...xs.map((x): Point => [x, y]), ...xs.toReversed().map((x): Point => [x, y + 4])];
  return { id: from, name: kind, kind, outline, height: 0, rules: '' };
};
const POND: Point[] = [[10, 0], [15, 2], [16, 6], [12, 9], [7, 8], [4, 4]];

describe('ways', () => {
  it('are told from ponds by their banks', () => {
    expect(ribbonOf(stretch(0, 12).outline)).toEqual({ points: [[0, 12], [6, 12], [12, 12]], wide: 4 });
    expect(ribbonOf(POND)).toBeNull();
    expect(isWay({ ...stretch(0, 12), outline: POND })).toBe(false);
  });

  it('are drawn in one go where their stretches touch', () => {
    const outlines = [stretch(0, 10).outline, stretch(10, 20).outline, stretch(24, 34).outline];
    expect(merged(outlines)).toHaveLength(2);
    expect(merged(outlines)[0]).toHaveLength(10); // the shared edge is gone
    const ribbons = outlines.flatMap((one) => ribbonOf(one) ?? []);
    expect(chained(ribbons).map((one) => one.points.length)).toEqual([5, 3]);
    expect(chained(ribbons, 5)).toHaveLength(1); // below a bridge the water goes on
  });

  it('come with the table, and bridges lie over them', () => {
    const pieces = [stretch(0, 10, 'road'), stretch(10, 20, 'road'), stretch(0, 10), { ...stretch(4, 8), kind: 'bridge' }];
    expect(laidRoads(pieces)).toHaveLength(1);
    expect(paintRivers(pieces)).toContain('--water');
    expect(paintBridges(pieces)).toContain('pPlank');
    expect(paintRivers([])).toBe('');
  });

  it('are paved where a town has its square, and no rule sees that', () => {
    const square = { ...stretch(4, 8), kind: 'square' };
    expect(paintSquares([square, stretch(0, 10)]).match(/pPaving/g)).toHaveLength(1);
    expect([square, { ...square, kind: 'road' }, stretch(0, 10)].map(hasRules)).toEqual([false, false, true]);
  });
});
