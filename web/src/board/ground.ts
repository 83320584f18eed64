/* The still part of the table: frame, ruler, ground and terrain. Thousands of shapes, so they are drawn once
   into a picture, and only that picture moves when the camera does. */

import type { Scene } from './scene';
import { f, random, type Random } from './shapes';
import { paintRoads, roadsOf } from './roads';
import { paintPiece } from './terrain';
import { isWay, laidRoads, paintBridges, paintRivers, paintSquares } from './ways';

/** Inches of frame and shadow around the table. */
export const MARGIN = 2.6;
const FRAME = 1.5;

export interface GroundPicture {
  canvas: HTMLCanvasElement;
  perInch: number;
}

let made: { mottle: string; grain: string } | null = null;

/** Two small textures, made once: slow mottling for the whole table, short strokes as a tile. */
function textures(): { mottle: string; grain: string } {
  if (made) return made;
  const r = random(7);
  made = { mottle: mottle(r), grain: grain(r) };
  return made;
}

function sketch(w: number, h: number): [HTMLCanvasElement, CanvasRenderingContext2D] {
  const canvas = document.createElement('canvas');
  canvas.width = w;
  canvas.height = h;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser gives no 2d canvas');
  return [canvas, context];
}

function mottle(r: Random): string {
  const [w, h] = [180, 120];
  const [canvas, context] = sketch(w, h);
  const image = context.createImageData(w, h);
  const octaves = [noise(7, 5, r), noise(17, 12, r), noise(44, 30, r), noise(90, 60, r)] as const;
  for (let j = 0; j < h; j++) {
    for (let i = 0; i < w; i++) {
      const [u, v] = [i / w, j / h];
      const n = octaves[0](u, v) * 0.45 + octaves[1](u, v) * 0.27 + octaves[2](u, v) * 0.18 + octaves[3](u, v) * 0.1;
      const light = n > 0.5;
      image.data.set([light ? 255 : 10, light ? 240 : 20, light ? 190 : 12, Math.min(255, Math.abs(n - 0.5) * 900)], (j * w + i) * 4);
    }
  }
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

/** Value noise on a grid, smoothly blended. */
function noise(gw: number, gh: number, r: Random): (u: number, v: number) => number {
  const values = Array.from({ length: (gw + 1) * (gh + 1) }, () => r());
  const ease = (t: number): number => t * t * (3 - 2 * t);
  return (u, v) => {
    const [a, b] = [u * gw, v * gh];
    const [i, j] = [Math.floor(a), Math.floor(b)];
    const at = (x: number, y: number): number => values[Math.min(gh, y) * (gw + 1) + Math.min(gw, x)] ?? 0;
    const [p, q] = [ease(a - i), ease(b - j)];
    const top = at(i, j) + (at(i + 1, j) - at(i, j)) * p;
    const low = at(i, j + 1) + (at(i + 1, j + 1) - at(i, j + 1)) * p;
    return top * (1 - q) + low * q;
  };
}

function grain(r: Random): string {
  const size = 320;
  const [canvas, context] = sketch(size, size);
  context.lineWidth = 0.7;
  for (let i = 0; i < 12000; i++) {
    const [x, y, a, l] = [r() * size, r() * size, r() * Math.PI, 1 + r() * 3.5];
    context.strokeStyle = r() > 0.5 ? `rgba(255,246,215,${0.05 + r() * 0.12})` : `rgba(10,16,6,${0.06 + r() * 0.15})`;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + Math.cos(a) * l, y + Math.sin(a) * l);
    context.stroke();
  }
  return canvas.toDataURL();
}

function definitions(w: number, h: number): string {
  const crown = (id: string, hi: string, mid: string, lo: string): string =>
    `<radialGradient id="${id}" cx=".36" cy=".3" r=".8"><stop offset="0" style="stop-color:var(--${hi})"/><stop offset=".55" style="stop-color:var(--${mid})"/><stop offset="1" style="stop-color:var(--${lo})"/></radialGradient>`;
  return `<defs>
<radialGradient id="gGround" cx=".5" cy=".44" r=".75"><stop offset="0" style="stop-color:var(--ground)"/><stop offset="1" style="stop-color:var(--ground-edge)"/></radialGradient>
<pattern id="pGrain" width="11" height="11" patternUnits="userSpaceOnUse"><image href="${textures().grain}" width="11" height="11"/></pattern>
${crown('gCrown', 'crown-hi', 'crown', 'crown-lo')}${crown('gCrown2', 'crown2-hi', 'crown2', 'crown2-lo')}
<pattern id="pTiles" width=".5" height=".36" patternUnits="userSpaceOnUse"><path d="M0 .34h.5M.12 0v.34" stroke="#000" stroke-opacity=".22" stroke-width=".05" fill="none"/></pattern>
<pattern id="pMud" width="1.3" height=".8" patternUnits="userSpaceOnUse"><path d="M.1 .25h.5M.75 .62h.4" style="stroke:var(--mud-line)" stroke-width=".07" stroke-linecap="round" opacity=".6"/></pattern>
<pattern id="pDanger" width=".9" height=".9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width=".2" height=".9" style="fill:var(--refuse)" opacity=".55"/></pattern>
<pattern id="pPlank" width=".62" height="9" patternUnits="userSpaceOnUse"><rect width=".56" height="9" style="fill:var(--log)"/><path d="M.16 0v9M.4 0v9" style="stroke:var(--log-lo)" stroke-width=".03" opacity=".7"/><rect x=".56" width=".06" height="9" fill="#0008"/></pattern>
<pattern id="pPaving" width="1.8" height="1.5" patternUnits="userSpaceOnUse"><path d="M0 .04H1.8M0 .54H1.8M0 1.04H1.8M.3 .04v.5M1.15 .04v.5M.75 .54v.5M1.6 .54v.5M.2 1.04v.46M1.3 1.04v.46" style="stroke:var(--stone-lo)" stroke-width=".07" fill="none" opacity=".55"/><path d="M.36 .12h.7M.82 .62h.7M.28 1.12h.9" style="stroke:var(--stone-hi)" stroke-width=".06" opacity=".35"/></pattern>
<filter id="fSoft" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation=".28"/></filter>
<filter id="fWay" filterUnits="userSpaceOnUse" x="-1" y="-1" width="${w + 2}" height="${h + 2}"><feGaussianBlur stdDeviation=".28"/></filter>
<filter id="fSoft2" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation=".6"/></filter>
<filter id="fEdge" x="-10%" y="-10%" width="120%" height="120%"><feTurbulence type="fractalNoise" baseFrequency=".9" numOctaves="2" seed="4"/><feDisplacementMap in="SourceGraphic" scale=".4"/></filter>
<radialGradient id="gLamp" cx=".5" cy=".4" r=".7"><stop offset="0" stop-color="#fff1cf" stop-opacity=".13"/><stop offset=".6" stop-color="#fff1cf" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".2"/></radialGradient>
</defs>`;
}

function tufts(w: number, h: number): string {
  const r = random(5);
  let out = '';
  for (let i = 0; i < (w * h) / 11; i++) {
    const [x, y, k] = [r() * w, r() * h, r()];
    out +=
      k > 0.16
        ? `<path d="M${f(x)} ${f(y)}l-.12-.3M${f(x)} ${f(y)}v-.4M${f(x)} ${f(y)}l.15-.28" style="stroke:var(--tuft${k > 0.6 ? '' : '-2'})" stroke-width=".07" stroke-linecap="round" opacity=".8"/>`
        : `<ellipse cx="${f(x)}" cy="${f(y)}" rx="${f(0.1 + k)}" ry=".1" style="fill:var(--stone)" opacity=".6"/>`;
  }
  return out;
}

function ruler(w: number, h: number): string {
  const tick = (n: number): number => (n % 6 ? (n % 3 ? 0.16 : 0.28) : 0.5);
  let ticks = '';
  let numbers = '';
  for (let x = 0; x <= w; x++) {
    ticks += `M${x} -.08V${f(-0.08 - tick(x))}M${x} ${h + 0.08}V${f(h + 0.08 + tick(x))}`;
    if (x && x % 6 === 0) {
      numbers += `<text x="${x - 0.12}" y="-.1" text-anchor="end">${x}</text><text x="${x - 0.12}" y="${f(h + 0.62)}" text-anchor="end">${x}</text>`;
    }
  }
  for (let y = 0; y <= h; y++) ticks += `M-.08 ${y}H${f(-0.08 - tick(y))}M${w + 0.08} ${y}H${f(w + 0.08 + tick(y))}`;
  return `<path d="${ticks}" style="stroke:var(--ruler)" stroke-width=".07" opacity=".8"/><g style="fill:var(--ruler);font:700 .66px var(--font-text)">${numbers}</g>`;
}

/** The still part as a complete SVG document of its own. */
export function groundMarkup(scene: Pick<Scene, 'w' | 'h' | 'pieces'>, perInch: number): string {
  const { w, h } = scene;
  const [W, H] = [w + 2 * MARGIN, h + 2 * MARGIN];
  const box = (by: number): string => `x="${-by}" y="${-by}" width="${w + 2 * by}" height="${h + 2 * by}"`;
  const pieces = scene.pieces.filter((p) => !isWay(p)).sort((a, b) => a.height - b.height || a.id - b.id);
  const laid = laidRoads(scene.pieces); // tables without roads of their own get some between their houses
  const ways = paintRivers(scene.pieces) + paintRoads(laid.length ? laid : roadsOf(w, h, scene.pieces)) + paintSquares(scene.pieces) + paintBridges(scene.pieces);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${f(W * perInch)}" height="${f(H * perInch)}" viewBox="${-MARGIN} ${-MARGIN} ${W} ${H}">${definitions(w, h)}
<rect x="-1.3" y="-1.1" width="${w + 3}" height="${h + 3}" rx=".6" fill="#000" opacity=".45" filter="url(#fSoft)"/>
<rect ${box(FRAME)} rx=".5" style="fill:var(--frame);stroke:var(--frame-lo)" stroke-width=".16"/><rect ${box(FRAME - 0.13)} rx=".4" fill="none" style="stroke:var(--frame-hi)" stroke-width=".12" opacity=".8"/><rect ${box(FRAME)} rx=".5" fill="url(#pGrain)" opacity=".6"/>${ruler(w, h)}
<clipPath id="cTable"><rect width="${w}" height="${h}"/></clipPath><g clip-path="url(#cTable)"><rect width="${w}" height="${h}" fill="url(#gGround)"/><image href="${textures().mottle}" width="${w}" height="${h}" preserveAspectRatio="none" style="opacity:var(--noise)"/><rect width="${w}" height="${h}" fill="url(#pGrain)"/>${tufts(w, h)}${ways}${pieces.map(paintPiece).join('')}<rect width="${w}" height="${h}" fill="url(#gLamp)"/></g>
<rect width="${w}" height="${h}" fill="none" stroke="#000" stroke-opacity=".5" stroke-width=".14"/></svg>`;
}

/** A picture stands alone and sees no style sheet: every token is replaced by its value in the current theme. */
export function withTokens(markup: string, value: (token: string) => string): string {
  return markup.replace(/var\((--[a-z0-9-]+)\)/g, (_, token: string) => value(token).replaceAll('"', "'"));
}

/** Paint the still part at `perInch` pixels an inch. */
export async function paintGround(scene: Pick<Scene, 'w' | 'h' | 'pieces'>, perInch: number): Promise<GroundPicture> {
  const style = getComputedStyle(document.documentElement);
  const markup = withTokens(groundMarkup(scene, perInch), (token) => style.getPropertyValue(token).trim());
  const url = URL.createObjectURL(new Blob([markup], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const [canvas, context] = sketch(image.naturalWidth, image.naturalHeight);
    context.drawImage(image, 0, 0);
    return { canvas, perInch };
  } finally {
    URL.revokeObjectURL(url);
  }
}
