/* A battle in a few lines to paste anywhere. */

import type { GameResult } from '../protocol/types';

const SQUARES = ['🟦', '🟧'];
const NOBODY = '⬜';

/** Title, score, who held each marker round by round, the unit that did most, and the luck of both. */
export function summary(result: GameResult, names: readonly string[], mission: string): string {
  const name = (side: number): string => names[side] || result.score.find((s) => s.side === side)?.name || `Side ${side + 1}`;
  const [one, other] = result.score;
  const lines = [`Shieldwall: ${result.title}${mission ? `, ${mission}` : ''}`];
  if (one && other) lines.push(`${SQUARES[0]} ${name(one.side)} ${one.markers} : ${other.markers} ${name(other.side)} ${SQUARES[1]}`);
  for (const marker of result.markers) lines.push(`${marker.marker + 1} ${marker.by_round.map((side) => SQUARES[side] ?? NOBODY).join('')}`);
  const best = [...result.fates].sort((a, b) => b.wounds_dealt - a.wounds_dealt)[0];
  if (best?.wounds_dealt) lines.push(`Most wounds: ${best.name}, ${best.wounds_dealt}`);
  const luck = result.luck.filter((l) => l.dice).map((l) => `${name(l.side)} ${signed(l.successes - l.expected)}`);
  if (luck.length) lines.push(`Luck: ${luck.join(', ')}`);
  return lines.join('\n');
}

/** A number with its sign, as luck is told. */
export const signed = (n: number): string => `${n >= 0 ? '+' : '−'}${Math.abs(n).toFixed(1)}`;
