import { describe, expect, it, vi } from 'vitest';
import { Camera } from '../src/board/camera.svelte';
import { clearView, framed, isFree, type Window } from '../src/board/clearing';
import { insetsOf, panelsOf } from '../src/app/battle/layout';
import type { Box } from '../src/board/shapes';

vi.stubGlobal('matchMedia', () => ({ matches: true }));
vi.stubGlobal('cancelAnimationFrame', () => undefined);

const TABLE = framed({ w: 72, h: 48 });
/** A regiment of 5 x 2 inches. */
const unit = (x: number, y: number): Box => ({ x0: x - 2.5, y0: y - 1, x1: x + 2.5, y1: y + 1 });
const WIDE = { wide: false, aside: false, upright: false, sheet: 'peek', tray: 36 } as const;
function windowOf(width: number, height: number, cards = 4): Window {
  const size = { width, height: height - 48 };
  return { ...size, panels: panelsOf(size, insetsOf(width, WIDE), { rail: 90 + cards * 76, aside: false, short: false }) };
}
const view = (window: Window, first: Box[], then: Box[] = []) => clearView(window, { table: TABLE, first, then });

describe('the table under the panels', () => {
  it('is as tall as the window where no unit stands at its right edge', () => {
    expect(view(windowOf(1440, 900), [unit(8, 40), unit(30, 42), unit(60, 40)]).k).toBeGreaterThan(17);
    expect(view(windowOf(1280, 800), [unit(8, 40), unit(30, 42), unit(56, 40)]).k).toBeGreaterThan(15);
  });
  it.each([[1440, 900, 15], [1280, 800, 13.4], [1024, 768, 9.5], [1920, 1080, 20]])('gives way where units stand at every edge of it: %i x %i', (width, height, least) => {
    const window = windowOf(width, height);
    const own = [unit(2.5, 40), unit(2.5, 46.9), unit(36, 47), unit(69.5, 46.9), unit(69.5, 3)];
    const found = view(window, own);
    for (const one of own) expect(isFree(one, found, window), JSON.stringify(one)).toBe(true);
    expect(found.k).toBeGreaterThan(least);
  });
  it('is seen as a whole, under the panels or beside them', () => {
    for (const right of [50, 60, 66, 69.5]) {
      const found = view(windowOf(1440, 900), [unit(right, 40)], [unit(4, 10), unit(68, 10)]);
      expect(found.x + TABLE.x0 * found.k).toBeGreaterThanOrEqual(-0.01);
      expect(found.x + TABLE.x1 * found.k).toBeLessThanOrEqual(1440.01);
    }
  });
  it('gives way a little for others, and no further', () => {
    const window = windowOf(1440, 900);
    const found = view(window, [unit(30, 40)], [unit(69.5, 8), unit(2.5, 8)]);
    expect(found.k).toBeGreaterThan(17 * 0.9);
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
