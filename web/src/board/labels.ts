/* Where the name plates go: each near its unit, none over another. Pure arithmetic in pixels. */

import { f } from './shapes';

export interface Plate {
  id: number;
  /** the unit's box on the screen */
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  /** wanted above the unit rather than below */
  above: boolean;
  /** width with the name and without it */
  wide: number;
  narrow: number;
  /** higher is placed first and keeps its name longer */
  weight: number;
  /** whether the name may be dropped at all */
  keepsName: boolean;
}

export interface PlacedPlate {
  id: number;
  /** the plate's upper left corner */
  x: number;
  y: number;
  width: number;
  named: boolean;
}

const LONGEST = 26; // letters on a plate

/** A name as it fits on a plate; the number that tells namesakes apart stays. */
export function plateName(name: string): string {
  if (name.length <= LONGEST) return name;
  const number = /\s\d+$/.exec(name)?.[0] ?? '';
  return `${name.slice(0, LONGEST - number.length - 1).trimEnd()}…${number}`;
}

export const PLATE_HEIGHT = 22;
const GAP = 5;
const NAMELESS = 1400; // what a plate without its name costs, in covered pixels

export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

const overlap = (a: Rect, b: Rect): number =>
  Math.max(0, Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y));

/** Greedy and stable: the weightiest plate first, each at the spot that covers least of what is there already and
    lies within `free`, the part of the screen that no panel covers. Nothing goes over what is `kept` free. */
export function placePlates(plates: readonly Plate[], free: Rect | null = null, kept: readonly Rect[] = []): PlacedPlate[] {
  const taken: Rect[] = [...kept];
  // whoever matters more must not disappear below the plate of somebody who matters less
  const bodies = plates.map((p) => ({ id: p.id, weight: p.weight, x: p.x0, y: p.y0, w: p.x1 - p.x0, h: p.y1 - p.y0 }));
  const order = [...plates].sort((a, b) => b.weight - a.weight || a.id - b.id);
  return order.map((plate) => {
    const names = plate.keepsName ? [true] : [true, false];
    let best: { rect: Rect; named: boolean; cost: number } | null = null;
    for (const named of names) {
      for (const [i, spot] of spots(plate, named ? plate.wide : plate.narrow).entries()) {
        const rect = free && plate.x1 > free.x && plate.x0 < free.x + free.w ? pulledIn(spot, free) : spot;
        const onPlates = taken.reduce((sum, other) => sum + overlap(rect, other), 0);
        const onUnits = bodies.reduce((sum, body) => sum + (body.id === plate.id && rect.x === spot.x ? 0 : overlap(rect, body) * (body.weight > plate.weight ? 4 : 1)), 0);
        const hidden = free ? rect.w * rect.h - overlap(rect, free) : 0;
        const cost = onPlates * 4 + onUnits + hidden * 3 + i * 20 + (named ? 0 : NAMELESS);
        if (!best || cost < best.cost) best = { rect, named, cost };
      }
    }
    const { rect, named } = best ?? { rect: { x: 0, y: 0, w: 0, h: 0 }, named: false };
    taken.push(rect);
    return { id: plate.id, x: rect.x, y: rect.y, width: rect.w, named };
  });
}

/** A plate that would stick out at a side, as far in as it takes to be read. */
const pulledIn = (rect: Rect, free: Rect): Rect => ({ ...rect, x: Math.max(free.x, Math.min(free.x + free.w - rect.w, rect.x)) });

/** Spots around the unit, the best first; a line leads back from the farther ones. */
function spots(p: Plate, width: number): Rect[] {
  const middle = (p.x0 + p.x1) / 2 - width / 2;
  const [up, down] = [p.y0 - GAP - PLATE_HEIGHT, p.y1 + GAP];
  const [first, second] = p.above ? [up, down] : [down, up];
  const at = (x: number, y: number): Rect => ({ x, y, w: width, h: PLATE_HEIGHT });
  const side = (p.y0 + p.y1) / 2 - PLATE_HEIGHT / 2;
  const row = (p.above ? -1 : 1) * (PLATE_HEIGHT + 2);
  return [
    at(middle, first),
    at(middle, second),
    at(p.x1 - width, first),
    at(p.x0, first),
    at(p.x1 + GAP, side),
    at(p.x0 - GAP - width, side),
    at(p.x1 - width, second),
    at(p.x0, second),
    at(middle, first + row),
    at(p.x1 + GAP, first),
    at(p.x0 - GAP - width, first),
    at(middle, second - row),
    at(p.x1 - width, first + row),
    at(p.x0, first + row),
    at(p.x1 - width, second - row),
    at(p.x0, second - row),
    at(p.x1 + GAP, second),
    at(p.x0 - GAP - width, second),
    at(middle, first + 2 * row),
    at(middle, second - 2 * row),
  ];
}

/** Where words about a unit go: beside it, over nothing that is `kept` free, and over `others` only where there is no room. */
export function placeWords({ w, h }: Pick<Rect, 'w' | 'h'>, about: Rect, kept: readonly Rect[], others: readonly Rect[], free: Rect): Rect {
  const [middle, side] = [about.x + about.w / 2 - w / 2, about.y + about.h / 2 - h / 2];
  const [left, right, up, down] = [about.x - GAP - w, about.x + about.w + GAP, about.y - GAP - h, about.y + about.h + GAP];
  const wanted = [[middle, down], [middle, up], [right, side], [left, side], [right, down], [left, down], [right, up], [left, up], [middle, up - h], [middle, down + h]] as const;
  const within = (v: number, low: number, high: number): number => Math.max(low, Math.min(high, v));
  let best: { rect: Rect; cost: number } | null = null;
  for (const [i, [x, y]] of wanted.entries()) {
    const rect = { x: within(x, free.x + 6, free.x + free.w - w - 6), y: within(y, free.y + 4, free.y + free.h - h - 4), w, h };
    const over = (them: readonly Rect[]): number => them.reduce((sum, one) => sum + overlap(rect, one), 0);
    const cost = over(kept) * 8 + over(others) + i * 20;
    if (!best || cost < best.cost) best = { rect, cost };
  }
  return best?.rect ?? { x: middle, y: down, w, h };
}

const [CARD_STEP, CARD_GAP, CARD_FAR] = [12, 10, 260]; // pixels: between spots that are tried, beside what it is about, at most away from it
const CROSSED = 0.05; // a pixel of what should rather be seen, as pixels of distance

/** Where a card about a unit goes: as near to it as it can be over nothing that is `kept` free, and over `others` only where
    that is much nearer. Null where there is no such spot. */
export function placeCard({ w, h }: Pick<Rect, 'w' | 'h'>, about: Rect, kept: readonly Rect[], others: readonly Rect[], free: Rect): Rect | null {
  const apart = (a0: number, a1: number, b0: number, b1: number): number => Math.max(0, b0 - a1, a0 - b1);
  let best: { rect: Rect; cost: number } | null = null;
  for (let y = free.y; y + h <= free.y + free.h; y += CARD_STEP) {
    for (let x = free.x; x + w <= free.x + free.w; x += CARD_STEP) {
      const away = Math.hypot(apart(x, x + w, about.x, about.x + about.w), apart(y, y + h, about.y, about.y + about.h));
      if (away < CARD_GAP || away > CARD_FAR || (best && away >= best.cost)) continue;
      const rect = { x, y, w, h };
      if (kept.some((one) => overlap(rect, one) > 0)) continue;
      const cost = away + others.reduce((sum, one) => sum + overlap(rect, one), 0) * CROSSED;
      if (!best || cost < best.cost) best = { rect, cost };
    }
  }
  return best?.rect ?? null;
}

/** Squares along a line, for what keeps clear of it. */
export function alongLine(from: readonly [number, number], to: readonly [number, number], wide = 12): Rect[] {
  const steps = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / wide));
  return Array.from({ length: steps + 1 }, (_, i) => ({ x: from[0] + ((to[0] - from[0]) * i) / steps - wide / 2, y: from[1] + ((to[1] - from[1]) * i) / steps - wide / 2, w: wide, h: wide }));
}

const LEADER_FROM = 9; // pixels between a plate and its unit that need no line

/** A line from a plate to the middle of its unit, where the plate had to move away from it. */
export function leaderOf(plate: PlacedPlate, unit: Plate): string {
  const [cx, cy] = [plate.x + plate.width / 2, plate.y + PLATE_HEIGHT / 2];
  const [ux, uy] = [Math.max(unit.x0, Math.min(unit.x1, cx)), Math.max(unit.y0, Math.min(unit.y1, cy))];
  const [px, py] = [Math.max(plate.x, Math.min(plate.x + plate.width, ux)), Math.max(plate.y, Math.min(plate.y + PLATE_HEIGHT, uy))];
  return Math.hypot(ux - px, uy - py) > LEADER_FROM ? `M${f(px)} ${f(py)}L${f((unit.x0 + unit.x1) / 2)} ${f((unit.y0 + unit.y1) / 2)}` : '';
}
