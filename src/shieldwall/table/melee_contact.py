"""Aligning blocks after a charge and separating them after the melee.

No player makes a choice here, and the order of units does not matter: the charger turns flat against the charged
side and takes the smallest slide that gives the widest contact, left before right; if the contact can still be
widened, the target slides in the same way. Blows, winners and morale are handled elsewhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from msgspec import Struct

from shieldwall.core.answers import Leg
from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.march import ground_height, standing_at
from shieldwall.geometry.march_search import LEAST_CONTACT
from shieldwall.geometry.scene import FlatScene
from shieldwall.geometry.slide import back_until_apart, free_shifts
from shieldwall.geometry.tolerance import SLACK
from shieldwall.table.arcs import Arc
from shieldwall.table.block_moves import (
    MarchLimits,
    MarchResult,
    block_on,
    check_march,
    furthest_forward,
    gap_between,
    mover_of,
)
from shieldwall.table.formations import FULL_TURN, formation_of, heading_vector, shifted
from shieldwall.table.ranks import Formation
from shieldwall.table.scene import scene_of

FACING: dict[Arc, int] = {"front": 18000, "left": 9000, "rear": 0, "right": 27000}


class Block(NamedTuple):
    """A block that takes part: where it stands and how it is formed."""

    pose: Pose
    formation: Formation


class Obstacles(NamedTuple):
    """What may stand in the way: the scene, and the rows of the two that fight."""

    scene: FlatScene
    charger: int
    target: int


class Alignment(Struct, frozen=True):
    """Two aligned blocks. `overlap` and the slides are thousandths; slides are positive to the charger's right."""

    charger_pose: Pose
    target_pose: Pose
    overlap: int
    charger_slid: int
    target_slid: int


class _Contact(NamedTuple):
    """The charged side in the charger's frame about the target's centre: its parts that can be touched, its whole
    length, and half the charger's front.
    """

    parts: tuple[tuple[float, float], ...]
    across: float
    half: float

    def touch(self, shift: float) -> tuple[float, float]:
        """How much of the front touches the target, and how much faces it, at a shift of the charger."""
        left, right = shift - self.half, shift + self.half
        touching = sum(max(min(right, b) - max(left, a), 0.0) for a, b in self.parts)
        facing = max(min(right, self.across) - max(left, -self.across), 0.0)
        return round(touching, 4), round(facing, 4)

    def shifts(self) -> list[float]:
        """Shifts at which the contact stops growing or begins to shrink."""
        ends = [end for part in (*self.parts, (-self.across, self.across)) for end in part]
        return [end + half for end in ends for half in (-self.half, self.half)]


def align(charger: Block, target: Block, side: Arc, obstacles: Obstacles) -> Alignment | None:
    """Both poses after the turn and the slides; None if there is no room on that side.

    `charger.pose` is where it made contact. The target never turns, so the charged side stays the same. Blocks do not
    slide through other units.
    """
    heading = (target.pose.heading + FACING[side]) % FULL_TURN
    sine, cosine = heading_vector(heading)
    quarter = (target.pose.heading - heading) % FULL_TURN // 9000
    turned = turned_rects(target.formation.rects, quarter)
    contact, depth = _contact(charger.formation, turned)
    dx, dy = (charger.pose.x - target.pose.x) / MILLI, (charger.pose.y - target.pose.y) / MILLI
    met_at = dx * cosine - dy * sine
    flush = depth + charger.formation.half_depth
    x, y = target.pose.x / MILLI - flush * sine, target.pose.y / MILLI - flush * cosine
    low = min(a for a, _ in contact.parts) - contact.half + LEAST_CONTACT
    high = max(b for _, b in contact.parts) + contact.half - LEAST_CONTACT
    shift = _slide(charger.formation.rects, (x, y, heading), obstacles, (low, high), met_at, contact)
    if shift is None:
        return None
    slid = _target_slide(turned, target.pose, heading, obstacles, contact, shift)
    around = Pose(target.pose.x, target.pose.y, heading)
    target_pose = target.pose
    if slid:
        target_pose = _on_ground(shifted(around, slid, 0.0), target.pose.heading, obstacles)
    charger_pose = _on_ground(shifted(around, shift, -flush), heading, obstacles)
    overlap = round(contact.touch(shift - slid)[0] * MILLI)
    return Alignment(charger_pose, target_pose, overlap, round((shift - met_at) * MILLI), round(slid * MILLI))


def turned_rects(rects: Floats, quarter: int) -> Floats:
    """Rectangles of a block turned clockwise by `quarter` quarter turns, in the other block's frame."""
    x0, y0, x1, y1 = rects.T
    if quarter == 0:
        return rects
    if quarter == 1:
        columns = (y0, -x1, y1, -x0)
    elif quarter == 2:
        columns = (-x1, -y1, -x0, -y0)
    else:
        columns = (-y1, x0, -y0, x1)
    return np.ascontiguousarray(np.stack(columns, axis=1))


def _contact(charger: Formation, target: Floats) -> tuple[_Contact, float]:
    """The side of the target that the charger faces, and its distance from the target's centre."""
    depth = -float(target[:, 1].min())
    parts = tuple((a, b) for a, rear, b, _ in target.tolist() if rear <= -depth + SLACK)
    across = float(max(-target[:, 0].min(), target[:, 2].max()))
    return _Contact(parts, across, charger.half_width), depth


def _slide(
    rects: Floats,
    at: tuple[float, float, int],
    obstacles: Obstacles,
    room: tuple[float, float],
    met_at: float,
    contact: _Contact,
) -> float | None:
    """The charger's smallest shift that gives the widest contact, left before right."""
    scene = obstacles.scene
    is_possible, start, low, high = free_shifts(
        scene, rects, standing_at(*at), obstacles.charger, obstacles.target, *room, met_at
    )
    if not is_possible:
        return None
    shifts = [start, low, high, *(shift for shift in contact.shifts() if low <= shift <= high)]
    return min(shifts, key=lambda shift: (*_widest(contact, shift), round(abs(shift - met_at), 6), shift))


def _widest(contact: _Contact, shift: float) -> tuple[float, float]:
    """A sort key: the widest contact first."""
    touching, facing = contact.touch(shift)
    return -touching, -facing


def _target_slide(
    turned: Floats, pose: Pose, heading: int, obstacles: Obstacles, contact: _Contact, shift: float
) -> float:
    """How far the target slides to the charger's right to widen the contact further; usually 0."""
    now = contact.touch(shift)[0]
    wishes = [shift - other for other in contact.shifts() if contact.touch(other)[0] > now + SLACK]
    if not wishes:
        return 0.0
    x, y = pose.x / MILLI, pose.y / MILLI
    room = min(0.0, *wishes), max(0.0, *wishes)
    is_possible, start, low, high = free_shifts(
        obstacles.scene, turned, standing_at(x, y, heading), obstacles.charger, obstacles.target, *room, 0.0
    )
    if not is_possible or abs(start) > SLACK:
        return 0.0
    slides = [0.0, low, high, *(slide for slide in wishes if low <= slide <= high)]
    best = min(slides, key=lambda slide: (-contact.touch(shift - slide)[0], round(abs(slide), 6), slide))
    return best if contact.touch(shift - best)[0] > now + SLACK else 0.0


def _on_ground(pose: Pose, heading: int, obstacles: Obstacles) -> Pose:
    """The pose with a heading, on the ground below it."""
    height = ground_height(obstacles.scene, pose.x / MILLI, pose.y / MILLI)
    return Pose(pose.x, pose.y, heading, round(height * MILLI))


def align_units(
    state: State,
    charger_id: int,
    target_id: int,
    side: Arc,
    contact: Pose,
    climb_max: int = 3000,
) -> Alignment | None:
    """`align` for two units of a state, the charger having made contact at a pose."""
    scene = scene_of(state)
    (charger, _), (target, pose) = block_on(scene, charger_id), block_on(scene, target_id)
    obstacles = Obstacles(scene.flat(climb_max), scene.row_of[charger_id], scene.row_of[target_id])
    return align(
        Block(contact, formation_of(charger, state.profiles)),
        Block(pose, formation_of(target, state.profiles)),
        side,
        obstacles,
    )


class SteppedBack(Struct, frozen=True):
    """How a charger separated from its target: where it stands, thousandths moved, and the gap in inches."""

    pose: Pose
    moved: int
    gap: float


def step_back(
    state: State,
    charger_id: int,
    target_id: int,
    distance: int = 1000,
    spacing: int = 1000,
    to_gap: bool = False,
) -> SteppedBack:
    """Move straight back from the charged side, as far as there is room, keeping the facing.

    With `to_gap` only until the two are `distance` apart, which they may be already because of losses.
    """
    charger, pose = block_on(scene_of(state), charger_id)
    distance = way_to_gap(state, charger, pose, target_id, distance) if to_gap else distance
    limits = MarchLimits("step back", distance, distance, spacing=spacing, kinds=("back",))
    moved = furthest_forward(state, charger_id, pose, limits, "back")
    end = check_march(state, charger_id, (Leg("back", moved),), limits).pose if moved else pose
    return SteppedBack(end, moved, max(gap_between(state, charger, end, target_id), 0.0))


def way_to_gap(state: State, unit: Unit, pose: Pose, target_id: int, gap: int) -> int:
    """The shortest move straight back that leaves a gap to the target; never more than the gap itself."""
    scene = scene_of(state)
    row, mover = scene.row_of[target_id], mover_of(scene, unit)
    return back_until_apart(scene.flat(), mover, row, pose.x, pose.y, pose.heading, gap)


def consolidation_limits(allowance: int = 3000, pivot_limit: int = 18000, spacing: int = 1000) -> MarchLimits:
    """Limits of the survivor's choice: one straight shift in any direction keeping the facing, or a turn."""
    return MarchLimits(
        "consolidation",
        allowance,
        allowance,
        pivot_limit,
        spacing,
        kinds=("forward", "side", "back", "pivot"),
        may_mix=True,
        any_direction=True,
        pivot_or_move=True,
    )


def check_consolidation(
    state: State, unit_id: int, legs: tuple[Leg, ...], limits: MarchLimits | None = None
) -> MarchResult:
    """Whether the survivor of a melee may make this move or turn."""
    return check_march(state, unit_id, legs, limits or consolidation_limits())
