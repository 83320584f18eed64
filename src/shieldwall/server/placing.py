"""Units being put down by hand: is a spot legal, why not, and which is the nearest one that is."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.answers import AnyAnswer, Placed
from shieldwall.core.state import CENTI, MILLI, Pose, State, Unit
from shieldwall.rules.features.block_questions import BlockPlacing
from shieldwall.rules.features.loose_questions import LoosePlacing
from shieldwall.server.geometry import moved_to
from shieldwall.server.messages import Ghost, Previewed
from shieldwall.server.present import figures_of, outline_of
from shieldwall.server.shots import reasons_of
from shieldwall.server.views import Reason
from shieldwall.table.loose_place import spread_at
from shieldwall.table.zones import Zone

FULL_TURN = 360 * CENTI
ASIDE = (
    0,
    1500,
    -1500,
    3000,
    -3000,
    5000,
    -5000,
    8000,
    -8000,
)  # thousandths along and across a zone that are tried
EDGE = 1000  # thousandths that the middle of a loose unit keeps from the border of its zone

NOTHING = Previewed(
    id=0, seq=0, legal=False, reasons=(), answer=None, used=0, left=0, allowance=0, wanted=None, end=None,
    paths=(), ground=(), too_close=(), targets=(), words="", ms=0.0,
)  # fmt: skip


def ghost_of(state: State, unit: Unit) -> Ghost:
    """A unit as it would stand."""
    return Ghost(figures_of(state, unit), outline_of(state, unit), unit.block)


Placing = BlockPlacing | LoosePlacing


def place_block(
    state: State, decision: BlockPlacing, drag: Pose | None, answer: AnyAnswer | None
) -> Previewed:
    """A block at a spot, or at the nearest one where it may stand."""
    if answer is not None:
        return _judged(state, decision, answer)
    assert drag is not None
    pose = Pose(drag.x, drag.y, drag.heading % FULL_TURN, 0)
    refusals = reasons_of(decision.check(Placed((pose,))))
    if not refusals:
        return _judged(state, decision, Placed((pose,)))
    wanted = replace(decision.unit, block=pose, place="table")
    across, along = (max(axis) - min(axis) for axis in zip(*outline_of(state, wanted), strict=True))
    near = _nearest(decision, pose, (across // 2 + 1, along // 2 + 1))
    return _short(state, decision, wanted, refusals, near)


def place_loose(
    state: State, decision: LoosePlacing, drag: Pose | None, answer: AnyAnswer | None
) -> Previewed:
    """A loose unit about a spot, or about the nearest one where there is room."""
    if answer is not None:
        return _judged(state, decision, answer)
    assert drag is not None
    region, enemy_over = decision.ground.region, decision.ground.enemy_over / MILLI
    found = spread_at(state, decision.unit, drag, decision.limits, region, enemy_over)
    if found.is_legal:
        return _judged(state, decision, Placed(found.poses))
    refusals = reasons_of(decision.rules.refusals(found.reasons, decision.kind))
    near = _nearest(decision, drag, (EDGE, EDGE))
    there = replace(decision.unit, poses=near.poses, place="table")
    return _short(state, decision, replace(there, poses=moved_to(there, drag)), refusals, near)


def _judged(state: State, decision: Placing, answer: AnyAnswer) -> Previewed:
    """An answer as it is."""
    refusals, unit = reasons_of(decision.check(answer)), decision.unit
    found = NOTHING
    wants = 1 if isinstance(decision, BlockPlacing) else len(unit.models)
    if isinstance(answer, Placed) and len(answer.poses) == wants:
        ghost = ghost_of(state, _put(decision, answer))
        found = replace(NOTHING, wanted=ghost, end=ghost)
    words = decision.ground.region.words
    return replace(found, legal=not refusals, reasons=refusals, answer=answer, words=words)


def _put(decision: Placing, answer: Placed) -> Unit:
    if isinstance(decision, BlockPlacing):
        return replace(decision.unit, block=answer.poses[0], place="table")
    return replace(decision.unit, poses=answer.poses, place="table")


def _short(
    state: State,
    decision: Placing,
    wanted: Unit,
    refusals: tuple[Reason, ...],
    near: Placed,
) -> Previewed:
    """Refused where it was dragged to; the answer is the nearest place that is legal."""
    return replace(
        NOTHING,
        reasons=refusals,
        answer=near,
        wanted=ghost_of(state, wanted),
        end=ghost_of(state, _put(decision, near)),
        words=decision.ground.region.words,
    )


def _nearest(decision: Placing, wanted: Pose, halves: tuple[int, int]) -> Placed:
    """The unit put down as near to a spot as there is room: inside the nearest zone, beside that, or somewhere."""

    def far(spot: Pose) -> int:
        return abs(spot.x - wanted.x) + abs(spot.y - wanted.y)

    inside = sorted((_into(zone, wanted, halves) for zone in decision.ground.region.zones), key=far)
    beside = [Pose(spot.x + by, spot.y, spot.heading, 0) for spot in inside[:1] for by in ASIDE]
    for spot in (*inside[:1], *beside):
        placed = decision.put(spot)
        if placed is not None:
            return placed
    fitting = (decision.put(spot) for spot in sorted(decision.spots(), key=far))
    return next((placed for placed in fitting if placed is not None), None) or decision.default()


def _into(zone: Zone, spot: Pose, halves: tuple[int, int]) -> Pose:
    x = _clamped(spot.x, zone.left + halves[0], zone.right - halves[0])
    y = _clamped(spot.y, zone.near + halves[1], zone.far - halves[1])
    return Pose(x, y, spot.heading % FULL_TURN, 0)


def _clamped(number: int, low: int, high: int) -> int:
    return min(max(number, low), high) if low <= high else (low + high) // 2
