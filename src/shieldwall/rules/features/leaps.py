"""Leaps between ledges: whether there is anything to leap over, who leaps on a path, and what that risks."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.answers import ModelPath, Walk
from shieldwall.core.forms import LeapRisk
from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.geometry.tolerance import EPS
from shieldwall.rules.features.leap_charge import box_round, shifted
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.formations import centre_of
from shieldwall.table.loose_moves import WalkResult, check_walk
from shieldwall.table.terrain import standing_height
from shieldwall.table.walk_context import WalkLimits

THREE_INCHES = 3.0
SHORTER = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)  # shares of a straight path that are tried


def jump_dice(distance: float) -> int:
    """One die, and one more for each full 3 inches."""
    return 1 + int((distance + EPS) // THREE_INCHES)


def leaping(limits: WalkLimits, unit: Unit, walk: Walk) -> WalkLimits:
    """The limits of a walk in which some models leap where they could climb."""
    if not walk.leaps:
        return limits
    return replace(limits, leaps=tuple(model.id in walk.leaps for model in unit.models))


def with_leaps(limits: WalkLimits, unit: Unit, walk: Walk | None, wanted: bool) -> WalkLimits:
    """The limits under which a walk is judged: all models leap if the player wants that, otherwise those named."""
    if wanted and limits.climb.jump_max:
        return replace(limits, leaps=(True,) * len(unit.models))
    return leaping(limits, unit, walk) if walk is not None and limits.climb.jump_max else limits


def may_leap(state: State, unit: Unit, limits: WalkLimits) -> bool:
    """Whether two ledges are near enough that a player might choose to leap from one to the other."""
    climb = limits.climb
    if climb.jump_max <= climb.gap_max:
        return False
    room = round((max(limits.allowance) + climb.jump_max) * MILLI)
    left, near, right, far = box_round([(pose.x, pose.y) for pose in unit.poses])
    boxes = [box_round(piece.outline) for piece in state.pieces if standing_height(piece) > 0]
    close = [
        box
        for box in boxes
        if box[0] <= right + room and left - room <= box[2] and box[1] <= far + room and near - room <= box[3]
    ]
    return len(close) > 1


def leapt_straight(state: State, unit: Unit, limits: WalkLimits, wanted: Pose) -> tuple[ModelPath, ...]:
    """Paths of all models straight towards a spot, as far as legal; empty if there is no leap on the way.

    The length of a leap does not count as movement, so such a path may be longer than any found by a search on foot.
    """
    x, y = centre_of(unit)
    for share in SHORTER:
        paths = shifted(state, unit, round((wanted.x - x) * share), round((wanted.y - y) * share))
        found = check_walk(state, unit.id, paths, limits)
        if found.is_legal:
            return paths if found.has_leaps else ()
    return ()


def leap_risks(rules: Ruleset, state: State, unit: Unit, found: WalkResult) -> tuple[LeapRisk, ...]:
    """Every leap of a walk with the dice that decide it."""
    if not found.has_leaps:
        return ()
    cite, risks = rules.cite("jump.roll"), list[LeapRisk]()
    for model, leaps in zip(unit.models, found.leaps, strict=True):
        needed = rules.crossing(state, unit, model).jump_target or rules.constants.jump_target
        risks += [
            LeapRisk(model.id, leap.distance, leap.fall, jump_dice(leap.distance), needed, cite)
            for leap in leaps
        ]
    return tuple(risks)
