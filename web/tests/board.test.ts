import { describe, expect, it } from 'vitest';
import { corners, unitBox } from '../src/board/bounds';
import { alongLine, leaderOf, placeCard, placePlates, placeWords, plateName, type Plate } from '../src/board/labels';
import type { SceneUnit } from '../src/board/scene';
import { areaOf, centroid, contains, random, scatter, shrunk, slabOf, type Point } from '../src/board/shapes';
import { withTokens } from '../src/board/ground';
import { paintPiece } from '../src/board/terrain';

const square: Point[] = [[0, 0], [4, 0], [4, 4], [0, 4]];

describe('shapes', () => {
  it('gives the same numbers for the same seed', () => {
    const [a, b] = [random(5), random(5)];
    expect([a(), a(), a()]).toEqual([b(), b(), b()]);
  });
  it('finds middle, area and inside of a polygon', () => {
    expect(centroid(square)).toEqual([2, 2]);
    expect(areaOf(square)).toBe(16);
    expect(contains(square, 3.9, 0.1)).toBe(true);
    expect(contains(square, 4.1, 2)).toBe(false);
    expect(areaOf(shrunk(square, 0.5))).toBeCloseTo(4);
  });
  it('lays the slab of a turned rectangle along its long side, words upright', () => {
    const at = corners({ x: 10, y: 10, heading: 120 }, 2, 6);
    const slab = slabOf(at);
    expect([slab.w, slab.h]).toEqual([expect.closeTo(6), expect.closeTo(2)]);
    expect(Math.abs(slab.angle)).toBeLessThanOrEqual(90);
  });
  it('scatters inside the outline only', () => {
    for (const p of scatter(square, 30, () => 0.3, random(3))) expect(contains(square, p.x, p.y)).toBe(true);
  });
});

describe('terrain', () => {
  const kinds = ['forest', 'hill', 'lake', 'river', 'building', 'ruin', 'rubble', 'swamp', 'mud', 'quicksand', 'lava', 'field', 'mountain', 'chasm', 'wall', 'barricade', 'fence', 'rock', 'cliff', 'decoration', 'statue'];
  it.each(kinds)('paints a %s without broken numbers, each unlike the others', (kind) => {
    const markup = paintPiece({ id: 3, name: kind, kind, outline: [[1, 1], [7, 1.5], [7.5, 5], [2, 6]], height: 2, rules: '' });
    expect(markup).not.toMatch(/NaN|undefined|Infinity/);
    expect(markup.length).toBeGreaterThan(60);
  });
  it('replaces every token, so that the picture stands alone', () => {
    expect(withTokens('<a style="fill:var(--x);stroke:var(--y-2)"/>', (t) => (t === '--x' ? 'red' : '"Font"'))).toBe(`<a style="fill:red;stroke:'Font'"/>`);
  });
});

const plate = (id: number, x: number, y: number, over: Partial<Plate> = {}): Plate => ({ id, x0: x, y0: y, x1: x + 60, y1: y + 30, above: false, wide: 120, narrow: 50, weight: 1, keepsName: false, ...over });

describe('name plates', () => {
  const hits = (a: { x: number; y: number; width: number }, b: { x: number; y: number; width: number }): boolean => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + 22 && b.y < a.y + 22;
  it('keeps plates of neighbours apart', () => {
    const placed = placePlates([plate(1, 100, 100), plate(2, 170, 100), plate(3, 240, 100)]);
    for (const a of placed) for (const b of placed) if (a.id < b.id) expect(hits(a, b)).toBe(false);
  });
  it('shortens endless names and keeps their number', () => {
    expect(plateName('Harbour Pikes 2')).toBe('Harbour Pikes 2');
    const short = plateName('Grand Company of the Everlasting Watch 12');
    expect(short.length).toBeLessThanOrEqual(26);
    expect(short).toMatch(/… 12$/);
  });
  it('goes around what must stay readable', () => {
    const [free] = placePlates([plate(1, 100, 100)]);
    const kept = { x: free!.x, y: free!.y, w: free!.width, h: 22 };
    const [moved] = placePlates([plate(1, 100, 100)], null, [kept]);
    expect(moved!.y === free!.y && Math.abs(moved!.x - free!.x) < free!.width).toBe(false);
    expect(moved!.named).toBe(true);
  });
  it('draws a line to the unit from a plate that had to move away, and from no other', () => {
    const unit = plate(1, 100, 100);
    const [near] = placePlates([unit]);
    expect(leaderOf(near!, unit)).toBe('');
    const middle = `${(unit.x0 + unit.x1) / 2} ${(unit.y0 + unit.y1) / 2}`;
    expect(leaderOf({ ...near!, y: unit.y1 + 40 }, unit)).toMatch(new RegExp(`^M.*L${middle}$`));
  });
  it('keeps all names of a battle line, shoulder to shoulder at the edge of the table', () => {
    const edge = { x: 0, y: 0, w: 1000, h: 240 };
    const line = Array.from({ length: 10 }, (_, i) => plate(i, 80 + i * 76, 200, { x1: 150 + i * 76, wide: 165 }));
    const placed = placePlates(line, edge);
    expect(placed.filter((p) => !p.named)).toEqual([]);
    for (const a of placed) for (const b of placed) if (a.id < b.id) expect(hits(a, b)).toBe(false);
  });
  it('keeps a plate within the window as long as its unit is partly in it', () => {
    const window = { x: 0, y: 0, w: 390, h: 600 };
    const [left] = placePlates([plate(1, -30, 300, { x1: 40, wide: 150 })], window);
    const [right] = placePlates([plate(2, 360, 300, { x1: 430, wide: 150 })], window);
    expect(left!.x).toBe(0);
    expect(right!.x + right!.width).toBe(390);
    for (const [one, unit] of [[left!, { y0: 300 }], [right!, { y0: 300 }]] as const) expect(one.y + 22 <= unit.y0 || one.y >= 320, 'not over the unit itself').toBe(true);
  });
  it('keeps the name of what is selected even in a crowd', () => {
    const crowd = Array.from({ length: 24 }, (_, i) => plate(i, 100 + (i % 3) * 20, 100 + Math.floor(i / 3) * 14));
    const placed = placePlates([...crowd, plate(99, 120, 120, { weight: 3, keepsName: true })]);
    expect(placed.find((p) => p.id === 99)?.named).toBe(true);
    expect(placed.some((p) => !p.named)).toBe(true);
  });
});

describe('bounds', () => {
  it('turns a block with its heading', () => {
    const unit = { block: { x: 10, y: 10, heading: 90, w: 5, d: 2 }, models: [] } as unknown as SceneUnit;
    const box = unitBox(unit);
    expect(box?.x1! - box?.x0!).toBeCloseTo(2);
    expect(box?.y1! - box?.y0!).toBeCloseTo(5);
  });
});

describe('words about the unit in hand', () => {
  const free = { x: 80, y: 0, w: 1000, h: 800 };
  const over = (a: { x: number; y: number; w: number; h: number }, b: { x: number; y: number; w: number; h: number }): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
  const goal = { x: 300, y: 300, w: 90, h: 40 };
  it.each([[300, 360], [300, 240], [410, 300], [190, 300], [340, 330]])('cover neither where it goes nor where it stands (%i, %i)', (x, y) => {
    const start = { x, y, w: 90, h: 40 };
    const words = placeWords({ w: 150, h: 24 }, goal, [goal, start], [], free);
    for (const kept of [goal, start]) expect(over(words, kept)).toBe(false);
  });
  it('stay inside the part of the window that no panel covers, and off other units where they can', () => {
    const corner = { x: 90, y: 750, w: 90, h: 40 };
    const above = { x: 80, y: 700, w: 200, h: 40 };
    const words = placeWords({ w: 150, h: 24 }, corner, [corner], [above], free);
    expect(words.x).toBeGreaterThanOrEqual(free.x);
    expect(words.y + words.h).toBeLessThanOrEqual(free.h);
    for (const one of [corner, above]) expect(over(words, one)).toBe(false);
  });
});

describe('a card about a unit', () => {
  const free = { x: 0, y: 0, w: 800, h: 600 };
  const about = { x: 380, y: 280, w: 60, h: 30 };
  const size = { w: 260, h: 200 };
  const meets = (a: typeof about, b: typeof about): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
  it('stands near it and over nothing that is kept free', () => {
    const line = alongLine([400, 590], [410, 295]);
    const kept = [about, ...line, { x: 450, y: 200, w: 300, h: 60 }];
    const card = placeCard(size, about, kept, [], free);
    expect(card).not.toBeNull();
    if (!card) return;
    expect(kept.filter((one) => meets(card, one))).toEqual([]);
    expect(Math.abs(card.x + card.w / 2 - 410)).toBeLessThan(320);
  });
  it('goes round what should rather be seen where that costs little way', () => {
    const above = { x: 200, y: 0, w: 400, h: 270 };
    const card = placeCard(size, about, [about], [above], free);
    expect(card && meets(card, above)).toBe(false);
  });
  it('finds no place where there is none, or only far away', () => {
    expect(placeCard(size, about, [free], [], free)).toBeNull();
    expect(placeCard(size, { x: 0, y: 0, w: 10, h: 10 }, [{ x: 0, y: 0, w: 500, h: 500 }], [], free)).toBeNull();
  });
});
