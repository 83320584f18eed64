/* How the panels of a battle share the window. */

import type { Insets } from '../../board/camera.svelte';
import type { Box } from '../../board/shapes';

export type Sheet = 'peek' | 'half' | 'full';

/** Heights of a phone's sheet in pixels; peek is about what the question and its button take. */
export const SHEET: Record<Sheet, number> = { peek: 164, half: 400, full: 720 };

const PHONE = 700; // widest phone, in pixels

export const isPhone = (width: number): boolean => width <= PHONE;

/** Names beside the table where there is room for them. */
export const isWide = (width: number): boolean => width > 1180;

const BAR = 48;
const [CARDS, RAIL, DECISION, NARROW_DECISION] = [276, 80, 334, 308]; // what the panels at the sides take
const NARROW = 1300; // up to this width the question takes less of it, as in the styles
const TRAY_ASIDE = 296;

/** Beside a square table on a wide screen dice and log stand in a column of their own, and the table gets the whole height. */
export function isAside(width: number, height: number, table: { w: number; h: number } | null): boolean {
  if (!table || width <= 1180 || table.w > table.h * 1.2) return false;
  return width - CARDS - DECISION - (height - BAR - 24) * (table.w / table.h) >= TRAY_ASIDE - 50;
}

/** A phone on its side, or a page at twice its size: the table would vanish between the panels, so dice and log make room. */
export const isShort = (height: number): boolean => height <= 520;
const SHORT_DECISION = 280;

/** A tablet held upright: the table above, question and log side by side below it. */
export const isUpright = (width: number, height: number): boolean => !isPhone(width) && width <= 1000 && height > width * 1.1;
const BELOW = 400; // what question and log take there, as in the styles

/** What a card that comes and goes covers of the table. */
export interface Cover {
  top: number;
  bottom: number;
}
export const NOTHING: Cover = { top: 0, bottom: 0 };

/** What of the window panels lie over. The line of dice and log lies over the frame of the table and is not counted. */
export function insetsOf(width: number, { wide, aside, upright, sheet, tray, short = false, low = 0, cover = NOTHING }: { /** on a phone */ cover?: Cover; /** how high a phone's sheet stands when it is down */ low?: number; wide: boolean; aside: boolean; upright: boolean; sheet: Sheet; tray: number; short?: boolean }): Insets {
  if (short) return isPhone(width) ? { left: 6, top: 6, right: 6, bottom: 126 } : { left: RAIL, top: 6, right: SHORT_DECISION + 16, bottom: 6 };
  if (isPhone(width)) return { left: 6, top: Math.max(tray + 4, cover.top ? cover.top + 14 : 0), right: 6, bottom: (sheet === 'peek' ? Math.max(SHEET.peek, Math.min(low, 260)) : SHEET.half) + cover.bottom + 8 };
  const left = wide ? CARDS : RAIL;
  if (upright) return { left, top: 8, right: 12, bottom: BELOW + 24 };
  if (aside) return { left: left + TRAY_ASIDE, top: 6, right: DECISION, bottom: 6 };
  return { left, top: 2, right: width <= NARROW ? NARROW_DECISION : DECISION, bottom: 2 };
}

/** How wide the question is, with the room beside it. */
export const questionWidth = (width: number): number => (width <= NARROW ? NARROW_DECISION : DECISION);

/** The panels over the table where they have fixed places, in pixels below the bar: beside a square table, and in low windows. */
export function fixedPanels({ width, height }: { width: number; height: number }, insets: Insets, { list, aside }: { /** how far down the list of units goes */ list: number; aside: boolean }): Box[] {
  const question = { x0: width - insets.right, y0: 0, x1: width, y1: height };
  if (aside) return [question, { x0: 0, y0: 0, x1: insets.left, y1: height }];
  return [question, { x0: 0, y0: 0, x1: insets.left, y1: list }, { x0: insets.left, y0: 0, x1: insets.left + TOOLS, y1: TOOLS }];
}
const TOOLS = 56; // folded
