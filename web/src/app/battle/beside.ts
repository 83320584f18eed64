/* Where the odds of an attack stand: beside the target, over nothing that matters; else in the panel. */

import { unitBox, unitCentre } from '../../board/bounds';
import type { Camera } from '../../board/camera.svelte';
import { alongLine, placeCard, type Rect } from '../../board/labels';
import type { Scene, SceneUnit } from '../../board/scene';
import type { Box, Point } from '../../board/shapes';
import type { Expected } from './expected';

export interface Beside {
  rect: Rect;
  /** from the card to the target, where they are apart */
  leader: readonly [Point, Point] | null;
}

const ROOM = 5; // pixels about a unit
const PLATE = 30; // pixels above or below a unit for its name
const SIGNS = 12; // pixels that tick and handle of a ghost stick out
const [EDGE, NEAR] = [8, 26];

/** What is on the screen and has to stay in sight. */
export interface Sighted {
  scene: Scene;
  camera: Camera;
  panels: readonly Box[];
  free: Rect;
  /** the unit at hand, and where it would go */
  shooter: number;
  ghost: SceneUnit | null;
}

/** How wide the card is, in pixels. */
export const CARD = 264;
const [HEAD, BACK, BARS, LIST, LINE] = [122, 42, 76, 20, 22]; // pixels of its parts
const LETTERS = 26; // in a line beside a rule's number

/** About how tall a card with these odds is; it is measured once it is shown. */
export function cardHeight({ odds, steps }: Expected, open: boolean): number {
  const lines = steps.flatMap((s) => [s.title, ...s.mods.map((m) => m.why)]).reduce((sum, words) => sum + Math.ceil((words.length + 4) / LETTERS), 0);
  return HEAD + (odds.back ? BACK : 0) + (open ? BARS + (lines ? LIST + lines * LINE : 0) : 0);
}

/** The best place for a card of this size beside a unit, or null. */
export function besideUnit(target: number, size: { w: number; h: number }, { scene, camera, panels, free, shooter, ghost }: Sighted): Beside | null {
  const at = scene.units.find((u) => u.id === target);
  const about = at && onScreen(camera, at, 0);
  if (!at || !about) return null;
  const from = ghost ?? scene.units.find((u) => u.id === shooter);
  const kept = [
    ...scene.units.flatMap((u) => onScreen(camera, u, ROOM) ?? []),
    ...(ghost ? [onScreen(camera, ghost, SIGNS)].flatMap((r) => (r ? [{ ...r, y: r.y - PLATE, h: r.h + 2 * PLATE }] : [])) : []),
    ...panels.map((p) => ({ x: p.x0 - EDGE, y: p.y0 - EDGE, w: p.x1 - p.x0 + 2 * EDGE, h: p.y1 - p.y0 + 2 * EDGE })),
    ...(from ? alongLine(camera.toScreen(unitCentre(from)), camera.toScreen(unitCentre(at))) : []),
  ];
  const marks = scene.markers.map((m) => boxed(camera, { x0: m.x - 1, y0: m.y - (m.owner ? 2.5 : 1), x1: m.x + (m.owner ? 2.3 : 1), y1: m.y + 1 }, 2));
  const names = scene.units.flatMap((u) => onScreen(camera, u, ROOM) ?? []).map((r) => ({ x: r.x - 30, y: r.y - PLATE, w: r.w + 60, h: r.h + 2 * PLATE }));
  const rect = placeCard(size, about, [...kept, ...marks], names, free);
  return rect && { rect, leader: leader(rect, about) };
}

function boxed(camera: Camera, box: Box, out: number): Rect {
  const [[x0, y0], [x1, y1]] = [camera.toScreen([box.x0, box.y0]), camera.toScreen([box.x1, box.y1])];
  return { x: x0 - out, y: y0 - out, w: x1 - x0 + 2 * out, h: y1 - y0 + 2 * out };
}

function onScreen(camera: Camera, unit: SceneUnit, out: number): Rect | null {
  const box = unitBox(unit);
  return box && boxed(camera, box, out);
}

function leader(card: Rect, about: Rect): Beside['leader'] {
  const within = (v: number, low: number, high: number): number => Math.max(low, Math.min(high, v));
  const to: Point = [within(card.x + card.w / 2, about.x, about.x + about.w), within(card.y + card.h / 2, about.y, about.y + about.h)];
  const from: Point = [within(to[0], card.x, card.x + card.w), within(to[1], card.y, card.y + card.h)];
  return Math.hypot(to[0] - from[0], to[1] - from[1]) > NEAR ? [from, to] : null;
}
