/* What the server shows, as a scene for the board. */

import { figureFor } from '../board/figures';
import type { Badge, BadgeKind, Glyph, Scene, SceneMarker, SceneModel, ScenePiece, SceneUnit, SideKey } from '../board/scene';
import type { BoardView, FigureView, Ghost, MarkerView, PieceView, Pose, TableView, UnitView } from '../protocol/types';
import { edgesOf, inches, type Frame } from './frame';

export const sideKey = (side: number): SideKey => (side === 1 ? 'b' : 'a');

const BADGES: Record<string, BadgeKind> = {
  acted: 'acted',
  activated: 'acted',
  shaken: 'shaken',
  broken: 'shaken',
  wavering: 'shaken',
  fatigued: 'fatigued',
  tired: 'fatigued',
  stunned: 'stunned',
  wound: 'wound',
  wounds: 'wound',
  token: 'token',
  tokens: 'token',
  cover: 'cover',
  joined: 'joined',
  attached: 'joined',
  hero: 'joined',
  melee: 'melee',
  carrying: 'carrying',
  effect: 'effect',
};

/** The sign for a badge of the server; what has none of its own gets the plain one. */
export const badgeKind = (key: string): BadgeKind => BADGES[key] ?? 'effect';

/** The sign of a unit: its kind, and for those on foot what they carry. */
export function glyphOf(unit: Pick<UnitView, 'glyph' | 'weapons'>): Glyph {
  if (unit.glyph !== 'foot') return unit.glyph;
  return armedGlyph(unit.weapons.map((w) => w.name).join(' '), unit.weapons.some((w) => w.reach > 0));
}

/** The sign of somebody on foot, by what they carry. */
export const armedGlyph = (weapons: string, shoots: boolean): Glyph => (shoots ? 'bow' : LONG.test(weapons) ? 'pike' : HEAVY.test(weapons) ? 'axe' : 'foot');
const LONG = /pike|spear|halberd|lance|glaive|trident|polearm/i;
const HEAVY = /axe|hammer|maul|cleaver|mace|club|great ?(sword|weapon)|fist/i;

/** A unit in a few words: how many are left, what it shoots with. */
export function brief(unit: UnitView): string {
  const lone = unit.start_models === 1;
  const left = lone ? (unit.toughness > 1 ? `${Math.max(0, unit.toughness - unit.wounds)} of ${unit.toughness} wounds left` : '') : `${unit.figures.length} model${unit.figures.length === 1 ? '' : 's'}`;
  const shots = unit.weapons.filter((w) => w.reach > 0).map((w) => `${w.name} ${inches(w.reach)}`);
  return [left, ...shots.slice(0, 1)].filter(Boolean).join(', ');
}

function modelOf(frame: Frame, table: TableView, figure: FigureView, at: Pose, onFoot: Glyph): SceneModel {
  const profile = table.profiles.find((p) => p.id === figure.profile) ?? table.profiles[figure.profile];
  const base = profile?.base ?? { shape: 'round', width: 1000, depth: 1000 };
  return {
    id: figure.id,
    ...frame.stand(at),
    w: base.width / 1000,
    d: base.depth / 1000,
    round: base.shape === 'round' || base.shape === 'oval',
    figure: figureFor(profile?.glyph ?? 'foot', profile?.kind ?? 'infantry', onFoot),
    hero: figure.hero,
    stunned: figure.stunned,
    z: (at[3] ?? 0) / 1000,
  };
}

/** A block's rectangle from its centre and its outline (front left, front right, rear right, rear left). */
function blockOf(frame: Frame, centre: Pose, outline: readonly (readonly number[])[]): SceneUnit['block'] {
  const [a, b, c] = outline;
  if (!a || !b || !c) return null;
  const span = (p: readonly number[], q: readonly number[]): number => Math.hypot((p[0] ?? 0) - (q[0] ?? 0), (p[1] ?? 0) - (q[1] ?? 0)) / 1000;
  return { ...frame.stand(centre), w: span(a, b), d: span(b, c) };
}

/** The army of a side, as everybody calls it. */
const armyOf = (table: TableView, side: number): string => table.seats?.find((s) => s.side === side)?.army ?? '';

/** Where a unit stands, for those who do not see it. */
function whereabouts(frame: Frame, models: readonly SceneModel[]): string {
  if (!models.length) return '';
  const middle = (of: (m: SceneModel) => number): number => Math.round(models.reduce((sum, m) => sum + of(m), 0) / models.length);
  return `${middle((m) => m.x)} inches from the left, ${frame.h - middle((m) => m.y)} from the lower edge`;
}

export function unitOf(frame: Frame, table: TableView, unit: UnitView, acting = -1): SceneUnit {
  const acted = unit.acted && unit.id !== acting; // who is at it right now is not done yet
  const side = sideKey(unit.side);
  const glyph = glyphOf(unit);
  const onFoot = glyphOf({ ...unit, glyph: 'foot' });
  const models = unit.figures.flatMap((fig) => (fig.at ? [modelOf(frame, table, fig, fig.at, onFoot)] : []));
  const lone = unit.start_models === 1;
  const left = lone ? Math.max(0, unit.toughness - unit.wounds) : unit.figures.length; // in some editions wounds go beyond the toughness
  const badges: Badge[] = unit.badges.filter((b) => acted || b.key !== 'acted').map((b) => ({ kind: badgeKind(b.key), ...(b.count ? { count: b.count } : {}) }));
  const words = unit.badges.map((b) => (b.count ? `${b.label} ${b.count}` : b.label));
  const strength = lone ? (unit.toughness > 1 ? `${left} of ${unit.toughness} wounds left` : 'one model') : `${left} of ${unit.start_models} models`;
  return {
    id: unit.id,
    side,
    name: unit.name,
    glyph,
    models,
    block: unit.centre ? blockOf(frame, unit.centre, unit.outline) : null,
    count: lone && unit.toughness <= 1 ? '' : String(left),
    badges,
    acted,
    hero: glyph === 'hero' || glyph === 'caster',
    label: [armyOf(table, unit.side), strength, whereabouts(frame, models), unit.quality > 0 ? `Quality ${unit.quality}+, Defense ${unit.defense}+` : '', ...words].filter(Boolean).join(', '),
  };
}

/** A unit as it would stand. */
export function ghostOf(frame: Frame, table: TableView, unit: UnitView, ghost: Ghost): SceneUnit {
  const figures = ghost.figures.length ? ghost.figures : unit.figures;
  return unitOf(frame, table, { ...unit, figures, centre: ghost.centre ?? null, outline: ghost.outline } as UnitView);
}

export function pieceOf(frame: Frame, piece: PieceView): ScenePiece {
  return {
    id: piece.id,
    name: piece.name,
    kind: piece.kind,
    outline: frame.outline(piece.outline),
    height: piece.height / 1000,
    rules: piece.facts.map((fact) => (fact.cite ? `${fact.text} (${fact.cite})` : fact.text)).join('. ') || 'Open ground',
  };
}

function markerOf(frame: Frame, table: TableView, marker: MarkerView, number: number, ring: number): SceneMarker {
  const [x, y] = frame.point(marker.x, marker.y);
  return {
    id: marker.id,
    number,
    x,
    y,
    owner: marker.holder >= 0 ? sideKey(marker.holder) : null,
    label: [`Marker ${number}`, marker.holder >= 0 ? `held by ${armyOf(table, marker.holder) || `side ${marker.holder + 1}`}` : 'held by nobody', marker.label].filter(Boolean).join(', '),
    ring,
  };
}

/** Units inside buildings, each with one figure on the roof to stand for it: so it can be seen, named, picked and shot at. */
function garrisons(table: TableView, units: ReadonlyMap<number, UnitView>): UnitView[] {
  const inside = [...units.values()].filter((u) => u.place === 'garrison' && u.figures.length);
  return inside.flatMap((unit) => {
    const house = table.pieces.find((p) => p.id === unit.inside);
    const first = unit.figures[0];
    if (!house || !first) return [];
    const mates = inside.filter((u) => u.inside === unit.inside);
    const [xs, ys] = [house.outline.map((p) => p[0]), house.outline.map((p) => p[1])];
    const aside = (mates.indexOf(unit) - (mates.length - 1) / 2) * ROOF_STEP;
    const at: Pose = [(Math.min(...xs) + Math.max(...xs)) / 2 + aside, (Math.min(...ys) + Math.max(...ys)) / 2, 0, house.height];
    return [{ ...unit, figures: unit.figures.map((f) => ({ ...f, at: f === first ? at : null })) }];
  });
}
const ROOF_STEP = 2200; // thousandths of an inch between units on one roof

export interface BoardParts {
  table: TableView;
  board: BoardView;
  units: ReadonlyMap<number, UnitView>;
}

export function sceneOf(frame: Frame, { table, board, units }: BoardParts, pieces?: ScenePiece[]): Scene {
  const onTable = [...units.values()].filter((u) => (u.place === 'table' || u.place === 'wreck') && u.figures.some((g) => g.at));
  const shown = (u: UnitView): UnitView => (board.phase === 'over' ? { ...u, acted: false } : u);
  return {
    w: frame.w,
    h: frame.h,
    label: `${table.title}, a table of ${frame.w} by ${frame.h} inches`,
    pieces: pieces ?? table.pieces.map((p) => pieceOf(frame, p)),
    edges: edgesOf(frame),
    markers: board.markers.map((m) => markerOf(frame, table, m, m.id + 1, table.seize_within / 1000 || 3)),
    units: [...onTable.map((u) => unitOf(frame, table, shown(u), board.acting)), ...garrisons(table, units).map((u) => unitOf(frame, table, shown(u), board.acting))],
    zones: board.zones.map((z) => ({ side: z.side >= 0 ? sideKey(z.side) : null, outline: [...frame.box(z.left, z.near, z.right, z.far)] })),
  };
}
