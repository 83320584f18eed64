/* What the draft and the server's overlays look like on the board. */

import { corners, unitBox } from '../../board/bounds';
import type { Overlay, Pill, Scene, SceneUnit, SightLine, Tone } from '../../board/scene';
import type { Point } from '../../board/shapes';
import type { Overlaid, TableView, UnitView } from '../../protocol/types';
import type { Draft } from '../draft.svelte';
import { inches, type Frame } from '../frame';
import { ghostOf, sideKey } from '../scene';
import type { GameSession } from '../session.svelte';
import type { Tape } from './hand.svelte';
import { plainly, told } from './words';

const TONES: Record<string, Tone> = { range: 'fan', arc: 'fan', sight: 'fan', charge: 'gold', threat: 'refuse', reach: 'legal', halo: 'refuse', zones: 'legal' };

export interface Laid {
  regions: NonNullable<Overlay['regions']>;
  sights: SightLine[];
  pills: Pill[];
}

/** The server's answer to overlay requests. */
export function laid(frame: Frame, parts: readonly Overlaid[]): Laid {
  const out: Laid = { regions: [], sights: [], pills: [] };
  for (const part of parts) {
    for (const shape of part.shapes) {
      const tone = TONES[shape.kind] ?? TONES[part.what] ?? 'plain';
      for (const points of shape.outlines) {
        const outline = frame.outline(points);
        out.regions.push({ outline, tone, hatched: part.what === 'charge' || part.what === 'threat', dashed: part.what === 'threat' });
        const top = outline.reduce<Point | null>((best, p) => (!best || p[1] < best[1] ? p : best), null);
        if (shape.label && top && !out.pills.some((p) => p.text === shape.label)) out.pills.push({ x: top[0], y: Math.max(1, top[1]), text: shape.label, tone });
      }
    }
    // whom it sees, and the nearest of those whom it does not: more would hide the table
    const nearest = part.lines.filter((l) => !l.clear).sort((a, b) => a.distance - b.distance)[0];
    for (const line of part.lines.filter((l) => l.clear || l === nearest)) {
      const [from, to] = [frame.point(line.start[0], line.start[1]), frame.point(line.end[0], line.end[1])];
      const stop = line.stop ? frame.point(line.stop[0], line.stop[1]) : null;
      if (line.clear || stop) out.sights.push({ from, to, stop: line.clear ? null : (stop ?? to), piece: line.by_piece >= 0 ? line.by_piece : null });
      const named = line.by_piece >= 0 || line.by_unit >= 0;
      if (!line.clear && named && line.label && !out.pills.some((p) => p.text === line.label)) out.pills.push({ x: (stop ?? to)[0], y: (stop ?? to)[1] + 1.4, text: line.label, tone: 'refuse', icon: 'i-noeye' });
    }
  }
  return out;
}

/** Everything that lies over the table now: the draft, what the server drew for it, what is going on, and the tape. */
export function battleOverlay(session: GameSession, scene: Scene, { surveyed, named, tape }: { surveyed: readonly Overlaid[]; named: boolean; tape: Tape | null }): Overlay {
  const { frame, table, player, question } = session;
  if (!frame || !table) return {};
  const draft = session.myTurn ? session.draft : null;
  const form = draft?.form;
  const moving = form?.form === 'place' ? session.unit(form.unit) : draft?.moving ? session.unit(draft.moving.unit) : undefined;
  const base: Overlay = draft ? drafted(frame, table, draft, moving, scene) : { regions: [], pills: [] };
  const extra = laid(frame, surveyed);
  base.regions = [...(base.regions ?? []), ...extra.regions];
  base.sights = extra.sights;
  if (named) base.pills = [...(base.pills ?? []), ...extra.pills.slice(0, 6)];
  const { trail } = player;
  if (trail && !draft && session.status !== 'over') base.trail = { points: [frame.stand(trail.from), frame.stand(trail.to)].map((s) => [s.x, s.y] as const), side: sideKey(session.unit(trail.unit)?.side ?? 0) };
  if (form?.form === 'choose') base.marked = draft?.chosen ?? [];
  base.glow = !player.settled || !question?.mine ? player.acting : null;
  if (tape) {
    base.tape = { from: tape.from, to: tape.to };
    if (tape.words) base.pills = [...(base.pills ?? []), { x: tape.to[0], y: tape.to[1] - 1.2, text: tape.words, tone: 'gold', icon: 'i-tape' }];
  }
  return base;
}

/** The draft of a move, a place or a spot. */
export function drafted(frame: Frame, table: TableView, draft: Draft, unit: UnitView | undefined, scene: Scene): Overlay {
  const { form, preview, moving } = draft;
  const out: Overlay = { regions: [], pills: [], halos: [], litPieces: [] };
  if (moving) for (const outline of moving.reach) out.regions?.push({ outline: frame.outline(outline), tone: 'legal', dashed: true });
  if (form?.form === 'place') for (const z of form.zones) out.regions?.push({ outline: [...frame.box(z.left, z.near, z.right, z.far)], tone: 'legal', dashed: true });
  if (form?.form === 'spot') spots(frame, draft, form.spots, out);
  const how = form?.form === 'place' ? form.how : moving?.how;
  if (!how || !preview || !unit) return out;
  const ghost = preview.legal ? (preview.end ?? preview.wanted) : (preview.wanted ?? preview.end);
  // a block shows its pivot handle from the start; loose units wait for the first drag
  if (!ghost || (moving && how === 'loose' && preview.used === 0 && preview.legal)) return out;
  const standing = ghostOf(frame, table, unit, ghost);
  out.ghost = { unit: standing, legal: preview.legal, path: preview.paths.length === 1 ? frame.outline(preview.paths[0]?.points ?? []) : [], pivot: how === 'block' };
  if (!preview.legal && preview.end && preview.wanted) out.regions?.push(...outlines(ghostOf(frame, table, unit, preview.end)));
  out.halos = preview.too_close;
  out.litPieces = preview.ground.filter((g) => g.difficult || g.dangerous).map((g) => g.piece);
  const box = unitBox(standing);
  if (box && (draft.touched || preview.used > 0)) {
    const fits = !moving ? 'Fits here' : preview.used + preview.left > 0 ? `${inches(preview.used)} used, ${inches(Math.max(0, preview.left))} left` : 'Turns on the spot';
    const text = preview.legal ? fits : shortened(plainly(preview.reasons[0]?.text ?? 'Not possible here', unit.name));
    out.pills?.push({ x: (box.x0 + box.x1) / 2, y: box.y1 + 1.1 > scene.h ? box.y0 - 1.4 : box.y1 + 1.1, text, tone: preview.legal ? 'legal' : 'refuse', icon: preview.legal ? 'i-tick' : 'i-cross' });
  }
  return out;
}

/** Where the nearest legal place is, while the wanted one is refused. */
function outlines(unit: SceneUnit): NonNullable<Overlay['regions']> {
  if (unit.block) return [{ outline: corners(unit.block, unit.block.w, unit.block.d), tone: 'legal', dashed: true }];
  return unit.models.map((m) => ({ outline: ring([m.x, m.y], m.w / 2), tone: 'legal', dashed: true }));
}

const ring = (at: Point, r: number): Point[] => Array.from({ length: 20 }, (_, i) => [at[0] + Math.cos((i / 10) * Math.PI) * r, at[1] + Math.sin((i / 10) * Math.PI) * r] as const);

const shortened = (text: string): string => (text.length > 90 ? `${text.slice(0, 89)}…` : text);

function spots(frame: Frame, draft: Draft, proposals: readonly (readonly number[])[], out: Overlay): void {
  for (const p of proposals.slice(0, 60)) out.regions?.push({ outline: ring(frame.point(p[0] ?? 0, p[1] ?? 0), 0.35), tone: 'legal' });
  if (!draft.spot) return;
  const legal = draft.preview?.legal ?? true;
  out.regions?.push({ outline: ring(draft.spot, 3), tone: legal ? 'gold' : 'refuse', dashed: !legal }, { outline: ring(draft.spot, 0.8), tone: legal ? 'gold' : 'refuse' });
  out.pills?.push({ x: draft.spot[0], y: draft.spot[1] + 1.6, text: legal ? 'Marker here' : shortened(told(draft.preview?.reasons[0]?.text ?? 'Not here')), tone: legal ? 'legal' : 'refuse', icon: legal ? 'i-tick' : 'i-cross' });
}
