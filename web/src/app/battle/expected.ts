/* Which odds the draft is about, for the card beside the target. */

import type { Outcome, NeededRoll } from '../../protocol/types';
import type { Draft } from '../draft.svelte';
import { inches } from '../frame';

export interface Expected {
  unit: number;
  odds: Outcome;
  steps: NeededRoll[];
  note: string;
}

/** The target of the chosen weapon group or spell, the picked option, the unit that is being charged, or the best target from where the unit was dragged. */
export function expected(draft: Draft): Expected | null {
  const form = draft.form;
  if (draft.planned) {
    const { plan, preview } = draft;
    const target = preview?.targets.find((t) => t.unit === plan?.target);
    return target?.odds ? { unit: target.unit, odds: target.odds, steps: target.steps, note: `${plan?.action === 'charge' ? 'charge, ' : ''}${inches(target.distance)}${target.cover ? ', in cover' : ''}` } : null;
  }
  if (form?.form === 'aims') {
    const group = form.groups.find((g) => g.key === draft.group && draft.aims.has(g.key)) ?? form.groups.find((g) => draft.aims.has(g.key));
    const target = group?.targets.find((t) => t.unit === draft.aims.get(group.key));
    const odds = group && target ? draft.late.at(group.key, target) : null;
    return group && target && odds ? { unit: target.unit, odds, steps: target.steps, note: `${group.label}, ${inches(target.distance)}` } : null;
  }
  if (form?.form === 'pick') {
    const option = form.options.find((o) => o.key === draft.picked);
    const odds = option ? draft.late.of(option) : null;
    return option && odds && option.unit >= 0 ? { unit: option.unit, odds, steps: [], note: option.hint } : null;
  }
  if (form?.form === 'cast') {
    const { spell, spellTargets } = draft;
    const unit = spellTargets.at(-1) ?? -1;
    const odds = spell ? draft.late.spell(spell, spell.targets.indexOf(unit)) : null;
    return spell && odds ? { unit, odds, steps: [], note: spell.spell } : null;
  }
  if (form?.form !== 'move' || (!draft.touched && form.action !== 'charge')) return null;
  const best = (draft.preview?.targets ?? []).filter((t) => t.legal && t.odds).sort((a, b) => (b.odds?.expected ?? 0) - (a.odds?.expected ?? 0))[0];
  return best?.odds ? { unit: best.unit, odds: best.odds, steps: best.steps, note: `${form.action === 'charge' ? 'charge, ' : ''}${inches(best.distance)}${best.cover ? ', in cover' : ''}` } : null;
}
