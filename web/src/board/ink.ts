/* Colours of badges and the width of words. */

import type { BadgeKind } from './scene';

/** Ground and ink; each pair is told apart without its colour by the glyph it carries. */
export const BADGE_COLOURS: Record<BadgeKind, readonly [string, string]> = {
  shaken: ['#CC79A7', '#240d1a'],
  fatigued: ['#8d98a3', '#10151a'],
  stunned: ['#56B4E9', '#06202f'],
  wound: ['#c8323c', '#fff'],
  token: ['#7ad0e6', '#06252e'],
  cover: ['#dfe6c6', '#24301a'],
  acted: ['#6e6a61', '#fff'],
  joined: ['#E69F00', '#2a1c00'],
  melee: ['#e9d8b4', '#2a1c00'],
  carrying: ['#b9c3a0', '#1d2412'],
  effect: ['#c9b6f2', '#1e1436'],
};

let context: CanvasRenderingContext2D | null = null;
let family = '';
const known = new Map<string, number>();

/** How wide 14 px text of a weight is. */
export function textWidth(text: string, weight: number): number {
  const key = weight + text;
  const found = known.get(key);
  if (found !== undefined) return found;
  context ??= document.createElement('canvas').getContext('2d');
  family ||= getComputedStyle(document.documentElement).getPropertyValue('--font-text');
  if (!context) return text.length * 8;
  context.font = `${weight} 14px ${family}`;
  const width = context.measureText(text).width;
  known.set(key, width);
  return width;
}
