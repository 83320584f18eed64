"""Leaps between ledges: whether there is anything to leap over, whose way takes one, and what it risks."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.answers import ModelPath, Walk
from shieldwall.core.grammar import does
from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.dice.words import count
from shieldwall.rules.features.leap_charge import box_round, shifted
from shieldwall.rules.features.loose import jump_dice
from shieldwall.rules.features.loose_questions import leaping
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server.geometry import centre_of
from shieldwall.server.views import Reason
from shieldwall.server.words import inches, percent
from shieldwall.story import Names
from shieldwall.table.loose_moves import Leap, WalkResult, check_walk
from shieldwall.table.loose_party import WalkLimits
from shieldwall.table.terrain import standing_height

SHORTER = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)  # parts of a straight way that are tried


def may_leap(state: State, unit: Unit, limits: WalkLimits) -> bool:
    """Whether two ledges are so near that somebody might choose to leap from one to the other."""
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


def with_leaps(limits: WalkLimits, unit: Unit, walk: Walk | None, wanted: bool) -> WalkLimits:
    """The limits under which a walk is judged: everybody leaps where that is wanted, else those who say so."""
    if wanted and limits.climb.jump_max:
        return replace(limits, leaps=(True,) * len(unit.models))
    return leaping(limits, unit, walk) if walk is not None and limits.climb.jump_max else limits


def leapt_straight(state: State, unit: Unit, limits: WalkLimits, wanted: Pose) -> tuple[ModelPath, ...]:
    """Everybody straight ahead, as far towards a spot as that is legal; nothing where no leap is on that way.

    What is leapt does not count, so that such a way may be longer than any that a search on foot looks at.
    """
    x, y = centre_of(unit)
    for share in SHORTER:
        paths = shifted(state, unit, round((wanted.x - x) * share), round((wanted.y - y) * share))
        found = check_walk(state, unit.id, paths, limits)
        if found.is_legal:
            return paths if found.has_leaps else ()
    return ()


def leaps_told(rules: Ruleset, state: State, unit: Unit, found: WalkResult) -> tuple[Reason, ...]:
    """What each leap on the way takes, and how likely it is to fail."""
    if not found.has_leaps:
        return ()
    names, cite = Names(state), rules.cite("jump.roll")
    told = []
    for model, leaps in zip(unit.models, found.leaps, strict=True):
        needed = rules.crossing(state, unit, model).jump_target or rules.constants.jump_target
        who = names.member(unit.id, model.id)
        told += [Reason(f"{does(who, 'leap', 1)} {_risk(leap, needed)}", cite) for leap in leaps]
    return tuple(told)


def _risk(leap: Leap, needed: int) -> str:
    dice = jump_dice(leap.distance)
    lands = ((7 - needed) / 6) ** dice
    far, deep = inches(leap.distance * MILLI), inches(leap.fall * MILLI)
    return (
        f"{far}: lands on {needed}+ with {count(dice, 'die', 'dice')} ({percent(lands)}), else falls {deep}"
    )
