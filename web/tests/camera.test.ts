import { describe, expect, it, vi } from 'vitest';
import { Camera } from '../src/board/camera.svelte';

vi.stubGlobal('matchMedia', () => ({ matches: true }));
vi.stubGlobal('cancelAnimationFrame', () => undefined);

const TABLE = { x0: -0.66, y0: -0.66, x1: 72.66, y1: 48.66 };
const PANELS = { left: 80, top: 2, right: 334, bottom: 2 };
const span = (x0: number, x1: number) => ({ x0, y0: 10, x1, y1: 40 });

function looking(must: { x0: number; x1: number }, own: { x0: number; x1: number }): Camera {
  const camera = new Camera();
  [camera.width, camera.height] = [1440, 852];
  camera.spread(TABLE, PANELS, span(must.x0, must.x1), span(own.x0, own.x1));
  return camera;
}

describe('the first look at a table', () => {
  it('is as tall as the window where one’s own units fit beside the panels', () => {
    const camera = looking({ x0: 2, x1: 70 }, { x0: 30, x1: 70 });
    expect(camera.k).toBeGreaterThan(17);
  });
  it('is where somebody looks until they look elsewhere', () => {
    const camera = looking({ x0: 2, x1: 70 }, { x0: 30, x1: 70 });
    camera.strayed = false; // the whole table is shown
    camera.uncover(span(66, 71), PANELS);
    expect(camera.strayed).toBe(false);
    camera.pan(10, 0);
    expect(camera.strayed).toBe(true);
  });
});

describe('what is planned', () => {
  it('is uncovered where a panel lies over it, and nothing moves where none does', () => {
    const camera = looking({ x0: 1, x1: 71 }, { x0: 1, x1: 71 });
    camera.uncover(span(66, 71), PANELS);
    expect(camera.toScreen([71, 0])[0]).toBeCloseTo(1440 - PANELS.right);
    camera.uncover(span(1, 6), PANELS);
    expect(camera.toScreen([1, 0])[0]).toBeCloseTo(PANELS.left);
    const { x } = camera;
    camera.uncover(span(20, 30), PANELS);
    expect(camera.x).toBe(x);
  });
});
