/* The hand over the table: dragging, shifting, tapping spots, the tape. What may be is for the server to say. */

import type { DragStep } from '../../board/pointers';
import { unitBox, within } from '../../board/bounds';
import type { Scene, Stand } from '../../board/scene';
import type { Point } from '../../board/shapes';
import type { Draft } from '../draft.svelte';
import { inches } from '../frame';
import type { End, GameSession } from '../session.svelte';
import { movableOf } from './pointing';

export interface Tape {
  from: Point;
  to: Point;
  words: string;
}

export class Hand {
  taping = $state(false);
  tape = $state.raw<Tape | null>(null);
  #grabbed: Stand | null = null;
  #held: Draft | null = null;

  constructor(
    private readonly session: GameSession,
    private readonly scene: () => Scene | null,
  ) {}

  get #draft(): Draft | null {
    return this.session.myTurn ? this.session.draft : null;
  }

  drag(step: DragStep): void {
    const draft = this.#draft;
    if (!draft) return;
    // a question that comes while the finger is down is dragged for from here on
    if (step.phase === 'move' && draft !== this.#held) {
      if (step.what !== 'unit' || !movableOf(draft).includes(step.unit)) return;
      step = { ...step, phase: 'start' };
    }
    if (step.phase === 'start') this.#held = draft;
    if (draft !== this.#held) return;
    if (step.phase === 'cancel') {
      draft.restart();
      return;
    }
    if (step.phase === 'start' && draft.planned && step.unit >= 0 && step.what === 'unit') draft.chooseUnit(step.unit);
    if (step.what === 'model') {
      draft.moveModel(step.model, step.at);
      return;
    }
    // the ghost goes on from where it is; whoever takes the unit itself begins anew
    if (step.phase === 'start') this.#grabbed = step.what === 'unit' ? (draft.origin ?? draft.stand) : draft.stand;
    const from = this.#grabbed;
    if (!from) return;
    if (step.what === 'pivot') {
      const angle = (p: readonly [number, number]): number => (Math.atan2(p[0] - from.x, from.y - p[1]) * 180) / Math.PI;
      draft.moveTo({ ...from, heading: from.heading + angle(step.at) - angle(step.from) });
    } else draft.moveTo({ ...from, x: from.x + step.at[0] - step.from[0], y: from.y + step.at[1] - step.from[1] });
  }

  /** A tap on the bare table: a spot for a marker, or for the unit at hand. The way of a charge is bent by dragging only. */
  tapPoint(at: Point): void {
    const draft = this.#draft;
    const form = draft?.form;
    if (form?.form === 'spot') draft?.setSpot(at);
    const { moving = null } = draft ?? {};
    const goes = moving !== null && moving.action !== 'charge' && (!draft?.planned || draft.touched);
    if (draft && (form?.form === 'place' || goes)) draft.moveTo({ x: at[0], y: at[1], heading: draft.stand?.heading ?? 0 });
  }

  /** By keyboard: inches and degrees; false where there is nothing to shift. */
  shift(dx: number, dy: number, turn = 0): boolean {
    const draft = this.#draft;
    const form = draft?.form?.form;
    const { table } = this.session;
    if (form === 'spot' && draft) {
      const [x, y] = draft.spot ?? [(table?.width ?? 0) / 2000, (table?.depth ?? 0) / 2000];
      draft.setSpot([x + dx, y + dy]);
      return true;
    }
    const from = draft?.stand;
    if ((form !== 'move' && form !== 'place' && !draft?.planned) || !draft || !from) return false;
    draft.moveTo({ x: from.x + dx, y: from.y + dy, heading: from.heading + turn });
    return true;
  }

  toggleTape(): void {
    this.taping = !this.taping;
    this.tape = null;
  }

  dropTape(): void {
    this.taping = false;
    this.tape = null;
  }

  async stretch(from: Point, to: Point | null): Promise<void> {
    this.tape = { from, to: to ?? from, words: '' };
    const { frame } = this.session;
    if (!to || !frame) return;
    const stretched = { from, to, words: `${Math.hypot(to[0] - from[0], to[1] - from[1]).toFixed(1)}″` };
    this.tape = stretched;
    // between units the server measures from base to base
    const [one, other] = [this.#endAt(from), this.#endAt(to)];
    if (one.unit < 0 && other.unit < 0) return;
    const measured = await this.session.measure(one, other);
    if (measured && this.tape === stretched) this.tape = { from: frame.point(...measured.start), to: frame.point(...measured.end), words: measured.words || inches(measured.distance) };
  }

  #endAt(at: Point): End {
    return { unit: this.scene()?.units.find((u) => within(unitBox(u), at))?.id ?? -1, point: this.session.frame?.spot(at) ?? [0, 0] };
  }
}
