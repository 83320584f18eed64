"""Marches against a slow simulation: shapely steps the block along and looks at every step."""

from __future__ import annotations

import math

from block_scenes import (
    ADVANCE,
    ALL_WAYS,
    INCH,
    RIDER,
    RUSH,
    at,
    block,
    body,
    cites,
    outline,
    placed,
    rows_of_bases,
    table,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shapely.geometry import box
from shapely.ops import unary_union

from shieldwall.core.answers import Leg
from shieldwall.core.state import MILLI, Piece, Pose, State, Unit
from shieldwall.table.block_moves import (
    MarchLimits,
    candidate,
    check_march,
    furthest_forward,
    gap_between,
    poses_along,
    proposed_marches,
)
from shieldwall.table.terrain import piece

STEP = 0.02
TABLE = box(0, 0, 72, 48)
KINDS = ("mud", "building", "lava", "swamp", "mountain")

spots = st.tuples(st.integers(28000, 44000), st.integers(17000, 31000), st.integers(0, 35999))


@st.composite
def blocks(draw: st.DrawFn, unit_id: int) -> Unit:
    x, y, heading = draw(spots)
    size = draw(st.integers(1, 12))
    width = draw(st.sampled_from([1, 3, 5]))
    kind = draw(st.sampled_from([INCH, RIDER]))
    return block(unit_id, Pose(x, y, heading), size, width, kind, side=unit_id % 2)


@st.composite
def pieces(draw: st.DrawFn, piece_id: int) -> Piece:
    """Terrain, some of it with a dent."""
    x, y, heading = draw(spots)
    wide, deep = draw(st.floats(0.5, 6)), draw(st.floats(0.5, 6))
    corners = [(-wide, -deep), (wide, -deep), (wide, deep), (-wide, deep)]
    if draw(st.booleans()):
        corners.insert(2, (wide * 0.2, 0.0))
    turn = math.radians(heading / 100)
    turned = [
        (
            x / MILLI + a * math.cos(turn) + b * math.sin(turn),
            y / MILLI + b * math.cos(turn) - a * math.sin(turn),
        )
        for a, b in corners
    ]
    return piece(piece_id, draw(st.sampled_from(KINDS)), turned)


@st.composite
def scenes(draw: st.DrawFn) -> State:
    """A block in the middle with a few others and some terrain around it, none overlapping at first."""
    mover = block(1, Pose(36000, 24000, draw(st.integers(0, 35999))), draw(st.integers(1, 12)), 5)
    others = [draw(blocks(unit_id)) for unit_id in range(2, 2 + draw(st.integers(1, 4)))]
    standing = [mover]
    for other in others:
        if all(body(other).distance(body(one)) > 0.05 for one in standing):
            standing.append(other)
    terrain = [draw(pieces(index)) for index in range(1, 1 + draw(st.integers(0, 3)))]
    free = [
        one for one in terrain
        if one.kind not in ("building", "mountain") or outline(one).distance(body(mover)) > 0.05
    ]  # fmt: skip
    return table(*standing, pieces=tuple(free))


@st.composite
def marches(draw: st.DrawFn) -> tuple[Leg, ...]:
    """Forward, pivot, forward; or sideways or backward with a pivot."""
    kind = draw(st.sampled_from(["forward", "side", "back"]))
    if kind == "forward":
        turn = draw(st.integers(-9000, 9000))
        first, second = draw(st.integers(0, 9000)), draw(st.integers(0, 9000))
        legs = (Leg("forward", first), Leg("pivot", turn), Leg("forward", second))
    elif kind == "side":
        legs = (Leg("side", draw(st.integers(-6000, 6000))), Leg("pivot", draw(st.integers(-9000, 9000))))
    else:
        legs = (Leg("back", draw(st.integers(0, 6000))), Leg("pivot", draw(st.integers(-9000, 9000))))
    return tuple(leg for leg in legs if leg.amount)


class Seen:
    """What a slow check of every step of a march finds."""

    def __init__(self, state: State) -> None:
        self.others = [(other.id, body(other)) for other in state.units[1:]]
        self.terrain = [(one, outline(one)) for one in state.pieces]
        self.nearest: dict[int, float] = {}
        self.start: dict[int, float] = {}
        self.overlap: dict[int, float] = {}
        self.ground: dict[int, float] = {}
        self.barred: dict[int, float] = {}
        self.outside = -math.inf
        self.models: dict[int, dict[int, float]] = {}


def simulate(state: State, legs: tuple[Leg, ...]) -> tuple[Seen, Pose]:
    """Step the block along its legs; pivots jump."""
    seen = Seen(state)
    unit = state.units[0]
    assert unit.block is not None
    pose = unit.block
    here = body(unit, pose)
    for other, there in seen.others:
        seen.start[other] = here.distance(there)
    for leg in legs:
        if leg.kind == "pivot":
            pose = replace(pose, heading=(pose.heading + leg.amount) % 36000)
            look(seen, unit, pose, is_pivot=True)
            continue
        turn = math.radians(pose.heading / 100)
        ahead = (math.sin(turn), math.cos(turn))
        way = {"forward": ahead, "back": (-ahead[0], -ahead[1]), "side": (ahead[1], -ahead[0])}[leg.kind]
        steps = max(math.ceil(abs(leg.amount) / MILLI / STEP), 1)
        for step in range(steps + 1):
            gone = leg.amount * step / steps
            at_step = replace(pose, x=round(pose.x + way[0] * gone), y=round(pose.y + way[1] * gone))
            look(seen, unit, at_step, is_pivot=False)
        pose = at_step
    return seen, pose


def look(seen: Seen, unit: Unit, pose: Pose, is_pivot: bool) -> None:
    here = body(unit, pose)
    for other, there in seen.others:
        apart = here.distance(there)
        seen.nearest[other] = min(seen.nearest.get(other, math.inf), apart)
        overlap = 0.0 if apart else here.intersection(there).area
        seen.overlap[other] = max(seen.overlap.get(other, 0.0), overlap)
    for terrain, ground in seen.terrain:
        area = here.intersection(ground).area
        if terrain.kind in ("building", "mountain"):
            seen.barred[terrain.id] = max(seen.barred.get(terrain.id, 0.0), area)
        elif not is_pivot:
            seen.ground[terrain.id] = max(seen.ground.get(terrain.id, 0.0), area)
    west, south, east, north = here.bounds
    seen.outside = max(seen.outside, -west, -south, east - 72, north - 48)


def is_clear(value: float, limit: float, slack: float = 0.03) -> bool:
    """Whether a stepped measurement is too far from a limit for the step size to matter."""
    return abs(value - limit) > slack


def stops_right_behind(unit: Unit, end: Pose, other: Unit) -> bool:
    """Whether a block that went through another one ends clear of it, but less than an inch away."""
    there, here = body(replace(unit, block=end)), body(other)
    area, gap = there.intersection(here).area, there.distance(here)
    assume(area > 0.02 or (area == 0.0 and gap > 0.01))
    assume(is_clear(gap, 1.0))
    return area == 0.0 and gap < 1.0


WIDE = MarchLimits("test", 40000, 40000, 9000, kinds=ALL_WAYS)


@settings(max_examples=80)
@given(scenes(), marches())
def test_swept_check_equals_stepped_simulation(state: State, legs: tuple[Leg, ...]) -> None:
    """R35-MOVE-02..05, R35-MOVE-22, R35-TERRAIN-07: units, spacing, walls, edges as at every small step."""
    assume(legs)
    seen, end = simulate(state, legs)
    moves = any(leg.kind != "pivot" for leg in legs)
    expected: set[str] = set()
    for other, nearest in seen.nearest.items():
        start = seen.start[other]
        assume(is_clear(seen.overlap[other], 0.0, 0.02) or seen.overlap[other] == 0.0)
        if seen.overlap[other] > 0.0:
            expected.add("move.through")
            if stops_right_behind(state.units[0], end, next(one for one in state.units if one.id == other)):
                expected.add("move.spacing")
            continue
        if moves:
            assume(is_clear(nearest, min(start, 1.0)) or nearest >= start)
            if nearest < min(start, 1.0) - 0.01:
                expected.add("move.spacing" if start >= 1.0 else "move.closer")
        elif nearest < 1.0:
            assume(nearest > 0.01)
    for area in seen.barred.values():
        assume(area == 0.0 or area > 0.02)
        if area:
            expected.add("move.impassable")
    assume(is_clear(seen.outside, 0.0))
    if seen.outside > 0:
        expected.add("move.edge")
    assume(all(is_clear(start, 1.0, 0.005) for start in seen.start.values()))
    result = check_march(state, 1, legs, replace(WIDE, difficult_cap=40000))
    assert cites(result) == expected
    assert abs(result.pose.x - end.x) <= 2
    assert abs(result.pose.y - end.y) <= 2
    crossed = {crossing.piece for crossing in result.crossed}
    for terrain, area in seen.ground.items():
        assert terrain in crossed or area < 0.02


@settings(max_examples=60)
@given(scenes(), st.integers(-4000, 4000), st.integers(-4000, 4000))
def test_shift_in_any_direction_equals_stepped_simulation(state: State, right: int, ahead: int) -> None:
    """R35-CONSOL-02: a slanting shift sweeps a hexagon; units, spacing and walls as at every small step."""
    assume(right or ahead)
    unit = state.units[0]
    assert unit.block is not None
    seen = Seen(state)
    here, end = body(unit), unit.block
    turn = math.radians(unit.block.heading / 100)
    steps = math.ceil(math.hypot(right, ahead) / MILLI / STEP)
    for step in range(steps + 1):
        across, along = right * step / steps, ahead * step / steps
        x = unit.block.x + across * math.cos(turn) + along * math.sin(turn)
        y = unit.block.y + along * math.cos(turn) - across * math.sin(turn)
        end = replace(unit.block, x=round(x), y=round(y))
        look(seen, unit, end, is_pivot=False)
    expected: set[str] = set()
    for other, nearest in seen.nearest.items():
        stands = next(one for one in state.units if one.id == other)
        start = here.distance(body(stands))
        assume(seen.overlap[other] == 0.0 or seen.overlap[other] > 0.02)
        assume(is_clear(start, 1.0, 0.005))
        if seen.overlap[other]:
            expected.add("move.through")
            if stops_right_behind(unit, end, stands):
                expected.add("move.spacing")
        else:
            assume(is_clear(nearest, min(start, 1.0)) or nearest >= start)
            if nearest < min(start, 1.0) - 0.01:
                expected.add("move.spacing" if start >= 1.0 else "move.closer")
    assume(all(area == 0.0 or area > 0.02 for area in seen.barred.values()))
    if any(seen.barred.values()):
        expected.add("move.impassable")
    ways = (Leg("side", right), Leg("forward", ahead) if ahead > 0 else Leg("back", -ahead))
    limits = replace(WIDE, any_direction=True, may_mix=True, difficult_cap=40000)
    assert cites(check_march(state, 1, ways, limits)) == expected


@settings(max_examples=150)
@given(scenes(), st.sampled_from(["forward", "back", "side"]), st.integers(1, 9000))
def test_crossing_models_are_those_whose_sweep_meets_the_piece(state: State, kind: str, amount: int) -> None:
    """R35-TERRAIN-19, R35-TERRAIN-21: exactly the bases whose swept hull overlaps a piece have crossed it."""
    unit = state.units[0]
    assert unit.block is not None
    result = check_march(state, 1, (Leg(kind, amount),), WIDE)  # type: ignore[arg-type]
    crossed = {crossing.piece: set(crossing.models) for crossing in result.crossed}
    for terrain in state.pieces:
        if terrain.kind in ("building", "mountain"):
            assert ("move.impassable" in cites(result)) or terrain.id not in crossed
            continue
        for model, base in enumerate(rows_of_bases(unit)):
            hull = unary_union([placed(base, unit.block), placed(base, result.pose)]).convex_hull
            area = hull.intersection(outline(terrain)).area
            assume(area == 0.0 or area > 0.01)
            assert (model in crossed.get(terrain.id, set())) == (area > 0.0)


@settings(max_examples=100)
@given(scenes(), st.sampled_from(["forward", "back", "side"]))
def test_furthest_leg_is_legal_and_the_next_step_is_not(state: State, kind: str) -> None:
    """R35-MOVE-08..12: the longest leg passes the check; a little more does not."""
    unit = state.units[0]
    assert unit.block is not None
    limits = MarchLimits("test", 7000, 7000, 9000, kinds=ALL_WAYS)
    run = furthest_forward(state, 1, unit.block, limits, kind)  # type: ignore[arg-type]
    assert 0 <= run <= 7000
    leg = Leg(kind, run)  # type: ignore[arg-type]
    if run:
        assert check_march(state, 1, (leg,), limits).is_legal
    more = check_march(state, 1, (replace(leg, amount=run + 60),), limits)
    assert not more.is_legal or passes_in_parallel(state, more.pose)


def passes_in_parallel(state: State, pose: Pose) -> bool:
    """Whether some unit is exactly at the minimum distance, where rounding to the grid decides."""
    unit = state.units[0]
    assert unit.block is not None
    for other in state.units[1:]:
        needed = min(gap_between(state, unit, unit.block, other.id), 1.0)
        if abs(gap_between(state, unit, pose, other.id) - needed) < 0.007:
            return True
    return False


@settings(max_examples=50)
@given(scenes(), st.lists(st.integers(0, 2**40), min_size=1, max_size=8), st.sampled_from([ADVANCE, RUSH]))
def test_every_candidate_is_legal(state: State, numbers: list[int], limits: MarchLimits) -> None:
    """R35-MOVE-01..14: whatever a bot picks is legal, and equal numbers give equal marches."""
    found = proposed_marches(state, 1, limits, numbers)
    assert len(found) == len(numbers)
    for legs, number in zip(found, numbers, strict=True):
        result = check_march(state, 1, legs, limits)
        assert result.reasons == ()
        assert result == candidate(state, 1, limits, number)
        here = body(state.units[0], result.pose)
        assert all(here.intersection(body(other)).area < 0.01 for other in state.units[1:])
        assert TABLE.buffer(0.01).contains(here)
    assert found == proposed_marches(state, 1, limits, numbers)


def test_candidates_reach_far_and_wide() -> None:
    """R35-MOVE-08..13: on an empty table the numbers lead to different ends, sideways and backward too."""
    state = table(block(1, at(36, 24)))
    found = [candidate(state, 1, ADVANCE, 977 * index) for index in range(400)]
    assert len({march.pose for march in found}) > 200
    assert {leg.kind for march in found for leg in march.legs} == {"forward", "pivot", "side", "back"}
    assert max(march.pose.y for march in found) == 30000
    assert min(march.pose.y for march in found) == 21000


@settings(max_examples=60)
@given(scenes(), st.integers(0, 2**40))
def test_flying_candidates_end_free(state: State, number: int) -> None:
    """R35-SR-FLYING-01: who passes over everything still ends free of units and impassable ground."""
    flier = replace(RUSH, ignores_units=True, ignores_terrain=True)
    (legs,) = proposed_marches(state, 1, flier, [number])
    assert check_march(state, 1, legs, flier).is_legal


@settings(max_examples=40)
@given(scenes(), marches())
def test_charges_pass_units_closely_but_never_through(state: State, legs: tuple[Leg, ...]) -> None:
    """R35-MOVE-04, R35-MOVE-16: without spacing only overlap counts."""
    assume(legs)
    seen, _ = simulate(state, legs)
    assume(all(area == 0.0 or area > 0.02 for area in seen.overlap.values()))
    limits = replace(WIDE, spacing=0, difficult_cap=40000)
    found = cites(check_march(state, 1, legs, limits))
    assert ("move.through" in found) == any(seen.overlap.values())
    assert not found & {"move.spacing", "move.closer"}


def test_sweep_is_exact_for_a_far_corner() -> None:
    """R35-MOVE-02: a unit one thousandth inside the inch is seen, one on it is not, at any heading."""
    for heading in (0, 30, 45, 77, 133, 250):
        turn = math.radians(heading)
        for gap, refused in ((0.997, True), (1.003, False)):
            side = 2.5 + gap + 0.5
            x, y = math.cos(turn) * side + math.sin(turn) * 4, math.cos(turn) * 4 - math.sin(turn) * side
            state = table(block(1, at(36, 24, heading)), block(2, at(36 + x, 24 + y, heading), 1, 1))
            result = check_march(state, 1, (Leg("forward", 8000),), RUSH)
            assert ("move.spacing" in cites(result)) is refused


amounts = st.integers(1, 6000)


@given(spots, st.lists(st.tuples(st.sampled_from(("forward", "side", "back", "pivot")), amounts), max_size=5))
def test_legs_lead_where_a_march_of_them_ends(
    spot: tuple[int, int, int], legs: list[tuple[str, int]]
) -> None:
    """Every leg is rounded to the grid separately, in every function that computes where legs lead."""
    state = table(block(1, Pose(*spot), 5, 5, INCH))
    way = tuple(Leg(kind, amount) for kind, amount in legs)
    there = check_march(state, 1, way, ADVANCE).pose
    assert poses_along(Pose(*spot), way)[-1] == there
