import { describe, expect, it } from 'vitest';
import { emblemOf } from '../src/app/emblems';
import { glyphOf } from '../src/app/scene';
import type { UnitView } from '../src/protocol/types';
import SYMBOLS from '../src/styles/symbols.svg?raw';

const unit = (glyph: UnitView['glyph'], weapon = '', reach = 0): Pick<UnitView, 'glyph' | 'weapons'> => ({ glyph, weapons: [{ name: weapon, reach }] as unknown as UnitView['weapons'] });

describe('signs', () => {
  it('of our factions are their own, by name and by id', () => {
    const ours = ['Lantern Coast', 'Kilnfolk', 'Saltgrass Clans', 'Glasswood Covenant'].map(emblemOf);
    expect(ours).toEqual(['lantern-coast', 'kilnfolk', 'saltgrass-clans', 'glasswood-covenant']);
    expect(emblemOf('lantern-coast')).toBe('lantern-coast');
    for (const one of ours) expect(SYMBOLS).toContain(`id="e-${one}"`);
  });

  it('of other books are always the same, and drawn', () => {
    for (const name of ['High Elves', 'Ratmen', 'Mummified Undead', 'Ossified Undead']) {
      expect(emblemOf(name)).toBe(emblemOf(name.toUpperCase()));
      expect(SYMBOLS).toContain(`id="e-${emblemOf(name)}"`);
    }
    expect(emblemOf('')).toBe('');
  });

  it('of units tell their kind, and of those on foot what they carry', () => {
    expect(glyphOf(unit('foot', 'Long Pike'))).toBe('pike');
    expect(glyphOf(unit('foot', 'Great Hammer'))).toBe('axe');
    expect(glyphOf(unit('foot', 'Sword'))).toBe('foot');
    expect(glyphOf(unit('foot', 'Crossbow', 24_000))).toBe('bow');
    for (const glyph of ['horse', 'beast', 'flyer', 'monster', 'titan', 'artillery', 'chariot', 'hero', 'caster'] as const) {
      expect(glyphOf(unit(glyph, 'Crossbow', 24_000))).toBe(glyph);
      expect(SYMBOLS).toContain(`id="k-${glyph}"`);
    }
  });
});
