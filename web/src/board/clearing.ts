/* Where to put the table so that panels cover nothing that matters: it is as large as the window, stays inside it as a
   whole, and gives way in size only where panels cannot step aside. */

import type { Box } from './shapes';

/** The table's origin on the screen, and how many pixels an inch takes. */
export interface View {
  x: number;
  y: number;
  k: number;
}

export interface Size {
  width: number;
  height: number;
  /** what a line along the lower edge takes, where the table can leave it free */
  foot?: number;
}

export interface Window extends Size {
  /** what lies over the table, in pixels */
  panels: readonly Box[];
}

/** What stands on the table, in inches. */
export interface Matters {
  /** with its frame */
  table: Box;
  /** is never covered */
  first: readonly Box[];
  /** is not covered where that costs little */
  then: readonly Box[];
}

const STEP = 0.985; // from one size that is tried to the next
const PLACES = 24; // that are tried at each size
const FREE = 0.25; // of a box on each side may be covered: what is left is seen and taken hold of

const RIM = 0.66; // inches of the frame that are shown with the whole table: the ruler

/** A table with its frame. */
export const framed = ({ w, h }: { w: number; h: number }): Box => ({ x0: -RIM, y0: -RIM, x1: w + RIM, y1: h + RIM });

/** Whether the middle of a box is inside the window and under no panel. */
export function isFree(box: Box, { x, y, k }: View, { width, height, panels }: Window): boolean {
  const [dx, dy] = [(box.x1 - box.x0) * FREE, (box.y1 - box.y0) * FREE];
  const seen = { x0: x + (box.x0 + dx) * k, y0: y + (box.y0 + dy) * k, x1: x + (box.x1 - dx) * k, y1: y + (box.y1 - dy) * k };
  if (seen.x0 < 0 || seen.y0 < 0 || seen.x1 > width || seen.y1 > height) return false;
  return !panels.some((p) => p.x0 < seen.x1 && seen.x0 < p.x1 && p.y0 < seen.y1 && seen.y0 < p.y1);
}

const covered = (boxes: readonly Box[], view: View, window: Window): number => boxes.filter((b) => !isFree(b, view, window)).length;

/** What lies over the table when it is looked at like this, and how much less than best that serves. */
export interface Arranged<P> {
  panels: readonly Box[];
  cost: number;
  places: P;
}

/** Costs: size counts for most, since everything on the table is read by it. */
const [COVERED, LESS, HIDDEN] = [1e6, 2000, 10]; // what must be seen, each share of the size, what should be seen

/** The best view of a table, with panels that may step aside for what stands on it. */
export function clearView<P>(window: Size, { table, first, then }: Matters, arrange: (view: View) => Arranged<P>): { view: View; places: P } {
  const largest = Math.min(window.height / (table.y1 - table.y0), window.width / (table.x1 - table.x0));
  let best: { view: View; places: P; cost: number } | null = null;
  for (let k = largest; k > largest / 2; k *= STEP) {
    const less = (1 - k / largest) * LESS;
    if (best && best.cost <= less) break;
    for (const view of viewsOf(window, table, k)) {
      const { panels, cost, places } = arrange(view);
      const seen = { ...window, panels };
      const total = covered(first, view, seen) * COVERED + covered(then, view, seen) * HIDDEN + cost + less;
      if (!best || total < best.cost) best = { view, places, cost: total };
    }
  }
  if (best) return best;
  const view = { x: 0, y: 0, k: largest };
  return { view, places: arrange(view).places };
}

/** Views of the whole table inside the window, as far left as can be and further right step by step. */
function viewsOf({ width, height, foot = 0 }: Size, table: Box, k: number): View[] {
  const y = -table.y0 * k + Math.max(0, height - foot - (table.y1 - table.y0) * k) / 2;
  const ends = [-table.x0 * k, width - table.x1 * k] as const;
  const [nearest, farthest] = [Math.min(...ends), Math.max(...ends)];
  return Array.from({ length: PLACES + 1 }, (_, i) => ({ x: nearest + ((farthest - nearest) * i) / PLACES, y, k }));
}

export interface Span {
  y0: number;
  y1: number;
}

/** The stretches of a column on the screen that no box reaches into, from top to bottom. */
export function gapsOf(column: Box, boxes: readonly Box[], { x, y, k }: View, room: number): Span[] {
  const inside = boxes.map((b) => ({ x0: x + b.x0 * k, y0: y + b.y0 * k - room, x1: x + b.x1 * k, y1: y + b.y1 * k + room })).filter((b) => b.x0 < column.x1 && column.x0 < b.x1);
  const found: Span[] = [];
  let from = column.y0;
  for (const b of inside.sort((a, c) => a.y0 - c.y0)) {
    if (b.y0 > from) found.push({ y0: from, y1: Math.min(b.y0, column.y1) });
    from = Math.max(from, b.y1);
  }
  if (from < column.y1) found.push({ y0: from, y1: column.y1 });
  return found.filter((s) => s.y1 > s.y0);
}
