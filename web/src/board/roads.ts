/* Roads between what people built. They have no rules and are only drawn, so they lead round every piece of terrain:
   nobody should take a wood that has a road through it for open ground. */

import { boxOf, centroid, contains, f, random, smooth, type Point, type Polygon, type Random } from './shapes';

export interface Place {
  id: number;
  kind: string;
  outline: Polygon;
}

export interface Road {
  points: Point[];
  /** inches across */
  wide: number;
}

const HOMES = new Set(['building', 'ruin', 'ruins']);
const OPEN = new Set(['decoration']);
const MAIN = 1.9;
const LANE = 1.1;
const ROOM = 1; // inches that a road keeps from terrain where it can
const LONGEST_LANE = 18;
const EVERY = 3; // of the inches on the way a road is drawn through

/** One road across the table, and lanes from it to houses and ruins; the same table always gets the same roads. */
export function roadsOf(w: number, h: number, places: readonly Place[]): Road[] {
  if (!places.some((p) => HOMES.has(p.kind))) return [];
  const cost = costs(w, h, places);
  const r = random(places.reduce((sum, p) => sum + (p.outline[0]?.[0] ?? 0) * (p.id + 1), 17));
  const grid: Grid = { w: Math.floor(w), h: Math.floor(h), cost };
  const found = mainRoad(grid, w, h, r);
  if (!found) return [];
  const { main, start, end } = found;
  const roads: Road[] = [{ points: [start, ...thinned(main.slice(1, -1)), end], wide: MAIN }];
  let known = spread(grid, main);
  for (const home of places.filter((p) => HOMES.has(p.kind))) {
    const door = nearestOpen(grid, known, home.outline);
    const lane = door ? wayTo(known, grid, door) : [];
    if (lane.length < 2 || lane.length > LONGEST_LANE) continue;
    roads.push({ points: [towards(door ?? [0, 0], centroid(home.outline)), ...thinned(lane)], wide: LANE });
    known = spread(grid, [...main, ...roads.slice(1).flatMap((road) => road.points)]);
  }
  return roads;
}

/** A way from one edge to the one across, beginning where nothing lies in the way; null where all is overgrown. */
function mainRoad(grid: Grid, w: number, h: number, r: Random): { main: Point[]; start: Point; end: Point } | null {
  for (let attempt = 0; attempt < 8; attempt++) {
    const at = Math.round(h * (0.2 + 0.6 * r()));
    const [start, end]: [Point, Point] = [[0, at], [w, h - at]];
    if (!grid.cost[cellOf(grid, start)] || !grid.cost[cellOf(grid, end)]) continue;
    const main = wayTo(spread(grid, [end]), grid, start);
    if (main.length) return { main, start, end };
  }
  return null;
}

/** Roads as markup, to lie under everything else; `dirt` and `dirt-2` are tokens. */
export function paintRoads(roads: readonly Road[]): string {
  const drawn = roads.map((road) => ({ d: smooth(road.points, false), wide: road.wide }));
  const stroke = (tone: string, share: number, more: number, opacity: number): string =>
    drawn
      .map(({ d, wide }) => `<path d="${d}" fill="none" style="stroke:var(--${tone})" stroke-width="${f(wide * share + more)}" stroke-linecap="round" stroke-linejoin="round"/>`)
      .join('')
      .replace(/^/, `<g opacity="${opacity}" filter="url(#fWay)">`)
      .concat('</g>');
  const ruts = drawn
    .filter(({ wide }) => wide >= MAIN)
    .map(({ d }) => `<path d="${d}" fill="none" style="stroke:var(--dirt-2)" stroke-width="${f(MAIN * 0.5)}" opacity=".6"/><path d="${d}" fill="none" style="stroke:var(--dirt)" stroke-width="${f(MAIN * 0.36)}"/>`);
  return roads.length ? stroke('dirt-2', 1, 0.4, 0.7) + stroke('dirt', 1, 0, 0.95) + ruts.join('') : '';
}

interface Grid {
  w: number;
  h: number;
  /** of entering each cell; 0 is barred */
  cost: Uint8Array;
}

/** What it costs to lay a road through each whole inch: more beside terrain, and nothing leads through it. */
function costs(w: number, h: number, places: readonly Place[]): Uint8Array {
  const [columns, rows] = [Math.floor(w), Math.floor(h)];
  const cost = new Uint8Array(columns * rows).fill(1);
  const barriers = places.filter((p) => !OPEN.has(p.kind)).map((p) => ({ outline: p.outline, box: boxOf(p.outline) }));
  const far = 2 * ROOM + 1;
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const near = barriers.filter(({ box }) => x > box.x0 - far && x < box.x1 + far && y > box.y0 - far && y < box.y1 + far);
      const apart = Math.min(...near.map((p) => distance(p.outline, [x + 0.5, y + 0.5])));
      cost[y * columns + x] = apart <= 0 ? 0 : apart < ROOM ? 4 : apart < 2 * ROOM ? 2 : 1;
    }
  }
  return cost;
}

/** How far a spot is from an outline; 0 inside it. */
function distance(outline: Polygon, [x, y]: Point): number {
  if (contains(outline, x, y)) return 0;
  let best = Infinity;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const [a, b] = [outline[j] ?? [0, 0], outline[i] ?? [0, 0]];
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const t = Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)));
    best = Math.min(best, Math.hypot(x - a[0] - t * dx, y - a[1] - t * dy));
  }
  return best;
}

const STEPS = [[1, 0, 10], [-1, 0, 10], [0, 1, 10], [0, -1, 10], [1, 1, 14], [1, -1, 14], [-1, 1, 14], [-1, -1, 14]] as const;

const cellOf = ({ w, h }: Grid, [x, y]: Point): number => Math.max(0, Math.min(h - 1, Math.floor(y))) * w + Math.max(0, Math.min(w - 1, Math.floor(x)));

/** How dear the way from every cell to the nearest of some spots is; Infinity where there is none. */
function spread(grid: Grid, goals: readonly Point[]): Float64Array {
  const { w, h, cost } = grid;
  const found = new Float64Array(w * h).fill(Infinity);
  const waiting: number[][] = [];
  const put = (cell: number, at: number): void => {
    if (at >= (found[cell] ?? 0)) return;
    found[cell] = at;
    (waiting[at] ??= []).push(cell);
  };
  for (const goal of goals) put(cellOf(grid, goal), 0);
  for (let at = 0; at < waiting.length; at++) {
    for (const cell of waiting[at] ?? []) {
      if (found[cell] !== at) continue;
      const [x, y] = [cell % w, Math.floor(cell / w)];
      for (const [dx, dy, far] of STEPS) {
        const [nx, ny] = [x + dx, y + dy];
        const price = cost[ny * w + nx] ?? 0;
        if (nx >= 0 && ny >= 0 && nx < w && ny < h && price) put(ny * w + nx, at + far * price);
      }
    }
  }
  return found;
}

/** Downhill from a spot to the nearest goal, cell by cell; empty where there is no way. */
function wayTo(found: Float64Array, grid: Grid, from: Point): Point[] {
  const { w, h } = grid;
  let cell = cellOf(grid, from);
  if (!Number.isFinite(found[cell] ?? Infinity)) return [];
  const way: Point[] = [[(cell % w) + 0.5, Math.floor(cell / w) + 0.5]];
  while ((found[cell] ?? 0) > 0 && way.length < w * h) {
    const [x, y] = [cell % w, Math.floor(cell / w)];
    let next = cell;
    for (const [dx, dy] of STEPS) {
      const [nx, ny] = [x + dx, y + dy];
      if (nx >= 0 && ny >= 0 && nx < w && ny < h && (found[ny * w + nx] ?? Infinity) < (found[next] ?? Infinity)) next = ny * w + nx;
    }
    if (next === cell) return [];
    cell = next;
    way.push([(cell % w) + 0.5, Math.floor(cell / w) + 0.5]);
  }
  return way;
}

/** The open cell beside an outline from which the way is shortest. */
function nearestOpen({ w, h }: Grid, found: Float64Array, outline: Polygon): Point | null {
  let best: { at: number; point: Point } | null = null;
  const box = boxOf(outline);
  for (let cell = 0; cell < w * h; cell++) {
    const at = found[cell] ?? Infinity;
    const point: Point = [(cell % w) + 0.5, Math.floor(cell / w) + 0.5];
    if (point[0] < box.x0 - 2 || point[0] > box.x1 + 2 || point[1] < box.y0 - 2 || point[1] > box.y1 + 2) continue;
    if (Number.isFinite(at) && (!best || at < best.at) && distance(outline, point) < 1.3) best = { at, point };
  }
  return best?.point ?? null;
}

/** A little further from one point to another: up to the doorstep. */
const towards = (from: Point, to: Point): Point => {
  const far = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  return [from[0] + ((to[0] - from[0]) / far) * 0.9, from[1] + ((to[1] - from[1]) / far) * 0.9];
};

const thinned = (way: readonly Point[]): Point[] => way.filter((_, i) => i % EVERY === 0 || i === way.length - 1);
