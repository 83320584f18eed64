/* Plane geometry for drawing: seeded numbers, paths, polygons. Lengths are inches, y points down the screen. */

export type Point = readonly [number, number];
export type Polygon = readonly Point[];
export type Random = () => number;

/** A seeded generator (mulberry32): the same piece always looks the same. */
export function random(seed: number): Random {
  let s = Math.trunc(seed) | 0;
  return () => {
    s = (s + 0x6d2b79f5) | 0;
    let t = Math.imul(s ^ (s >>> 15), 1 | s);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A number for an SVG attribute: at most two decimals, no trailing zeros. */
export const f = (n: number): string => String(Math.round(n * 100) / 100);

export const radians = (degrees: number): number => (degrees * Math.PI) / 180;

export function pathOf(points: Polygon, closed = true): string {
  return points.map((p, i) => `${i ? 'L' : 'M'}${f(p[0])} ${f(p[1])}`).join('') + (closed ? 'Z' : '');
}

/** The outline with its corners cut round: shores and slopes have none. It stays within a finger's breadth of the footprint. */
export function rounded(points: Polygon, share = 0.42): string {
  const n = points.length;
  const part = (a: Point, b: Point): string => `${f(a[0] + (b[0] - a[0]) * share)} ${f(a[1] + (b[1] - a[1]) * share)}`;
  return points
    .map((p, i) => {
      const [before, after] = [points[(i + n - 1) % n] ?? p, points[(i + 1) % n] ?? p];
      return `${i ? 'L' : 'M'}${part(p, before)}Q${f(p[0])} ${f(p[1])} ${part(p, after)}`;
    })
    .join('')
    .concat('Z');
}

/** A smooth curve (Catmull-Rom) through the points. */
export function smooth(points: Polygon, closed = true): string {
  const n = points.length;
  const at = (i: number): Point =>
    (closed ? points[(i + n) % n] : points[Math.max(0, Math.min(n - 1, i))]) ?? [0, 0];
  let d = `M${f(at(0)[0])} ${f(at(0)[1])}`;
  for (let i = 0; i < (closed ? n : n - 1); i++) {
    const [a, b, c, e] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    d +=
      `C${f(b[0] + (c[0] - a[0]) / 6)} ${f(b[1] + (c[1] - a[1]) / 6)} ` +
      `${f(c[0] - (e[0] - b[0]) / 6)} ${f(c[1] - (e[1] - b[1]) / 6)} ${f(c[0])} ${f(c[1])}`;
  }
  return d + (closed ? 'Z' : '');
}

export function blob(x: number, y: number, rx: number, ry: number, seed: number, n = 8, wobble = 0.2): string {
  const r = random(seed);
  const points: Point[] = [];
  for (let i = 0; i < n; i++) {
    const a = (i / n) * 2 * Math.PI;
    const m = 1 - wobble + 2 * wobble * r();
    points.push([x + Math.cos(a) * rx * m, y + Math.sin(a) * ry * m]);
  }
  return smooth(points);
}

/** A rough stone about a point. */
export function stone(x: number, y: number, size: number, r: Random): string {
  const n = 5 + Math.floor(r() * 3);
  const turn = r() * 6;
  const points: Point[] = [];
  for (let i = 0; i < n; i++) {
    const a = turn + (i / n) * 2 * Math.PI;
    const m = size * (0.72 + 0.4 * r());
    points.push([x + Math.cos(a) * m, y + Math.sin(a) * m * 0.9]);
  }
  return pathOf(points);
}

/** A scalloped circle: a tree crown from above. */
export function scallop(x: number, y: number, size: number, n: number, r: Random): string {
  const turn = r() * 6;
  let d = '';
  for (let i = 0; i <= n; i++) {
    const a = turn + (i / n) * 2 * Math.PI;
    const m = size * (i % n ? 0.88 + 0.16 * r() : 0.95);
    const at = `${f(x + Math.cos(a) * m)} ${f(y + Math.sin(a) * m)}`;
    d += i ? `A${f(size * 0.36)} ${f(size * 0.36)} 0 0 1 ${at}` : `M${at}`;
  }
  return d + 'Z';
}

export function centroid(polygon: Polygon): Point {
  let area = 0;
  let x = 0;
  let y = 0;
  edges(polygon, (a, b) => {
    const cross = a[0] * b[1] - b[0] * a[1];
    area += cross;
    x += (a[0] + b[0]) * cross;
    y += (a[1] + b[1]) * cross;
  });
  if (Math.abs(area) < 1e-9) {
    const n = polygon.length || 1;
    return [polygon.reduce((s, p) => s + p[0], 0) / n, polygon.reduce((s, p) => s + p[1], 0) / n];
  }
  return [x / (3 * area), y / (3 * area)];
}

export function edges(polygon: Polygon, visit: (a: Point, b: Point) => void): void {
  polygon.forEach((a, i) => visit(a, polygon[(i + 1) % polygon.length] ?? a));
}

export function contains(polygon: Polygon, x: number, y: number): boolean {
  let inside = false;
  edges(polygon, (a, b) => {
    if (a[1] > y !== b[1] > y && x < ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0]) inside = !inside;
  });
  return inside;
}

export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export function boxOf(points: Polygon): Box {
  const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (const [x, y] of points) {
    box.x0 = Math.min(box.x0, x);
    box.y0 = Math.min(box.y0, y);
    box.x1 = Math.max(box.x1, x);
    box.y1 = Math.max(box.y1, y);
  }
  return box;
}

/** The polygon drawn in towards its middle. */
export function shrunk(polygon: Polygon, keep: number, shift: Point = [0, 0]): Point[] {
  const [cx, cy] = centroid(polygon);
  return polygon.map(([x, y]) => [cx + (x - cx) * keep + shift[0], cy + (y - cy) * keep + shift[1]]);
}

/** The smallest outline without a dent around all of these points. */
export function hullOf(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (o: Point, a: Point, b: Point): number => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (from: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const p of from) {
      while (chain.length > 1 && turn(chain[chain.length - 2] as Point, chain[chain.length - 1] as Point, p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

export interface Slab {
  x: number;
  y: number;
  w: number;
  h: number;
  angle: number;
}

/** The narrowest rectangle along one of the polygon's edges; `w` is its longer side, `angle` in degrees. */
export function slabOf(polygon: Polygon): Slab {
  let best: Slab | null = null;
  edges(polygon, (a, b) => {
    const angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const box = boxOf(polygon.map(([x, y]) => [x * c + y * s, -x * s + y * c] as const));
    const [w, h] = [box.x1 - box.x0, box.y1 - box.y0];
    if (best && best.w * best.h <= w * h + 1e-6) return;
    const [mx, my] = [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2];
    best = { x: mx * c - my * s, y: mx * s + my * c, w, h, angle: (angle * 180) / Math.PI };
  });
  const slab = best ?? { x: 0, y: 0, w: 1, h: 1, angle: 0 };
  if (slab.w >= slab.h) return upright(slab);
  return upright({ ...slab, w: slab.h, h: slab.w, angle: slab.angle + 90 });
}

/** The same rectangle with its angle between -90 and 90, so that what is written on it stands upright. */
function upright(slab: Slab): Slab {
  let angle = slab.angle % 180;
  if (angle > 90) angle -= 180;
  if (angle <= -90) angle += 180;
  return { ...slab, angle };
}

/** Points spread inside a polygon, each with a size, none much closer than their sizes allow. */
export function scatter(
  polygon: Polygon,
  count: number,
  size: (r: Random) => number,
  r: Random,
  closeness = 0.72,
): { x: number; y: number; size: number }[] {
  const box = boxOf(polygon);
  const found: { x: number; y: number; size: number }[] = [];
  for (let tries = 0; found.length < count && tries < count * 40; tries++) {
    const x = box.x0 + r() * (box.x1 - box.x0);
    const y = box.y0 + r() * (box.y1 - box.y0);
    const s = size(r);
    const fits = found.every((p) => Math.hypot(p.x - x, p.y - y) > (p.size + s) * closeness);
    if (fits && contains(polygon, x, y)) found.push({ x, y, size: s });
  }
  return found;
}

export function areaOf(polygon: Polygon): number {
  let doubled = 0;
  edges(polygon, (a, b) => (doubled += a[0] * b[1] - b[0] * a[1]));
  return Math.abs(doubled) / 2;
}
