/* Requests of the army and odds pages, and small changes to a list. What is allowed and what it costs the server says. */

import { get, post, put, remove } from '../protocol/api';
import type { ArmyCard, ArmyFile, ArmyFinding, ArmyList, ArmyRepair, ArmyReport, BookCard, BookView, Entry, OddsAnswer, OddsRequest, UpgradePick, SectionView } from '../protocol/types';

const path = encodeURIComponent;

export const books = (): Promise<BookCard[]> => get('/api/books');
export const book = (edition: string, id: string): Promise<BookView> => get(`/api/books/${path(edition)}/${path(id)}`);
export const check = (army: ArmyList): Promise<ArmyReport> => post('/api/armies/check', { army });
export const repairs = (army: ArmyList): Promise<ArmyRepair[]> => post('/api/armies/repairs', { army });
export const save = (id: string, army: ArmyList): Promise<ArmyReport> => (id ? put(`/api/armies/${path(id)}`, { army }) : post('/api/armies', { army }));
export const report = (id: string, edition = ''): Promise<ArmyReport> => get(`/api/armies/${path(id)}${edition ? `?edition=${path(edition)}` : ''}`);
export const discard = (id: string): Promise<void> => remove(`/api/armies/${path(id)}`);
export const importText = (text: string, edition: string, name: string): Promise<ArmyReport> => post('/api/armies/import', { text, edition, name });
export const addBook = (content: string): Promise<BookCard[]> => post('/api/books', content);
export const dropBook = (id: string): Promise<BookCard[]> => remove(`/api/books/${path(id)}`);
export const file = (id: string): Promise<ArmyFile> => get(`/api/armies/${path(id)}/file`);
export const odds = (request: OddsRequest): Promise<OddsAnswer> => post('/api/odds', request);

/** What was said about the list that was brought in last; its page shows it. */
export const brought = { id: '', remarks: [] as readonly ArmyFinding[] };

/** Whether a list can be played as it is, and in a word why not. */
export const isPlayable = (army: ArmyCard): boolean => army.units > 0 && !army.problems;
export const stateOf = (army: ArmyCard): string => (army.units === 0 ? 'No units yet' : army.problems ? `${army.problems} problem${army.problems > 1 ? 's' : ''}` : 'Ready');

/** Whether a file is an army book and no list; the server has the last word. */
export const looksLikeBook = (content: string): boolean => /"upgradePackages"\s*:|^format:\s*["']?shieldwall-book\//m.test(content) && !content.includes('"selectionId"');

export function emptyList(edition: string, from: BookCard, points: number): ArmyList {
  return { name: 'New army', edition, points, entries: [], books: [{ id: from.id, name: from.name, version: '' }], note: '', id: '', stated: 0, force_organisation: false, system: '' };
}

let made = 0;

export function newEntry(army: ArmyList, unit: string): Entry {
  const taken = new Set(army.entries.map((e) => e.id));
  let id = '';
  do id = `e${++made}`;
  while (taken.has(id));
  return { id, unit, book: army.books[0]?.id ?? '', name: '', note: '', picks: [], second: null, joins: '' };
}

export const withEntry = (army: ArmyList, entry: Entry): ArmyList => ({ ...army, entries: army.entries.map((e) => (e.id === entry.id ? entry : e)) });

/** The list without an entry; heroes that had joined it walk alone again. */
export const withoutEntry = (army: ArmyList, id: string): ArmyList => ({
  ...army,
  entries: army.entries.filter((e) => e.id !== id).map((e) => (e.joins === id ? { ...e, joins: '' } : e)),
});

export const count = (picks: readonly UpgradePick[], option: string, section: string): number => picks.filter(([o, s]) => o === option && (s === section || s === '')).length;

/** One more of an option; in a section that takes only one it replaces what was there. */
export function bought(picks: readonly UpgradePick[], section: SectionView, option: string): UpgradePick[] {
  const rest = section.most === 1 ? picks.filter(([, s]) => s !== section.id) : picks;
  return [...rest, [option, section.id]];
}

export function sold(picks: readonly UpgradePick[], section: string, option: string): UpgradePick[] {
  const at = picks.findLastIndex(([o, s]) => o === option && (s === section || s === ''));
  return picks.filter((_, i) => i !== at);
}
