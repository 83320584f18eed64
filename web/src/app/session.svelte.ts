/* One game as the page holds it: the socket, what is shown, the question at hand and the draft of its answer. */

import { get, Refusal } from '../protocol/api';
import { GameSocket, type Link } from '../protocol/socket';
import type {
  Hinted,
  LostView,
  Measured,
  Overlaid,
  PlannedAnswer,
  Pose,
  Presence,
  Previewed,
  Question,
  Reason,
  RematchView,
  SeatView,
  ServerMessage,
  TableView,
  UnitView,
  Welcome,
} from '../protocol/types';
import { Player } from '../timeline/player.svelte';
import type { Speed } from '../timeline/plan';
import { heard, type HeardClock } from './clock.svelte';
import { Draft, type Wish } from './draft.svelte';
import { Frame, isTurned } from './frame';
import { remembered, remember } from './memory';

const BOT_DELAY: Record<Speed, number> = { normal: 900, fast: 250, instant: 0 };

/** One end of the tape: a unit, or a point where `unit` is -1. */
export interface End {
  unit: number;
  point: [number, number];
}

export class GameSession {
  link = $state<Link>('connecting');
  welcome = $state.raw<Welcome | null>(null);
  table = $state.raw<TableView | null>(null);
  status = $state<'waiting' | 'running' | 'over'>('waiting');
  seats = $state.raw<readonly number[]>([]);
  question = $state.raw<Question | null>(null);
  draft = $state.raw<Draft | null>(null);
  canUndo = $state(false);
  /** kinds of questions that the server answers with their default */
  automatic = $state.raw<readonly string[]>([]);
  presence = $state.raw<Presence | null>(null);
  thinking = $state('');
  /** who asks this player to let an answer be taken back; "" where nobody does */
  backAsked = $state('');
  waitsForBack = $state(false);
  /** whether others could let this player take an answer back */
  canAskBack = $state(false);
  clock = $state.raw<HeardClock | null>(null);
  /** who gave up or ran out of time */
  lost = $state.raw<LostView | null>(null);
  rematch = $state.raw<RematchView | null>(null);
  muted = $state(remembered('muted', 'off') === 'on');
  refusals = $state.raw<readonly Reason[]>([]);
  sending = $state(false);
  /** what the coach of a lesson says to a try that he does not let pass */
  coached = $state('');
  /** how many tasks of a lesson are done; -1 outside lessons */
  task = $state(-1);
  #nextTask = -1;
  goodbye = $state('');
  readonly player: Player = new Player(() => this.#settled());
  readonly socket: GameSocket;
  #next: Question | null = null;

  constructor(readonly game: string) {
    this.player.speed = remembered('speed', 'normal') as Speed;
    this.socket = new GameSocket(
      game,
      (message) => this.#heard(message),
      (link) => {
        this.link = link;
        if (link === 'open') {
          this.pace(this.player.speed);
          this.draft?.retry();
        }
        if (link === 'lost' && !this.welcome) void this.#lookForGame();
      },
    );
  }

  close(): void {
    this.socket.close();
  }

  /** The lower edge of the screen belongs to the player, where it is one player's; known as soon as edges are. */
  turned = $derived(this.table ? isTurned(this.table, this.player.board?.zones ?? [], this.seats) : false);
  frame = $derived(this.table ? new Frame(this.table.width, this.table.depth, this.turned) : null);

  /** Whether somebody at this screen is asked, and everything up to that question has been shown. */
  get myTurn(): boolean {
    return Boolean(this.question?.mine && this.player.settled);
  }

  /** The lesson that is played here; "" where it is none. */
  get lesson(): string {
    const { battle = '' } = this.welcome ?? {};
    return battle.startsWith('lesson/') ? battle.slice('lesson/'.length) : '';
  }

  /** The puzzle that is played here; "" where it is none. */
  get puzzle(): string {
    const { battle = '' } = this.welcome ?? {};
    return battle.startsWith('puzzle/') ? battle.slice('puzzle/'.length) : '';
  }

  /** Whether the battle is over for whoever looks on: not before its last dice were shown. */
  get over(): boolean {
    return this.status === 'over' && this.player.settled;
  }

  seat(seat: number): SeatView | undefined {
    return this.presence?.seats.find((s) => s.seat === seat) ?? this.table?.seats.find((s) => s.seat === seat);
  }

  /** People who have a seat and are not there now. */
  get away(): SeatView[] {
    const { presence } = this;
    return presence && this.status === 'running' ? presence.seats.filter((s) => s.who === 'person' && !this.seats.includes(s.seat) && !presence.online.includes(s.seat)) : [];
  }

  /** The sides that are played at this screen. */
  get sides(): number[] {
    return (this.table?.seats ?? []).filter((s) => this.seats.includes(s.seat)).map((s) => s.side);
  }

  claimTime(): void {
    this.socket.claimTime();
  }

  unit(id: number): UnitView | undefined {
    return this.player.units.get(id);
  }

  submit(): boolean {
    const { draft } = this;
    if (!draft || !this.myTurn || this.sending) return false;
    const again = (): unknown => draft === this.draft && this.submit();
    // a quick Enter counts although the suggestion or the judgement of a move is still on its way
    if (draft.afterSuggestion(again)) return true;
    const { answers } = draft;
    const answer = draft.planned ? null : draft.answer;
    if (!answers?.length && !answer) return draft.afterJudgement(again);
    this.sending = true;
    this.refusals = [];
    this.coached = '';
    if (answers?.length) this.socket.play(answers);
    else if (answer) this.socket.answer(answer);
    return true;
  }

  /** One step back: first what was tried, then the last answer. */
  back(): void {
    this.refusals = [];
    if (this.draft?.restart()) return;
    if (this.canUndo) this.socket.undo();
  }

  undo(): void {
    this.refusals = [];
    if (this.canUndo) this.socket.undo();
  }

  /** Whether somebody else plays here who could be talked to. */
  get hasCompany(): boolean {
    return Boolean(this.seats.length && this.presence?.seats.some((s) => s.who === 'person' && !this.seats.includes(s.seat)));
  }

  say(text: string): void {
    if (text.trim()) this.socket.tell({ type: 'say', text: text.trim().slice(0, 200) });
  }

  mute(muted: boolean): void {
    this.muted = muted;
    remember('muted', muted ? 'on' : 'off');
  }

  askBack(): void {
    this.socket.tell({ type: 'ask_back' });
  }

  answerBack(yes: boolean): void {
    this.backAsked = '';
    this.socket.tell({ type: 'answer_back', yes });
  }

  doForMe(until: 'question' | 'setup' | 'activation'): void {
    if (!this.myTurn || this.sending) return;
    this.sending = true;
    this.refusals = [];
    this.socket.doForMe(until);
  }

  /** From now on these kinds of questions are answered with their default, in battles to come as well. */
  answerAlone(kinds: readonly string[]): void {
    this.automatic = kinds;
    if (!this.welcome?.battle) remember('automatic', kinds.join(' '));
    this.socket.tell({ type: 'automatic', kinds: [...kinds] });
  }

  pace(speed: Speed): void {
    this.player.speed = speed;
    remember('speed', speed);
    this.socket.tell({ type: 'pace', paused: false, delay: BOT_DELAY[speed] });
  }

  pause(paused: boolean): void {
    this.socket.tell({ type: 'pace', paused, delay: BOT_DELAY[this.player.speed] });
  }

  overlay(what: 'arc' | 'range' | 'sight' | 'charge' | 'threat' | 'reach', unit: number, pose: Pose | null = null): Promise<Overlaid | null> {
    return this.socket.ask<Overlaid>({ type: 'overlay', what, unit, pose });
  }

  /** The tape between two ends, each a unit or a point of the table. */
  measure(from: End, to: End): Promise<Measured | null> {
    return this.socket.ask<Measured>({ type: 'measure', from_unit: from.unit, to_unit: to.unit, from_point: from.unit < 0 ? from.point : null, to_point: to.unit < 0 ? to.point : null });
  }

  hint(): Promise<Hinted | null> {
    return this.socket.ask<Hinted>({ type: 'hint' });
  }

  /** A word where these answers would throw much away; "" where they are as good as anything. */
  async judge(answers: readonly PlannedAnswer[]): Promise<string> {
    return (await this.socket.ask<Hinted>({ type: 'hint', answers: [...answers] }))?.why ?? '';
  }

  #heard(message: ServerMessage): void {
    switch (message.type) {
      case 'welcome':
        this.#greeted(message);
        break;
      case 'steps':
        this.clock = heard(message.clock);
        this.lost = message.lost ?? null;
        this.canAskBack = message.can_ask_back ?? false;
        if (this.#isKnown(message)) break;
        this.status = message.status;
        if (message.steps.length) [this.backAsked, this.waitsForBack] = ['', false];
        this.#next = message.question;
        this.#nextTask = message.task;
        this.canUndo = message.can_undo;
        this.question = message.question?.mine ? this.question : message.question;
        this.thinking = '';
        this.draft?.drop();
        if (message.question && !message.question.mine) this.draft = null;
        this.player.play(message.steps);
        break;
      case 'refused':
        this.sending = false;
        this.refusals = message.reasons.length ? message.reasons : [{ text: 'The server refused that.', cite: '' }];
        // whoever only watches gave no orders, and what the page sends by itself is no concern of theirs
        if (message.code === 'coached') [this.coached, this.refusals] = [message.reasons[0]?.text ?? '', []];
        if (message.code === 'stale' || !this.seats.length) this.refusals = [];
        break;
      case 'presence':
        this.presence = message;
        break;
      case 'said':
        if (!this.muted) this.player.chat(message.name, message.text);
        break;
      case 'back_asked':
        this.backAsked = message.open && !this.seats.includes(message.seat) && this.seats.length ? message.name : '';
        this.waitsForBack = message.open && this.seats.includes(message.seat);
        if (message.declined_by) this.player.chat(message.declined_by, `I would rather not let ${message.name} take that back.`);
        break;
      case 'rematched':
        this.rematch = message.rematch;
        break;
      case 'thinking':
        this.thinking = message.name;
        break;
      case 'goodbye':
        this.goodbye = message.again ? '' : message.words;
        break;
      default:
    }
  }

  /** A line that was picked up again may tell what is on the screen already: what was tried there stays. */
  #isKnown(message: Extract<ServerMessage, { type: 'steps' }>): boolean {
    const { draft, question } = this;
    return Boolean(draft && !message.steps.length && !this.sending && message.status === this.status && message.can_undo === this.canUndo && JSON.stringify(message.question) === JSON.stringify(question));
  }

  /** A socket that is never let in may mean that there is no such game: then trying again is no use. */
  async #lookForGame(): Promise<void> {
    const refusal = await get(`/api/games/${encodeURIComponent(this.game)}`).then(() => null, (error: unknown) => error);
    if (!(refusal instanceof Refusal) || refusal.status !== 404) return;
    this.goodbye = refusal.message;
    this.close();
  }

  #greeted(message: Welcome): void {
    this.welcome = message;
    this.table = message.table;
    this.status = message.status;
    this.seats = message.seats;
    this.canUndo = message.can_undo;
    this.automatic = message.automatic;
    this.clock = heard(message.clock);
    this.lost = message.lost ?? null;
    this.rematch = message.rematch ?? null;
    this.canAskBack = message.can_ask_back ?? false;
    [this.backAsked, this.waitsForBack] = ['', false];
    this.#next = message.question;
    this.#nextTask = message.task;
    this.sending = false;
    this.player.reset(message.board, message.lines);
    this.#settled();
    this.#leaveAsBefore(message);
  }

  /** What somebody once left to the suggestion for good need not be said again in each battle; lessons and the like ask for themselves. */
  #leaveAsBefore({ battle, seats, automatic }: Welcome): void {
    const kinds = remembered('automatic', '').split(' ').filter(Boolean);
    if (kinds.length && seats.length && !battle && !automatic.length) this.answerAlone(kinds);
  }

  /** What was known has been shown: now the question counts. */
  #settled(): void {
    if (!this.player.settled) return;
    this.sending = false;
    this.question = this.#next;
    this.task = this.#nextTask;
    this.draft?.drop();
    this.draft = this.question?.mine && this.frame ? new Draft(this.question, this.#asker()) : null;
    // in a lesson the coach says what to do, in a puzzle nobody does
    if (this.draft && !this.lesson && !this.puzzle) void this.#suggest(this.draft);
  }

  /** Ask what a good player would do here; the answer comes in its own time, and only to a draft nobody touched. */
  async #suggest(draft: Draft): Promise<void> {
    draft.awaiting = true;
    const found = await this.hint();
    draft.suggest(found && found.seq === this.socket.seq ? found : null);
  }

  #asker() {
    const session = this;
    return {
      get frame() {
        return session.frame ?? new Frame(1000, 1000, false);
      },
      unit: (id: number) => session.unit(id),
      preview: (wish: Wish) =>
        session.socket.ask<Previewed>({
          type: 'preview',
          drag: wish.drag ?? null,
          answer: wish.answer ?? null,
          patient: wish.patient ?? false,
          leap: wish.leap ?? false,
          unit: wish.unit ?? -1,
          action: wish.action ?? '',
          target: wish.target ?? -1,
        }),
    };
  }
}
