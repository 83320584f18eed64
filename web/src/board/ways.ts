/* What leads across the table: rivers, roads, bridges and squares. They come as stretches, each a ribbon with its right bank first
   and its left bank back again; stretches that touch are drawn in one go, so that no seam shows. */

import type { ScenePiece } from './scene';
import { f, pathOf, slabOf, smooth, type Point, type Polygon } from './shapes';
import type { Road } from './roads';

interface Ribbon {
  /** along its middle */
  points: Point[];
  wide: number;
}

const NEAR = 0.05; // inches between ends that are the same
const BRIDGED = 5; // inches of a river that a bridge may hide

/** The middle line of a stretch; null where it is no ribbon, as a pool or a pond. */
export function ribbonOf(outline: Polygon): Ribbon | null {
  const half = outline.length / 2;
  if (half < 2 || half % 1) return null;
  const points: Point[] = [];
  const across: number[] = [];
  for (let i = 0; i < half; i++) {
    const [a, b] = [outline[i], outline[outline.length - 1 - i]];
    if (!a || !b) return null;
    points.push([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    across.push(Math.hypot(a[0] - b[0], a[1] - b[1]));
  }
  const wide = [...across].sort((a, b) => a - b)[Math.floor(half / 2)] ?? 0;
  return across.every((one) => Math.abs(one - wide) < wide * 0.35) && lengthOf(points) > wide * 0.8 ? { points, wide } : null;
}

const lengthOf = (points: readonly Point[]): number => points.reduce((sum, p, i) => sum + (i ? apart(points[i - 1] ?? p, p) : 0), 0);
const apart = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Stretches that meet end to end become one; `reach` is how far apart their ends may be. */
export function chained(ribbons: readonly Ribbon[], reach = NEAR): Ribbon[] {
  const chains: Ribbon[] = [];
  for (const ribbon of ribbons) {
    const last = chains.at(-1);
    const end = last?.points.at(-1);
    const [first, final] = [ribbon.points[0], ribbon.points.at(-1)];
    if (last && end && first && apart(end, first) <= reach) last.points.push(...ribbon.points.slice(apart(end, first) <= NEAR ? 1 : 0));
    else if (last && end && final && apart(end, final) <= reach) last.points.push(...ribbon.points.toReversed().slice(apart(end, final) <= NEAR ? 1 : 0));
    else chains.push({ points: [...ribbon.points], wide: ribbon.wide });
  }
  return chains;
}

/** The outlines of stretches that touch, without the edges that they share. */
export function merged(outlines: readonly Polygon[]): Polygon[] {
  const key = (p: Point): string => `${p[0].toFixed(3)},${p[1].toFixed(3)}`;
  const next = new Map<string, Point[]>();
  const edges = outlines.flatMap((outline) => outline.map((p, i): [Point, Point] => [p, outline[(i + 1) % outline.length] ?? p]));
  const there = new Set(edges.map(([a, b]) => `${key(a)}|${key(b)}`));
  for (const [a, b] of edges) if (!there.has(`${key(b)}|${key(a)}`)) next.set(key(a), [...(next.get(key(a)) ?? []), b]);
  const found: Polygon[] = [];
  for (const start of next.keys()) {
    const loop: Point[] = [];
    for (let at = start; next.get(at)?.length; ) {
      const to = next.get(at)?.shift();
      if (!to) break;
      loop.push(to);
      at = key(to);
    }
    if (loop.length > 2) found.push(loop);
  }
  return found;
}

/** Roads that the table brings along. */
export function laidRoads(pieces: readonly ScenePiece[]): Road[] {
  const stretches = pieces.filter((p) => p.kind === 'road').flatMap((p) => ribbonOf(p.outline) ?? []);
  return chained(stretches);
}

/** Kinds that are there for their looks alone. */
const LOOKS = new Set(['road', 'bridge', 'square']);

export const hasRules = (piece: ScenePiece): boolean => !LOOKS.has(piece.kind);

/** A piece that is drawn here and not one by one. */
export const isWay = (piece: ScenePiece): boolean => LOOKS.has(piece.kind) || (piece.kind === 'river' && ribbonOf(piece.outline) !== null);

/** Rivers as markup: bank, shallows, deep water in the middle, lines of the current. */
export function paintRivers(pieces: readonly ScenePiece[]): string {
  const stretches = pieces.filter((p) => p.kind === 'river' && ribbonOf(p.outline));
  if (!stretches.length) return '';
  const courses = chained(stretches.flatMap((p) => ribbonOf(p.outline) ?? []), BRIDGED);
  const banks = merged(stretches.map((p) => p.outline)).map((outline) => pathOf(outline)).join('');
  const line = (wide: (one: Ribbon) => number, look: string): string => courses.map((one) => `<path d="${smooth(one.points, false)}" fill="none" stroke-linejoin="round" stroke-width="${f(wide(one))}" ${look}/>`).join('');
  const current = (aside: number, dashes: string, opacity: number): string =>
    courses.map((one) => `<path d="${smooth(shifted(one.points, aside * one.wide), false)}" fill="none" style="stroke:var(--water-hi)" stroke-width=".08" stroke-linecap="round" stroke-dasharray="${dashes}" opacity="${opacity}"/>`).join('');
  return (
    `<path d="${banks}" style="fill:var(--sand);stroke:var(--bank)" stroke-width="1.5" stroke-opacity=".5" filter="url(#fEdge)"/>` +
    `<path d="${banks}" style="fill:var(--sand);stroke:var(--sand)" stroke-width=".7" filter="url(#fEdge)"/>` +
    line((one) => one.wide, 'style="stroke:var(--water)"') +
    `<path d="${banks}" style="fill:var(--water);stroke:var(--water-hi)" stroke-width=".14"/>` +
    line((one) => one.wide * 0.5, 'style="stroke:var(--water-deep)" opacity=".75" filter="url(#fSoft2)"') +
    current(0.33, '1.6 1.3', 0.7) + current(0.12, '.9 2.4', 0.5) + current(-0.14, '1.1 2.1', 0.5) + current(-0.34, '1.9 1.1', 0.7)
  );
}

/** A line beside a line. */
function shifted(points: readonly Point[], aside: number): Point[] {
  return points.map((p, i) => {
    const [a, b] = [points[Math.max(0, i - 1)] ?? p, points[Math.min(points.length - 1, i + 1)] ?? p];
    const far = apart(a, b) || 1;
    return [p[0] - ((b[1] - a[1]) / far) * aside, p[1] + ((b[0] - a[0]) / far) * aside];
  });
}

/** Bridges as markup: planks across the way, rails along it. */
export function paintBridges(pieces: readonly ScenePiece[]): string {
  return pieces
    .filter((p) => p.kind === 'bridge')
    .map(({ outline }) => {
      const { x, y, w, h, angle } = slabOf(outline);
      const rail = (at: number, colour: string, wide: number, dy: number): string => `<path d="M${f(-w / 2 - 0.3)} ${f(at + dy)}H${f(w / 2 + 0.3)}" style="stroke:var(--${colour})" stroke-width="${wide}" stroke-linecap="round"/>`;
      return (
        `<g transform="translate(${f(x)} ${f(y)}) rotate(${f(angle)})"><rect x="${f(-w / 2 + 0.25)}" y="${f(-h / 2 + 0.4)}" width="${f(w)}" height="${f(h)}" style="fill:var(--shade)" filter="url(#fSoft)"/>` +
        `<rect x="${f(-w / 2)}" y="${f(-h / 2)}" width="${f(w)}" height="${f(h)}" fill="url(#pPlank)"/>` +
        [-h / 2, h / 2].map((at) => rail(at, 'log-lo', 0.38, 0) + rail(at, 'log-hi', 0.14, -0.07)).join('') +
        '</g>'
      );
    })
    .join('');
}

/** Paved ground as markup: flagstones, worn at the edges. */
export function paintSquares(pieces: readonly ScenePiece[]): string {
  return pieces
    .filter((p) => p.kind === 'square')
    .map(({ outline }) => {
      const d = pathOf(outline);
      return `<path d="${d}" style="fill:var(--dirt-2);stroke:var(--dirt-2)" stroke-width=".6" stroke-linejoin="round" opacity=".8" filter="url(#fEdge)"/><path d="${d}" style="fill:var(--flag)" opacity=".9"/><path d="${d}" fill="url(#pPaving)"/>`;
    })
    .join('');
}
