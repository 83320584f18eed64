/* Terrain as SVG markup, one painter a kind. The outline is the rule's footprint and is drawn exactly; what grows
   or stands on it is seeded. Light comes from the upper left. Colours are tokens, so both themes share the code. */

import type { ScenePiece } from './scene';
import {
  areaOf,
  blob,
  boxOf,
  centroid,
  edges,
  f,
  hullOf,
  pathOf,
  random,
  rounded,
  scallop,
  scatter,
  shrunk,
  slabOf,
  smooth,
  stone,
  type Polygon,
  type Random,
  type Point,
} from './shapes';

type Painter = (piece: ScenePiece, outline: Polygon, seed: number) => string;

/** The markup of one piece. Kinds that nobody painted yet become a plain, hatched footprint. */
export function paintPiece(piece: ScenePiece): string {
  const paint = PAINTERS[piece.kind] ?? (piece.height >= 1 ? platform : patch);
  return paint(piece, piece.outline, piece.id * 7919 + 13);
}

const shadow = (d: string, dx: number, dy: number, soft = 'fSoft'): string =>
  `<path d="${d}" transform="translate(${f(dx)} ${f(dy)})" style="fill:var(--shade)" filter="url(#${soft})"/>`;

const [SHADOW, LONGEST_SHADOW] = [0.34, 2.2]; // inches: for each inch of height, and at most
/** The shadow of straight walls: from their foot to where that of their top falls. */
function cast(outline: Polygon, height: number): string {
  const far = Math.min(LONGEST_SHADOW, height * SHADOW);
  const ground = hullOf([...outline, ...outline.map(([x, y]): Point => [x + far, y + far * 1.1])]);
  return `<path d="${pathOf(ground)}" style="fill:var(--shade)" filter="url(#fSoft)"/>`;
}

const tagWidth = (height: number): number => (Number.isInteger(height) ? 1.7 : 2.4); // inches
const heightTag = (x: number, y: number, height: number): string =>
  height <= 0
    ? ''
    : `<g transform="translate(${f(x)} ${f(y)})"><rect x="${f(-tagWidth(height) / 2)}" y="-.58" width="${f(tagWidth(height))}" height="1.16" rx=".58" ` +
      `style="fill:var(--plaque);stroke:var(--plaque-line)" stroke-width=".05"/><text text-anchor="middle" y=".3" ` +
      `style="fill:var(--text);font:700 .84px var(--font-text)">${f(height)}″</text></g>`;

const forest: Painter = (_piece, outline, seed) => {
  const r = random(seed);
  const crowns = scatter(shrunk(outline, 0.9), Math.round(areaOf(outline) / 1.9), (q) => 0.8 + q() * 0.65, r);
  crowns.sort((a, b) => a.size - b.size);
  const floor =
    `<path d="${pathOf(outline)}" style="fill:var(--wood-floor);stroke:var(--wood-line)" stroke-width=".1" ` +
    `stroke-dasharray=".32 .26" fill-opacity=".85" stroke-opacity=".85"/>`;
  const shades = crowns
    .map((c) => scallop(c.x + 0.28, c.y + 0.4, c.size * 1.02, 10, random(c.x * 99)))
    .map((d) => `<path d="${d}" style="fill:var(--shade)"/>`);
  return floor + shades.join('') + crowns.map((c) => crown(c.x, c.y, c.size, r() > 0.68)).join('');
};

function crown(x: number, y: number, size: number, pale: boolean): string {
  const q = random(x * 99);
  const n = 9 + Math.trunc(size * 2);
  return (
    `<path d="${scallop(x, y, size, n, q)}" fill="url(#gCrown${pale ? 2 : ''})" style="stroke:var(--crown-lo)" stroke-width=".06"/>` +
    `<path d="${scallop(x - size * 0.16, y - size * 0.18, size * 0.6, 8, q)}" fill="#fff8d0" opacity=".1"/>` +
    `<path d="${scallop(x - size * 0.24, y - size * 0.27, size * 0.3, 6, q)}" fill="#fff8d0" opacity=".15"/>`
  );
}

const hill: Painter = (piece, outline, seed) => {
  const levels = Math.max(3, Math.min(5, Math.round(piece.height) + 1));
  const r = random(seed);
  let out = '';
  for (let k = 0; k < levels; k++) {
    const ring = shrunk(outline, 1 - (k * 0.8) / levels, [-k * 0.12, -k * 0.18]);
    const d = k ? smooth(ring) : rounded(ring);
    out +=
      `<path d="${d}" transform="translate(.4 .55)" style="fill:var(--shade-2)" filter="url(#fSoft2)"/>` +
      `<path d="${d}" style="fill:var(--hill)" opacity="${f(0.36 + k * 0.13)}"/>` +
      `<path d="${d}" fill="none" style="stroke:var(--contour)" stroke-width="${k ? 0.09 : 0.13}" opacity="${k ? 0.75 : 0.95}"/>`;
    if (k < levels - 1) out += hachures(ring, centroid(outline), r);
  }
  const [x, y] = centroid(outline);
  return out + heightTag(x, y, piece.height);
};

/** Short strokes down the shaded side of a slope. */
function hachures(ring: Polygon, middle: readonly [number, number], r: Random): string {
  const box = boxOf(ring);
  let d = '';
  edges(ring, (a, b) => {
    const steps = Math.max(1, Math.round(Math.hypot(b[0] - a[0], b[1] - a[1]) / 0.45));
    for (let e = 0; e < steps; e++) {
      const u = (e + 0.5) / steps;
      const [x, y] = [a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u];
      if (x - middle[0] + (y - middle[1]) < (box.x0 - box.x1) * 0.12) continue;
      const [dx, dy] = [middle[0] - x, middle[1] - y];
      const l = Math.hypot(dx, dy) || 1;
      const z = 0.4 + r() * 0.35;
      d += `M${f(x + (dx / l) * 0.16)} ${f(y + (dy / l) * 0.16)}l${f((dx / l) * z)} ${f((dy / l) * z)}`;
    }
  });
  return `<path d="${d}" style="stroke:var(--contour)" stroke-width=".055" opacity=".5" fill="none"/>`;
}

const water: Painter = (_piece, outline) => {
  const ring = (k: number): string => smooth(shrunk(outline, k));
  const edge = rounded(outline);
  return (
    `<path d="${edge}" style="fill:var(--sand);stroke:var(--bank)" stroke-width=".9" stroke-opacity=".55" filter="url(#fEdge)"/>` +
    `<path d="${edge}" style="fill:var(--water);stroke:var(--water-hi)" stroke-width=".13"/>` +
    `<path d="${ring(0.72)}" style="fill:var(--water-deep)" opacity=".75" filter="url(#fSoft2)"/>` +
    `<path d="${ring(0.88)}" fill="none" style="stroke:var(--water-hi)" stroke-width=".07" stroke-dasharray="2 1.2" opacity=".7"/>` +
    `<path d="${ring(0.7)}" fill="none" style="stroke:var(--water-hi)" stroke-width=".06" stroke-dasharray="1.2 2.2" opacity=".5"/>` +
    `<path d="${ring(0.48)}" fill="none" style="stroke:var(--water-hi)" stroke-width=".06" stroke-dasharray=".8 2.6" opacity=".45"/>`
  );
};

const building: Painter = (piece, outline) => {
  const { x, y, w, h, angle } = slabOf(outline);
  const tone = random(Math.ceil(piece.id / 2) * 31)() > 0.6 ? 'roof2' : 'roof'; // counterparts are mostly numbered one after the other
  return (
    cast(outline, piece.height) +
    `<g transform="translate(${f(x)} ${f(y)}) rotate(${f(angle)}) translate(${f(-w / 2)} ${f(-h / 2)})">` +
    `<rect width="${f(w)}" height="${f(h)}" rx=".08" style="fill:var(--${tone}-hi);stroke:var(--${tone}-lo)" stroke-width=".12"/>` +
    `<rect y="${f(h / 2)}" width="${f(w)}" height="${f(h / 2)}" style="fill:var(--${tone}-lo)"/>` +
    `<rect width="${f(w)}" height="${f(h)}" fill="url(#pTiles)"/>` +
    `<path d="M0 ${f(h / 2)}H${f(w)}" style="stroke:var(--${tone}-hi)" stroke-width=".34"/>` +
    `<path d="M0 ${f(h / 2)}H${f(w)}" stroke="#000" stroke-opacity=".3" stroke-width=".07" transform="translate(.1 .16)"/>` +
    `<rect x=".06" y=".06" width="${f(w - 0.12)}" height="${f(h - 0.12)}" fill="none" stroke="#fff" stroke-opacity=".22" stroke-width=".07"/>` +
    chimney(w * 0.72, h * 0.16) +
    `<text transform="translate(${f(w * 0.2)} ${f(h * 0.78)}) rotate(${f(-angle)})" text-anchor="middle" y=".3" fill="#fff6e2" style="font:700 .9px var(--font-text)" paint-order="stroke" stroke="#0007" stroke-width=".18">${f(piece.height)}″</text></g>`
  );
};

const chimney = (x: number, y: number): string =>
  `<rect x="${f(x + 0.2)}" y="${f(y + 0.26)}" width=".8" height=".7" style="fill:var(--shade)"/>` +
  `<rect x="${f(x)}" y="${f(y)}" width=".8" height=".7" rx=".08" style="fill:var(--stone);stroke:var(--stone-lo)" stroke-width=".07"/>` +
  `<rect x="${f(x + 0.22)}" y="${f(y + 0.2)}" width=".36" height=".3" fill="#1a1510"/>`;

/** Flat roofs and decks: what stands high and is stood upon. The higher, the brighter, and the longer its shadow; a long
    narrow one is a deck of planks, and one between two roofs needs neither ladder nor height. */
const NARROW = 2; // inches
const platform: Painter = (piece, outline, seed) => {
  const d = pathOf(outline);
  const wall = Math.min(0.7, piece.height * 0.14);
  const r = random(seed);
  const slab = slabOf(outline);
  const isDeck = slab.w > slab.h * 2.2;
  const [x, y] = centroid(outline);
  const lit = Math.min(0.3, Math.max(0, piece.height - 1) * 0.075);
  return (
    cast(outline, piece.height) +
    `<path d="${d}" transform="translate(${f(wall)} ${f(wall * 1.2)})" style="fill:var(--shade)"/>` +
    `<clipPath id="roof${piece.id}"><path d="${d}"/></clipPath><path d="${d}" style="fill:var(--${isDeck ? 'log' : 'flag'})"/>` +
    `<g clip-path="url(#roof${piece.id})"><g transform="translate(${f(slab.x)} ${f(slab.y)}) rotate(${f(slab.angle)})">${(isDeck ? planks : paving)(slab.w, slab.h, r)}</g>` +
    `<path d="${d}" fill="#fff7df" opacity="${f(lit)}"/>` +
    `<path d="${d}" fill="none" stroke="#000" stroke-opacity=".3" stroke-width=".9" transform="translate(.3 .36)" filter="url(#fSoft)"/></g>` +
    (isDeck ? `<path d="${d}" fill="none" style="stroke:var(--log-lo)" stroke-width=".24"/>` : parapet(d)) +
    (slab.h < NARROW ? '' : `${piece.height >= 1.5 ? ladder(outline) : ''}${heightTag(x, y, piece.height)}`)
  );
};

const parapet = (d: string): string =>
  `<path d="${d}" fill="none" style="stroke:var(--stone-lo)" stroke-width=".5"/>` +
  `<path d="${d}" fill="none" style="stroke:var(--stone-hi)" stroke-width=".36" stroke-dasharray=".62 .3"/>` +
  `<path d="${d}" fill="none" stroke="#fff" stroke-opacity=".35" stroke-width=".1" stroke-dasharray=".62 .3" transform="translate(-.08 -.1)"/>`;

/** Slabs in courses about the middle of a rectangle, each a little lighter or darker than the next. */
function paving(w: number, h: number, r: Random): string {
  let slabs = '';
  for (let y = -h / 2; y < h / 2; y += 0.85) {
    for (let x = -w / 2 - r(); x < w / 2; ) {
      const wide = 0.9 + r() * 0.7;
      slabs += `<rect x="${f(x)}" y="${f(y)}" width="${f(wide - 0.06)}" height=".79" rx=".05" style="fill:var(--stone${r() > 0.6 ? '-hi' : ''})" opacity="${f(0.1 + r() * 0.22)}"/>`;
      x += wide;
    }
  }
  return slabs;
}

function planks(w: number, h: number, r: Random): string {
  let rows = '';
  for (let x = -w / 2; x < w / 2; x += 0.5) {
    rows += `<rect x="${f(x)}" y="${f(-h / 2)}" width=".44" height="${f(h)}" style="fill:var(--log-hi)" opacity="${f(0.3 + r() * 0.45)}"/>`;
  }
  for (const at of [-h * 0.3, h * 0.3]) rows += `<path d="M${f(-w / 2)} ${f(at)}H${f(w / 2)}" style="stroke:var(--log-lo)" stroke-width=".09" stroke-dasharray=".06 .44" stroke-linecap="round"/>`;
  return rows;
}

/** A ladder against the longest side. */
function ladder(outline: readonly Point[]): string {
  const sides: [Point, Point][] = [];
  edges(outline, (a, b) => void sides.push([a, b]));
  const long = ([a, b]: readonly [Point, Point]): number => Math.hypot(b[0] - a[0], b[1] - a[1]);
  const [longest] = sides.sort((one, other) => long(other) - long(one));
  if (!longest) return '';
  const [a, b] = longest;
  const [cx, cy] = centroid(outline);
  const [x, y] = [a[0] + (b[0] - a[0]) * 0.22, a[1] + (b[1] - a[1]) * 0.22];
  const along = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
  const outside = (b[0] - a[0]) * (cy - a[1]) - (b[1] - a[1]) * (cx - a[0]) > 0 ? -1 : 1; // which way leads off the roof
  const rungs = [0.1, 0.42, 0.74, 1.06].map((at) => `<path d="M-.32 ${f(at)}H.32"/>`).join('');
  return (
    `<g transform="translate(${f(x)} ${f(y)}) rotate(${f(along)}) scale(1 ${outside})" fill="none" stroke-linecap="round">` +
    `<g transform="translate(.12 .1)" style="stroke:var(--shade)" stroke-width=".16"><path d="M-.32 -.35V1.3M.32 -.35V1.3"/></g>` +
    `<g style="stroke:var(--log-hi)" stroke-width=".15"><path d="M-.32 -.35V1.3M.32 -.35V1.3"/>${rungs}</g></g>`
  );
}

const ruin: Painter = (_piece, outline, seed) => {
  const r = random(seed);
  const floor = scatter(shrunk(outline, 0.86), Math.round(areaOf(outline) * 0.7), () => 0.5, r, 0.95)
    .map((p) => `<rect x="${f(p.x - 0.42)}" y="${f(p.y - 0.36)}" width=".84" height=".72" rx=".1" style="fill:var(--flag)" opacity="${f(0.3 + r() * 0.4)}"/>`)
    .join('');
  let shades = '';
  let courses = '';
  edges(outline, (a, b) => {
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const angle = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
    for (let d = 0; d < length - 0.1; ) {
      const block = Math.min(0.55 + r() * 0.5, length - d);
      if (r() > 0.24) {
        const [x, y] = [a[0] + ((b[0] - a[0]) * d) / length, a[1] + ((b[1] - a[1]) * d) / length];
        shades += `<g transform="translate(${f(x + 0.3)} ${f(y + 0.42)}) rotate(${f(angle)})"><rect width="${f(block - 0.05)}" height=".62" y="-.31"/></g>`;
        courses += wallStone(x, y, angle, block, r);
      }
      d += block;
    }
  });
  return (
    `<path d="${pathOf(outline)}" style="fill:var(--dirt)" opacity=".5"/>${floor}` +
    `<g style="fill:var(--shade)" filter="url(#fSoft)">${shades}</g>${loose(shrunk(outline, 1.02), 14, r)}${courses}`
  );
};

function wallStone(x: number, y: number, angle: number, block: number, r: Random): string {
  const th = 0.56 + r() * 0.14;
  return (
    `<g transform="translate(${f(x)} ${f(y)}) rotate(${f(angle)})"><rect y="${f(-th / 2)}" width="${f(block - 0.06)}" height="${f(th)}" rx=".09" style="fill:var(--stone);stroke:var(--stone-lo)" stroke-width=".06"/>` +
    `<rect x=".07" y="${f(-th / 2 + 0.06)}" width="${f(Math.max(0.08, block - 0.24))}" height="${f(th * 0.4)}" rx=".06" style="fill:var(--stone-hi)" opacity=".6"/></g>`
  );
}

function loose(area: Polygon, count: number, r: Random): string {
  return scatter(area, count, (q) => 0.12 + q() * q() * 0.4, r, 0.6)
    .map((p) => boulder(p.x, p.y, p.size))
    .join('');
}

function boulder(x: number, y: number, size: number): string {
  const look = (): Random => random(x * 977 + y * 131);
  return (
    `<path d="${stone(x + 0.12, y + 0.17, size, look())}" style="fill:var(--shade)"/>` +
    `<path d="${stone(x, y, size, look())}" style="fill:var(--stone);stroke:var(--stone-lo)" stroke-width=".05"/>` +
    `<path d="${stone(x - size * 0.16, y - size * 0.2, size * 0.5, look())}" style="fill:var(--stone-hi)" opacity=".6"/>`
  );
}

const rubble: Painter = (_piece, outline, seed) =>
  `<path d="${pathOf(outline)}" style="fill:var(--dirt);stroke:var(--stone-lo)" stroke-width=".1" stroke-dasharray=".26 .22" fill-opacity=".55"/>` +
  loose(shrunk(outline, 0.94), Math.round(areaOf(outline) * 1.6), random(seed));

const swamp: Painter = (_piece, outline, seed) => {
  const r = random(seed);
  const d = pathOf(outline);
  const pools = scatter(shrunk(outline, 0.74), Math.round(areaOf(outline) / 5) + 1, (q) => 0.6 + q() * 0.6, r, 0.9)
    .map(
      ({ x, y, size: z }, i) =>
        `<path d="${blob(x, y, z * 1.3, z * 0.7, seed + i)}" style="fill:var(--pool)"/>` +
        `<path d="M${f(x - z * 0.6)} ${f(y - z * 0.15)}q${f(z * 0.5)} ${f(-z * 0.3)} ${f(z)} 0" fill="none" style="stroke:var(--water-hi)" stroke-width=".07" opacity=".7"/>`,
    )
    .join('');
  const reeds = scatter(shrunk(outline, 0.92), Math.round(areaOf(outline) * 0.7), () => 0.3, r)
    .map(
      ({ x, y }) =>
        `<path d="M${f(x)} ${f(y)}v-.75M${f(x)} ${f(y)}l-.3-.6M${f(x)} ${f(y)}l.32-.55" style="stroke:var(--reed)" stroke-width=".08" stroke-linecap="round"/>` +
        `<ellipse cx="${f(x)}" cy="${f(y - 0.8)}" rx=".08" ry=".18" style="fill:var(--log-lo)"/>`,
    )
    .join('');
  return (
    `<path d="${d}" style="fill:var(--mud);stroke:var(--mud-line)" stroke-width=".1" stroke-dasharray=".1 .3" stroke-linecap="round" fill-opacity=".85"/>` +
    `<path d="${d}" fill="url(#pMud)"/>${pools}${reeds}`
  );
};

const mud: Painter = (_piece, outline, seed) => {
  const d = pathOf(outline);
  const r = random(seed);
  const puddles = scatter(shrunk(outline, 0.75), Math.round(areaOf(outline) / 4) + 1, (q) => 0.5 + q() * 0.5, r, 1)
    .map(({ x, y, size: z }, i) => `<path d="${blob(x, y, z * 1.2, z * 0.7, seed + i)}" style="fill:var(--mud-line)" opacity=".28"/>`)
    .join('');
  return (
    `<path d="${d}" style="fill:var(--mud);stroke:var(--mud-line)" stroke-width=".1" stroke-dasharray=".1 .3" stroke-linecap="round"/>` +
    `<path d="${d}" fill="url(#pMud)"/>${puddles}`
  );
};

const quicksand: Painter = (_piece, outline) => {
  const rings = [0.82, 0.62, 0.42, 0.22]
    .map((k) => `<path d="${smooth(shrunk(outline, k))}" fill="none" style="stroke:var(--log-lo)" stroke-width=".09" stroke-dasharray="1.1 .5" opacity=".6"/>`)
    .join('');
  const d = pathOf(outline);
  return (
    `<path d="${d}" style="fill:var(--sand);stroke:var(--refuse)" stroke-width=".13" stroke-dasharray=".5 .22"/>` +
    `<path d="${d}" fill="url(#pDanger)" opacity=".3"/>${rings}<path d="${smooth(shrunk(outline, 0.2))}" style="fill:var(--dirt-2)" filter="url(#fSoft)"/>`
  );
};

const lava: Painter = (_piece, outline, seed) => {
  const r = random(seed);
  const crust = scatter(shrunk(outline, 0.88), Math.round(areaOf(outline) / 1.6), (q) => 0.4 + q() * 0.55, r, 0.92)
    .map(({ x, y, size }) => `<path d="${stone(x, y, size, random(x * 31 + y))}" fill="#3a2620" stroke="#1c100c" stroke-width=".06" opacity=".92"/>`)
    .join('');
  const d = pathOf(outline);
  return (
    `<path d="${d}" fill="#ff9a3c" opacity=".35" filter="url(#fSoft2)"/>` +
    `<path d="${d}" fill="#d9541e" stroke="#5d1d08" stroke-width=".16"/><path d="${smooth(shrunk(outline, 0.8))}" fill="#ffb347" opacity=".65" filter="url(#fSoft2)"/>${crust}` +
    `<path d="${d}" fill="none" style="stroke:var(--refuse)" stroke-width=".1" stroke-dasharray=".5 .22"/>`
  );
};

const field: Painter = (piece, outline) => {
  const { x, y, w, h, angle } = slabOf(outline);
  let rows = '';
  for (let at = -h / 2 + 0.3; at < h / 2; at += 0.62) {
    rows +=
      `<path d="M${f(-w / 2)} ${f(at)}H${f(w / 2)}" stroke-width=".3" style="stroke:var(--dirt-2)" opacity=".5"/>` +
      `<path d="M${f(-w / 2)} ${f(at + 0.2)}H${f(w / 2)}" stroke-width=".17" stroke-dasharray=".24 .18" style="stroke:var(--crown2-hi)" opacity=".95"/>`;
  }
  const d = pathOf(outline);
  return (
    `<clipPath id="field${piece.id}"><path d="${d}"/></clipPath><path d="${d}" style="fill:var(--dirt)" opacity=".75"/>` +
    `<g clip-path="url(#field${piece.id})"><g transform="translate(${f(x)} ${f(y)}) rotate(${f(angle)})">${rows}</g></g>` +
    `<path d="${d}" fill="none" style="stroke:var(--crown2-lo)" stroke-width=".12" stroke-dasharray=".5 .2"/>`
  );
};

const mountain: Painter = (piece, outline, seed) => {
  const d = pathOf(outline);
  const r = random(seed);
  const [cx, cy] = centroid(outline);
  const top: readonly [number, number] = [cx - 0.3, cy - 0.4];
  let facets = '';
  edges(outline, (a, b) => {
    const [mx, my] = [(a[0] + b[0]) / 2 - cx, (a[1] + b[1]) / 2 - cy];
    const lit = -(mx + my) / (Math.hypot(mx, my) || 1);
    const knee: readonly [number, number] = [(a[0] + top[0]) / 2 + (r() - 0.5) * 0.5, (a[1] + top[1]) / 2 + (r() - 0.5) * 0.5];
    const tone = lit > 0.45 ? 'stone-hi' : lit > -0.35 ? 'stone' : 'stone-lo';
    facets += `<path d="${pathOf([a, b, top, knee])}" style="fill:var(--${tone})" stroke="#0003" stroke-width=".06"/>`;
  });
  const z = Math.min(1.5, piece.height * 0.18);
  return (
    shadow(d, z, z * 1.2) +
    `<path d="${d}" style="fill:var(--stone)"/>${facets}` +
    `<path d="${smooth(shrunk(outline, 0.34, [-0.25, -0.35]))}" fill="#fff" opacity=".28"/>` +
    `<path d="${d}" fill="none" style="stroke:var(--stone-lo)" stroke-width=".16"/>${heightTag(cx, cy, piece.height)}`
  );
};

const chasm: Painter = (_piece, outline) => {
  const d = pathOf(outline);
  return (
    `<path d="${d}" style="fill:#0c0d0c;stroke:var(--stone-lo)" stroke-width=".3"/>` +
    `<path d="${smooth(shrunk(outline, 0.9, [0.2, 0.3]))}" fill="#000" opacity=".7" filter="url(#fSoft)"/>` +
    `<path d="${d}" fill="none" style="stroke:var(--stone-hi)" stroke-width=".08" stroke-dasharray=".7 .5"/>`
  );
};

/** Long thin things: a line of stones or stakes along the middle of the footprint. */
const wall: Painter = (_piece, outline, seed) => {
  const { x, y, w, h, angle } = slabOf(outline);
  const r = random(seed);
  const th = Math.max(0.45, Math.min(h, 1.1));
  let stones = '';
  for (let d = -w / 2; d < w / 2 - 0.05; ) {
    const b = Math.min(0.5 + r() * 0.45, w / 2 - d);
    stones +=
      `<rect x="${f(d)}" y="${f(-th / 2)}" width="${f(b - 0.05)}" height="${f(th)}" rx=".09" style="fill:var(--stone);stroke:var(--stone-lo)" stroke-width=".05"/>` +
      `<rect x="${f(d + 0.06)}" y="${f(-th / 2 + 0.06)}" width="${f(Math.max(0.05, b - 0.2))}" height="${f(th * 0.34)}" rx=".05" style="fill:var(--stone-hi)" opacity=".6"/>`;
    d += b;
  }
  return (
    shadow(pathOf(outline), 0.28, 0.38) +
    `<g transform="translate(${f(x)} ${f(y)}) rotate(${f(angle)})">${stones}</g>`
  );
};

const barricade: Painter = (_piece, outline, seed) => {
  const { x, y, w, h, angle } = slabOf(outline);
  const r = random(seed);
  const reach = Math.max(0.4, Math.min(h / 2, 0.8));
  let stakes = '';
  for (let d = -w / 2 + 0.3; d < w / 2 - 0.1; d += 0.62) {
    const lean = (r() - 0.5) * 0.3;
    const line = `M${f(d - 0.22)} ${f(reach)}L${f(d + 0.22 + lean)} ${f(-reach)}`;
    stakes +=
      `<path d="${line}" style="stroke:var(--log-lo)" stroke-width=".24" stroke-linecap="round"/>` +
      `<path d="${line}" style="stroke:var(--log-hi)" stroke-width=".12" stroke-linecap="round"/>`;
  }
  const beam = (width: number, colour: string, dy = 0): string =>
    `<path d="M${f(-w / 2 + 0.1)} ${dy}H${f(w / 2 - 0.1)}" style="stroke:var(--${colour})" stroke-width="${width}" stroke-linecap="round"/>`;
  return (
    shadow(pathOf(outline), 0.16, 0.24) +
    `<g transform="translate(${f(x)} ${f(y)}) rotate(${f(angle)})">${stakes}${beam(0.42, 'log-lo', 0.06)}${beam(0.3, 'log')}${beam(0.08, 'log-hi', -0.07)}</g>`
  );
};

/** Crates and barrels, as many as the ground holds. */
const crates: Painter = (_piece, outline, seed) => {
  const { x, y, w, h, angle } = slabOf(outline);
  const r = random(seed);
  const [columns, rows] = [Math.max(1, Math.round(w / 1.05)), Math.max(1, Math.round(h / 1.05))];
  let goods = '';
  for (let i = 0; i < columns * rows; i++) {
    const [px, py] = [((i % columns) + 0.5) * (w / columns) - w / 2, (Math.floor(i / columns) + 0.5) * (h / rows) - h / 2];
    const half = Math.min(w / columns, h / rows) * 0.45;
    goods += r() > 0.62 ? barrel(px, py, half) : crate(px, py, half, (r() - 0.5) * 16);
  }
  return `<g transform="translate(${f(x)} ${f(y)}) rotate(${f(angle)})"><rect x="${f(-w / 2)}" y="${f(-h / 2)}" width="${f(w)}" height="${f(h)}" rx=".2" style="fill:var(--dirt-2)" opacity=".4"/>${goods}</g>`;
};

const barrel = (x: number, y: number, r: number): string =>
  `<circle cx="${f(x + 0.16)}" cy="${f(y + 0.22)}" r="${f(r)}" style="fill:var(--shade)"/>` +
  `<circle cx="${f(x)}" cy="${f(y)}" r="${f(r)}" style="fill:var(--log);stroke:var(--log-lo)" stroke-width=".1"/>` +
  `<circle cx="${f(x)}" cy="${f(y)}" r="${f(r * 0.66)}" fill="none" style="stroke:var(--log-hi)" stroke-width=".07"/>`;

const crate = (x: number, y: number, r: number, angle: number): string =>
  `<g transform="translate(${f(x)} ${f(y)}) rotate(${f(angle)})"><rect x="${f(-r + 0.14)}" y="${f(-r + 0.2)}" width="${f(2 * r)}" height="${f(2 * r)}" style="fill:var(--shade)"/>` +
  `<rect x="${f(-r)}" y="${f(-r)}" width="${f(2 * r)}" height="${f(2 * r)}" style="fill:var(--log);stroke:var(--log-lo)" stroke-width=".1"/>` +
  `<path d="M${f(-r)} ${f(-r)}L${f(r)} ${f(r)}M${f(r)} ${f(-r)}L${f(-r)} ${f(r)}" style="stroke:var(--log-hi)" stroke-width=".1"/></g>`;

/** A round kerb of stone with water in it. */
const well: Painter = (_piece, outline) => {
  const [x, y] = centroid(outline);
  const r = Math.sqrt(areaOf(outline) / Math.PI);
  const ring = (radius: number, look: string): string => `<circle cx="${f(x)}" cy="${f(y)}" r="${f(radius)}" ${look}/>`;
  return (
    shadow(pathOf(outline), 0.3, 0.4) +
    `<path d="${pathOf(outline)}" style="fill:var(--stone);stroke:var(--stone-lo)" stroke-width=".1"/>` +
    ring(r * 0.88, 'fill="none" style="stroke:var(--stone-hi)" stroke-width=".12" stroke-dasharray=".5 .16" opacity=".8"') +
    ring(r * 0.74, 'style="fill:var(--water);stroke:var(--stone-lo)" stroke-width=".09"') +
    ring(r * 0.5, 'fill="none" style="stroke:var(--water-hi)" stroke-width=".07" stroke-dasharray=".6 .4"') +
    ring(r * 0.22, 'style="fill:var(--stone-hi);stroke:var(--stone-lo)" stroke-width=".08"')
  );
};

const rock: Painter = (piece, outline, seed) => {
  const d = pathOf(outline);
  const z = Math.min(1, piece.height * 0.18);
  const [x, y] = centroid(outline);
  return (
    shadow(d, z, z * 1.3) +
    `<path d="${d}" style="fill:var(--stone);stroke:var(--stone-lo)" stroke-width=".12"/>` +
    `<path d="${smooth(shrunk(outline, 0.6, [-0.2, -0.28]))}" style="fill:var(--stone-hi)" opacity=".55"/>` +
    loose(outline, 5, random(seed)) +
    heightTag(x, y, piece.height)
  );
};

const patch: Painter = (_piece, outline) =>
  `<path d="${pathOf(outline)}" style="fill:var(--dirt);stroke:var(--dirt-2)" stroke-width=".1" stroke-dasharray=".4 .3" opacity=".7"/>`;

const PAINTERS: Record<string, Painter> = {
  forest,
  hill,
  lake: water,
  river: water,
  pond: water,
  building,
  platform,
  ruin,
  ruins: ruin,
  rubble,
  swamp,
  mud,
  quicksand,
  lava,
  field,
  mountain,
  cliff: mountain,
  chasm,
  wall,
  barricade,
  fence: barricade,
  rock,
  crates,
  well,
  decoration: patch,
};
