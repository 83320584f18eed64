/* Signs of factions. Ours have their own; armies of other books get one of a few by their name, always the same. */

const OURS = new Set(['lantern-coast', 'kilnfolk', 'saltgrass-clans', 'glasswood-covenant']);
const OTHERS = ['tower', 'sun', 'moon', 'chevron'] as const;

/** The symbol of a faction, by its name or id; "" where nobody is known yet. */
export function emblemOf(faction: string): string {
  const id = faction.trim().toLowerCase().replace(/[^a-z0-9]+/g, '-');
  if (!id) return '';
  if (OURS.has(id)) return id;
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return OTHERS[sum % OTHERS.length] ?? OTHERS[0];
}
