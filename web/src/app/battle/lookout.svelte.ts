/* Where the camera looks: at the whole table, but never away from what matters now. */

import { untrack } from 'svelte';
import { joined, unitBox, unitCentre } from '../../board/bounds';
import type { Camera, Insets } from '../../board/camera.svelte';
import type { Scene, SceneUnit } from '../../board/scene';
import type { Point } from '../../board/shapes';
import type { GameSession } from '../session.svelte';
import { SHEET } from './layout';

const ROOM = 1.6; // inches beside what must be seen: its handles lie there

/** What is shown now. */
export interface Outlook {
  scene: Scene | null;
  insets: Insets;
  phone: boolean;
  candidates: readonly number[];
  targets: readonly number[];
  selected: number | null;
  /** a spot that somebody is told to look at */
  pointed: Point | null;
  /** where the unit at hand would go; asked for by those who need it alone, since it is drawn anew with every zoom */
  ghost: () => SceneUnit | null;
}

/** To be called while a component is made. */
export function lookOut(session: GameSession, camera: Camera, outlook: () => Outlook): void {
  // on a phone tools lie over the player's own edge: the table can be pushed out from below them
  const edges = (scene: Scene) => ({ x0: -1.5, y0: -1.5, x1: scene.w + 1.5, y1: scene.h + (outlook().phone ? 5 : 1.5) });

  /** Bring a spot of the table to the middle of what is free of panels. */
  function lookAt(at: Point, { scene, insets }: Outlook, k = camera.k): void {
    camera.zoom(k / camera.k);
    const [x, y] = camera.toScreen(at);
    camera.pan((insets.left + camera.width - insets.right) / 2 - x, (insets.top + camera.height - insets.bottom) / 2 - y);
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
    const at = unitCentre(unit);
    if (!camera.sees(at, now.insets)) lookAt(at, now);
  });

  // Nothing of what is planned lies under a panel: the table glides aside where it would, but never under a hand.
  $effect(() => {
    const { scene, insets, phone, ghost } = outlook();
    const { draft } = session;
    if (phone || !scene || camera.width < 2 || !session.myTurn || !draft?.planned || draft.pose) return;
    const unit = scene.units.find((u) => u.id === draft.planned?.unit);
    const box = joined([unit, ghost()].flatMap((u) => (u ? (unitBox(u) ?? []) : [])));
    if (box) untrack(() => camera.uncover({ ...box, x0: box.x0 - ROOM, x1: box.x1 + ROOM }, insets));
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
  let framed = false;
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
      const box = joined((framed ? few : all).flatMap((u) => unitBox(u) ?? []));
      if (box && (hidden || !framed)) camera.fit({ x0: box.x0 - 3, y0: box.y0 - 3, x1: box.x1 + 3, y1: box.y1 + 3 }, insets, 22);
      // a wide table would be too small to tap: then it fills the height, and the rest lies beside the unit at hand
      const filling = Math.min(16, (camera.height - insets.top - SHEET.peek) / (scene.h + 3));
      if (camera.k < filling * 0.8 && chosen) lookAt(unitCentre(chosen), now, filling);
      // an attack is looked at with both of its ends, below dice and log
      const ends = aimed.length > 1 ? joined(aimed.flatMap((u) => unitBox(u) ?? [])) : null;
      if (ends) camera.fit({ x0: ends.x0 - 2, y0: ends.y0 - 2, x1: ends.x1 + 2, y1: ends.y1 + 2 }, insets, filling * 1.3);
      else if (camera.k > filling * 0.8) camera.keepOn(edges(scene), insets);
      if (now.pointed && !camera.sees(now.pointed, insets)) lookAt(now.pointed, now);
      framed ||= session.player.board?.phase === 'battle';
    });
  });
}
