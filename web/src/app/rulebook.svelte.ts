/* Rules looked up once and kept; one of them may be open in a card over any page. */

import { get } from '../protocol/api';
import type { RowView } from '../protocol/types';

class Rulebook {
  open = $state('');
  row = $state.raw<RowView | null>(null);
  problem = $state('');
  /** texts of rows that were looked up, by id */
  texts = $state<Record<string, string>>({});
  #known = new Map<string, RowView>();

  async show(id: string): Promise<void> {
    this.open = id;
    this.problem = '';
    this.row = this.#known.get(id) ?? null;
    if (this.row) return;
    try {
      const row = await get<RowView>(`/api/rules/${encodeURIComponent(id)}`);
      this.#known.set(id, row);
      if (this.open === id) this.row = row;
    } catch (error) {
      if (this.open === id) this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  /** Have the text of a row at hand. */
  async fetch(id: string): Promise<void> {
    if (this.texts[id]) return;
    try {
      const row = this.#known.get(id) ?? (await get<RowView>(`/api/rules/${encodeURIComponent(id)}`));
      this.#known.set(id, row);
      this.texts[id] = row.rule;
    } catch (error) {
      this.texts[id] = error instanceof Error ? error.message : String(error);
    }
  }

  close(): void {
    this.open = '';
  }
}

export const rulebook = new Rulebook();
