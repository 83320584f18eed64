/* What the first page knows, fetched once and again when somebody comes back to it. */

import { get } from '../protocol/api';
import type { GameCard, Home } from '../protocol/types';
import { alerts } from './alerts.svelte';
import type { Order } from './order';
import { router } from './router.svelte';

const LOOK_AGAIN = 15_000; // milliseconds between two looks at one's games

/** Games with other people in which it is the player's turn. */
const awaited = (games: readonly GameCard[]): GameCard[] => games.filter((g) => g.my_turn && g.seats.some((s) => s.who === 'person' && !g.mine.includes(s.seat)));

class HomeData {
  data = $state.raw<Home | null>(null);
  problem = $state('');
  /** the battle being put together: the first page and the full set-up show the same one */
  order = $state.raw<Order | null>(null);

  async load(): Promise<void> {
    try {
      this.data = await get<Home>('/api/home');
      this.problem = '';
      this.#title();
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  /** Look at one's games again and again, as long as somebody does; the function ends it. */
  follow(): () => void {
    const timer = setInterval(() => void this.#look(), LOOK_AGAIN);
    const back = (): void => void (document.hidden || this.#look());
    document.addEventListener('visibilitychange', back);
    addEventListener('online', back);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', back);
      removeEventListener('online', back);
    };
  }

  async #look(): Promise<void> {
    const games = await get<GameCard[]>('/api/games').catch(() => null);
    if (!games || !this.data) return;
    const before = new Set(awaited(this.data.games).map((g) => g.id));
    this.data = { ...this.data, games };
    const fresh = awaited(games).find((g) => !before.has(g.id));
    if (fresh) alerts.turn('Shieldwall', fresh.name || fresh.seats.map((s) => s.army || s.name).join(' v '), fresh.id);
    this.#title();
  }

  /** Other pages read this data too, and keep the title they have. */
  #title(): void {
    if (router.route.page !== 'home') return;
    const count = awaited(this.data?.games ?? []).length;
    alerts.rest(`${count ? `(${count}) Your turn` : 'Play'} · Shieldwall`);
  }
}

export const home = new HomeData();
