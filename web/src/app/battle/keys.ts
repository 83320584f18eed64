/* The keyboard of a battle: every deed of mouse and finger has a key. */

import { keyFor } from './words';

export interface Deeds {
  go(): void;
  back(): void;
  skip(): void;
  pick(key: string): void;
  options(): readonly { key: string; legal: boolean }[];
  shift(dx: number, dy: number, turn: number): void;
  /** by letter: o, k, l, u, d, n, j, t, 0, +, -, ? */
  letters: Readonly<Record<string, () => void>>;
}

const ARROWS: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function pressed(e: KeyboardEvent, deeds: Deeds): void {
  const target = e.target instanceof HTMLElement ? e.target : null;
  if (target?.matches('input:not([type=checkbox]), select, textarea') || e.ctrlKey || e.metaKey || e.altKey) return;
  const onButton = Boolean(target?.matches('button, a, [role=button]'));
  const arrow = ARROWS[e.key];
  const step = e.shiftKey ? 0.1 : 0.5;
  if (arrow) {
    e.preventDefault();
    deeds.shift(arrow[0] * step, arrow[1] * step, 0);
  } else if (e.key === 'Enter' && !onButton) {
    e.preventDefault();
    deeds.go();
  } else if (e.key === 'Escape') deeds.back();
  else if (e.key === ' ' && !onButton && !target?.matches('input')) {
    e.preventDefault();
    deeds.skip();
  } else if (e.key === '[' || e.key === '{') deeds.shift(0, 0, e.shiftKey ? -1 : -5);
  else if (e.key === ']' || e.key === '}') deeds.shift(0, 0, e.shiftKey ? 1 : 5);
  else letter(e.key.toLowerCase(), deeds);
}

/** A letter picks an option of the question first; what is left over belongs to the tools. */
function letter(key: string, deeds: Deeds): void {
  const option = deeds.options().find((o, i) => o.legal && keyFor(o.key, i).toLowerCase() === key);
  if (option) deeds.pick(option.key);
  else deeds.letters[key === '=' ? '+' : key]?.();
}
