/* A committed step as beats one can follow: who acts, how it moves, which dice fall, what is said. Pure: the
   player (player.svelte.ts) brings the clock. */

import type { LineView, RollView, StepView } from '../protocol/types';

export type Beat =
  | { kind: 'act'; unit: number; ms: number; lines: LineView[] }
  | { kind: 'move'; unit: number; ms: number; lines: LineView[] }
  | { kind: 'roll'; roll: RollView; ms: number; lines: LineView[] }
  | { kind: 'loss'; unit: number; ms: number; lines: LineView[] }
  | { kind: 'say'; ms: number; lines: LineView[] };

export type Speed = 'normal' | 'fast' | 'instant';

const PACE: Record<Speed, number> = { normal: 1, fast: 0.4, instant: 0 };
const ACT = 450;
const MOVE = 650;
const PLACE = 240; // put down, not walked: a whole army is deployed in a few seconds
const ROLL = 950;
const LOSS = 280;
const SAY = 160;

/** The beats of a step in order. Lines of the log are handed out evenly, the last ones with the last beat. */
export function plan(step: StepView, speed: Speed): Beat[] {
  const pace = PACE[speed];
  const beats: Beat[] = [];
  let rolls = 0;
  for (const event of step.events) {
    switch (event.event) {
      case 'activated':
        beats.push({ kind: 'act', unit: event.unit, ms: ACT * pace, lines: [] });
        break;
      case 'placed':
        beats.push({ kind: 'move', unit: event.unit, ms: PLACE * pace, lines: [] });
        break;
      case 'moved':
      case 'left_carrier':
      case 'aligned':
        beats.push({ kind: 'move', unit: event.unit, ms: MOVE * pace, lines: [] });
        break;
      case 'rolled': {
        const roll = step.rolls[rolls++];
        if (roll) beats.push({ kind: 'roll', roll, ms: ROLL * pace, lines: [] });
        break;
      }
      case 'removed':
        beats.push({ kind: 'loss', unit: event.unit, ms: LOSS * pace, lines: [] });
        break;
      default:
    }
  }
  if (!beats.length) beats.push({ kind: 'say', ms: step.lines.length ? SAY * pace : 0, lines: [] });
  step.lines.forEach((line, i) => {
    beats[Math.min(beats.length - 1, Math.floor(((i + 1) * beats.length - 1) / step.lines.length))]?.lines.push(line);
  });
  return merged(beats);
}

/** One move a unit and step: a charge that is closed up afterwards is one way to the eye. */
function merged(beats: Beat[]): Beat[] {
  const out: Beat[] = [];
  for (const beat of beats) {
    const last = out.at(-1);
    if (last && last.kind === 'move' && beat.kind === 'move' && last.unit === beat.unit) last.lines.push(...beat.lines);
    else out.push(beat);
  }
  return out;
}

/** Between two headings the short way round. */
export function turnBetween(from: number, to: number, t: number): number {
  const by = ((((to - from) % 36_000) + 54_000) % 36_000) - 18_000;
  return from + by * t;
}

export const eased = (t: number): number => 1 - (1 - t) ** 3;
