/* Where the camera looks: the table's origin on the screen and how many pixels an inch takes. */

import type { View } from './clearing';
import type { Box, Point } from './shapes';

const CLOSEST = 70;
const GLIDE = 220; // milliseconds

export interface Insets {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export class Camera {
  x = $state(0);
  y = $state(0);
  k = $state(16);
  width = $state(1);
  height = $state(1);
  /** whether somebody looked elsewhere since the whole table was shown last */
  strayed = false;
  /** whether a hand was over the table since the last question came: then it stays where it is */
  stirred = false;
  /** whether the table is gliding aside */
  gliding = $state(false);
  /** whether a finger or the mouse is down on the table: then nothing but that hand moves it */
  held = false;
  #farthest = 4;
  #glide = 0;
  /** where a glide leads */
  #bound: View | null = null;

  toScreen(p: Point): Point {
    return [this.x + p[0] * this.k, this.y + p[1] * this.k];
  }

  toTable(p: Point): Point {
    return [(p[0] - this.x) / this.k, (p[1] - this.y) / this.k];
  }

  /** Somebody pushes the table. */
  pan(dx: number, dy: number): void {
    this.strayed = true;
    this.shift(dx, dy);
  }

  shift(dx: number, dy: number): void {
    this.#settle();
    this.x += dx;
    this.y += dy;
  }

  /** Somebody zooms, about a spot of the screen that stays where it is. */
  zoom(by: number, at: Point = [this.width / 2, this.height / 2]): void {
    this.strayed = true;
    this.scale(by, at);
  }

  scale(by: number, at: Point = [this.width / 2, this.height / 2]): void {
    this.#settle();
    const k = Math.max(this.#farthest, Math.min(CLOSEST, this.k * by));
    const q = k / this.k;
    this.x = at[0] - (at[0] - this.x) * q;
    this.y = at[1] - (at[1] - this.y) * q;
    this.k = k;
  }

  #settle(): void {
    cancelAnimationFrame(this.#glide);
    this.#bound = null;
    this.gliding = false;
  }

  /** A hand takes hold of the table. */
  hold(): void {
    this.held = this.stirred = true;
    this.#settle();
  }

  release(): void {
    this.held = false;
  }

  get view(): View {
    return { x: this.x, y: this.y, k: this.k };
  }

  /** Look at the table like this. */
  show({ x, y, k }: View): void {
    this.#settle();
    this.#farthest = Math.min(this.#farthest, k);
    [this.x, this.y, this.k] = [x, y, k];
  }

  /** Move by itself, so that an eye can follow; never under a hand. */
  glide(move: () => void): void {
    if (this.held) return;
    const from = this.view;
    if (this.#bound) this.show(this.#bound); // what was under way counts as done
    move();
    const to = this.view;
    const far = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), Math.abs(to.k - from.k) * 48);
    if (far < 1 || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    this.show(from);
    this.#glideTo(from, to);
  }

  #glideTo(from: View, to: View): void {
    const began = performance.now();
    this.#bound = to;
    this.gliding = true;
    const step = (now: number): void => {
      const t = Math.max(0, Math.min(1, (now - began) / GLIDE));
      const share = 1 - (1 - t) ** 3;
      const mid = (a: number, b: number): number => a + (b - a) * share;
      [this.x, this.y, this.k] = [mid(from.x, to.x), mid(from.y, to.y), mid(from.k, to.k)];
      if (t < 1) this.#glide = requestAnimationFrame(step);
      else this.#settle();
    };
    this.#glide = requestAnimationFrame(step);
  }

  /** Show a box of the table inside the screen less its insets. */
  fit(box: Box, insets: Insets, closest = CLOSEST): void {
    const [w, h] = [this.width - insets.left - insets.right, this.height - insets.top - insets.bottom];
    if (w <= 0 || h <= 0) return;
    this.#settle();
    const k = Math.min(closest, w / (box.x1 - box.x0), h / (box.y1 - box.y0));
    this.#farthest = Math.min(this.#farthest, k);
    this.k = k;
    this.x = insets.left + w / 2 - ((box.x0 + box.x1) / 2) * k;
    this.y = insets.top + h / 2 - ((box.y0 + box.y1) / 2) * k;
  }

  /** Show no more of what lies beyond a box than needed: the free part of the screen is filled with it. */
  keepOn(box: Box, insets: Insets): void {
    const along = (at: number, low: number, high: number, from: number, to: number): number => {
      const [near, far] = [from - low * this.k, to - high * this.k];
      return near < far ? (near + far) / 2 : Math.max(far, Math.min(near, at));
    };
    this.x = along(this.x, box.x0, box.x1, insets.left, this.width - insets.right);
    this.y = along(this.y, box.y0, box.y1, insets.top, this.height - insets.bottom);
  }

  /** Bring a box back when it has left the screen but for a strip. */
  holdOnto(box: Box, strip = 80): void {
    this.x = Math.max(strip - box.x1 * this.k, Math.min(this.width - strip - box.x0 * this.k, this.x));
    this.y = Math.max(strip - box.y1 * this.k, Math.min(this.height - strip - box.y0 * this.k, this.y));
  }

  /** Whether a spot of the table lies on the free part of the screen. */
  sees(p: Point, insets: Insets): boolean {
    const [x, y] = this.toScreen(p);
    return x > insets.left && y > insets.top && x < this.width - insets.right && y < this.height - insets.bottom;
  }
}
