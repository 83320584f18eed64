/* Names of printed rules. */

import type { RuleTextView, RuleView } from '../protocol/types';

/** The name of a rule without its number: `Tough` of `Tough(3)`. */
export const nameOf = (rule: RuleView): string => rule.label.replace(/\(.*$/, '').trim();

/** The text of a rule: under what is printed, such as `Howl(Pups [3])`, or under its name alone. */
export const textOf = (rule: RuleView, texts: readonly RuleTextView[]): string =>
  (texts.find((t) => t.name === rule.label) ?? texts.find((t) => t.name === nameOf(rule)))?.text ?? '';
