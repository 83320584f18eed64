/* One game's socket: says hello with what it has, reconnects by itself, and sends commands again until they are
   acknowledged. It knows the messages and nothing about what they mean. */

import { commandId } from './api';
import type { AnyAnswer, ClientMessage, PlannedAnswer, ServerMessage } from './types';

export type Link = 'connecting' | 'open' | 'lost' | 'closed';

type Command = Extract<ClientMessage, { command_id: string }>;
type Asking = Extract<ClientMessage, { type: 'preview' | 'overlay' | 'measure' | 'hint' }>;
type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never;

const FIRST_RETRY = 400;
const QUICK_RETRIES = 8; // another server takes a game over within seconds: until then the page asks again every second
const QUICK_RETRY = 1000;
const LAST_RETRY = 8000;
const SILENCE = 15_000; // milliseconds without an acknowledgement after which the line counts as dead

export interface Wire {
  send(text: string): void;
  close(): void;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
}

export class GameSocket {
  seq = -1;
  hash = '';
  #wire: Wire | null = null;
  #open = false;
  #ended = false;
  #retry = FIRST_RETRY;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unacknowledged = new Map<string, Command>();
  #replies = new Map<number, (message: ServerMessage) => void>();
  #nextId = 1;

  constructor(
    readonly game: string,
    private readonly heard: (message: ServerMessage) => void,
    private readonly changed: (link: Link) => void,
    private readonly connect: (game: string) => Wire = browserSocket,
  ) {
    this.#dial();
  }

  close(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#wire?.close();
    this.changed('closed');
  }

  answer(answer: AnyAnswer): void {
    this.#command({ type: 'answer', command_id: commandId(), expected_seq: this.seq, answer });
  }

  /** Several answers in a row, as far as everything comes as planned. */
  play(answers: readonly PlannedAnswer[]): void {
    this.#command({ type: 'play', command_id: commandId(), expected_seq: this.seq, answers: [...answers] });
  }

  undo(): void {
    this.#command({ type: 'undo', command_id: commandId(), expected_seq: this.seq });
  }

  doForMe(until: 'question' | 'setup' | 'activation'): void {
    this.#command({ type: 'do_for_me', command_id: commandId(), expected_seq: this.seq, until });
  }

  resign(): void {
    this.#command({ type: 'resign', command_id: commandId(), expected_seq: this.seq });
  }

  claimTime(): void {
    this.#command({ type: 'claim_time', command_id: commandId(), expected_seq: this.seq });
  }

  /** Something that needs no acknowledgement. */
  tell(message: Extract<ClientMessage, { type: 'pace' | 'automatic' | 'ping' | 'ask_back' | 'answer_back' | 'say' }>): void {
    this.#send(message);
  }

  /** A question that changes nothing; the promise holds the reply with the same id, or null when it was refused. */
  ask<R extends ServerMessage>(message: Unnumbered<Asking>): Promise<R | null> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#replies.delete(id);
        resolve(null);
      }, 15_000);
      this.#replies.set(id, (reply) => {
        clearTimeout(timer);
        resolve(reply.type === 'refused' ? null : (reply as R));
      });
      if (!this.#send({ ...message, id } as ClientMessage)) {
        clearTimeout(timer);
        this.#replies.delete(id);
        resolve(null);
      }
    });
  }

  get waiting(): boolean {
    return this.#unacknowledged.size > 0;
  }

  #dial(): void {
    this.changed('connecting');
    this.#letGo();
    const wire = this.connect(this.game);
    this.#wire = wire;
    wire.onopen = () => {
      this.#open = true;
      [this.#retry, this.#tries] = [FIRST_RETRY, 0];
      this.#send({ type: 'hello', last_seq: this.seq, last_hash: this.hash });
      for (const command of this.#unacknowledged.values()) this.#send(command);
      this.changed('open');
    };
    wire.onmessage = (event) => this.#read(String(event.data));
    wire.onclose = () => this.#lost();
  }

  /** Whatever an old line may still say is not for us. */
  #letGo(): void {
    const old = this.#wire;
    if (!old) return;
    old.onopen = old.onmessage = old.onclose = null;
    old.close();
  }

  #lost(): void {
    this.#open = false;
    for (const reply of this.#replies.values()) reply({ type: 'refused', code: 'busy', reasons: [], seq: -1, hash: '', command_id: '', id: -1 });
    this.#replies.clear();
    if (this.#ended) return;
    this.changed('lost');
    clearTimeout(this.#timer);
    // a little earlier or later, so that not everybody comes back to a server in the same moment
    this.#timer = setTimeout(() => this.#dial(), this.#retry * (0.8 + Math.random() * 0.4));
    const most = ++this.#tries < QUICK_RETRIES ? QUICK_RETRY : LAST_RETRY;
    this.#retry = Math.min(most, this.#retry * 2);
  }

  /** Give up a line that may be dead without having said so: a network that went away closes nothing. */
  hangUp(): void {
    if (!this.#open) return;
    this.#letGo();
    this.#lost();
  }

  /** The network is back: do not wait for the next try. */
  redial(): void {
    if (this.#open || this.#ended) return;
    clearTimeout(this.#timer);
    [this.#retry, this.#tries] = [FIRST_RETRY, 0];
    this.#timer = setTimeout(() => this.#dial(), FIRST_RETRY);
  }

  #command(command: Command): void {
    this.#unacknowledged.set(command.command_id, command);
    this.#send(command);
    setTimeout(() => {
      if (this.#unacknowledged.has(command.command_id)) this.hangUp();
    }, SILENCE);
  }

  #send(message: ClientMessage): boolean {
    if (!this.#open || !this.#wire) return false;
    this.#wire.send(JSON.stringify(message));
    return true;
  }

  #read(text: string): void {
    const message = JSON.parse(text) as ServerMessage;
    if (message.type === 'welcome') [this.seq, this.hash] = [message.seq, message.hash];
    if (message.type === 'steps') {
      // a reconnect may tell again what is known already
      message.steps = message.steps.filter((step) => step.seq > this.seq);
      const last = message.steps.at(-1);
      if (last) [this.seq, this.hash] = [last.seq, last.hash];
    }
    if (message.type === 'accepted') this.#unacknowledged.delete(message.command_id);
    if (message.type === 'refused') {
      this.#unacknowledged.delete(message.command_id);
      if (this.#answered(message.id, message)) return;
    }
    if ((message.type === 'previewed' || message.type === 'overlaid' || message.type === 'measured' || message.type === 'hinted') && this.#answered(message.id, message)) return;
    this.heard(message);
  }

  #answered(id: number, message: ServerMessage): boolean {
    const reply = this.#replies.get(id);
    if (!reply) return false;
    this.#replies.delete(id);
    reply(message);
    return true;
  }
}

function browserSocket(game: string): Wire {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return new WebSocket(`${scheme}://${location.host}/api/games/${encodeURIComponent(game)}/socket`);
}
