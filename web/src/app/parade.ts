/* Troops for pictures that are no battle: two armies behind the first page, a unit in the army builder. */

import { figureFor } from '../board/figures';
import type { Glyph, ScenePiece, SceneModel, SceneUnit, SideKey } from '../board/scene';
import { boxOf } from '../board/shapes';

interface Troop {
  glyph: Glyph;
  files: number;
  ranks: number;
  /** width and depth of a base in inches */
  base: readonly [number, number];
}

const TROOPS: readonly Troop[] = [
  { glyph: 'pike', files: 5, ranks: 4, base: [1, 1] },
  { glyph: 'bow', files: 5, ranks: 2, base: [1, 1] },
  { glyph: 'horse', files: 5, ranks: 1, base: [1, 2] },
  { glyph: 'monster', files: 1, ranks: 1, base: [2.4, 3] },
  { glyph: 'axe', files: 5, ranks: 2, base: [1, 1] },
];
const ON_FOOT = new Set<Glyph>(['foot', 'pike', 'axe', 'bow']);
const [APART, CLEAR] = [9, 0.8]; // inches between two units, and between a unit and terrain that is in its way
const SOLID = new Set(['building', 'ruin', 'ruins', 'lake', 'river', 'rock', 'wall', 'chasm', 'mountain']);

/** Units along the lower edge (blue) and the upper one, where no house or water is. */
export function parade(blocks: boolean, w: number, h: number, pieces: readonly ScenePiece[]): SceneUnit[] {
  const solid = pieces.filter((p) => SOLID.has(p.kind)).map((p) => boxOf(p.outline));
  const stands = (x: number, y: number, { files, ranks, base }: Troop): boolean => {
    const [rx, ry] = [(files * base[0]) / 2 + CLEAR, (ranks * base[1]) / 2 + CLEAR];
    return !solid.some((b) => b.x0 < x + rx && x - rx < b.x1 && b.y0 < y + ry && y - ry < b.y1);
  };
  const found: SceneUnit[] = [];
  for (const side of ['a', 'b'] as const) {
    for (let n = 0, x = side === 'a' ? 8 : 11; x < w - 5; n++, x += APART) {
      const troop = TROOPS[(n * 2 + (side === 'a' ? 1 : 0)) % TROOPS.length] as Troop;
      const spot = [14, 17, 12, 19].map((y) => (side === 'a' ? h - y : y)).find((y) => stands(x, y, troop));
      if (spot !== undefined) found.push(unitAt(found.length, side, troop, x, spot, blocks));
    }
  }
  return found;
}

/** A unit by itself, drawn up in ranks or loose. */
export function portrait(glyph: Glyph, models: number, blocks: boolean): SceneUnit {
  const large = glyph === 'monster' || glyph === 'titan' || glyph === 'artillery' || glyph === 'chariot' || (glyph === 'flyer' && models === 1);
  const base = large ? ([2.4, 3] as const) : glyph === 'horse' || glyph === 'beast' ? ([1, 2] as const) : ([1, 1] as const);
  const files = Math.min(models, models > 20 ? 10 : 5);
  return unitAt(0, 'a', { glyph, files, ranks: Math.ceil(models / files), base }, 0, 0, blocks, models);
}

function unitAt(id: number, side: SideKey, { glyph, files, ranks, base: [bw, bd] }: Troop, x: number, y: number, blocks: boolean, count = files * ranks): SceneUnit {
  const heading = (side === 'a' ? 0 : 180) + ((id * 7) % 5) * 4 - (id ? 8 : 0);
  const [c, s] = [Math.cos((heading * Math.PI) / 180), Math.sin((heading * Math.PI) / 180)];
  const [gap, size] = blocks ? [0, 1] : [0.6, 0.9];
  const models = Array.from({ length: count }, (_, i): SceneModel => {
    const dx = ((i % files) - (files - 1) / 2) * (bw + gap) + (blocks ? 0 : (Math.floor(i / files) % 2) * 0.7);
    const dy = (Math.floor(i / files) - (ranks - 1) / 2) * (bd + gap);
    return { id: id * 100 + i, x: x + dx * c - dy * s, y: y + dx * s + dy * c, heading, w: bw * size, d: (blocks ? bd : bw) * size, round: !blocks, figure: figureFor(ON_FOOT.has(glyph) ? 'foot' : glyph, 'infantry', glyph), hero: false, stunned: false, z: 0 };
  });
  return { id, side, name: '', glyph, models, block: blocks ? { x, y, heading, w: files * bw, d: ranks * bd } : null, count: '', badges: [], acted: false, hero: false, label: '' };
}
