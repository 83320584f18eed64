/* What a question had no time for: odds of charges and shots, chances of spells. They are asked for one after another
   and shown as they come; nothing waits for them. */

import type { AnyAnswer, SpellChance, OptionView, Outcome, Previewed, Question, SpellView, TargetView } from '../protocol/types';

const BUSY = 1000; // milliseconds after which a busy server is asked once more
const MOST_BIDS = 20; // beyond that chances are not asked for one by one
const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Found {
  odds: Outcome | null;
  casting: SpellChance | null;
}

export class LateOdds {
  /** by option, by weapon and target, by spell and target, or by tokens; null while it is worked out */
  known = $state.raw<ReadonlyMap<string, Found | null>>(new Map());
  #dropped = false;

  constructor(
    private readonly form: Question['form'],
    private readonly preview: (message: { answer: AnyAnswer; patient: boolean }) => Promise<Previewed | null>,
  ) {
    void this.#fetch(missing(form));
  }

  /** The question is answered or gone. */
  drop(): void {
    this.#dropped = true;
  }

  isAwaited(key: string): boolean {
    return this.known.get(key) === null;
  }

  /** Whether something is still worked out. */
  get isBusy(): boolean {
    return [...this.known.values()].includes(null);
  }

  /** The odds of an option. */
  of(option: OptionView): Outcome | null {
    return option.odds ?? this.known.get(option.key)?.odds ?? null;
  }

  /** The odds of a weapon group against a target. */
  at(group: string, target: TargetView): Outcome | null {
    return target.odds ?? this.known.get(aimKey(group, target.unit))?.odds ?? null;
  }

  /** What an option comes to in words. */
  hint(option: OptionView): string {
    return option.hint || (this.known.get(option.key)?.casting?.chance ?? '');
  }

  /** A spell's chance; it is the same on all of its targets. */
  chance(spell: SpellView): Pick<SpellView, 'works' | 'chance' | 'needs'> | null {
    return spell.works >= 0 ? spell : (this.known.get(castKey(spell, 0))?.casting ?? null);
  }

  /** What a target of a spell has to expect. */
  spell(spell: SpellView, at: number): Outcome | null {
    return spell.odds[at] ?? this.known.get(castKey(spell, at))?.casting?.odds ?? null;
  }

  /** What a number of tokens makes of the spell's chance; null where that is not known. */
  bid(tokens: number): number | null {
    if (this.form?.form !== 'bid') return null;
    return this.form.chances[tokens - this.form.low] ?? this.known.get(bidKey(tokens))?.casting?.works ?? null;
  }

  async #fetch(wanted: readonly (readonly [string, AnyAnswer])[]): Promise<void> {
    if (!wanted.length) return;
    this.known = new Map(wanted.map(([key]) => [key, null]));
    for (const [key, answer] of wanted) {
      if (this.#dropped) return;
      // a busy server refuses; it is asked once more before the target goes without
      const reply = (await this.preview({ answer, patient: true })) ?? (await later(BUSY), this.#dropped ? null : await this.preview({ answer, patient: true }));
      const [odds, casting] = [reply?.targets[0]?.odds ?? null, reply?.casting ?? null];
      const known = new Map(this.known);
      if (odds || casting) known.set(key, { odds, casting });
      else known.delete(key);
      this.known = known;
    }
  }
}

export const aimKey = (group: string, unit: number): string => `${group} ${unit}`;
export const castKey = (spell: SpellView, at: number): string => `${spell.caster} ${spell.spell} ${spell.targets[at] ?? ''}`;
const bidKey = (tokens: number): string => `bid ${tokens}`;

/** What came without: by what it is known, and the answer whose preview has it. */
function missing(form: Question['form']): (readonly [string, AnyAnswer])[] {
  switch (form?.form) {
    case 'pick':
      return form.options.filter((o) => o.odds_later).map((o) => [o.key, { answer: 'pick', option: o.key }]);
    case 'aims':
      return form.groups.flatMap((g) => g.targets.filter((t) => t.legal && !t.odds).map((t) => [aimKey(g.key, t.unit), { answer: 'aims', aims: [{ group: g.key, target: t.unit }] }] as const));
    case 'cast':
      return form.spells.flatMap((s) => s.targets.flatMap((target, i) => ((i === 0 && s.works < 0) || s.odds[i] === null ? [[castKey(s, i), { answer: 'cast', model: s.caster, spell: s.spell, targets: [target] }] as const] : [])));
    case 'bid':
      return form.chances.length || form.high - form.low > MOST_BIDS ? [] : Array.from({ length: form.high - form.low + 1 }, (_, i) => [bidKey(form.low + i), { answer: 'bid', tokens: form.low + i }]);
    default:
      return [];
  }
}
