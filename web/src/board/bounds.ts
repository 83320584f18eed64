/* Boxes and outlines of what stands on the table. */

import type { SceneModel, SceneUnit, Stand } from './scene';
import { hullOf, pathOf, radians, type Box, type Point } from './shapes';

export function corners(at: Stand, w: number, d: number, by = 0): Point[] {
  const a = radians(at.heading);
  const [c, s] = [Math.cos(a), Math.sin(a)];
  const [hw, hd] = [w / 2 + by, d / 2 + by];
  const spots: Point[] = [
    [-hw, -hd],
    [hw, -hd],
    [hw, hd],
    [-hw, hd],
  ];
  return spots.map(([x, y]) => [at.x + x * c - y * s, at.y + x * s + y * c]);
}

function modelBox(m: SceneModel): Point[] {
  if (m.round) return [[m.x - m.w / 2, m.y - m.d / 2], [m.x + m.w / 2, m.y + m.d / 2]];
  return corners(m, m.w, m.d);
}

/** The box of a unit along the screen's axes; empty units have none. */
export function unitBox(unit: SceneUnit): Box | null {
  const points = unit.block ? corners(unit.block, unit.block.w, unit.block.d) : unit.models.flatMap(modelBox);
  if (!points.length) return null;
  return {
    x0: Math.min(...points.map((p) => p[0])),
    y0: Math.min(...points.map((p) => p[1])),
    x1: Math.max(...points.map((p) => p[0])),
    y1: Math.max(...points.map((p) => p[1])),
  };
}

export function unitCentre(unit: SceneUnit): Point {
  if (unit.block) return [unit.block.x, unit.block.y];
  const n = unit.models.length || 1;
  return [unit.models.reduce((s, m) => s + m.x, 0) / n, unit.models.reduce((s, m) => s + m.y, 0) / n];
}

export function joined(boxes: readonly Box[]): Box | null {
  if (!boxes.length) return null;
  return boxes.reduce((a, b) => ({ x0: Math.min(a.x0, b.x0), y0: Math.min(a.y0, b.y0), x1: Math.max(a.x1, b.x1), y1: Math.max(a.y1, b.y1) }));
}

export const within = (box: Box | null, at: Point): boolean => Boolean(box && at[0] >= box.x0 && at[0] <= box.x1 && at[1] >= box.y0 && at[1] <= box.y1);

/** The outline round the models of a loose unit, so that the gaps between them belong to it. */
export function unitHull(unit: SceneUnit): string {
  return pathOf(hullOf(unit.models.flatMap((m) => (m.round ? ring(m) : corners(m, m.w, m.d)))));
}

const ring = (m: SceneModel): Point[] => Array.from({ length: 8 }, (_, i) => [m.x + (Math.cos((i * Math.PI) / 4) * m.w) / 2, m.y + (Math.sin((i * Math.PI) / 4) * m.d) / 2] as const);
