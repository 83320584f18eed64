/* Where the camera looks: at the whole table, but never away from what matters now. */

import { untrack } from 'svelte';
import { joined, unitBox, unitCentre } from '../../board/bounds';
import type { Camera, Insets } from '../../board/camera.svelte';
import { clearView, framed, isFree, type Matters, type Span, type View, type Window } from '../../board/clearing';
import type { Scene, SceneUnit } from '../../board/scene';
import type { Box, Point } from '../../board/shapes';
import { sideKey } from '../scene';
import type { GameSession } from '../session.svelte';
import { arranger, panelsAt, PINCHED, type Places } from './arranging';
import { questionWidth, SHEET } from './layout';

/** What is shown now. */
export interface Outlook {
  scene: Scene | null;
  insets: Insets;
  /** what lies over the table at places of its own, in pixels; null where panels step aside */
  fixed: readonly Box[] | null;
  /** how tall question and list are now, in pixels */
  question: number;
  list: number;
  /** in the list */
  listed: number;
  /** whether the list may show names */
  named: boolean;
  /** whether a coach stands below the list */
  coached: boolean;
  /** whether the mouse is over a panel: then it stays where it is */
  hovered: boolean;
  /** whether a unit is being dragged */
  dragging: boolean;
  phone: boolean;
  /** whether the table lies under the panels */
  spread: boolean;
  candidates: readonly number[];
  targets: readonly number[];
  selected: number | null;
  /** a spot that somebody is told to look at */
  pointed: Point | null;
  /** where the unit at hand would go; asked for by those who need it alone, since it is drawn anew with every zoom */
  ghost: () => SceneUnit | null;
}

const FOOT = 46; // pixels of the line of dice and log
const CRAMPED = 440; // pixels: a question that is shorter takes a better place when the next one begins

export interface Lookout {
  /** the whole table as well as it can be seen; panels take their places */
  clearest: () => View;
  /** where panels lie that step aside */
  readonly places: Places | null;
  /** what lies over the table, in pixels */
  readonly panels: readonly Box[];
}

/** To be called while a component is made. */
export function lookOut(session: GameSession, camera: Camera, outlook: () => Outlook): Lookout {
  let places = $state.raw<Places | null>(null);
  // on a phone tools lie over the player's own edge: the table can be pushed out from below them
  const edges = (scene: Scene) => ({ x0: -1.5, y0: -1.5, x1: scene.w + 1.5, y1: scene.h + (outlook().phone ? 5 : 1.5) });

  const panels = $derived(outlook().fixed ?? (places ? panelsAt(asTall(places, outlook()), camera, questionWidth(camera.width)) : []));
  /** Panels may be shorter than the room they have. */
  function asTall(all: Places, { question, list }: Outlook): Places {
    const cut = ({ y0, y1 }: Span, tall: number): Span => ({ y0, y1: tall ? Math.min(y1, y0 + tall) : y1 });
    return { ...all, questionAt: cut(all.questionAt, question), listAt: cut(all.listAt, list) };
  }
  const window = (): Window => ({ width: camera.width, height: camera.height, panels });
  const boxes = (units: readonly SceneUnit[]): Box[] => units.flatMap((u) => unitBox(u) ?? []);

  /** What no panel may lie over: the units of whoever sits here, and whatever a question is about. */
  function firstOf({ scene, candidates, targets }: Outlook): Box[] {
    const sides = session.sides.map(sideKey);
    const asked = session.question?.mine ? session.question.unit : -1;
    return boxes((scene?.units ?? []).filter((u) => sides.includes(u.side) || candidates.includes(u.id) || targets.includes(u.id) || u.id === asked));
  }

  function mattersOf(now: Outlook, scene: Scene, more: readonly Box[]): Matters {
    const markers = scene.markers.map((m) => ({ x0: m.x - 1, y0: m.y - 1, x1: m.x + 1, y1: m.y + 1 }));
    return { table: framed(scene), first: [...firstOf(now), ...more], then: [...boxes(scene.units), ...markers] };
  }
  const size = () => ({ width: camera.width, height: camera.height });
  const arrange = (now: Outlook, matters: Matters, least?: number) => arranger(size(), matters, { least, units: now.listed, question: questionWidth(camera.width), named: now.named, coached: now.coached });

  /** The table as large as can be with what matters under no panel; panels take their places. */
  function clearest(more: readonly Box[] = []): View {
    const now = outlook();
    if (!now.scene) return camera.view;
    const matters = mattersOf(now, now.scene, more);
    const { fixed } = now;
    if (fixed) return clearView(size(), matters, () => ({ panels: fixed, cost: 0, places: null })).view;
    const found = clearView({ ...size(), foot: FOOT }, matters, arrange(now, matters));
    places = found.places;
    return found.view;
  }

  const isCovered = (now: Outlook, more: readonly Box[]): boolean => [...firstOf(now), ...more].some((box) => !isFree(box, camera.view, window()));

  /** Move the table only where something that matters is covered, and never away from where somebody looks. */
  function uncover(now: Outlook, more: readonly Box[] = []): void {
    if (camera.strayed || camera.width < 2) return;
    const cramped = places !== null && (places.questionAt.y1 - places.questionAt.y0 < CRAMPED || (places.list === 'folded' && now.named));
    if (cramped || isCovered(now, more)) camera.glide(() => camera.show(clearest(more)));
  }

  /** Panels step aside while the table lies still. */
  function stepAside(now: Outlook, more: readonly Box[] = []): void {
    if (!now.scene || !places || now.hovered || camera.strayed || !isCovered(now, more)) return;
    const matters = mattersOf(now, now.scene, more);
    const found = arrange(now, matters, PINCHED)(camera.view);
    const free = (some: readonly Box[]): number => matters.first.filter((box) => isFree(box, camera.view, { ...size(), panels: some })).length;
    if (free(found.panels) > free(panels)) places = found.places;
  }

  /** Bring a spot of the table to the middle of what is free of panels. */
  function lookAt(at: Point, { scene, insets }: Outlook, k = camera.k): void {
    camera.scale(k / camera.k);
    const [x, y] = camera.toScreen(at);
    camera.shift((insets.left + camera.width - insets.right) / 2 - x, (insets.top + camera.height - insets.bottom) / 2 - y);
    if (scene) camera.keepOn(edges(scene), insets);
  }

  const seeWhole = (scene: Scene, insets: Insets): void => camera.fit({ x0: -1.5, y0: -1.5, x1: scene.w + 1.5, y1: scene.h + 1.5 }, insets);

  // Keep what acts in sight: pan only when it is hidden.
  $effect(() => {
    const { question, player } = session;
    const { draft } = session;
    const chosen = draft?.touched && !draft.pose ? (draft.planned?.unit ?? -1) : -1; // the table lies still under a hand that drags
    const id = player.settled ? (question?.mine ? Math.max(question.unit, chosen) : -1) : (player.acting ?? -1);
    const now = outlook();
    const unit = now.scene?.units.find((u) => u.id === id);
    if (!unit || camera.width < 2 || camera.held) return;
    untrack(() => {
      const at = unitCentre(unit);
      const box = unitBox(unit);
      const free = now.spread && box ? isFree(box, camera.view, window()) : camera.sees(at, now.insets);
      if (!free) camera.glide(() => lookAt(at, now));
    });
  });

  // A question begins with nothing that matters under a panel; from then on the table lies still under a hand.
  let begun: typeof session.draft = null;
  $effect(() => {
    const now = outlook();
    const { draft } = session;
    if (!session.myTurn || !draft || draft === begun || !now.spread || !now.scene) return;
    begun = draft;
    camera.stirred = false;
    untrack(() => uncover(now));
  });

  // Nor does the way of a suggestion lie under one, unless a hand is over the table by then.
  $effect(() => {
    const now = outlook();
    const { draft } = session;
    if (!now.spread || !session.myTurn || !draft?.planned || !draft.suggestion || draft.touched || camera.stirred) return;
    const ghost = now.ghost();
    const box = ghost && unitBox(ghost);
    if (box) untrack(() => uncover(now, [box]));
  });

  // A unit that was put down under a panel, and targets that lie under one: the panel gives way.
  $effect(() => {
    const now = outlook();
    const { draft } = session;
    void [now.targets, now.candidates, now.hovered, panels];
    if (!now.spread || !session.myTurn || !draft || now.dragging || !camera.stirred) return;
    const ghost = now.ghost();
    const box = ghost && unitBox(ghost);
    untrack(() => stepAside(now, box ? [box] : []));
  });

  // A battle that is over is seen whole once more.
  $effect(() => {
    if (session.status !== 'over' || !session.player.settled) return;
    untrack(() => {
      const { scene, insets, phone } = outlook();
      if (phone && scene && camera.width > 2) seeWhole(scene, insets);
    });
  });

  // On a phone a sheet that goes down uncovers the table, not the desk below it.
  $effect(() => {
    const { scene, insets, phone } = outlook();
    if (phone && scene && camera.width > 2 && !camera.held && !session.myTurn && session.status !== 'over') untrack(() => camera.keepOn(edges(scene), insets));
  });

  // On a phone only a part of the table is shown: the troops at first, later at least those that may be picked.
  let seen = false;
  let placed: typeof session.question = null;
  $effect(() => {
    const now = outlook();
    const { scene, insets, candidates, targets, phone } = now;
    const { question } = session;
    if (!phone || !scene || camera.width < 2 || camera.held || !session.myTurn) return;
    const placing = session.player.board?.phase === 'setup';
    const { units: all } = scene;
    const { draft } = session;
    // a plan is aimed until somebody drags it: the table lies still under a hand
    const aiming = draft?.form?.form === 'aims' || question?.kind === 'charge_target' || Boolean(draft?.planned && !draft.pose && targets.length);
    const aimer = draft?.planned?.unit ?? question?.unit;
    const aimed = aiming ? all.filter((u) => targets.includes(u.id) || u.id === aimer) : [];
    const few = all.filter((u) => candidates.includes(u.id));
    untrack(() => {
      // whoever puts units or markers down has to see where they may go; a closer look lasts until the next question
      if (placing) {
        if (question !== placed) seeWhole(scene, insets);
        placed = question;
        return;
      }
      const chosen = few.find((u) => u.id === now.selected) ?? few[0] ?? all.find((u) => u.id === question?.unit);
      const hidden = chosen ? !camera.sees(unitCentre(chosen), insets) : false;
      const box = joined((seen ? few : all).flatMap((u) => unitBox(u) ?? []));
      if (box && (hidden || !seen)) camera.fit({ x0: box.x0 - 3, y0: box.y0 - 3, x1: box.x1 + 3, y1: box.y1 + 3 }, insets, 22);
      // a wide table would be too small to tap: then it fills the height, and the rest lies beside the unit at hand
      const filling = Math.min(16, (camera.height - insets.top - SHEET.peek) / (scene.h + 3));
      if (camera.k < filling * 0.8 && chosen) lookAt(unitCentre(chosen), now, filling);
      // an attack is looked at with both of its ends, below dice and log
      const ends = aimed.length > 1 ? joined(aimed.flatMap((u) => unitBox(u) ?? [])) : null;
      if (ends) camera.fit({ x0: ends.x0 - 2, y0: ends.y0 - 2, x1: ends.x1 + 2, y1: ends.y1 + 2 }, insets, filling * 1.3);
      else if (camera.k > filling * 0.8) camera.keepOn(edges(scene), insets);
      // what somebody is told to look at is seen together with the unit at hand
      if (now.pointed && !camera.sees(now.pointed, insets)) {
        const [x, y] = now.pointed;
        const both = joined([{ x0: x, y0: y, x1: x, y1: y }, ...boxes(chosen ? [chosen] : [])]);
        if (both) camera.fit({ x0: both.x0 - 2, y0: both.y0 - 2, x1: both.x1 + 2, y1: both.y1 + 2 }, insets, camera.k);
      }
      seen ||= session.player.board?.phase === 'battle';
      camera.strayed = true;
    });
  });
  return {
    clearest,
    get places() {
      return outlook().fixed ? null : places;
    },
    get panels() {
      return panels;
    },
  };
}
