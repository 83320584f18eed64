/* What the draft and the server's overlays look like on the board. */

import { corners, unitBox } from '../../board/bounds';
import type { Overlay, Pill, Scene, SceneUnit, SightLine, Tone } from '../../board/scene';
import type { Point } from '../../board/shapes';
import type { Overlaid, TableView, UnitView } from '../../protocol/types';
import type { Draft } from '../draft.svelte';
import { inches, type Frame } from '../frame';
import { ghostOf } from '../scene';

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
        if (shape.label && top) out.pills.push({ x: top[0], y: Math.max(1, top[1]), text: shape.label, tone });
      }
    }
    for (const line of part.lines) {
      const [from, to] = [frame.point(line.start[0], line.start[1]), frame.point(line.end[0], line.end[1])];
      const stop = line.stop ? frame.point(line.stop[0], line.stop[1]) : null;
      if (line.clear || stop) out.sights.push({ from, to, stop: line.clear ? null : (stop ?? to), piece: line.by_piece >= 0 ? line.by_piece : null });
      const named = line.by_piece >= 0 || line.by_unit >= 0;
      if (!line.clear && named && line.label && !out.pills.some((p) => p.text === line.label)) out.pills.push({ x: (stop ?? to)[0], y: (stop ?? to)[1] + 1.4, text: line.label, tone: 'refuse', icon: 'i-noeye' });
    }
  }
  return out;
}

/** The draft of a move, a place or a spot. */
export function drafted(frame: Frame, table: TableView, draft: Draft, unit: UnitView | undefined, scene: Scene): Overlay {
  const { form, preview } = draft;
  const out: Overlay = { regions: [], pills: [], halos: [], litPieces: [] };
  if (form?.form === 'move') for (const outline of form.reach) out.regions?.push({ outline: frame.outline(outline), tone: 'legal', dashed: true });
  if (form?.form === 'place') for (const z of form.zones) out.regions?.push({ outline: [...frame.box(z.left, z.near, z.right, z.far)], tone: 'legal', dashed: true });
  if (form?.form === 'spot') spots(frame, draft, form.spots, out);
  if ((form?.form !== 'move' && form?.form !== 'place') || !preview || !unit) return out;
  const ghost = preview.legal ? (preview.end ?? preview.wanted) : (preview.wanted ?? preview.end);
  // a block shows its pivot handle from the start; loose units wait for the first drag
  if (!ghost || (form.form === 'move' && !draft.touched && form.how === 'loose')) return out;
  const standing = ghostOf(frame, table, unit, ghost);
  out.ghost = { unit: standing, legal: preview.legal, path: preview.paths.length === 1 ? frame.outline(preview.paths[0]?.points ?? []) : [], pivot: form.how === 'block' };
  if (!preview.legal && preview.end && preview.wanted) out.regions?.push(...outlines(ghostOf(frame, table, unit, preview.end)));
  out.halos = preview.too_close;
  out.litPieces = preview.ground.filter((g) => g.difficult || g.dangerous).map((g) => g.piece);
  const box = unitBox(standing);
  if (box && draft.touched) {
    const text = preview.legal ? (form.form === 'move' ? `${inches(preview.used)} used, ${inches(Math.max(0, preview.left))} left` : 'Fits here') : shortened(preview.reasons[0]?.text ?? 'Not possible here');
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

const shortened = (text: string): string => (text.length > 46 ? `${text.slice(0, 45)}…` : text);

function spots(frame: Frame, draft: Draft, proposals: readonly (readonly number[])[], out: Overlay): void {
  for (const p of proposals.slice(0, 60)) out.regions?.push({ outline: ring(frame.point(p[0] ?? 0, p[1] ?? 0), 0.35), tone: 'legal' });
  if (!draft.spot) return;
  const legal = draft.preview?.legal ?? true;
  out.regions?.push({ outline: ring(draft.spot, 3), tone: legal ? 'gold' : 'refuse', dashed: !legal }, { outline: ring(draft.spot, 0.8), tone: legal ? 'gold' : 'refuse' });
  out.pills?.push({ x: draft.spot[0], y: draft.spot[1] + 1.6, text: legal ? 'Marker here' : shortened(draft.preview?.reasons[0]?.text ?? 'Not here'), tone: legal ? 'legal' : 'refuse', icon: legal ? 'i-tick' : 'i-cross' });
}
