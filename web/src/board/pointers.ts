/* Fingers and mouse over the table: one pans, drags or taps; two pinch. What that means is for others to say. */

import type { Camera } from './camera.svelte';
import type { Scene } from './scene';
import type { Point } from './shapes';

export interface DragStep {
  phase: 'start' | 'move' | 'end' | 'cancel';
  what: 'unit' | 'ghost' | 'pivot' | 'model';
  unit: number;
  model: number;
  at: Point;
  /** where the finger went down */
  from: Point;
  touch: boolean;
}

/** What fingers can do; whatever is missing does nothing. */
export interface PointerDeeds {
  onunit?: ((id: number) => void) | undefined;
  /** a tap on one model; true when that was all it meant */
  onmodel?: ((model: number) => boolean) | undefined;
  onpoint?: ((at: Point) => void) | undefined;
  ondrag?: ((step: DragStep) => void) | undefined;
  ontape?: ((from: Point, to: Point | null) => void) | undefined;
  onpiece?: ((id: number) => void) | undefined;
  onpiecedrag?: ((id: number, phase: 'start' | 'move' | 'end', at: Point) => void) | undefined;
}

/** How the table lies while a finger is on it. */
export interface PointerWays extends PointerDeeds {
  scene: Scene;
  still: boolean;
  taping: boolean;
  /** units that follow a finger; where one hand holds a ghost, the first of them */
  movable: readonly number[];
  modelwise: boolean;
  /** say what is under the pointer; null takes that back */
  hover: (e: Event | null, p: Point) => void;
}

interface Hold {
  /** still: a finger on a unit that can not be dragged moves nothing, least of all the table */
  mode: 'pan' | 'drag' | 'tape' | 'piece' | 'still';
  start: Point;
  last: Point;
  moved: boolean;
  unit: number;
  piece: number;
  model: number;
  what: DragStep['what'];
  touch: boolean;
}

const SLACK = { touch: 9, mouse: 4 }; // pixels a finger may slip and still tap

/** A number that an element or one around it carries; -1 where none does. */
const numbered = (target: Element | null, name: string): number => Number(target?.closest(`[${name}]`)?.getAttribute(name) ?? -1);

export class Pointers {
  #fingers = new Map<number, Point>();
  #hold: Hold | null = null;
  #pinch = 0;
  #spot: Point = [0, 0];

  constructor(
    private readonly host: () => HTMLElement,
    private readonly camera: Camera,
    private readonly ways: () => PointerWays,
  ) {}

  readonly down = (e: PointerEvent): void => {
    const ways = this.ways();
    if (ways.still || (e.pointerType === 'mouse' && e.button !== 0 && e.button !== 1)) return;
    // a hand on the table leaves no button in focus, so that Enter means the big button again
    if (document.activeElement instanceof HTMLElement || document.activeElement instanceof SVGElement) document.activeElement.blur();
    const p = this.#at(e);
    this.#fingers.set(e.pointerId, p);
    this.camera.hold();
    this.host().setPointerCapture(e.pointerId);
    if (this.#fingers.size === 2) {
      if (this.#hold?.mode === 'drag' && this.#hold.moved) ways.ondrag?.(this.#step('cancel', this.#hold, p));
      this.#hold = null;
      this.#pinch = 0;
      return;
    }
    this.#hold = held(e, p, ways);
    if (this.#hold.mode === 'tape') ways.ontape?.(this.camera.toTable(p), null);
    ways.hover(null, p);
  };

  readonly move = (e: PointerEvent): void => {
    const p = this.#at(e);
    const ways = this.ways();
    // browsers tell of moves where only the table moved
    if (this.#spot[0] !== p[0] || this.#spot[1] !== p[1]) this.camera.stirred = true;
    this.#spot = p;
    if (!this.#fingers.has(e.pointerId)) {
      ways.hover(e, p);
      return;
    }
    this.#fingers.set(e.pointerId, p);
    if (this.#fingers.size === 2) this.#pinched();
    else this.#moved(p, ways);
  };

  readonly up = (e: PointerEvent): void => {
    const p = this.#at(e);
    const ways = this.ways();
    this.#fingers.delete(e.pointerId);
    if (!this.#fingers.size) this.camera.release();
    this.#pinch = 0;
    const h = this.#hold;
    this.#hold = null;
    if (!h || e.type === 'pointercancel') {
      if (h?.mode === 'drag' && h.moved) ways.ondrag?.(this.#step('cancel', h, p));
      return;
    }
    if (!h.moved) this.#tapped(h, e, p, ways);
    else if (h.mode === 'drag') ways.ondrag?.(this.#step('end', h, p));
    else if (h.mode === 'piece') ways.onpiecedrag?.(h.piece, 'end', this.camera.toTable(p));
  };

  readonly wheel = (e: WheelEvent): void => {
    if (this.ways().still) return;
    e.preventDefault();
    this.camera.zoom(Math.exp(-e.deltaY * 0.0015), this.#at(e));
  };

  #at(e: PointerEvent | WheelEvent): Point {
    const box = this.host().getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  }

  #step(phase: DragStep['phase'], h: Hold, p: Point): DragStep {
    return { phase, what: h.what, unit: h.unit, model: h.model, at: this.camera.toTable(p), from: this.camera.toTable(h.start), touch: h.touch };
  }

  #pinched(): void {
    const [a, b] = [...this.#fingers.values()] as [Point, Point];
    const span = Math.hypot(a[0] - b[0], a[1] - b[1]);
    if (this.#pinch) this.camera.zoom(span / this.#pinch, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    this.#pinch = span;
  }

  #moved(p: Point, ways: PointerWays): void {
    const h = this.#hold;
    if (!h) return;
    if (!h.moved && Math.hypot(p[0] - h.start[0], p[1] - h.start[1]) < SLACK[h.touch ? 'touch' : 'mouse']) return;
    // a unit that becomes free while a finger is on it follows from here on
    const freed = h.mode === 'still' && ways.movable.includes(h.unit);
    if (freed) h.mode = 'drag';
    const first = !h.moved || freed;
    h.moved = true;
    if (h.mode === 'pan') {
      this.camera.pan(p[0] - h.last[0], p[1] - h.last[1]);
      this.camera.holdOnto({ x0: 0, y0: 0, x1: ways.scene.w, y1: ways.scene.h });
    }
    if (h.mode === 'drag') ways.ondrag?.(this.#step(first ? 'start' : 'move', h, p));
    if (h.mode === 'tape') ways.ontape?.(this.camera.toTable(h.start), this.camera.toTable(p));
    if (h.mode === 'piece') ways.onpiecedrag?.(h.piece, first ? 'start' : 'move', this.camera.toTable(p));
    h.last = p;
  }

  #tapped(h: Hold, e: PointerEvent, p: Point, ways: PointerWays): void {
    if (h.mode === 'tape') return;
    if (h.model >= 0 && ways.onmodel?.(h.model)) return;
    if (h.unit >= 0 && h.what === 'unit') ways.onunit?.(h.unit);
    else if (h.what !== 'pivot') {
      if (h.piece >= 0) ways.onpiece?.(h.piece);
      ways.onpoint?.(this.camera.toTable(p));
      if (h.touch) ways.hover(e, p);
    }
  }
}

/** What a finger that goes down has hold of. */
function held(e: PointerEvent, p: Point, { movable, modelwise, taping, onpiecedrag }: PointerWays): Hold {
  const pushes = e.pointerType === 'mouse' && e.button === 1; // the middle button pushes the table, whatever it is on
  const target = e.target instanceof Element && !pushes ? e.target : null;
  const grip = target?.closest('[data-drag]')?.getAttribute('data-drag') ?? '';
  const [unit, piece] = [numbered(target, 'data-unit'), numbered(target, 'data-piece')];
  const ghost = numbered(target, 'data-ghost-model');
  const model = ghost >= 0 ? ghost : numbered(target, 'data-model');
  const grabs = grip !== '' ? movable.length > 0 : movable.includes(unit);
  return {
    mode: taping && !pushes ? 'tape' : grabs ? 'drag' : unit >= 0 ? 'still' : onpiecedrag && piece >= 0 ? 'piece' : 'pan',
    start: p,
    last: p,
    moved: false,
    unit,
    piece,
    model,
    what: grip === 'pivot' ? 'pivot' : modelwise && grabs && model >= 0 ? 'model' : grip === 'ghost' ? 'ghost' : 'unit',
    touch: e.pointerType !== 'mouse',
  };
}
