/* How far somebody is in a campaign: kept in this browser, one list of won battles for each campaign. */

import type { CampaignBattle, CampaignView } from '../protocol/types';
import { remember, remembered } from './memory';

const keyOf = (campaign: string): string => `campaign.${campaign}`;

export const battlesWon = (campaign: string): string[] => remembered(keyOf(campaign), '').split(' ').filter(Boolean);

export function noteWon(campaign: string, battle: string): void {
  const won = battlesWon(campaign);
  if (!won.includes(battle)) remember(keyOf(campaign), [...won, battle].join(' '));
}

/** Every battle that was won can be played again, and the first one after them is open. */
export function isOpen(campaign: Pick<CampaignView, 'battles'>, battle: Pick<CampaignBattle, 'id'>, won: readonly string[]): boolean {
  const next = campaign.battles.find((b) => !won.includes(b.id));
  return won.includes(battle.id) || next?.id === battle.id;
}
