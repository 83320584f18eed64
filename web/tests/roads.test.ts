import { describe, expect, it } from 'vitest';
import { paintRoads, roadsOf, type Place } from '../src/board/roads';
import { contains } from '../src/board/shapes';

const square = (id: number, kind: string, x: number, y: number, size = 6): Place => ({
  id,
  kind,
  outline: [[x, y], [x + size, y], [x + size, y + size], [x, y + size]],
});

const TABLE: Place[] = [square(1, 'building', 14, 10), square(2, 'forest', 30, 18, 12), square(3, 'lake', 50, 8), square(4, 'ruin', 54, 34)];

describe('roads', () => {
  it('cross the table from edge to edge and reach houses', () => {
    const [main, ...lanes] = roadsOf(72, 48, TABLE);
    expect(main?.points[0]?.[0]).toBe(0);
    expect(main?.points.at(-1)?.[0]).toBe(72);
    expect(lanes.length).toBeGreaterThan(0);
  });

  it('lead round terrain, so that nothing looks easier than it is', () => {
    for (const road of roadsOf(72, 48, TABLE)) {
      const doorstep = road === roadsOf(72, 48, TABLE)[0] ? 0 : 1;
      for (const p of road.points.slice(doorstep)) for (const place of TABLE) expect(contains(place.outline, ...p)).toBe(false);
    }
  });

  it('are the same for the same table, and none leads through the wilderness', () => {
    expect(paintRoads(roadsOf(72, 48, TABLE))).toBe(paintRoads(roadsOf(72, 48, TABLE)));
    expect(roadsOf(48, 48, [square(1, 'forest', 10, 10)])).toEqual([]);
    expect(paintRoads([])).toBe('');
  });
});
