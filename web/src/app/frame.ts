/* From the game's thousandths to the board's inches and back. The table may be turned round so that the player
   sits at the lower edge; nobody but this file knows. */

import type { Point, Polygon } from '../board/shapes';
import type { Stand } from '../board/scene';
import type { Pose, TableView, ZoneView } from '../protocol/types';

const MILLI = 1000;
const CENTI = 100;

export class Frame {
  readonly w: number;
  readonly h: number;

  constructor(
    width: number,
    depth: number,
    readonly turned: boolean,
  ) {
    this.w = width / MILLI;
    this.h = depth / MILLI;
  }

  point(x: number, y: number): Point {
    const [px, py] = [x / MILLI, y / MILLI];
    return this.turned ? [this.w - px, py] : [px, this.h - py];
  }

  outline(points: readonly (readonly number[])[]): Point[] {
    return points.map((p) => this.point(p[0] ?? 0, p[1] ?? 0));
  }

  stand(pose: Pose): Stand {
    const [x, y] = this.point(pose[0], pose[1]);
    return { x, y, heading: (pose[2] ?? 0) / CENTI + (this.turned ? 180 : 0) };
  }

  /** The game's point under a point of the board. */
  spot(at: Point): [number, number] {
    const [x, y] = this.turned ? [this.w - at[0], at[1]] : [at[0], this.h - at[1]];
    return [Math.round(x * MILLI), Math.round(y * MILLI)];
  }

  pose(at: Stand, z = 0): Pose {
    const [x, y] = this.spot([at.x, at.y]);
    const heading = Math.round((at.heading - (this.turned ? 180 : 0)) * CENTI);
    return [x, y, ((heading % 36_000) + 36_000) % 36_000, z];
  }

  box(left: number, near: number, right: number, far: number): Polygon {
    return [this.point(left, near), this.point(right, near), this.point(right, far), this.point(left, far)];
  }
}

/** What the four edges of the table are called as it lies on the screen: upper, right, lower, left. */
export const edgesOf = (frame: Frame): readonly [string, string, string, string] => (frame.turned ? ['south', 'west', 'north', 'east'] : ['north', 'east', 'south', 'west']);

/** Whether the table is turned round, so that the lower edge of the screen is the one player's own. */
export function isTurned(table: TableView, zones: readonly ZoneView[], seats: readonly number[]): boolean {
  const side = table.seats.find((s) => s.seat === seats[0])?.side;
  const zone = seats.length === 1 ? zones.find((z) => z.side === side) : undefined;
  if (!zone || zone.right - zone.left < zone.far - zone.near) return false;
  return (zone.near + zone.far) / 2 > table.depth / 2;
}

/** A length for people: inches with one decimal. */
export const inches = (thousandths: number): string => `${(thousandths / MILLI).toFixed(1).replace(/\.0$/, '')}″`;
