/* Sight, range and charge reach as the server draws them: asked for when the hand rests, so that a drag stays quick. */

import type { Overlaid, Question, UnitView } from '../../protocol/types';
import type { Draft } from '../draft.svelte';
import type { GameSession } from '../session.svelte';

type What = 'sight' | 'range' | 'charge' | 'threat';

const REST = 120; // milliseconds
const SHOOTING = new Set(['hold', 'advance']); // actions after which a unit may still shoot

/** What is worth drawing: round a unit that is looked at, or round the one that is asked about. */
export function worthDrawing(unit: UnitView, question: Question | null, draft: Draft | null, looked: boolean, mine: boolean): What[] {
  const shots: What[] = unit.weapons.some((w) => w.reach > 0) ? ['range', 'sight'] : [];
  if (looked) return mine ? shots : ['threat'];
  const form = draft?.form;
  const action = draft?.moving?.action ?? draft?.plan?.action ?? '';
  if (form?.form === 'aims' || SHOOTING.has(action)) return shots;
  if (draft?.planned) return action === 'charge' ? ['charge'] : [];
  const kind = question?.kind ?? '';
  return kind === 'action' || kind.startsWith('charge') ? ['charge'] : [];
}

export class Survey {
  found = $state.raw<Overlaid[]>([]);

  /** To be made while a component is: it follows what `shown` and `inspected` say. */
  constructor(session: GameSession, shown: () => boolean, inspected: () => number | null) {
    $effect(() => {
      const { question } = session;
      const draft = session.myTurn ? session.draft : null;
      const looked = inspected();
      const about = looked ?? draft?.planned?.unit ?? (question?.mine && question.unit >= 0 ? question.unit : null);
      const at = draft?.preview?.legal && draft.preview.used > 0 ? draft.endPose : null;
      void session.socket.seq;
      const unit = about === null ? undefined : session.unit(about);
      if (!shown() || about === null || !session.player.settled || unit?.place !== 'table') {
        this.found = [];
        return;
      }
      const wanted = worthDrawing(unit, question, draft, looked !== null, session.seats.includes(unit.seat));
      let current = true;
      const timer = setTimeout(async () => {
        const parts = await Promise.all(wanted.map((what) => session.overlay(what, about, what === 'threat' || what === 'charge' ? null : at)));
        if (current) this.found = parts.filter((p) => p !== null);
      }, REST);
      return () => {
        current = false;
        clearTimeout(timer);
      };
    });
  }
}
