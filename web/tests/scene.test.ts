import { expect, test } from 'vitest';
import { Frame } from '../src/app/frame';
import { sceneOf } from '../src/app/scene';
import type { BoardView, TableView, UnitView } from '../src/protocol/types';

const frame = new Frame(72_000, 48_000, false);
const table = {
  title: 'A16',
  seats: [{ seat: 0, side: 0, army: 'The Third Lamp' }, { seat: 1, side: 1, army: 'Clay and Fire' }],
  seize_within: 3000,
  profiles: [{ id: 0, name: 'Pike', base: { shape: 'round', width: 1000, depth: 1000 }, glyph: 'foot', kind: 'infantry' }],
  pieces: [{ id: 7, name: 'House', kind: 'building', outline: [[30_000, 20_000], [36_000, 20_000], [36_000, 26_000], [30_000, 26_000]], height: 5000, types: [], facts: [] }],
} as unknown as TableView;
const board = { whole: true, units: [], markers: [], zones: [], score: [], phase: 'battle', round: 1, turn: 0, acting: -1, finished: false, winner: null } as unknown as BoardView;
const unit = (id: number, place: string): UnitView =>
  ({ id, side: 0, seat: 0, name: `u${id}`, glyph: 'foot', place, inside: 7, figures: [{ id: id * 10, profile: 0, at: null }, { id: id * 10 + 1, profile: 0, at: null }], start_models: 2, toughness: 1, wounds: 0, badges: [], weapons: [], rules: [], centre: null, outline: [] }) as unknown as UnitView;
const shown = (...units: UnitView[]) => sceneOf(frame, { table, board, units: new Map(units.map((u) => [u.id, u])) }).units;

test('a unit inside a building is seen on its roof, with all of its models counted', () => {
  const [inside] = shown(unit(1, 'garrison'));
  expect(inside?.count).toBe('2');
  expect(inside?.models.map((m) => [m.x, m.y])).toEqual([[33, 25]]); // the middle of the house
});

test('two units in one building stand side by side, and who rides in a carrier is not on the table', () => {
  const units = shown(unit(1, 'garrison'), unit(2, 'garrison'), unit(3, 'inside'));
  expect(units.map((u) => u.id)).toEqual([1, 2]);
  const [one, other] = units.map((u) => u.models[0]?.x ?? 0);
  expect((other ?? 0) - (one ?? 0)).toBeGreaterThan(1);
});

test('units and markers say in words whose they are', () => {
  const [inside] = shown(unit(1, 'garrison'));
  expect(inside?.label).toContain('The Third Lamp');
  const markers = [-1, 1].map((holder, id) => ({ id, x: 0, y: 0, z: 0, holder, near: [], label: '' }));
  const scene = sceneOf(frame, { table, board: { ...board, markers } as unknown as BoardView, units: new Map() });
  expect(scene.markers.map((m) => m.label)).toEqual(['Marker 1, held by nobody', 'Marker 2, held by Clay and Fire']);
});
