/* The answer in the making. One draft a question: it starts as the default and follows what the player does on the
   board, in the panel or by keyboard. It never judges; the server's previews do. */

import type { Stand } from '../board/scene';
import type { Point } from '../board/shapes';
import type { AnyAnswer, Ghost, Hinted, ModelPath, PlannedAnswer, PlanView, Pose, Previewed, Question, SpellView, UnitView } from '../protocol/types';
import type { Frame } from './frame';
import { LateOdds } from './late.svelte';

/** What to judge: a place under the pointer, or an answer. A patient wish is about the odds of every target. */
export interface Wish {
  drag?: Pose;
  answer?: AnyAnswer;
  patient?: boolean;
  /** leap from ledge to ledge instead of climbing through */
  leap?: boolean;
  /** whose activation is tried out, what it does, and whom it shoots or charges */
  unit?: number;
  action?: string;
  target?: number;
}

/** An activation in the making: "" and -1 leave it to the server, which reads the action from the distance. */
export interface Planned {
  unit: number;
  action: string;
  target: number;
}

/** A target of one's own choosing: nobody. */
export const HOLD_FIRE = -2;

/** What can be dragged now: the move that is asked for, or the one of a plan. */
export interface Moving {
  unit: number;
  how: 'block' | 'loose';
  action: string;
  allowance: number;
  pivot: number;
  reach: readonly (readonly (readonly number[])[])[];
  leaps: boolean;
  /** how many models may be moved one by one */
  models: number;
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

/** How long to wait before a busy server is asked again, in milliseconds, and how often. */
const BUSY = 300;
const MOST_TRIES = 20;
const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class Draft {
  picked = $state('');
  pose = $state.raw<Stand | null>(null);
  preview = $state.raw<Previewed | null>(null);
  previewing = $state(false);
  /** whether the odds that a preview left out are on their way */
  refining = $state(false);
  /** the newest wish was never judged, as the line was down: nothing may be sent for it */
  unjudged = $state(false);
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
  /** the activation that is tried out, where the question plans */
  planned = $state.raw<Planned | null>(null);
  /** what a good player would do here, once that is known; Enter plays it as long as nothing was changed */
  suggestion = $state.raw<Pick<Hinted, 'answers' | 'why'> | null>(null);
  /** whether a suggestion is still being worked out */
  awaiting = $state(false);
  /** whether the big button was pressed before the suggestion or the judgement was there */
  queued = $state(false);

  #wanted: Wish | null = null;
  #last: Wish | null = null;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #asking = false;
  #dropped = false;
  #then: (() => void) | null = null;
  #whenSuggested: (() => void) | null = null;
  #paths = new Map<number, Pose[]>();

  constructor(
    readonly question: Question,
    private readonly asker: Asker,
  ) {
    const { form, default: usual } = question;
    if (form?.form === 'pick') this.picked = usual?.answer === 'pick' ? usual.option : '';
    this.#planUsual();
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
    this.#dropped = true;
    this.late.drop();
    this.#wakeUp();
  }

  /** The plan as the server sees it; null until it has looked. */
  get plan(): PlanView | null {
    const plan = this.preview?.plan ?? null;
    return this.planned && plan?.unit === this.planned.unit ? plan : null;
  }

  get moving(): Moving | null {
    const { form, plan } = this;
    if (form?.form === 'move') return { ...form, models: form.models.length };
    if (!plan?.moves) return null;
    const { unit, how, action, pivot, reach, leaps } = plan;
    return { unit, how, action, pivot, reach, leaps, allowance: this.preview?.allowance ?? 0, models: this.asker.unit(unit)?.figures.length ?? 0 };
  }

  /** Several answers that go out together: a suggestion nobody changed, or the plan as it stands. */
  get answers(): readonly PlannedAnswer[] | null {
    if (!this.touched && this.suggestion?.answers.length) return this.suggestion.answers;
    if (!this.planned) return null;
    if (this.previewing || this.unjudged) return null;
    const { plan } = this;
    if (plan) return this.isStuck ? null : plan.answers;
    return this.picked ? [{ kind: this.question.kind, answer: { answer: 'pick', option: this.picked } }] : null;
  }

  #planUsual(): void {
    const { form, question } = this;
    if (!question.plans || form?.form !== 'pick') return;
    const unit = question.unit >= 0 ? question.unit : (form.options.find((o) => o.key === this.picked)?.unit ?? -1);
    this.planned = unit >= 0 ? { unit, action: '', target: -1 } : null;
    if (this.planned) this.#ask({});
  }

  /** Try out the activation of a unit; where it stands counts until it is dragged. */
  chooseUnit(unit: number): void {
    const { form, question } = this;
    if (!question.plans || form?.form !== 'pick') return;
    const option = form.options.find((o) => o.unit === unit && o.legal);
    if (question.unit < 0 && !option) return;
    if (option) this.picked = option.key;
    if (this.planned?.unit === unit && this.touched) return;
    this.touched = true;
    this.pose = null;
    this.preview = null;
    this.#paths.clear();
    this.planned = { unit, action: '', target: -1 };
    this.#ask({});
  }

  /** An action set by hand; "" leaves it to the distance again. */
  setAction(action: string): void {
    if (!this.planned) return;
    this.touched = true;
    this.planned = { ...this.planned, action, target: -1 };
    if (action !== 'advance' && action !== 'rush') this.pose = null;
    this.#ask(this.pose ? { drag: this.asker.frame.pose(this.pose) } : {});
  }

  /** Whom the plan shoots or charges; true where that can be. */
  planAt(unit: number): boolean {
    if (!this.planned || !this.plan) return false;
    const may = unit === HOLD_FIRE || this.preview?.targets.some((t) => t.unit === unit && t.legal);
    if (!may) return false;
    this.touched = true;
    this.planned = { ...this.planned, action: this.plan.action, target: unit };
    this.#ask(this.#last ?? {});
    return true;
  }

  /** What a good player would do: shown, and played by Enter, unless something was changed meanwhile. */
  suggest(found: Hinted | null): void {
    this.awaiting = false;
    if (found && !this.touched) {
      this.suggestion = found;
      this.#adoptPlan(found.answers);
    }
    const go = this.#whenSuggested;
    this.#whenSuggested = null;
    if (go) this.queued = false;
    go?.();
  }

  /** A hint that was asked for: shown whatever was tried before. */
  suggestAgain(found: Hinted): void {
    this.touched = false;
    this.pose = null;
    this.leap = false;
    this.#paths.clear();
    this.suggest(found);
  }

  #adoptPlan(answers: readonly PlannedAnswer[]): void {
    const [first] = answers;
    if (!first) return;
    if (!this.question.plans || this.form?.form !== 'pick') {
      this.adopt(first.answer, false);
      return;
    }
    if (first.kind === 'activate' && first.answer.answer === 'pick') this.picked = first.answer.option;
    const key = this.picked;
    const unit = this.question.unit >= 0 ? this.question.unit : (this.form.options.find((o) => o.key === key)?.unit ?? -1);
    if (unit < 0) return;
    const action = answers.find((a) => a.kind === 'action')?.answer;
    const aims = answers.find((a) => a.kind === 'targets')?.answer;
    const charged = answers.find((a) => a.kind === 'charge_target')?.answer;
    const target = aims?.answer === 'aims' ? (aims.aims?.[0]?.target ?? HOLD_FIRE) : charged?.answer === 'pick' ? Number(charged.option.replace(/\D/g, '')) : -1;
    this.planned = { unit, action: action?.answer === 'pick' ? action.option : '', target };
    const way = answers.find((a) => a.answer.answer === 'march' || a.answer.answer === 'walk')?.answer;
    this.#ask(way ? { answer: way } : {});
  }

  /** Do something as soon as the suggestion under way is there. */
  afterSuggestion(go: () => void): boolean {
    if (!this.awaiting || this.touched) return false;
    this.#whenSuggested = go;
    this.queued = true;
    return true;
  }

  /** Refused, and nothing legal is near: single models were put where they can not be, or there is no room. */
  get isStuck(): boolean {
    return Boolean(this.preview && !this.preview.legal && (!this.pose || !this.preview.answer) && (!this.preview.plan || this.preview.plan.moves || this.preview.reasons.length));
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
        return this.touched ? (this.previewing || this.unjudged || this.isStuck ? null : (this.preview?.answer ?? null)) : usual;
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
        if (this.touched && (this.previewing || this.unjudged || (this.preview && !this.preview.legal))) return null;
        return this.#spotAnswer() ?? usual;
      }
      default:
        return usual;
    }
  }

  /** A click on a unit; true when that answers the question at once. */
  tapUnit(id: number, touch: boolean): boolean {
    const form = this.form;
    if (this.planned || (this.question.plans && this.question.unit < 0)) {
      if (this.question.unit < 0 && form?.form === 'pick' && form.options.some((o) => o.unit === id && o.legal)) this.chooseUnit(id);
      else this.planAt(id);
      return false;
    }
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
    const { form, question } = this;
    if (question.plans && form?.form === 'pick') {
      const option = form.options.find((o) => o.key === key);
      if (option && option.unit >= 0) this.chooseUnit(option.unit);
      else if (option && question.unit < 0) this.#pickNoUnit(key);
      else if (this.planned) this.setAction(key);
      else this.#pickNoUnit(key);
      return;
    }
    this.picked = key;
    this.touched = true;
  }

  /** An option beside the units that may act, such as passing the turn: there is nothing to try out. */
  #pickNoUnit(key: string): void {
    this.picked = key;
    this.touched = true;
    this.planned = null;
    this.pose = null;
    this.preview = null;
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

  /** The middle of the unit where its move would end. */
  get endPose(): Pose | null {
    const { end } = this.preview ?? {};
    if (end?.centre) return end.centre;
    const spots = (end?.figures ?? []).flatMap((f) => (f.at ? [f.at] : []));
    const middle = (i: number): number => Math.round(spots.reduce((sum, p) => sum + (p[i] ?? 0), 0) / spots.length);
    return spots.length ? [middle(0), middle(1), spots[0]?.[2] ?? 0, spots[0]?.[3] ?? 0] : null;
  }

  /** Where the unit of the question stands on the table, whatever the draft says. */
  get origin(): Stand | null {
    const id = this.form?.form === 'move' || this.form?.form === 'place' ? this.form.unit : (this.planned?.unit ?? this.question.unit);
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
    const unit = this.form?.form === 'place' ? this.form.unit : this.moving?.unit;
    if (unit === undefined) return;
    const frame = this.asker.frame;
    const figures = this.preview?.wanted?.figures ?? this.preview?.end?.figures ?? this.asker.unit(unit)?.figures ?? [];
    this.touched = true;
    this.pose = null;
    const before = this.preview?.answer;
    const heading = figures.find((f) => f.id === model)?.at?.[2] ?? 0;
    const z = figures.find((f) => f.id === model)?.at?.[3] ?? 0;
    const [x, y] = frame.spot(to);
    const spot: Pose = [x, y, heading, z];
    if (this.form?.form === 'place') {
      this.#ask({ answer: { answer: 'placed', poses: figures.map((f) => (f.id === model ? spot : (f.at ?? spot))) } });
      return;
    }
    if (before?.answer === 'walk') for (const [id, points] of before.paths ?? []) if (!this.#paths.has(id)) this.#paths.set(id, points);
    this.#paths.set(model, [spot]);
    const paths: ModelPath[] = [...this.#paths].map(([id, points]) => [id, points]);
    this.#ask({ answer: { answer: 'walk', paths } });
  }

  /** The line is back: have what was tried meanwhile judged. */
  retry(): void {
    if (this.unjudged && this.#last) this.#ask(this.#last);
  }

  /** Leap between ledges, or climb: the way that was tried is judged anew. */
  setLeap(leap: boolean): void {
    this.leap = leap;
    if (this.#last && this.touched) this.#ask(this.#last);
  }

  /** Take over an answer somebody else proposes. */
  adopt(answer: AnyAnswer, touched = true): void {
    const form = this.form;
    this.touched = touched;
    if (answer.answer === 'pick') this.picked = answer.option;
    else if (answer.answer === 'aims') this.aims = new Map((answer.aims ?? []).map((aim) => [aim.group, aim.target]));
    else if (answer.answer === 'chosen') this.chosen = answer.ids;
    else if (answer.answer === 'bid') this.tokens = answer.tokens;
    else if (answer.answer === 'spot') {
      this.spot = this.asker.frame.point(answer.x, answer.y);
      this.#ask({ answer });
    }
    else if (answer.answer === 'cast' && form?.form === 'cast') this.#setSpell(form.spells, answer.model, answer.spell, answer.targets);
    else {
      this.pose = null;
      this.#ask({ answer });
    }
  }

  /** Forget what was tried and go back to the default. */
  restart(): boolean {
    if (!this.touched) return false;
    this.#wakeUp();
    this.touched = false;
    this.leap = false;
    this.pose = null;
    this.preview = null;
    this.#wanted = null;
    this.#then = null;
    this.queued = false;
    this.#paths.clear();
    const { form, default: usual } = this.question;
    if (form?.form === 'pick') this.picked = usual?.answer === 'pick' ? usual.option : '';
    if (this.suggestion) {
      this.#adoptPlan(this.suggestion.answers);
      return true;
    }
    this.#planUsual();
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
    this.#wakeUp();
    this.#last = message;
    const { planned } = this;
    this.#wanted = { ...message, ...(planned ?? {}), ...(this.leap ? { leap: true } : {}) };
    if (this.#then) this.queued = false;
    this.#then = null;
    this.previewing = true;
    if (!this.#asking) void this.#judge();
  }

  async #judge(): Promise<void> {
    this.#asking = true;
    let tries = 0;
    let last: Wish | null = null;
    for (let next = this.#wanted; next; next = this.#wanted) {
      this.#wanted = null;
      last = next;
      const reply = await this.asker.preview(next);
      if (reply) this.preview = reply;
      this.unjudged = !reply;
      tries = reply ? 0 : tries + 1;
      if (reply || this.#wanted || this.#dropped || tries > MOST_TRIES) continue;
      await later(BUSY); // a busy server refuses: it is asked again, unless there is a newer wish by then
      if (!this.#dropped) this.#wanted ??= next;
    }
    this.#asking = false;
    if (last && this.preview?.targets.some((t) => t.legal && !t.odds)) this.#rest(last);
    this.previewing = false;
    const go = this.#then;
    this.#then = null;
    if (go) this.queued = false;
    if (this.preview?.legal || this.preview?.plan) go?.();
  }

  /** The hand rests: ask for the odds that were left out for speed. Nothing waits for them. */
  #rest(wish: Wish): void {
    const mine = setTimeout(async () => {
      const reply = await this.asker.preview({ ...wish, patient: true });
      if (this.#resting !== mine) return; // somebody went on meanwhile
      this.#wakeUp();
      if (reply) this.preview = reply;
    }, REST);
    this.#resting = mine;
    this.refining = true;
  }

  #wakeUp(): void {
    clearTimeout(this.#resting);
    this.#resting = undefined;
    this.refining = false;
  }

  /** Whether nothing is on its way that would change what is shown. */
  get isWhole(): boolean {
    return !this.previewing && !this.awaiting && !this.refining && !this.late.isBusy;
  }

  /** Do something as soon as the judgement under way is there, if it is a good one. */
  afterJudgement(go: () => void): boolean {
    if (!this.previewing) return false;
    this.#then = go;
    this.queued = true;
    return true;
  }
}
