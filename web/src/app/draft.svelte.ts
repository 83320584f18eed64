/* The answer in the making. One draft a question: it starts as the default and follows what the player does on the
   board, in the panel or by keyboard. It never judges; the server's previews do. */

import type { Stand } from '../board/scene';
import type { Point } from '../board/shapes';
import type { AnyAnswer, Ghost, ModelPath, Pose, Previewed, Question, SpellView, UnitView } from '../protocol/types';
import type { Frame } from './frame';
import { LateOdds } from './late.svelte';

/** What to judge: a place under the pointer, or an answer. A patient wish is about the odds of every target. */
export interface Wish {
  drag?: Pose;
  answer?: AnyAnswer;
  patient?: boolean;
  /** leap from ledge to ledge instead of climbing through */
  leap?: boolean;
}

export interface Asker {
  frame: Frame;
  unit(id: number): UnitView | undefined;
  preview(message: Wish): Promise<Previewed | null>;
}

/** Questions answered by a single click on the table, as they can be taken back at once. */
const AT_ONCE = new Set(['activate', 'deploy']);

/** How long a hand must rest, in milliseconds, before the server is asked for what takes longer. */
const REST = 150;

export class Draft {
  picked = $state('');
  pose = $state.raw<Stand | null>(null);
  preview = $state.raw<Previewed | null>(null);
  previewing = $state(false);
  aims = $state.raw<ReadonlyMap<string, number>>(new Map());
  group = $state('');
  chosen = $state.raw<readonly number[]>([]);
  tokens = $state(0);
  spell = $state.raw<SpellView | null>(null);
  spellTargets = $state.raw<readonly number[]>([]);
  spot = $state.raw<Point | null>(null);
  modelwise = $state(false);
  leap = $state(false);
  /** odds and chances that come after the question */
  readonly late: LateOdds;
  /** whether the player changed anything yet */
  touched = $state(false);

  #wanted: Wish | null = null;
  #last: Wish | null = null;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #asking = false;
  #then: (() => void) | null = null;
  #paths = new Map<number, Pose[]>();

  constructor(
    readonly question: Question,
    private readonly asker: Asker,
  ) {
    const { form, default: usual } = question;
    if (form?.form === 'pick') this.picked = usual?.answer === 'pick' ? usual.option : '';
    if (form?.form === 'aims') {
      this.aims = new Map(usual?.answer === 'aims' ? (usual.aims ?? []).map((aim) => [aim.group, aim.target]) : []);
      this.group = form.groups[0]?.key ?? '';
    }
    if (form?.form === 'choose' && usual?.answer === 'chosen') this.chosen = usual.ids;
    if (form?.form === 'bid' && usual?.answer === 'bid') this.tokens = usual.tokens;
    if (form?.form === 'cast' && usual?.answer === 'cast') this.#setSpell(form.spells, usual.model, usual.spell, usual.targets);
    if (form?.form === 'spot' && usual?.answer === 'spot') this.spot = asker.frame.point(usual.x, usual.y);
    if ((form?.form === 'place' || form?.form === 'move') && usual) this.#ask({ answer: usual });
    this.late = new LateOdds(form, (wish) => asker.preview(wish));
  }

  /** The question is answered or gone: nobody waits for anything any more. */
  drop(): void {
    this.late.drop();
    clearTimeout(this.#resting);
  }

  /** Refused, and nothing legal is near: single models were put where they can not be, or there is no room. */
  get isStuck(): boolean {
    return Boolean(this.preview && !this.preview.legal && (!this.pose || !this.preview.answer));
  }

  /** Dragged to where it may not stand: the answer, with its distances, is the nearest place that is legal. */
  get isShort(): boolean {
    return Boolean(this.preview?.answer && !this.preview.legal && this.pose);
  }

  /** Whether that place is where it stands already. */
  get staysPut(): boolean {
    const answer = this.isShort ? this.preview?.answer : null;
    if (answer?.answer === 'march') return !answer.legs?.length;
    return answer?.answer === 'walk' && this.preview?.used === 0;
  }

  get form() {
    return this.question.form;
  }

  /** What would be sent now; null when something is still missing. */
  get answer(): AnyAnswer | null {
    const { form, default: usual } = this.question;
    switch (form?.form) {
      case 'pick':
        return this.picked ? { answer: 'pick', option: this.picked } : null;
      case 'move':
      case 'place':
        return this.touched ? (this.previewing || this.isStuck ? null : (this.preview?.answer ?? null)) : usual;
      case 'aims':
        return { answer: 'aims', aims: [...this.aims].map(([group, target]) => ({ group, target })) };
      case 'choose':
        return this.chosen.length === form.count ? { answer: 'chosen', ids: [...this.chosen] } : null;
      case 'bid':
        return { answer: 'bid', tokens: this.tokens };
      case 'cast':
        return this.spell && this.spellTargets.length
          ? { answer: 'cast', model: this.spell.caster, spell: this.spell.spell, targets: [...this.spellTargets] }
          : usual;
      case 'spot': {
        if (this.touched && (this.previewing || (this.preview && !this.preview.legal))) return null;
        return this.#spotAnswer() ?? usual;
      }
      default:
        return usual;
    }
  }

  /** A click on a unit; true when that answers the question at once. */
  tapUnit(id: number, touch: boolean): boolean {
    const form = this.form;
    if (form?.form === 'pick') {
      const option = form.options.find((o) => o.unit === id && o.legal);
      if (!option) return false;
      const again = this.touched && this.picked === option.key;
      this.picked = option.key;
      this.touched = true;
      return again || (!touch && AT_ONCE.has(this.question.kind));
    }
    if (form?.form === 'aims') this.aimAt(id);
    if (form?.form === 'cast') this.toggleSpellTarget(id);
    return false;
  }

  pick(key: string): void {
    this.picked = key;
    this.touched = true;
  }

  /** Fire the chosen group at a unit, and with it every other group that has no target and may. */
  aimAt(unit: number): void {
    if (this.form?.form !== 'aims') return;
    const aims = new Map(this.aims);
    for (const group of this.form.groups) {
      const may = group.targets.some((t) => t.unit === unit && t.legal);
      if (may && (group.key === this.group || !aims.has(group.key))) aims.set(group.key, unit);
    }
    const different = new Set(aims.values());
    if (different.size > this.form.most_targets) for (const [key, target] of aims) if (target !== unit) aims.delete(key);
    this.aims = aims;
    this.touched = true;
  }

  holdFire(group: string): void {
    const aims = new Map(this.aims);
    aims.delete(group);
    this.aims = aims;
    this.touched = true;
  }

  toggleChosen(id: number): void {
    if (this.form?.form !== 'choose' || !this.form.ids.includes(id)) return;
    const without = this.chosen.filter((c) => c !== id);
    // with the count already full the oldest choice makes room, so that one tap is enough to swap
    this.chosen = without.length < this.chosen.length ? without : [...without.slice(-Math.max(0, this.form.count - 1)), id].slice(-this.form.count);
    this.touched = true;
  }

  chooseSpell(spell: SpellView): void {
    this.spell = spell;
    this.spellTargets = spell.targets.slice(0, 1);
    this.touched = true;
  }

  toggleSpellTarget(id: number): void {
    if (!this.spell?.targets.includes(id)) return;
    const without = this.spellTargets.filter((t) => t !== id);
    this.spellTargets = without.length < this.spellTargets.length ? without : [...without, id].slice(-this.spell.most_targets);
    this.touched = true;
  }

  setSpot(at: Point): void {
    this.spot = at;
    this.touched = true;
    const answer = this.#spotAnswer();
    if (answer) this.#ask({ answer });
  }

  /** Where the unit stands in the draft: where it was dragged, else where it is. */
  get stand(): Stand | null {
    if (this.pose) return this.pose;
    return this.#middle(this.preview?.end ?? this.preview?.wanted) ?? this.origin;
  }

  /** Where the unit of the question stands on the table, whatever the draft says. */
  get origin(): Stand | null {
    const id = this.form?.form === 'move' || this.form?.form === 'place' ? this.form.unit : this.question.unit;
    return this.#middle(this.asker.unit(id));
  }

  #middle(shown: Ghost | UnitView | null | undefined): Stand | null {
    if (shown?.centre) return this.asker.frame.stand(shown.centre);
    const spots = (shown?.figures ?? []).flatMap((f) => (f.at ? [this.asker.frame.stand(f.at)] : []));
    if (!spots.length) return null;
    const n = spots.length;
    return { x: spots.reduce((s, p) => s + p.x, 0) / n, y: spots.reduce((s, p) => s + p.y, 0) / n, heading: spots[0]?.heading ?? 0 };
  }

  moveTo(pose: Stand): void {
    this.pose = pose;
    this.touched = true;
    this.#paths.clear();
    this.#ask({ drag: this.asker.frame.pose(pose) });
  }

  /** One model of a loose unit alone; the others keep their part of the draft. */
  moveModel(model: number, to: Point): void {
    if (this.form?.form !== 'move' && this.form?.form !== 'place') return;
    const frame = this.asker.frame;
    const figures = this.preview?.wanted?.figures ?? this.preview?.end?.figures ?? this.asker.unit(this.form.unit)?.figures ?? [];
    this.touched = true;
    this.pose = null;
    const before = this.preview?.answer;
    const heading = figures.find((f) => f.id === model)?.at?.[2] ?? 0;
    const z = figures.find((f) => f.id === model)?.at?.[3] ?? 0;
    const [x, y] = frame.spot(to);
    const spot: Pose = [x, y, heading, z];
    if (this.form.form === 'place') {
      this.#ask({ answer: { answer: 'placed', poses: figures.map((f) => (f.id === model ? spot : (f.at ?? spot))) } });
      return;
    }
    if (before?.answer === 'walk') for (const [id, points] of before.paths ?? []) if (!this.#paths.has(id)) this.#paths.set(id, points);
    this.#paths.set(model, [spot]);
    const paths: ModelPath[] = [...this.#paths].map(([id, points]) => [id, points]);
    this.#ask({ answer: { answer: 'walk', paths } });
  }

  /** Leap between ledges, or climb: the way that was tried is judged anew. */
  setLeap(leap: boolean): void {
    this.leap = leap;
    if (this.#last && this.touched) this.#ask(this.#last);
  }

  /** Take over an answer somebody else proposes. */
  adopt(answer: AnyAnswer): void {
    const form = this.form;
    this.touched = true;
    if (answer.answer === 'pick') this.picked = answer.option;
    else if (answer.answer === 'aims') this.aims = new Map((answer.aims ?? []).map((aim) => [aim.group, aim.target]));
    else if (answer.answer === 'chosen') this.chosen = answer.ids;
    else if (answer.answer === 'bid') this.tokens = answer.tokens;
    else if (answer.answer === 'spot') this.setSpot(this.asker.frame.point(answer.x, answer.y));
    else if (answer.answer === 'cast' && form?.form === 'cast') this.#setSpell(form.spells, answer.model, answer.spell, answer.targets);
    else {
      this.pose = null;
      this.#ask({ answer });
    }
  }

  /** Forget what was tried and go back to the default. */
  restart(): boolean {
    if (!this.touched) return false;
    this.touched = false;
    this.leap = false;
    this.pose = null;
    this.preview = null;
    this.#wanted = null;
    this.#paths.clear();
    const { form, default: usual } = this.question;
    if (form?.form === 'pick') this.picked = usual?.answer === 'pick' ? usual.option : '';
    if (form?.form === 'spot') this.spot = usual?.answer === 'spot' ? this.asker.frame.point(usual.x, usual.y) : null;
    if ((form?.form === 'place' || form?.form === 'move') && usual) this.#ask({ answer: usual });
    return true;
  }

  #setSpell(spells: readonly SpellView[], model: number, name: string, targets: readonly number[]): void {
    this.spell = spells.find((s) => s.caster === model && s.spell === name) ?? null;
    this.spellTargets = targets;
  }

  #spotAnswer(): AnyAnswer | null {
    if (!this.spot) return null;
    const [x, y] = this.asker.frame.spot(this.spot);
    return { answer: 'spot', x, y };
  }

  /** Ask for a judgement; while one is under way only the newest wish is kept. */
  #ask(message: Wish): void {
    clearTimeout(this.#resting);
    this.#last = message;
    this.#wanted = this.leap ? { ...message, leap: true } : message;
    this.#then = null;
    this.previewing = true;
    if (!this.#asking) void this.#judge();
  }

  async #judge(): Promise<void> {
    this.#asking = true;
    let last: Wish | null = null;
    for (let next = this.#wanted; next; next = this.#wanted) {
      this.#wanted = null;
      last = next;
      const reply = await this.asker.preview(next);
      if (reply) this.preview = reply;
    }
    this.#asking = false;
    if (last && this.preview?.targets.some((t) => t.legal && !t.odds)) this.#rest(last);
    this.previewing = false;
    const go = this.#then;
    this.#then = null;
    if (this.preview?.legal) go?.();
  }

  /** The hand rests: ask for the odds that were left out for speed. Nothing waits for them. */
  #rest(wish: Wish): void {
    this.#resting = setTimeout(async () => {
      const before = this.preview;
      const reply = await this.asker.preview({ ...wish, patient: true });
      if (reply && this.preview === before) this.preview = reply;
    }, REST);
  }

  /** Do something as soon as the judgement under way is there, if it is a good one. */
  afterJudgement(go: () => void): boolean {
    if (!this.previewing) return false;
    this.#then = go;
    return true;
  }
}
