/* What the board draws: plain data in inches, y down the screen. It knows no rules and no network. */

import type { Point } from './shapes';

export type SideKey = 'a' | 'b';
export type Glyph = 'foot' | 'pike' | 'axe' | 'bow' | 'horse' | 'beast' | 'flyer' | 'chariot' | 'monster' | 'titan' | 'artillery' | 'hero' | 'caster';
export type BadgeKind = 'acted' | 'shaken' | 'fatigued' | 'stunned' | 'wound' | 'token' | 'cover' | 'joined' | 'melee' | 'carrying' | 'effect';

export interface Badge {
  kind: BadgeKind;
  count?: number;
}

/** Where something stands: heading in degrees clockwise, 0 looks up the screen. */
export interface Stand {
  x: number;
  y: number;
  heading: number;
}

export interface SceneModel extends Stand {
  id: number;
  /** across the front and along the facing */
  w: number;
  d: number;
  round: boolean;
  figure: string;
  hero: boolean;
  stunned: boolean;
  /** height of the ground under it */
  z: number;
}

export interface SceneUnit {
  id: number;
  side: SideKey;
  name: string;
  glyph: Glyph;
  models: SceneModel[];
  /** the enclosing rectangle of a ranked block; null for loose units */
  block: (Stand & { w: number; d: number }) | null;
  /** models left, or wounds left of a lone model */
  count: string;
  badges: Badge[];
  acted: boolean;
  hero: boolean;
  /** everything a screen reader should say */
  label: string;
}

export interface ScenePiece {
  id: number;
  name: string;
  kind: string;
  outline: Point[];
  height: number;
  rules: string;
}

export interface SceneMarker {
  id: number;
  number: number;
  x: number;
  y: number;
  owner: SideKey | null;
  label: string;
  ring: number;
}

export interface SceneZone {
  side: SideKey | null;
  outline: Point[];
}

export interface Scene {
  w: number;
  h: number;
  label: string;
  pieces: ScenePiece[];
  markers: SceneMarker[];
  units: SceneUnit[];
  zones: SceneZone[];
  /** what the upper, right, lower and left edges are called, where that matters */
  edges?: readonly [string, string, string, string];
}

export type Tone = 'legal' | 'refuse' | 'gold' | 'sight' | 'fan' | 'plain';

/** Words in a pill at a spot of the table. */
export interface Pill {
  x: number;
  y: number;
  text: string;
  tone: Tone;
  icon?: string;
}

export interface Ghost {
  unit: SceneUnit;
  legal: boolean;
  /** where it came from, and the way it takes */
  path: Point[];
  pivot: boolean;
}

export interface SightLine {
  from: Point;
  to: Point;
  /** where the line stops, when something blocks it */
  stop: Point | null;
  piece: number | null;
}

/** Everything laid over the table for the moment; all parts are optional. */
export interface Overlay {
  ghost?: Ghost | null;
  /** filled outlines under the units: reach, bands, places to stand */
  regions?: { outline: Point[]; tone: Tone; hatched?: boolean; dashed?: boolean }[];
  /** circles or rounded rectangles one inch about units in the way */
  halos?: number[];
  sights?: SightLine[];
  trail?: { points: Point[]; side: SideKey } | null;
  tape?: { from: Point; to: Point } | null;
  litPieces?: number[];
  glow?: number | null;
  /** models that were picked, each under a cross */
  marked?: readonly number[];
  pills?: Pill[];
}
