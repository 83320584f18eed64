/* Puzzles as this browser knows them: which were solved, and which one is the day's. */

import { nonce, post } from '../protocol/api';
import type { GameMade, PuzzleList } from '../protocol/types';
import { remember, remembered } from './memory';

export type Mark = 'solved' | 'helped' | 'tried';
const KEY = 'puzzles';
const DAY_ONE = Date.UTC(2024, 0, 1);
const DAY = 86_400_000;

/** How each puzzle went: solved alone, solved with help, or only tried. */
export function marks(): Record<string, Mark> {
  try {
    const found: unknown = JSON.parse(remembered(KEY, '{}'));
    return found && typeof found === 'object' ? (found as Record<string, Mark>) : {};
  } catch {
    return {};
  }
}

/** Note how a puzzle went; what was better before stays. */
export function note(id: string, mark: Mark): void {
  const order: readonly (Mark | undefined)[] = [undefined, 'tried', 'helped', 'solved'];
  const known = marks();
  if (order.indexOf(mark) > order.indexOf(known[id])) remember(KEY, JSON.stringify({ ...known, [id]: mark }));
}

const helped = new Set<string>();
/** Somebody was helped with a puzzle: what is solved afterwards was not solved alone. */
export const noteHelp = (id: string): unknown => helped.add(id);
export const wasHelped = (id: string): boolean => helped.has(id);

/** The puzzle of a day, by the date of this computer: all take turns. */
export function ofTheDay(list: PuzzleList, date: Date): string {
  const day = Math.round((Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) - DAY_ONE) / DAY);
  const { length } = list.by_day;
  return length ? (list.by_day[((day % length) + length) % length] ?? '') : '';
}

/** The next puzzle that is not solved yet, after one of the list; the one after it where all are. */
export function nextAfter(list: PuzzleList, id: string): string {
  const ids = list.puzzles.map((p) => p.id);
  const at = ids.indexOf(id);
  const turn = [...ids.slice(at + 1), ...ids.slice(0, Math.max(0, at))];
  const known = marks();
  return turn.find((one) => !known[one] || known[one] === 'tried') ?? turn[0] ?? id;
}

/** Put the position on a table; the id of its game. */
export async function begin(id: string): Promise<string> {
  const made = await post<GameMade>(`/api/puzzles/${encodeURIComponent(id)}/tries`, { nonce: nonce() });
  return made.game;
}
