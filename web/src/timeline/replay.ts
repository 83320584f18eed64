/* A recorded game as boards: what the table looked like after any step. Pure. */

import type { BoardView, LineView, StepView, UnitView } from '../protocol/types';

/** The whole board after step `index` (0 is the first step). */
export function boardAfter(steps: readonly StepView[], index: number): BoardView | null {
  let units = new Map<number, UnitView>();
  let board: BoardView | null = null;
  for (const step of steps.slice(0, index + 1)) {
    if (step.board.whole) units = new Map();
    for (const unit of step.board.units) units.set(unit.id, unit);
    board = step.board;
  }
  return board && { ...board, whole: true, units: [...units.values()] };
}

/** What the log said up to and including step `index`; lines that were taken back are left out. */
export function linesUntil(steps: readonly StepView[], index: number, most = 200): LineView[] {
  return steps
    .slice(0, index + 1)
    .flatMap((step) => step.lines)
    .slice(-most);
}

/** The first step whose number is at least `seq`. */
export function indexOfSeq(steps: readonly StepView[], seq: number): number {
  const found = steps.findIndex((step) => step.seq >= seq);
  return found < 0 ? Math.max(0, steps.length - 1) : found;
}
