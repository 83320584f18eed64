/* Where the camera looks: the table's origin on the screen and how many pixels an inch takes. */

import type { Box, Point } from './shapes';

const CLOSEST = 70;
const GLIDE = 220; // milliseconds
const GIVES_WAY = 0.99; // of the scale at which the table is as tall as the window

export interface Insets {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The nearest number from `low` to `high`, or half way where they are crossed. */
const bounded = (at: number, high: number, low: number): number => (low > high ? (low + high) / 2 : Math.max(low, Math.min(high, at)));

export class Camera {
  x = $state(0);
  y = $state(0);
  k = $state(16);
  width = $state(1);
  height = $state(1);
  /** whether it looks elsewhere than when the whole table was shown last */
  strayed = false;
  /** whether the table is gliding aside */
  gliding = $state(false);
  /** whether a finger or the mouse is down on the table: then nothing but that hand moves it */
  held = false;
  #farthest = 4;
  #glide = 0;

  toScreen(p: Point): Point {
    return [this.x + p[0] * this.k, this.y + p[1] * this.k];
  }

  toTable(p: Point): Point {
    return [(p[0] - this.x) / this.k, (p[1] - this.y) / this.k];
  }

  pan(dx: number, dy: number): void {
    this.#stray();
    this.x += dx;
    this.y += dy;
  }

  /** Zoom about a spot of the screen, which stays where it is. */
  zoom(by: number, at: Point = [this.width / 2, this.height / 2]): void {
    this.#stray();
    const k = Math.max(this.#farthest, Math.min(CLOSEST, this.k * by));
    const q = k / this.k;
    this.x = at[0] - (at[0] - this.x) * q;
    this.y = at[1] - (at[1] - this.y) * q;
    this.k = k;
  }

  #stray(): void {
    this.strayed = true;
    this.#settle();
  }

  #settle(): void {
    cancelAnimationFrame(this.#glide);
    this.gliding = false;
  }

  /** A hand takes hold of the table. */
  hold(): void {
    this.held = true;
    this.#settle();
  }

  release(): void {
    this.held = false;
  }

  /** Push the table aside until nothing of a box lies under a panel, where it fits between them. */
  uncover(box: Box, insets: Insets): void {
    if (this.held) return;
    const [left, right] = [this.x + box.x0 * this.k, this.x + box.x1 * this.k];
    const [low, high] = [insets.left, this.width - insets.right];
    if (right - left > high - low) return;
    const aside = left < low ? low - left : right > high ? high - right : 0;
    if (Math.abs(aside) > 1) this.#glideTo(this.x + aside);
  }

  #glideTo(x: number): void {
    this.#settle();
    const from = this.x;
    const began = performance.now();
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const step = (now: number): void => {
      const share = still ? 1 : Math.min(1, (now - began) / GLIDE);
      this.x = from + (x - from) * (1 - (1 - share) ** 3);
      this.gliding = share < 1;
      if (this.gliding) this.#glide = requestAnimationFrame(step);
    };
    step(began);
  }

  /** Show a box of the table inside the screen less its insets. */
  fit(box: Box, insets: Insets, closest = CLOSEST): void {
    const [w, h] = [this.width - insets.left - insets.right, this.height - insets.top - insets.bottom];
    if (w <= 0 || h <= 0) return;
    this.#stray();
    const k = Math.min(closest, w / (box.x1 - box.x0), h / (box.y1 - box.y0));
    this.#farthest = Math.min(this.#farthest, k);
    this.k = k;
    this.x = insets.left + w / 2 - ((box.x0 + box.x1) / 2) * k;
    this.y = insets.top + h / 2 - ((box.y0 + box.y1) / 2) * k;
  }

  /** The table as tall as the window: panels may lie over its short edges, but not over what `must` be seen. Where that
      takes more room than there is, the scale gives way a little, and no further; what is one's `own` is seen first. */
  spread(table: Box, insets: Insets, must: Box, own: Box | null = null): void {
    const [w, h] = [this.width - insets.left - insets.right, this.height - insets.top - insets.bottom];
    if (w <= 0 || h <= 0) return;
    this.#stray();
    const tall = h / (table.y1 - table.y0);
    const whole = Math.min(tall, w / (table.x1 - table.x0));
    const k = Math.max(whole, Math.min(tall, Math.max(tall * GIVES_WAY, w / (must.x1 - must.x0))));
    this.#farthest = Math.min(this.#farthest, whole);
    this.k = k;
    this.x = insets.left + w / 2 - ((must.x0 + must.x1) / 2) * k;
    this.y = insets.top + h / 2 - ((table.y0 + table.y1) / 2) * k;
    this.keepOn(table, insets);
    if (own) this.x = bounded(this.x, this.width - insets.right - own.x1 * k, insets.left - own.x0 * k);
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
