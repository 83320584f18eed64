/* Where to put the table so that panels cover nothing that matters: it is as large as the window, stays inside it as a
   whole, and gives way in size only where a unit would lie under a panel otherwise. */

import type { Box } from './shapes';

/** The table's origin on the screen, and how many pixels an inch takes. */
export interface View {
  x: number;
  y: number;
  k: number;
}

export interface Window {
  width: number;
  height: number;
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
const YIELDS = 0.93; // of the largest size, for what may be covered
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

/** The best view of a table. */
export function clearView(window: Window, { table, first, then }: Matters): View {
  const [w, h] = [table.x1 - table.x0, table.y1 - table.y0];
  const largest = Math.min(window.height / h, window.width / w);
  let best: { view: View; first: number; then: number } | null = null;
  for (let k = largest; k > largest / 2; k *= STEP) {
    if (best && best.first === 0 && (best.then === 0 || k < largest * YIELDS)) break;
    for (const view of places(window, table, k)) {
      const found = { view, first: covered(first, view, window), then: covered(then, view, window) };
      if (!best || found.first < best.first || (found.first === best.first && found.then < best.then)) best = found;
    }
  }
  return best?.view ?? { x: 0, y: 0, k: largest };
}

/** Places of the whole table inside the window: first the one in the middle of what is free. */
function places({ width, height, panels }: Window, table: Box, k: number): View[] {
  const low = Math.min(height, ...panels.filter((p) => p.y0 > height / 2).map((p) => p.y0)); // a line along the lower edge
  const spare = Math.max(0, height - (table.y1 - table.y0) * k);
  const y = -table.y0 * k + Math.max(0, spare - (height - low)) / 2;
  const ends = [-table.x0 * k, width - table.x1 * k] as const;
  const [nearest, farthest] = [Math.min(...ends), Math.max(...ends)];
  const beside = [...panels].filter((p) => p.y0 <= height / 2);
  const free = [Math.max(0, ...beside.filter((p) => p.x0 < width / 2).map((p) => p.x1)), Math.min(width, ...beside.filter((p) => p.x0 >= width / 2).map((p) => p.x0))] as const;
  const wished = (free[0] + free[1]) / 2 - ((table.x0 + table.x1) / 2) * k;
  const start = Math.max(nearest, Math.min(farthest, wished));
  const tried = Array.from({ length: PLACES + 1 }, (_, i) => nearest + ((farthest - nearest) * i) / PLACES);
  return [start, ...tried.sort((a, b) => Math.abs(a - start) - Math.abs(b - start))].map((x) => ({ x, y, k }));
}
