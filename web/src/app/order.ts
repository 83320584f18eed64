/* A battle as it is chosen on the first page and in the set-up, and the request it becomes. */

import { nonce, post } from '../protocol/api';
import type { ArmyCard, ClockOrder, EditionView, GameMade, Home, NewGame, PieceOrder, TableOrder } from '../protocol/types';
import { remember, remembered } from './memory';

export type Opponent = { kind: 'bot'; bot: string } | { kind: 'seat' } | { kind: 'friend' } | { kind: 'bots'; bot: string };

export interface Order {
  edition: string;
  size: string;
  mine: string;
  theirs: string;
  opponent: Opponent;
  mission: string;
  table: 'generate' | 'empty' | 'pieces';
  seed: number;
  pieces: PieceOrder[];
  setup: 'by_hand' | 'at_once';
  /** one of `CLOCKS` */
  clock: string;
  house: Record<string, string>;
}

/** Clocks to choose from; only two people play with one. */
export const CLOCKS: { value: string; label: string; clock: ClockOrder }[] = [
  { value: 'none', label: 'none', clock: { kind: 'none' } },
  ...[[15, 10], [30, 15], [60, 30], [90, 30], [120, 60]].map(([minutes, increment]) => ({ value: `game-${minutes}`, label: `${minutes} min per side, +${increment} s per activation`, clock: { kind: 'game' as const, minutes, increment } })),
  ...[1, 2, 3, 7, 14].map((days) => ({ value: `turn-${days}`, label: days === 1 ? '1 day per turn' : `${days} days per turn`, clock: { kind: 'turn' as const, days } })),
];

/** Whether two people play, who may want a clock. */
export const hasClock = (order: Order): boolean => order.opponent.kind === 'friend' || order.opponent.kind === 'seat';

export const newSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000;

/** An edition's title without what all of them share. */
export const shortTitle = (title: string): string => title.replace('Age of Fantasy: ', '');

/** Sizes of battle that differ, smallest first, in words with their points. */
export function sizesOf(edition: EditionView): { value: string; label: string }[] {
  const different = edition.sizes.filter((s, i) => edition.sizes.findIndex((o) => o.points === s.points) === i);
  return different.map((s) => ({ value: s.key, label: s.points ? `${s.label}, ${s.points} points` : s.label }));
}

/** Armies that fit an edition: one's own first, each once; lists without units can not be played. */
export function armiesFor(home: Home, edition: EditionView): ArmyCard[] {
  return [...home.armies.filter((a) => a.edition === edition.id && a.units > 0), ...edition.armies.filter((a) => !home.armies.some((b) => b.id === a.id))];
}

/** Armies of about the chosen size, or all of them where none is. */
export function armiesOfSize(armies: ArmyCard[], points: number): ArmyCard[] {
  const near = armies.filter((a) => !a.ready || !points || Math.abs(a.points - points) <= points * 0.25);
  return near.length >= 2 ? near : armies;
}

/** The level that was played last, else one that fits a first battle. */
export const usualBot = (home: Home): string => (home.bots.find((b) => b.key === remembered('bot', '')) ?? home.bots[Math.min(1, home.bots.length - 1)])?.key ?? '';

/** The size of battle that fits an army best. */
export const sizeFor = (edition: EditionView, points: number): string => [...edition.sizes].sort((a, b) => Math.abs(a.points - points) - Math.abs(b.points - points))[0]?.key ?? '';

/** What there is to say about two armies before they meet; empty where they are about as big. */
export function uneven(mine: ArmyCard | undefined, theirs: ArmyCard | undefined): string {
  if (!mine?.points || !theirs?.points || Math.abs(mine.points - theirs.points) <= 0.1 * Math.max(mine.points, theirs.points)) return '';
  return `Uneven: ${mine.points} points against ${theirs.points}.`;
}

/** What an army is, in one line below its name. */
export const armyWords = (army: ArmyCard): string => [army.faction, army.points ? `${army.points} pts` : `${army.units} units`, army.problems ? `${army.problems} problem${army.problems > 1 ? 's' : ''}` : ''].filter(Boolean).join(', ');

/** A good battle to start with: what was played last, where it still exists, else the first of everything. */
export function firstOrder(home: Home): Order | null {
  const edition = home.editions.find((e) => e.id === remembered('edition', 'regiments-3.5')) ?? home.editions[0];
  if (!edition) return null;
  const order: Order = {
    edition: edition.id,
    size: '',
    mine: '',
    theirs: '',
    opponent: { kind: 'bot', bot: usualBot(home) },
    mission: '',
    table: 'generate',
    seed: newSeed(),
    pieces: [],
    setup: remembered('setup', 'at_once') === 'by_hand' ? 'by_hand' : 'at_once',
    clock: 'none',
    house: {},
  };
  return withEdition(home, order, edition.id);
}

/** The battle that was being put together, with armies that still exist; a good first one where there is none. */
export const resumed = (home: Home, before: Order | null): Order | null => (before ? withSize(home, before) : firstOrder(home));

/** The same order for another edition: everything that belongs to an edition is chosen anew. */
export function withEdition(home: Home, order: Order, id: string): Order {
  const edition = home.editions.find((e) => e.id === id);
  if (!edition) return order;
  const size = edition.sizes.find((s) => s.key === remembered(`size.${id}`, '')) ?? edition.sizes[0];
  return withSize(home, { ...order, edition: id, size: size?.key ?? '', mission: edition.missions[0]?.key ?? '', house: {}, table: 'generate', pieces: [] });
}

export function withSize(home: Home, order: Order): Order {
  const edition = home.editions.find((e) => e.id === order.edition);
  if (!edition) return order;
  const points = edition.sizes.find((s) => s.key === order.size)?.points ?? 0;
  const armies = armiesOfSize(armiesFor(home, edition), points);
  const mine = armies.find((a) => a.id === order.mine) ?? armies.find((a) => a.id === remembered(`army.${edition.id}`, '')) ?? armies[0];
  const theirs = armies.find((a) => a.id === order.theirs) ?? opponentOf(mine, armies) ?? armies[0];
  return { ...order, mine: mine?.id ?? '', theirs: theirs?.id ?? '' };
}

/** An army of one's own; whoever had it gets another. The other way round, two of a kind may fight: that is a choice. */
export const withMine = (order: Order, mine: string): Partial<Order> => (order.theirs === mine ? { mine, theirs: '' } : { mine });

/** A good army against another: about as big, of another faction, as near in points as there is. */
function opponentOf(mine: ArmyCard | undefined, armies: readonly ArmyCard[]): ArmyCard | undefined {
  const off = (a: ArmyCard): number => Math.abs(a.points - (mine?.points ?? 0));
  return armies
    .filter((a) => a.id !== mine?.id)
    .sort((a, b) => Number(uneven(mine, a) !== '') - Number(uneven(mine, b) !== '') || Number(a.faction === mine?.faction) - Number(b.faction === mine?.faction) || off(a) - off(b))[0];
}

/** Start a battle. */
export async function begin(order: Order): Promise<string> {
  const made = await post<GameMade>('/api/games', request(order));
  if (made.invite) remember(`invite.${made.game}`, made.invite);
  return made.game;
}

export function request(order: Order): NewGame {
  const { opponent } = order;
  remember('edition', order.edition);
  remember(`size.${order.edition}`, order.size);
  remember(`army.${order.edition}`, order.mine);
  remember('setup', order.setup);
  if (opponent.kind === 'bot') remember('bot', opponent.bot);
  const table: TableOrder = { kind: order.table, seed: order.seed, pieces: order.table === 'pieces' ? order.pieces : [] };
  const second = opponent.kind === 'seat' ? { who: 'me' as const, army: order.theirs } : opponent.kind === 'friend' ? { who: 'friend' as const, army: '' } : { who: 'bot' as const, bot: opponent.bot, army: order.theirs };
  const first = opponent.kind === 'bots' ? { who: 'bot' as const, bot: opponent.bot, army: order.mine } : { who: 'me' as const, army: order.mine, name: remembered('name', '') };
  return { edition: order.edition, seats: [first, second], nonce: nonce(), table, mission: order.mission, house_rules: order.house, setup: opponent.kind === 'bots' ? 'at_once' : order.setup, clock: (hasClock(order) && CLOCKS.find((c) => c.value === order.clock)?.clock) || { kind: 'none' } };
}
