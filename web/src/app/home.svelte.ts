/* What the first page knows, fetched once and again when somebody comes back to it. */

import { get } from '../protocol/api';
import type { Home } from '../protocol/types';
import type { Order } from './order';

class HomeData {
  data = $state.raw<Home | null>(null);
  problem = $state('');
  /** the battle being put together: the first page and the full set-up show the same one */
  order = $state.raw<Order | null>(null);

  async load(): Promise<void> {
    try {
      this.data = await get<Home>('/api/home');
      this.problem = '';
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }
}

export const home = new HomeData();
