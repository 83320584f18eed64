/* Numbers in words, the same everywhere. */

import type { Outcome, Question } from '../../protocol/types';

export function percent(p: number): string {
  if (p <= 0) return '0 %';
  if (p < 0.01) return '< 1 %';
  if (p > 0.99 && p < 1) return '> 99 %';
  return `${Math.round(p * 100)} %`;
}

export const wounds = (odds: Outcome): string => `${odds.expected.toFixed(1)} wound${odds.expected.toFixed(1) === '1.0' ? '' : 's'}`;

export const range = (odds: Outcome): string => (odds.low === odds.high ? `mostly ${odds.low}` : `${odds.low} to ${odds.high}`);

const KEYS: Record<string, string> = { hold: 'H', advance: 'A', rush: 'R', charge: 'C' };

export const keyFor = (option: string, index: number): string => KEYS[option] ?? (index < 9 ? String(index + 1) : '');

/** What the big button says for a question whose draft is ready. */
export function buttonWords(question: Question, touched: boolean, legal: boolean, stuck: boolean): string {
  const form = question.form?.form;
  if (touched && stuck) return 'Not possible like this';
  if (form === 'move') return !touched ? question.default_label || 'Stay here' : legal ? 'Move here' : 'Move as near as allowed';
  if (form === 'place') return !touched || legal ? 'Place it here' : 'Place it as near as allowed';
  if (form === 'spot') return 'Put the marker here';
  return question.default_label || 'Go on';
}
