/* How the panels of a battle share the window. */

import type { Insets } from '../../board/camera.svelte';

export type Sheet = 'peek' | 'half' | 'full';

/** Heights of a phone's sheet in pixels; peek is about what the question and its button take. */
export const SHEET: Record<Sheet, number> = { peek: 164, half: 400, full: 720 };

const PHONE = 700; // widest phone, in pixels

export const isPhone = (width: number): boolean => width <= PHONE;

/** Names beside the table where there is room for them: on wide screens, and beside square tables. */
export const isWide = (width: number, table: { w: number; h: number } | null): boolean => width > 1560 || (width > 1380 && table !== null && table.w < table.h * 1.2);

/** What of the window panels lie over. */
export function insetsOf(width: number, { wide, sheet, weighing, tray }: { wide: boolean; sheet: Sheet; weighing: boolean; tray: number }): Insets {
  if (isPhone(width)) return { left: 6, top: weighing ? 6 : tray + 14, right: 6, bottom: (sheet === 'peek' ? SHEET.peek : SHEET.half) + 8 };
  return { left: wide ? 276 : 80, top: 54, right: width <= 1180 ? 308 : 342, bottom: 128 };
}
