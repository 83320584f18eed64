/* Clocks as they are shown: the server says how much time was left when it spoke, the page counts on from there. */

import type { ClockView } from '../protocol/types';

/** A clock with the moment at which it came, by this page's own time. */
export interface HeardClock extends ClockView {
  at: number;
}

export const heard = (clock: ClockView | null | undefined): HeardClock | null => (clock ? { ...clock, at: performance.now() } : null);

/** Milliseconds that a side has left. */
export const leftOf = (clock: HeardClock, side: number, now: number): number => Math.max(0, (clock.left[side] ?? 0) - (clock.running === side ? now - clock.at : 0));

/** Time as it is read at a glance: days and hours, hours and minutes, or minutes and seconds. */
export function timeWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  if (hours >= 10) return `${hours} h ${minutes % 60} min`;
  if (hours >= 1) return `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`;
  return `${minutes}:${two(seconds % 60)}`;
}

const two = (n: number): string => String(n).padStart(2, '0');

/** The page's own time, told every so often while somebody looks. */
export class Tick {
  now = $state(performance.now());

  constructor(every = 250) {
    $effect(() => {
      const timer = setInterval(() => (this.now = performance.now()), every);
      return () => clearInterval(timer);
    });
  }
}
