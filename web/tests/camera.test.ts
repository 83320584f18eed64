import { describe, expect, it, vi } from 'vitest';
import { Camera } from '../src/board/camera.svelte';
import { arranger, panelsAt } from '../src/app/battle/arranging';
import { questionWidth } from '../src/app/battle/layout';
import { clearView, framed, gapsOf, isFree } from '../src/board/clearing';
import type { Box } from '../src/board/shapes';

vi.stubGlobal('matchMedia', () => ({ matches: true }));
vi.stubGlobal('cancelAnimationFrame', () => undefined);

const TABLE = framed({ w: 72, h: 48 });
/** A regiment of 5 x 2 inches. */
const unit = (x: number, y: number): Box => ({ x0: x - 2.5, y0: y - 1, x1: x + 2.5, y1: y + 1 });
/** How a battle on a screen this large is shown, with the bar above it. */
function shown(width: number, height: number, first: Box[], then: Box[] = [], units = 5) {
  const size = { width, height: height - 48, foot: 46 };
  const question = questionWidth(width);
  const matters = { table: TABLE, first, then };
  const { view, places } = clearView(size, matters, arranger(size, matters, { units, question, named: width > 1180 }));
  const window = { ...size, panels: panelsAt(places, size, question) };
  return { view, places, isOpen: (box: Box) => isFree(box, view, window) };
}
const tall = ({ y0, y1 }: { y0: number; y1: number }): number => y1 - y0;

describe('the tools', () => {
  const box = (places: ReturnType<typeof shown>['places'], size = { width: 1440, height: 852 }): Box => panelsAt(places, size, questionWidth(size.width))[2] as Box;
  it('stand below the list where the table leaves room there', () => {
    const { places } = shown(1440, 900, [unit(36, 40)]);
    expect(places.list).toBe('names');
    expect(places.tools).toBe('below');
    expect(box(places).y0).toBeGreaterThan(places.listAt.y0 + 200);
  });
  it('stand where nobody does, and fold only where units stand everywhere', () => {
    const crowd = [10, 14, 18, 22, 26, 30, 34, 38].flatMap((y) => [4, 10, 16].map((x) => unit(x, y)));
    const { places, isOpen } = shown(1280, 800, [unit(36, 40)], crowd);
    expect(places.tools).not.toBe('folded');
    expect(isOpen(unit(36, 40))).toBe(true);
    const full = Array.from({ length: 23 }, (_, i) => 1 + i * 2).flatMap((y) => [3, 8, 13, 18, 23, 28, 33].map((x) => unit(x, y)));
    expect(shown(1280, 800, full).places.tools).toBe('folded');
  });
});

describe('the table under the panels', () => {
  const line = (y: number): Box[] => [4, 15, 26, 37, 48, 59, 68].map((x) => unit(x, y));
  it('is as tall as the window while both armies stand along their whole edge, and nobody is covered', () => {
    const both = [...line(38), ...line(10)];
    const found = shown(1440, 900, both);
    expect(found.view.k).toBeGreaterThan(17);
    for (const one of both) expect(found.isOpen(one), JSON.stringify(one)).toBe(true);
    expect(tall(found.places.questionAt)).toBeGreaterThan(380);
  });
  it('lets panels lie over those who do not matter before it gives way', () => {
    const found = shown(1440, 900, line(38), line(10));
    expect(found.view.k).toBeGreaterThan(17);
    expect(tall(found.places.questionAt)).toBeGreaterThan(500);
    expect(found.places.list).toBe('names');
  });
  it('gives each unit a line of the list before it takes the names away', () => {
    const found = shown(1440, 900, [unit(3, 16), unit(3, 36), ...line(46).slice(1)], [], 7);
    expect(found.places.list).toBe('lines');
    expect(tall(found.places.listAt)).toBeGreaterThan(270);
    expect(found.isOpen(unit(3, 16)) && found.isOpen(unit(3, 36))).toBe(true);
  });
  it.each([[1440, 900, 16.9], [1280, 800, 14.9], [1920, 1080, 20]])('keeps its size where units stand in its corners: %i x %i', (width, height, least) => {
    const own = [unit(2.5, 40), unit(2.5, 46.9), unit(36, 47), unit(69.5, 46.9), unit(69.5, 3)];
    const found = shown(width, height, own);
    for (const one of own) expect(found.isOpen(one), JSON.stringify(one)).toBe(true);
    expect(found.view.k).toBeGreaterThan(least);
  });
  it('gives way where a whole side of it is full', () => {
    const full = [3, 9, 15, 21, 27, 33, 39, 45].map((y) => unit(69.5, y));
    const found = shown(1440, 900, [...full, unit(2.5, 24)]);
    for (const one of full) expect(found.isOpen(one), JSON.stringify(one)).toBe(true);
    expect(found.view.k).toBeGreaterThan(13);
  });
  it('is seen as a whole, under the panels or beside them', () => {
    for (const right of [50, 60, 66, 69.5]) {
      const { view } = shown(1440, 900, [unit(right, 40)], [unit(4, 10), unit(68, 10)]);
      expect(view.x + TABLE.x0 * view.k).toBeGreaterThanOrEqual(-0.01);
      expect(view.x + TABLE.x1 * view.k).toBeLessThanOrEqual(1440.01);
    }
  });
  it('shows a long list where it fits, and folds it where no stretch of its column is free', () => {
    expect(shown(1440, 900, [unit(36, 40)], [], 12).places.list).toBe('names');
    const left = [3, 9, 15, 21, 27, 33, 39, 45].flatMap((y) => [unit(2.5, y), unit(69.5, y)]);
    expect(shown(1440, 900, left).places.list).not.toBe('names');
  });
  it('shows signs instead of names where names would hide several units', () => {
    const own = [28, 34, 40, 46].map((y) => unit(6, y));
    expect(shown(1440, 900, own).places.list).toBe('names');
    expect(shown(1440, 900, [...own, unit(69, 40)], [6, 11, 16].map((y) => unit(6, y))).places.list).toBe('rail');
  });
  it('finds the free stretches of a column', () => {
    const column = { x0: 0, y0: 0, x1: 100, y1: 500 };
    expect(gapsOf(column, [{ x0: 5, y0: 10, x1: 8, y1: 20 }, { x0: 30, y0: 0, x1: 40, y1: 50 }], { x: 0, y: 0, k: 10 }, 5)).toEqual([{ y0: 0, y1: 95 }, { y0: 205, y1: 500 }]);
  });
});

describe('a table that moves by itself', () => {
  const looking = (): Camera => {
    const camera = new Camera();
    [camera.width, camera.height] = [1440, 852];
    camera.show({ x: 0, y: 0, k: 16 });
    return camera;
  };
  it('never does under a hand', () => {
    const camera = looking();
    camera.hold();
    camera.glide(() => camera.shift(50, 0));
    expect(camera.x).toBe(0);
    camera.release();
    camera.glide(() => camera.shift(50, 0));
    expect(camera.x).toBe(50);
    expect(camera.strayed).toBe(false);
  });
  it('is where somebody pushed it until the whole table is asked for', () => {
    const camera = looking();
    camera.pan(10, 0);
    expect(camera.strayed).toBe(true);
  });
});
