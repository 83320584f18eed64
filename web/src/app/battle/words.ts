/* Numbers in words, the same everywhere. */

import type { OptionView, Outcome, PlanView, Previewed, Question, Reason, TargetView } from '../../protocol/types';
import { inches } from '../frame';

export function percent(p: number): string {
  if (p <= 0) return '0 %';
  if (p < 0.01) return '< 1 %';
  if (p > 0.99 && p < 1) return '> 99 %';
  return `${Math.round(p * 100)} %`;
}

/** A number and its sign stay in one line. */
export const together = (text: string): string => text.replaceAll(' %', '\u00a0%');

export const wounds = (odds: Outcome): string => (odds.expected === 0 ? 'no wounds' : `about ${odds.expected.toFixed(1)} wound${odds.expected.toFixed(1) === '1.0' ? '' : 's'}`);

export const range = (odds: Outcome): string => (odds.expected === 0 ? 'whatever the dice do' : odds.low === odds.high ? `mostly ${odds.low}` : `${odds.low} to ${odds.high}`);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Inches to the tenth, as on a tape; finer where the tenth would hide what is wrong. */
export function rounded(reason: string): string {
  const whole = new Set(reason.match(/\d+(\.\d+)?/g)?.map(Number));
  return reason.replace(/\d+\.\d{2,}(?= inch)/g, (exact) => (whole.has(Number((+exact).toFixed(1))) ? exact : (+exact).toFixed(1)));
}

/** A reason as a sentence of its own. */
export const told = (reason: string): string => rounded(capital(reason));

/** A reason without the name of the model, which the board shows anyway: "Would move 6.8 inches; 6 is the most". */
export function plainly(reason: string, unit: string): string {
  const cut = reason.lastIndexOf(`of ${unit} `);
  const text = cut >= 0 && cut < 60 ? reason.slice(cut + unit.length + 4) : reason;
  return told(text);
}

/** Reasons as people want them: each rule once, with how many more are like it. */
export function gathered(reasons: readonly Reason[]): { reason: Reason; more: number }[] {
  const found: { reason: Reason; more: number }[] = [];
  for (const reason of reasons) {
    const same = reason.cite ? found.find((f) => f.reason.cite === reason.cite) : undefined;
    if (same) same.more++;
    else found.push({ reason, more: 0 });
  }
  return found;
}

const KEYS: Record<string, string> = { hold: 'H', advance: 'A', rush: 'R', charge: 'C' };

export const keyFor = (option: string, index: number): string => KEYS[option] ?? (index < 9 ? String(index + 1) : '');

const VERBS: Record<string, string> = { activate: 'Activate', charge_target: 'Charge', deploy: 'Place', rule_pick: 'Pick' };

/** What the big button says for a picked option: what is done, to whom. */
export const pickWords = (kind: string, option: OptionView, unit?: string): string => (unit && VERBS[kind] ? `${VERBS[kind]} ${unit}` : option.label);

/** What the big button says for a question whose draft is ready. */
export function buttonWords(question: Question, touched: boolean, legal: boolean, stuck: boolean, stays = false): string {
  const form = question.form?.form;
  if (touched && stuck && form !== 'spot') return 'Not possible like this';
  if (form === 'move') return !touched ? question.default_label || 'Stay here' : legal ? 'Move here' : stays ? 'Stay here' : 'Move as close as possible';
  if (form === 'place') return !touched || legal ? 'Place it here' : 'Place it as close as possible';
  if (form === 'spot') return legal || !touched ? 'Put the marker here' : 'Not possible here';
  return question.default_label || 'Go on';
}

/** Whom one may shoot first, by what it would cost them. */
export const bestFirst = (targets: readonly TargetView[]): TargetView[] => [...targets].sort((a, b) => Number(b.legal) - Number(a.legal) || (b.odds?.expected ?? 0) - (a.odds?.expected ?? 0) || a.distance - b.distance);

/** A target in a few words: how far, in cover or not; or why it is none. */
export function targetWords(target: TargetView, bearers: number): string {
  if (!target.legal) return target.blocker ? `no sight: ${target.blocker}` : (target.reasons[0]?.text ?? 'out of reach');
  return `${inches(target.distance)}${target.cover ? ', in cover' : ', in the open'}${target.shooters < bearers ? `, ${target.shooters} can shoot` : ''}`;
}

/** What an attack costs whoever makes it, in a line: the odds below it say the rest. */
export const costWords = (back: string): string => (back ? `costs you ${back.replace(/,.*/, '')}` : '');

const SHOWN = 50; // thousandths of an inch: less than that is shown as none

/** What the big button says for an activation that is planned. */
export function planWords(plan: PlanView | null, preview: Previewed | null, unit: string, target: string, stuck: boolean): string {
  if (!plan || !plan.actions.length) return unit ? `Activate ${unit}` : 'Pick a unit';
  if (stuck) return 'Not possible like this';
  const label = plan.actions.find((a) => a.key === plan.action)?.label ?? 'Go on';
  const stays = (preview?.used ?? 0) < SHOWN;
  if (plan.action === 'charge') return target ? `Charge ${target}` : 'Pick a target to charge';
  if (target) return `Shoot ${target}`;
  if (plan.action === 'hold' || ((plan.action === 'advance' || plan.action === 'rush') && stays)) return plan.answers.some((a) => a.answer.answer === 'march' && a.answer.legs?.length) ? 'Turn and hold' : 'Stay here';
  if (plan.action === 'advance' || plan.action === 'rush') return preview?.legal === false ? `${label} as close as possible` : `${label} here`;
  return label;
}

const MINOR: Record<string, string> = {
  casualties: 'Casualties',
  tough_pick: 'Who takes wounds',
  volley_order: 'Order of weapons',
  strike_back: 'Striking back',
  counter_now: 'Striking before the charger',
  react: 'Moving into contact',
  consolidate: 'Moves after a melee',
  limited_now: 'Weapons that are used once',
  oppose: 'Stopping spells',
};

/** A kind of minor question as the menu lists it. */
export const minorWords = (kind: string): string => MINOR[kind] ?? capital(kind.replaceAll('_', ' '));
