import { describe, expect, it, vi } from 'vitest';
import { Camera } from '../src/board/camera.svelte';
import { Pointers, type DragStep, type PointerWays } from '../src/board/pointers';

vi.stubGlobal('cancelAnimationFrame', () => undefined);
class FakeElement {
  closest(selector: string) {
    return selector === '[data-unit]' ? { getAttribute: () => '3' } : null;
  }
}
vi.stubGlobal('Element', FakeElement);
vi.stubGlobal('HTMLElement', class {});
vi.stubGlobal('SVGElement', class {});
vi.stubGlobal('document', { activeElement: null });

function hand(button: number) {
  const steps: DragStep[] = [];
  const camera = new Camera();
  [camera.width, camera.height] = [1000, 800];
  const host = { getBoundingClientRect: () => ({ left: 0, top: 0 }), setPointerCapture: () => undefined } as unknown as HTMLElement;
  const ways = { scene: { w: 72, h: 48 }, still: false, taping: false, movable: [3], modelwise: false, hover: () => undefined, ondrag: (step: DragStep) => steps.push(step) } as unknown as PointerWays;
  const pointers = new Pointers(() => host, camera, () => ways);
  const at = (x: number, y: number) => ({ pointerId: 1, pointerType: 'mouse', button, clientX: x, clientY: y, target: new FakeElement(), type: 'pointer' }) as unknown as PointerEvent;
  pointers.down(at(100, 100));
  pointers.move(at(140, 160));
  pointers.up(at(140, 160));
  return { steps, camera };
}

describe('a drag that begins on a unit', () => {
  it('moves the unit with the first button, and the table with the middle one', () => {
    const [first, middle] = [hand(0), hand(1)];
    expect(first.steps.map((s) => s.phase)).toEqual(['start', 'end']);
    expect([first.camera.x, first.camera.y]).toEqual([0, 0]);
    expect(middle.steps).toEqual([]);
    expect([middle.camera.x, middle.camera.y]).toEqual([40, 60]);
  });
  it('does nothing with the right button', () => {
    const right = hand(2);
    expect([right.steps.length, right.camera.x, right.camera.y]).toEqual([0, 0, 0]);
  });
});
