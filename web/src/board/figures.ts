/* Figures seen from above, the front up, drawn around 0,0 in inches. They become <symbol>-like groups that every
   model refers to, so a model costs two elements however fine its figure is. */

import type { Glyph, SideKey } from './scene';

const METAL = { a: '#dfe7ee', b: '#f0cf9b' };
const CLOTH = { a: '#0b3f63', b: '#5a2000' };
const TRIM = { a: '#9fd2f3', b: '#ffc38f' };
const CLOAK = { a: '#0d5b8f', b: '#8e2f00' };

function man(s: SideKey, weapon = '', k = 1): string {
  return (
    `<ellipse cx=".03" cy=".08" rx="${0.33 * k}" ry="${0.21 * k}" fill="#000" opacity=".35"/>` +
    `<ellipse rx="${0.32 * k}" ry="${0.18 * k}" fill="${CLOTH[s]}" stroke="${TRIM[s]}" stroke-width=".035"/>${weapon}` +
    `<circle cy="-.02" r="${0.15 * k}" fill="${METAL[s]}" stroke="#0007" stroke-width=".03"/>` +
    `<circle cx="-.04" cy="-.07" r="${0.05 * k}" fill="#fff" opacity=".8"/>`
  );
}

const limbs = (spots: [number, number, number][]): string =>
  spots
    .map(([x, y, turn]) => `<ellipse cx="${x}" cy="${y}" rx=".32" ry=".5" transform="rotate(${turn} ${x} ${y})" fill="#6d7a52" stroke="#2c3420" stroke-width=".06"/>`)
    .join('');

const FIGURES: Record<string, (s: SideKey) => string> = {
  foot: (s) =>
    man(s, `<path d="M.27 .25V-.5" stroke="#4a3520" stroke-width=".07"/><path d="M.27-.66l-.07.2h.14z" fill="#eef3f6"/><path d="M-.42-.2h.34v.22q-.17.12-.34 0z" fill="${TRIM[s]}" stroke="#0006" stroke-width=".03"/>`),
  axe: (s) =>
    man(s, `<path d="M-.3 .15V-.35M.3 .15V-.35" stroke="#3d2a18" stroke-width=".06"/><path d="M-.3-.42q-.17.06-.13.22l.13-.04zM.3-.42q.17.06.13.22L.3-.24z" fill="#f3e7d2"/>`),
  halberd: (s) =>
    man(s, `<path d="M.27 .3V-.42" stroke="#4a3520" stroke-width=".07"/><path d="M.27-.5v.24q.17-.02.17-.14T.27-.5Z" fill="#eef3f6"/>`),
  bow: (s) =>
    man(s, `<path d="M-.24-.2Q0-.52.24-.2" fill="none" stroke="#6b4a2a" stroke-width=".08"/><path d="M0 .05V-.46" stroke="#efe6cf" stroke-width=".05"/>`),
  horse: (s) =>
    `<ellipse cx=".05" cy=".1" rx=".3" ry=".8" fill="#000" opacity=".3"/><path d="M0 .62q.12.2 0 .3" stroke="#2c2018" stroke-width=".09" fill="none"/><ellipse rx=".25" ry=".66" fill="#6f5138" stroke="#2c2018" stroke-width=".04"/><ellipse cy="-.72" rx=".13" ry=".24" fill="#7d5d42" stroke="#2c2018" stroke-width=".04"/><rect x="-.26" y="-.1" width=".52" height=".44" rx=".14" fill="${CLOTH[s]}" stroke="${TRIM[s]}" stroke-width=".035"/><g transform="translate(0 .04)">${man(s, '<path d="M.28 .3V-.75" stroke="#4a3520" stroke-width=".06"/><path d="M.28-.9l-.06.2h.12z" fill="#eef3f6"/>', 0.95)}</g>`,
  beast: (s) =>
    `<ellipse cx=".04" cy=".1" rx=".26" ry=".62" fill="#000" opacity=".3"/><path d="M0 .5q.16.2.02.36" stroke="#2a211c" stroke-width=".08" fill="none"/><path d="M-.22-.28-.3-.46M.22-.28.3-.46M-.2.3-.3.46M.2.3.3.46" stroke="#2a211c" stroke-width=".11" stroke-linecap="round"/><ellipse rx=".22" ry=".52" fill="#40342e" stroke="#15100d" stroke-width=".04"/><path d="M0-.36V.36" stroke="${TRIM[s]}" stroke-width=".09" stroke-dasharray=".1 .08"/><ellipse cy="-.55" rx=".15" ry=".2" fill="#55463e" stroke="#15100d" stroke-width=".04"/><circle cx="-.06" cy="-.62" r=".035" fill="#ffd08a"/><circle cx=".06" cy="-.62" r=".035" fill="#ffd08a"/>`,
  monster: (s) =>
    s === 'a'
      ? `<ellipse cx=".14" cy=".22" rx="1.3" ry="1.6" fill="#000" opacity=".36"/>${limbs([[-1.05, -0.95, -35], [1.05, -0.95, 35], [-1.05, 0.95, -145], [1.05, 0.95, 145]])}<path d="M-.36-1.4Q-.4-2 0-2.05T.36-1.4Z" fill="#7d8a5e" stroke="#2c3420" stroke-width=".06"/><circle cx="-.16" cy="-1.83" r=".06" fill="#161a10"/><circle cx=".16" cy="-1.83" r=".06" fill="#161a10"/><path d="M0 1.45l-.14.5h.28z" fill="#6d7a52" stroke="#2c3420" stroke-width=".05"/><ellipse rx="1.22" ry="1.5" fill="#45634f" stroke="#1c2b22" stroke-width=".09"/><path d="M0-1.1.55-.75V-.1L0 .25-.55-.1V-.75ZM0 .25V1.5M.55-.1 1.2.2M-.55-.1-1.2.2M.55-.75 1-1M-.55-.75-1-1M0-1.1V-1.5M0 .25l.6.45M0 .25-.6.7" fill="none" stroke="#1c2b22" stroke-width=".08"/><path d="M-.4-.7 0-.95.4-.7" fill="none" stroke="#a9c7a0" stroke-width=".09" opacity=".8"/>`
      : `<ellipse cx=".14" cy=".24" rx="1.25" ry=".95" fill="#000" opacity=".36"/><path d="M.95-.2 1.05-1.35" stroke="#3d2b1c" stroke-width=".26" stroke-linecap="round"/><path d="M1.06-1.1 1.1-1.6" stroke="#6e5238" stroke-width=".46" stroke-linecap="round"/><ellipse cx="-.95" cy="-.45" rx=".3" ry=".42" fill="#7c6f66" stroke="#2a231e" stroke-width=".06"/><ellipse cx=".98" cy="-.3" rx=".28" ry=".36" fill="#7c6f66" stroke="#2a231e" stroke-width=".06"/><ellipse rx="1.12" ry=".74" fill="#6a5e56" stroke="#2a231e" stroke-width=".08"/><path d="M-.7-.1q.3.3.2.5M.3.1q.3-.2.6.1M-.1.3l.2.3" stroke="#ff9a3c" stroke-width=".09" fill="none" stroke-linecap="round"/><circle cy="-.4" r=".42" fill="#80736a" stroke="#2a231e" stroke-width=".06"/><circle cx="-.14" cy="-.62" r=".06" fill="#ffb25e"/><circle cx=".14" cy="-.62" r=".06" fill="#ffb25e"/><path d="M-.36-.5l-.2-.24M.36-.5l.2-.24" stroke="#e3d8c4" stroke-width=".12" stroke-linecap="round"/>`,
  artillery: (s) =>
    `<ellipse cx=".1" cy=".2" rx=".8" ry="1.3" fill="#000" opacity=".32"/><path d="M-.16 .5V1.35M.16 .5V1.35" stroke="#5b4025" stroke-width=".16"/><rect x="-.74" y="-.42" width=".2" height=".95" rx=".06" fill="#6d4d2f" stroke="#2b1c0f" stroke-width=".05"/><rect x=".54" y="-.42" width=".2" height=".95" rx=".06" fill="#6d4d2f" stroke="#2b1c0f" stroke-width=".05"/><rect x="-.56" y="-.06" width="1.12" height=".18" fill="#4a3520"/><path d="M-.3.62-.24-1.15H.24L.3.62Q0 .86-.3.62Z" fill="#7f868a" stroke="#24282a" stroke-width=".06"/><path d="M-.32-1.2H.32" stroke="#a3abb0" stroke-width=".16"/><path d="M-.12-.95-.15.5" stroke="#dfe7ea" stroke-width=".08" opacity=".8"/><g transform="translate(-.72 1)">${man(s, '', 0.85)}</g><g transform="translate(.72 1)">${man(s, '', 0.85)}</g>`,
  hero: (s) =>
    `<path d="M-.4.02Q-.46.46-.2.5L0 .38.2.5Q.46.46.4.02Z" fill="${CLOAK[s]}" stroke="#ffd97c" stroke-width=".05"/>${man(s, '<path d="M.34 .2V-.5" stroke="#fff" stroke-width=".1"/><path d="M.22-.04h.24" stroke="#ffd97c" stroke-width=".08"/>', 1.12)}<path d="M-.12-.06-.14-.2-.05-.13 0-.24.05-.13.14-.2.12-.06Z" fill="#ffd97c" stroke="#7a5200" stroke-width=".025"/>`,
  caster: (s) =>
    `<path d="M-.36.02Q-.42.44-.2.46L0 .36.2.46Q.42.44.36.02Z" fill="${CLOTH[s]}" stroke="${TRIM[s]}" stroke-width=".05"/>${man(s, '<path d="M.33 .32V-.36" stroke="#6b4a2a" stroke-width=".08"/>', 1.04)}<circle cx=".33" cy="-.42" r=".2" fill="#bff3ff" opacity=".35"/><circle cx=".33" cy="-.42" r=".1" fill="#e9fbff"/>`,
  flyer: (s) =>
    `<ellipse cx=".2" cy=".4" rx=".8" ry=".3" fill="#000" opacity=".28"/><path d="M0-.1C-.25-.55-.62-.6-.86-.34q.14.02.18.12-.14 0-.2.14.14-.04.24.04-.1.06-.1.18.34-.16.74.1Z" fill="${CLOTH[s]}" stroke="${TRIM[s]}" stroke-width=".04"/><path d="M0-.1C.25-.55.62-.6.86-.34q-.14.02-.18.12.14 0 .2.14-.14-.04-.24.04.1.06.1.18-.34-.16-.74.1Z" fill="${CLOTH[s]}" stroke="${TRIM[s]}" stroke-width=".04"/><path d="M-.1.1 0 .72.1.1Z" fill="${TRIM[s]}" stroke="#0006" stroke-width=".03"/><ellipse cy="-.06" rx=".15" ry=".34" fill="${CLOAK[s]}" stroke="#0007" stroke-width=".03"/><circle cy="-.36" r=".13" fill="${METAL[s]}" stroke="#0007" stroke-width=".03"/>`,
  chariot: (s) =>
    `<ellipse cx=".08" cy=".2" rx=".75" ry="1.1" fill="#000" opacity=".3"/><g transform="translate(-.26 -.55) scale(.8)">${beastOfBurden()}</g><g transform="translate(.26 -.55) scale(.8)">${beastOfBurden()}</g><rect x="-.52" y=".15" width="1.04" height=".8" rx=".16" fill="#6d4d2f" stroke="#2b1c0f" stroke-width=".06"/><path d="M-.64.2v.7M.64.2v.7" stroke="#2b1c0f" stroke-width=".16" stroke-linecap="round"/><g transform="translate(0 .5)">${man(s)}</g>`,
};

function beastOfBurden(): string {
  return '<ellipse rx=".22" ry=".6" fill="#6f5138" stroke="#2c2018" stroke-width=".05"/><ellipse cy="-.62" rx=".13" ry=".22" fill="#7d5d42" stroke="#2c2018" stroke-width=".05"/>';
}

/** How large a figure is drawn in itself, so that it can be scaled to its base. */
const SPAN: Record<string, [number, number]> = {
  foot: [1, 1],
  axe: [1, 1],
  halberd: [1, 1],
  bow: [1, 1],
  hero: [1, 1],
  caster: [1, 1],
  horse: [1, 2],
  beast: [0.9, 1.4],
  monster: [2.9, 4],
  artillery: [1.9, 2.8],
  chariot: [1.7, 2.6],
  flyer: [1.7, 1.7],
};

export const FIGURE_NAMES = Object.keys(FIGURES);

/** The definitions of every figure for both sides. */
export function figureDefinitions(): string {
  return FIGURE_NAMES.flatMap((name) => (['a', 'b'] as const).map((s) => `<g id="fig-${s}-${name}">${FIGURES[name]?.(s) ?? ''}</g>`)).join('');
}

/** The figure for a kind of model, and how much to scale it on a base of this size. */
export function figureScale(figure: string, w: number, d: number): number {
  const [across, along] = SPAN[figure] ?? [1, 1];
  return Math.min(w / across, (d * 1.12) / along);
}

const FROM_GLYPH: Record<Glyph, string> = {
  foot: 'foot',
  pike: 'halberd',
  axe: 'axe',
  bow: 'bow',
  flyer: 'flyer',
  horse: 'horse',
  beast: 'beast',
  monster: 'monster',
  titan: 'monster',
  artillery: 'artillery',
  chariot: 'chariot',
  hero: 'hero',
  caster: 'caster',
};

/** Which figure to put on a base: heroes and casters keep theirs only where they stand on foot. */
export function figureFor(glyph: string, kind: string, onFoot: Glyph): string {
  if (glyph === 'flyer') return 'flyer';
  const body = BODY[kind];
  if (body && body !== 'foot') return body;
  const named = FROM_GLYPH[glyph as Glyph] ?? 'foot';
  return named !== 'foot' ? named : FROM_GLYPH[onFoot];
}

const BODY: Record<string, string> = {
  infantry: 'foot',
  cavalry: 'horse',
  'large cavalry': 'horse',
  beast: 'beast',
  beasts: 'beast',
  monster: 'monster',
  'large monster': 'monster',
  giant: 'monster',
  titan: 'monster',
  artillery: 'artillery',
  chariot: 'chariot',
  vehicle: 'chariot',
  swarm: 'beast',
};
