/* Where the panels of a battle lie on a wide screen. The table takes the whole window; panels go where no unit is that
   matters: each has its column, or the lower edge, and takes the best stretch of it that is free. */

import { gapsOf, type Arranged, type Matters, type Size, type Span, type View } from '../../board/clearing';
import type { Box } from '../../board/shapes';

/** The list of units: with names and strengths, with a line for each, as a rail of signs, or folded to its button. */
export type ListShape = 'names' | 'lines' | 'rail' | 'folded';

/** The tools: in a row below the list, beside it from top to bottom or in a row, or folded to a button where none has room. */
export type ToolShape = 'below' | 'column' | 'row' | 'folded';

export interface Places {
  list: ListShape;
  listAt: Span;
  questionAt: Span;
  tools: ToolShape;
  toolsAt: Span;
  /** along the lower edge; y0 is its left end */
  trayAt: Span;
  /** whether dice and log have room for three lines */
  roomy: boolean;
}

export const LIST: Record<ListShape, number> = { names: 278, lines: 278, rail: 82, folded: 82 }; // what the list takes of the width
const EDGE = 10; // pixels between a panel and the window
const ROOM = 7; // and between a panel and a unit
/** How wide and tall the tools are, with the room about them. */
const TOOLS: Record<ToolShape, { w: number; h: number }> = { below: { w: 278, h: 54 }, column: { w: 56, h: 300 }, row: { w: 308, h: 54 }, folded: { w: 54, h: 54 } };
const [LINE, THREE_LINES] = [46, 108];
const GRIP = { w: 72, h: 24 }; // what sticks out of dice and log, to pull them up by
const [SHORTEST, WISHED] = [380, 620]; // of the question
/** The shortest question, where the table cannot move. */
export const PINCHED = 230;
const [NARROWEST, WIDE_TRAY] = [360, 700];
const SHAPES: readonly [ListShape, number][] = [['names', 0], ['lines', 10], ['rail', 24], ['folded', 60]];
const SHORT_LIST: Record<ListShape, number> = { names: 330, lines: 280, rail: 330, folded: 330 }; // as much of a list is enough: the rest is scrolled to
const COACH = 270; // pixels, as wide as the list
const COST = 0.06; // a pixel that a panel is short of
const HIDDEN = 10; // each unit or marker below a panel that does not matter now

/** How tall a list of so many units is. */
const tallOf = (shape: ListShape, units: number): number => (shape === 'names' ? 112 + units * 54 : shape === 'lines' ? 50 + units * 31 : shape === 'rail' ? 92 + units * 76 : 50);

const tall = ({ y0, y1 }: Span): number => y1 - y0;
const largest = (spans: readonly Span[]): Span | undefined => [...spans].sort((a, b) => tall(b) - tall(a) || a.y0 - b.y0)[0];
const flipped = (b: Box): Box => ({ x0: b.y0, y0: b.x0, x1: b.y1, y1: b.x1 });

interface Asked {
  /** in the list */
  units: number;
  /** how wide the question is */
  question: number;
  /** whether the list may show names by itself */
  named: boolean;
  /** whether a coach stands below it */
  coached?: boolean;
  /** how short the question may be */
  least?: number | undefined;
}

/** How panels lie over a table that is looked at like this. */
export function arranger({ width, height }: Size, { table, first, then }: Matters, asked: Asked): (view: View) => Arranged<Places> {
  const all = [...first, ...then];
  return (view) => {
    const spansOf = (column: Box, boxes: readonly Box[]): Span[] => gapsOf(column, boxes, view, ROOM);
    const down = { y0: EDGE, y1: height - EDGE };
    const questionAt = questionSpan((boxes) => spansOf({ x0: width - asked.question, x1: width, ...down }, boxes), first, all, asked.least ?? SHORTEST);
    let cost = Math.max(0, WISHED - tall(questionAt ?? { y0: 0, y1: 0 })) * COST;
    const { list, listAt, listCost } = listPlace(asked, (shape, boxes) => spansOf({ x0: 0, x1: LIST[shape], ...down }, boxes), first, then);
    cost += listCost;
    const left = LIST[list];
    const foot = height - THREE_LINES - EDGE;
    const under = { x0: 0, x1: LIST.names, y0: Math.min(listAt.y1, listAt.y0 + tallOf(list, asked.units)) + ROOM, y1: height - EDGE };
    const tools = toolsPlace((shape, boxes) => (shape === 'below' ? (LIST[list] === LIST.names && !asked.coached ? spansOf(under, boxes).filter((s) => s.y0 === under.y0) : []) : spansOf({ x0: left, x1: left + TOOLS[shape].w, y0: EDGE, y1: foot }, boxes)), first, all);
    const tray = trayPlace(view, { x0: left, y0: height, x1: width - asked.question, y1: height }, first, all);
    cost += Math.max(0, WIDE_TRAY - tall(tray.trayAt)) * COST;
    const places = { list, listAt, questionAt: questionAt ?? down, ...tools, ...tray };
    // the table lies in the middle of what panels leave, where nothing else decides
    const middle = view.x + ((table.x0 + table.x1) / 2) * view.k - (left + width - asked.question) / 2;
    return { panels: panelsAt(places, { width, height }, asked.question), cost: cost + Math.abs(middle) * 0.002, places };
  };
}

/** Where nobody stands; else where nobody stands who matters now. */
function toolsPlace(spans: (shape: ToolShape, boxes: readonly Box[]) => Span[], first: readonly Box[], all: readonly Box[]): { tools: ToolShape; toolsAt: Span } {
  for (const boxes of [all, first]) {
    for (const tools of ['below', 'column', 'row', 'folded'] as const) {
      if (tools === 'folded' && boxes === all) continue;
      const { h } = TOOLS[tools];
      const span = spans(tools, boxes).find((s) => tall(s) >= h);
      if (span) return { tools, toolsAt: { y0: span.y0, y1: span.y0 + h } };
    }
  }
  return { tools: 'folded', toolsAt: { y0: EDGE, y1: EDGE + TOOLS.folded.h } };
}

function questionSpan(spans: (boxes: readonly Box[]) => Span[], first: readonly Box[], all: readonly Box[], least: number): Span | undefined {
  const [best, clear] = [largest(spans(first)), largest(spans(all))];
  if (!best || tall(best) < least) return undefined;
  return clear && tall(clear) >= Math.min(WISHED, tall(best) - 60) ? clear : best;
}

function listPlace(asked: Asked, spans: (shape: ListShape, boxes: readonly Box[]) => Span[], first: readonly Box[], then: readonly Box[]): { list: ListShape; listAt: Span; listCost: number } {
  let found: { list: ListShape; listAt: Span; listCost: number } | null = null;
  for (const [list, price] of asked.coached ? SHAPES.slice(0, 1) : SHAPES.slice(asked.named ? 0 : 2)) {
    const needed = tallOf(list, asked.units) + (asked.coached ? COACH : 0);
    const enough = asked.coached ? needed : Math.min(needed, SHORT_LIST[list]);
    for (const span of spans(list, first)) {
      if (tall(span) < enough) continue;
      // at the top of its stretch, or where it hides nobody
      const clear = spans(list, [...first, ...then]).find((s) => s.y0 >= span.y0 && s.y1 <= span.y1 && tall(s) >= enough);
      const at = clear ?? span;
      const end = Math.min(at.y1, at.y0 + needed);
      const hidden = clear ? 0 : then.filter((box) => !spans(list, [box]).some((s) => s.y0 <= at.y0 && s.y1 >= end)).length;
      const listCost = price + hidden * HIDDEN + Math.max(0, needed - tall(at)) * COST;
      if (!found || listCost < found.listCost) found = { list, listAt: at, listCost };
    }
  }
  const list = asked.coached ? 'names' : 'folded';
  return found ?? { list, listAt: { y0: EDGE, y1: EDGE + tallOf(list, asked.units) + (asked.coached ? COACH : 0) }, listCost: 90 };
}

function trayPlace({ x, y, k }: View, { x0, x1, y1 }: Box, first: readonly Box[], all: readonly Box[]): { trayAt: Span; roomy: boolean } {
  const along = (high: number, boxes: readonly Box[]): Span[] => gapsOf({ x0: y1 - high, x1: y1, y0: x0, y1: x1 }, boxes.map(flipped), { x: y, y: x, k }, ROOM);
  const three = largest(along(THREE_LINES, all));
  if (three && tall(three) >= WIDE_TRAY) return { trayAt: three, roomy: true };
  const line = largest(along(LINE, first));
  return { trayAt: line && tall(line) >= NARROWEST ? line : { y0: x0, y1: x1 }, roomy: false };
}

/** What panels at their places cover of the window. */
export function panelsAt({ list, listAt, questionAt, tools, toolsAt, trayAt, roomy }: Places, { width, height }: Size, question: number): Box[] {
  const [tray, grip] = [height - (roomy ? THREE_LINES : LINE), (trayAt.y0 + trayAt.y1) / 2];
  return [
    { x0: width - question, x1: width, ...questionAt },
    { x0: 0, x1: LIST[list], ...listAt },
    { x0: tools === 'below' ? 0 : LIST[list], x1: (tools === 'below' ? 0 : LIST[list]) + TOOLS[tools].w, ...toolsAt },
    { x0: trayAt.y0, x1: trayAt.y1, y0: tray, y1: height },
    { x0: grip - GRIP.w / 2, x1: grip + GRIP.w / 2, y0: tray - GRIP.h, y1: tray },
  ];
}
