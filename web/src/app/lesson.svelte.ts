/* Where a player is in a lesson. The server counts the tasks that are done; what is read between two tasks is counted
   here and remembered, so that a lesson can be left and taken up again. */

import { get, nonce, post } from '../protocol/api';
import type { CoachView, GameMade, LessonView } from '../protocol/types';
import { remember, remembered } from './memory';
import type { GameSession } from './session.svelte';

const DONE = 'lessons.done';

/** Ids of lessons that were played to their end in this browser. */
export const lessonsDone = (): string[] => remembered(DONE, '').split(' ').filter(Boolean);

export function noteLesson(id: string): void {
  if (!lessonsDone().includes(id)) remember(DONE, [...lessonsDone(), id].join(' '));
}

/** Begin a set battle; the id of its game. */
export async function beginBattle(battle: string): Promise<string> {
  const made = await post<GameMade>('/api/battles', { battle, nonce: nonce() });
  return made.game;
}

/** The first step said once so many tasks are done. */
export function stepAfter(steps: readonly CoachView[], tasks: number): number {
  let left = tasks;
  for (const [i, step] of steps.entries()) {
    if (left === 0) return i;
    if (step.until === 'task') left--;
  }
  return steps.length;
}

/** The last step of the stretch that begins at a step: the next task, or the end. */
export function stretchEnd(steps: readonly CoachView[], from: number): number {
  const next = steps.findIndex((step, i) => i >= from && step.until === 'task');
  return next < 0 ? steps.length - 1 : next;
}

export class LessonGuide {
  view = $state.raw<LessonView | null>(null);
  at = $state(0);
  problem = $state('');

  constructor(private readonly session: GameSession) {
    const saved = Number(remembered(this.#key, '0'));
    this.at = Number.isInteger(saved) && saved >= 0 ? saved : 0;
    void this.#load();
  }

  get #key(): string {
    return `lesson.${this.session.game}`;
  }

  async #load(): Promise<void> {
    try {
      this.view = await get<LessonView>(`/api/lessons/${encodeURIComponent(this.session.lesson)}`);
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  /** What the coach says now; undefined while the other side acts, and when all is said. */
  get step(): CoachView | undefined {
    return this.session.myTurn ? this.view?.steps[this.at] : undefined;
  }

  /** Bring the step in line with the game: never behind what is done, never beyond the task at hand. */
  follow(): void {
    const { view, session } = this;
    const { task } = session;
    if (!view || !session.myTurn || task < 0) return;
    const first = stepAfter(view.steps, task);
    this.#move(Math.min(Math.max(this.at, first), stretchEnd(view.steps, first)));
    const { step } = this;
    const planned = session.draft?.touched ? session.draft.planned : null;
    if (step?.until === 'select' && planned?.unit === step.unit) this.next();
    else if (step?.until === 'aim' && planned?.target === step.unit) this.next();
  }

  /** What ends the step: a unit that is at hand already need not be chosen. */
  get until(): CoachView['until'] | '' {
    const { step, session } = this;
    const isAtHand = step?.until === 'select' && !session.draft?.touched && session.draft?.planned?.unit === step.unit;
    return isAtHand ? 'next' : (step?.until ?? '');
  }

  next(): void {
    this.#move(this.at + 1);
  }

  back(): void {
    const { view, session } = this;
    if (view) this.#move(Math.max(this.at - 1, stepAfter(view.steps, session.task)));
  }

  get canGoBack(): boolean {
    const { view, session } = this;
    return Boolean(view && this.at > stepAfter(view.steps, session.task));
  }

  #move(to: number): void {
    if (to === this.at) return;
    this.at = to;
    remember(this.#key, String(to));
  }
}
