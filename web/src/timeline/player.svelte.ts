/* Plays steps at a pace one can follow. What it shows lags behind what is known; `settled` says that it caught up. */

import type { BoardView, FigureView, LineView, Pose, RollView, StepView, UnitView } from '../protocol/types';
import { eased, plan, turnBetween, type Beat, type Speed } from './plan';

const KEPT_ROLLS = 6;
const KEPT_LINES = 2000;

export interface Said extends LineView {
  n: number;
}

export class Player {
  units = $state.raw<ReadonlyMap<number, UnitView>>(new Map());
  board = $state.raw<BoardView | null>(null);
  lines = $state.raw<readonly Said[]>([]);
  rolls = $state.raw<readonly (RollView & { n: number; activation: number })[]>([]);
  /** the unit at work, the way it just went, and the bot's reason */
  acting = $state<number | null>(null);
  trail = $state.raw<{ unit: number; from: Pose; to: Pose } | null>(null);
  why = $state('');
  actor = $state.raw<{ seat: number; bot: boolean } | null>(null);
  settled = $state(true);
  speed = $state<Speed>('normal');
  /** counts activations, so that dice of an earlier one can be told apart */
  activation = $state(0);
  /** told of what can be heard as it is shown */
  listener: ((sound: 'dice' | 'charge') => void) | null = null;

  #queue: StepView[] = [];
  #busy = false;
  #hurry = false;
  #counter = 0;
  #era = 0; // counts whole boards: a step that was under way when one came is out of date
  #wake: (() => void) | null = null;

  constructor(private readonly onsettled: () => void = () => {}) {}

  /** Show a whole board at once; whatever was still to be played is dropped. */
  reset(board: BoardView, lines: readonly LineView[]): void {
    this.#queue = [];
    this.#era++;
    this.#hurry = true;
    this.#wake?.();
    this.units = new Map(board.units.map((u) => [u.id, u]));
    this.board = board;
    this.lines = lines.map((line) => ({ ...line, n: this.#counter++ }));
    this.rolls = [];
    this.trail = null;
    this.acting = board.acting >= 0 ? board.acting : null;
  }

  play(steps: readonly StepView[]): void {
    this.#queue.push(...steps);
    if (this.#queue.length) this.settled = false;
    if (!this.#busy) void this.#run();
  }

  /** Go straight to the end of what is known. */
  skip(): void {
    this.#hurry = true;
    this.#wake?.();
  }

  async #run(): Promise<void> {
    this.#busy = true;
    this.#hurry = false;
    for (let step = this.#queue.shift(); step; step = this.#queue.shift()) await this.#step(step);
    this.#busy = false;
    this.#done();
  }

  #done(): void {
    this.settled = true;
    this.onsettled();
  }

  async #step(step: StepView): Promise<void> {
    const era = this.#era;
    this.actor = { seat: step.seat, bot: step.actor === 'bot' };
    if (step.why && step.why !== this.why) this.#say([{ text: step.why, kind: 'why', thrown: '', cites: [], round: step.board.round, side: sideOf(step, this.units) }]);
    if (step.why) this.why = step.why;
    else if (step.actor === 'person') this.why = '';
    const quiet = step.undone || step.board.whole;
    if (step.undone) this.#takeBack(step);
    if (!quiet && !this.#hurry && step.events.some((e) => e.event === 'action_chosen' && e.action === 'charge')) this.listener?.('charge');
    for (const beat of plan(step, this.speed)) {
      if (!quiet) await this.#beat(beat, step);
      if (era !== this.#era) return;
      this.#say(beat.lines);
    }
    this.#apply(step.board);
  }

  #apply(board: BoardView): void {
    const units = new Map(board.whole ? [] : this.units);
    for (const unit of board.units) units.set(unit.id, unit);
    this.units = units;
    this.board = board;
    this.acting = board.acting >= 0 ? board.acting : null;
  }

  async #beat(beat: Beat, step: StepView): Promise<void> {
    const ms = this.#hurry ? 0 : beat.ms;
    if (beat.kind === 'act') {
      this.acting = beat.unit;
      this.trail = null;
      this.activation++;
      await this.#wait(ms);
    } else if (beat.kind === 'move') {
      const target = step.board.units.find((u) => u.id === beat.unit);
      if (target) await this.#glide(target, ms);
    } else if (beat.kind === 'roll') {
      // dice of an activation stay together; the first ones of the next clear the tray
      const kept = this.rolls.filter((r) => r.activation === this.activation).slice(1 - KEPT_ROLLS);
      if (!this.#hurry) this.listener?.('dice');
      this.rolls = [...kept, { ...beat.roll, n: this.#counter++, activation: this.activation }];
      await this.#wait(ms);
    } else await this.#wait(ms);
  }

  /** Words of somebody at the table stand in the log where they were said. */
  chat(name: string, text: string): void {
    this.#say([{ text: `${name}: ${text}`, kind: 'note', thrown: '', cites: [], round: this.board?.round ?? 0, side: -1 }]);
  }

  #say(lines: readonly LineView[]): void {
    if (lines.length) this.lines = [...this.lines.slice(-KEPT_LINES), ...lines.map((line) => ({ ...line, n: this.#counter++ }))];
  }

  /** The log forgets what no longer holds, reasons that came with it included; what people said stays. */
  #takeBack(step: StepView): void {
    const lines = [...this.lines];
    const said: Said[] = [];
    let left = step.void;
    while (lines.length && (left > 0 || !isTold(lines.at(-1)))) {
      const line = lines.pop();
      if (line?.kind === 'note') said.unshift(line);
      else if (isTold(line)) left--;
    }
    this.lines = [...lines, ...said];
  }

  #wait(ms: number): Promise<void> {
    if (ms <= 0 || this.#hurry) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#wake = done;
    });
  }

  async #glide(to: UnitView, ms: number): Promise<void> {
    const from = this.units.get(to.id);
    const [start, end] = [from ? anchor(from) : null, anchor(to)];
    this.trail = start && end ? { unit: to.id, from: start, to: end } : null;
    if (from && start && ms > 0 && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
      const began = performance.now();
      for (let t = 0; t < 1 && !this.#hurry; ) {
        await frame();
        t = Math.min(1, (performance.now() - began) / ms);
        this.#put(between(from, to, eased(t)));
      }
    } else await this.#wait(ms / 2);
    this.#put({ ...(from ?? to), place: to.place, figures: moved(from, to), centre: to.centre, outline: to.outline });
  }

  #put(unit: UnitView): void {
    const units = new Map(this.units);
    units.set(unit.id, unit);
    this.units = units;
  }
}

/** Whether a line is the server's; reasons and notes are the page's own. */
const isTold = (line: Said | undefined): boolean => line !== undefined && line.kind !== 'why' && line.kind !== 'note';

/** Whose step it was; -1 where nobody's. */
function sideOf(step: StepView, units: ReadonlyMap<number, UnitView>): number {
  return [...units.values()].find((u) => u.seat === step.seat)?.side ?? -1;
}

/** The figures a unit had, where they stand after the move; losses come with their own beat. */
function moved(from: UnitView | undefined, to: UnitView): FigureView[] {
  if (!from?.figures.length) return to.figures;
  return from.figures.map((f) => ({ ...f, at: to.figures.find((g) => g.id === f.id)?.at ?? f.at }));
}

const frame = (): Promise<void> => new Promise((resolve) => (document.hidden ? setTimeout(resolve, 0) : requestAnimationFrame(() => resolve())));

function anchor(unit: UnitView): Pose | null {
  return unit.centre ?? unit.figures.find((f) => f.at)?.at ?? null;
}

const poseBetween = (a: Pose, b: Pose, t: number): Pose => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, turnBetween(a[2] ?? 0, b[2] ?? 0, t), b[3] ?? 0];

function between(from: UnitView, to: UnitView, t: number): UnitView {
  const figures = from.figures.map((f) => {
    const end = to.figures.find((g) => g.id === f.id)?.at;
    return f.at && end ? { ...f, at: poseBetween(f.at, end, t) } : f;
  });
  const centre = from.centre && to.centre ? poseBetween(from.centre, to.centre, t) : from.centre;
  return { ...from, figures, centre };
}
