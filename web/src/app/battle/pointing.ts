/* What on the table answers the question at hand: who may be picked, who is picked, who comes next. */

import { unitCentre } from '../../board/bounds';
import type { Scene } from '../../board/scene';
import type { Point } from '../../board/shapes';
import type { PointView, Question } from '../../protocol/types';
import type { Draft } from '../draft.svelte';

/** Where on the table a unit or a marker is that somebody points at; null for anything else. */
export function spotOf(scene: Scene, { unit, marker }: Pick<PointView, 'unit' | 'marker'>): Point | null {
  const found = scene.units.find((u) => u.id === unit);
  if (found) return unitCentre(found);
  const flag = scene.markers.find((m) => m.number === marker + 1);
  return flag ? [flag.x, flag.y] : null;
}

/** Units that answer the question when they are tapped. */
export function candidatesOf(draft: Draft | null): number[] {
  const form = draft?.form;
  if (draft?.planned) {
    const units = form?.form === 'pick' ? form.options.filter((o) => o.legal && o.unit >= 0).map((o) => o.unit) : [];
    return [...units, ...(draft.preview?.targets ?? []).filter((t) => t.legal).map((t) => t.unit)];
  }
  if (form?.form === 'pick') return form.options.filter((o) => o.legal && o.unit >= 0).map((o) => o.unit);
  if (form?.form === 'aims') return [...new Set(form.groups.flatMap((g) => g.targets.filter((t) => t.legal).map((t) => t.unit)))];
  if (form?.form === 'cast') return [...(draft?.spell?.targets ?? [])];
  return [];
}

/** Units that the draft is aimed at. */
export function targetsOf(draft: Draft | null, question: Question | null): number[] {
  const form = draft?.form;
  if (draft?.planned) return draft.plan && draft.plan.target >= 0 ? [draft.plan.target] : [];
  if (form?.form === 'aims') return [...new Set(draft?.aims.values() ?? [])];
  if (form?.form === 'cast') return [...(draft?.spellTargets ?? [])];
  if (form?.form === 'pick' && question?.kind !== 'activate') return form.options.filter((o) => o.key === draft?.picked && o.unit >= 0).map((o) => o.unit);
  return [];
}

/** The units that a drag would move: the one that is asked about, or all that may be activated. */
export function movableOf(draft: Draft | null): number[] {
  const form = draft?.form;
  if (form?.form === 'move' || form?.form === 'place') return [form.unit];
  if (!draft?.planned || form?.form !== 'pick') return [];
  return draft.question.unit >= 0 ? [draft.question.unit] : form.options.filter((o) => o.legal && o.unit >= 0).map((o) => o.unit);
}

/** Step through the units, targets and spells that answer the question. */
export function stepOn(draft: Draft, candidates: readonly number[], targets: readonly number[]): void {
  const form = draft.form;
  if (form?.form === 'pick') {
    const legal = form.options.filter((o) => o.legal);
    const at = legal.findIndex((o) => o.key === draft.picked);
    const next = legal[(at + 1) % legal.length];
    if (draft.planned && draft.question.unit >= 0) {
      // the unit is chosen: step through whom it could shoot or charge
      const foes = (draft.preview?.targets ?? []).filter((t) => t.legal).map((t) => t.unit);
      if (foes.length) draft.planAt(foes[(foes.indexOf(draft.plan?.target ?? -1) + 1) % foes.length] ?? -1);
    } else if (next) draft.pick(next.key);
  } else if (form?.form === 'aims' && candidates.length) {
    const at = candidates.indexOf(targets[0] ?? -1);
    draft.aimAt(candidates[(at + 1) % candidates.length] ?? -1);
  } else if (form?.form === 'cast') {
    // first through whom a spell may be cast on, then to the next spell
    const spells = form.spells.filter((s) => s.targets.length);
    const now = spells.findIndex((s) => s === draft.spell);
    const at = draft.spell?.targets.indexOf(draft.spellTargets.at(-1) ?? -1) ?? -1;
    const next = draft.spell?.targets[at + 1];
    const spell = spells[(now + 1) % spells.length];
    if (next !== undefined) draft.spellTargets = [next];
    else if (spell) draft.chooseSpell(spell);
  }
}
