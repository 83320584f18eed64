/* Names of printed rules. */

import type { RuleView } from '../protocol/types';

/** The name of a rule without its number: `Tough` of `Tough(3)`. */
export const nameOf = (rule: RuleView): string => rule.label.replace(/\(.*$/, '').trim();
