import { beforeEach, expect, test, vi } from 'vitest';
import { remember } from '../src/app/memory';
import { armyWords, firstOrder, request, resumed, sizeFor, uneven, usualBot, withEdition, withMine, withSize } from '../src/app/order';
import type { ArmyCard, Home } from '../src/protocol/types';

const army = (id: string, faction: string): ArmyCard => ({ id, name: id, faction, points: 750, units: 5, models: 30, edition: 'regiments-3.5', ready: true, problems: 0 }) as unknown as ArmyCard;
const edition = (id: string) => ({ id, title: id, sizes: [{ key: 'starter', label: 'Small', points: 750 }], armies: [army(`${id}/a`, 'A'), army(`${id}/b`, 'B')], missions: [{ key: '', label: 'Standard', words: '' }], house_rules: [], table: [72_000, 48_000] });
const home = { editions: [edition('regiments-3.5'), edition('aof-2')], bots: [{ key: 'solo', label: 'Recruit', words: '' }], armies: [], games: [] } as unknown as Home;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', { getItem: (k: string) => kept.get(k) ?? null, setItem: (k: string, v: string) => kept.set(k, v) });
});

test('the full set-up goes on with what the first page had chosen, table included', () => {
  const first = firstOrder(home);
  if (!first) throw new Error('no order');
  const chosen = { ...withEdition(home, first, 'aof-2'), mission: 'duel', seed: 77, opponent: { kind: 'seat' as const } };
  expect(resumed(home, chosen)).toEqual(chosen);
  expect(resumed(home, null)?.edition).toBe('regiments-3.5');
});

test('an army that is gone is replaced by one that is there', () => {
  const first = firstOrder(home);
  if (!first) throw new Error('no order');
  expect(resumed(home, { ...first, mine: 'no-longer' })?.mine).toBe('regiments-3.5/a');
});

test('another edition brings a table of its own', () => {
  const first = firstOrder(home);
  if (!first) throw new Error('no order');
  const byHand = { ...first, table: 'pieces' as const, pieces: [{ kind: 'forest', x: 1, y: 1, width: 500, depth: 500 }] };
  expect(withEdition(home, byHand, 'aof-2')).toMatchObject({ table: 'generate', pieces: [] });
});

test('whoever gave a name is called by it, and bots keep theirs', () => {
  const first = firstOrder(home);
  if (!first) throw new Error('no order');
  remember('name', 'Ysolde');
  expect(request(first).seats.map((s) => s.name)).toEqual(['Ysolde', undefined]);
  expect(request({ ...first, opponent: { kind: 'bots', bot: 'solo' } }).seats.map((s) => s.name)).toEqual([undefined, undefined]);
});

test('two of one army may fight if somebody chooses that, but nobody gets the army that was just taken', () => {
  const first = firstOrder(home);
  if (!first) throw new Error('no order');
  expect(first.theirs).toBe('regiments-3.5/b');
  expect(withSize(home, { ...first, theirs: first.mine }).theirs).toBe(first.mine);
  expect(withSize(home, { ...first, ...withMine(first, first.theirs) })).toMatchObject({ mine: 'regiments-3.5/b', theirs: 'regiments-3.5/a' });
});

test('the level is the one that was played last, where it still exists', () => {
  const levels = { ...home, bots: ['a', 'b', 'c'].map((key) => ({ key, label: key, words: '' })) } as unknown as Home;
  expect(usualBot(levels)).toBe('b');
  remember('bot', 'c');
  expect(usualBot(levels)).toBe('c');
  remember('bot', 'gone');
  expect(usualBot(levels)).toBe('b');
});

test('an army brings the size of battle that fits it, and what is wrong or uneven is said', () => {
  const rules = { sizes: [{ key: 'starter', points: 750 }, { key: 'full', points: 1500 }] } as unknown as Home['editions'][number];
  expect([sizeFor(rules, 1470), sizeFor(rules, 0), sizeFor(rules, 900)]).toEqual(['full', 'starter', 'starter']);
  const [big, small] = [{ ...army('a', 'A'), points: 1470, problems: 2 }, army('b', 'B')];
  expect(uneven(big, small)).toBe('Uneven: 1470 points against 750.');
  expect([uneven(small, { ...small, points: 740 }), uneven(big, undefined)]).toEqual(['', '']);
  expect([armyWords(big), armyWords(small)]).toEqual(['A, 1470 pts, 2 problems', 'B, 750 pts']);
});

test('whoever is not chosen is about as big, and of another faction where there is one', () => {
  const sized = (id: string, faction: string, points: number): ArmyCard => ({ ...army(id, faction), points, ready: false });
  const mine = sized('mine', 'A', 190);
  const rules = { ...edition('regiments-3.5'), armies: [] };
  const withLists = (...lists: ArmyCard[]): Home => ({ ...home, editions: [rules], armies: [mine, ...lists] }) as unknown as Home;
  const against = (...lists: ArmyCard[]): string => withSize(withLists(...lists), { ...(firstOrder(withLists(...lists)) as NonNullable<ReturnType<typeof firstOrder>>), mine: 'mine', theirs: '' }).theirs;
  expect(against(sized('huge', 'B', 1470), sized('big', 'B', 750))).toBe('big');
  expect(against(sized('big', 'B', 750), sized('like', 'A', 200))).toBe('like');
  expect(against(sized('like', 'A', 200), sized('other', 'B', 180))).toBe('other');
});
