import { expect, test } from 'vitest';
import { summary } from '../src/app/summary';
import type { GameResult } from '../src/protocol/types';

const result = {
  title: 'Age of Fantasy 1.6',
  winner: 0,
  score: [
    { side: 0, name: 'Ann', markers: 2 },
    { side: 1, name: 'Bot', markers: 0 },
  ],
  markers: [
    { marker: 0, by_round: [-1, 1, 0, 0] },
    { marker: 1, by_round: [-1, -1, -1, 0] },
  ],
  fates: [
    { name: 'Pikes', wounds_dealt: 2 },
    { name: 'Bows', wounds_dealt: 7 },
  ],
  luck: [
    { side: 0, dice: 30, successes: 12, expected: 13.26 },
    { side: 1, dice: 0, successes: 0, expected: 0 },
  ],
} as unknown as GameResult;

test('a battle in a few lines: score, markers round by round, the best unit, luck', () => {
  expect(summary(result, ['The Third Lamp', 'Clay and Fire'], 'Relic Hunt').split('\n')).toEqual([
    'Shieldwall: Age of Fantasy 1.6, Relic Hunt',
    '🟦 The Third Lamp 2 : 0 Clay and Fire 🟧',
    '1 ⬜🟧🟦🟦',
    '2 ⬜⬜⬜🟦',
    'Most wounds: Bows, 7',
    'Luck: The Third Lamp −1.3',
  ]);
});
