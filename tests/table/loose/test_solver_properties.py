"""Solutions always pass their own checks, and the solvers find what a plain search finds."""

from __future__ import annotations

import heapq
import math

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from loose_scene import KINDS, forgetful, group
from loose_strategies import SIZE, footprint, formations, grounds, is_free, lone_units, small_table, spot
from msgspec.structs import replace

from shieldwall.core.state import Pose
from shieldwall.table.coherency import is_coherent
from shieldwall.table.drag import solve_drag
from shieldwall.table.loose_charge import charge_reach, check_charge, solve_charge
from shieldwall.table.loose_moves import check_walk
from shieldwall.table.loose_place import check_placement, spread_at
from shieldwall.table.loose_react import check_react, solve_react
from shieldwall.table.walk_context import WalkLimits

ADVANCE = WalkLimits((6.0,))
RUSH = WalkLimits((12.0,), "rush")
CHARGE = WalkLimits((12.0,), "charge", spacing=0.0)
REACT = WalkLimits((3.0,), "react")
ANY_GROUND = ("mountain", "mud", "hill", "wall", "forest", "chasm", "building", "rubble")


def gap(kind_a: str, a, kind_b: str, b) -> float:
    return footprint(kind_a, a).distance(footprint(kind_b, b))


@settings(max_examples=40)
@given(formations(0, 0), spot, lone_units(5), grounds(4, ANY_GROUND), st.sampled_from([ADVANCE, RUSH]))
def test_a_dragged_unit_makes_a_legal_move(unit, wish, others, pieces, limits) -> None:
    """Whatever is in the way, a drag is answered with a legal move that does not lead away from the wish."""
    state = small_table(unit, *others, pieces=pieces)
    assume(is_free(state, unit) and is_coherent(unit, state.profiles, limits.coherency))
    result = solve_drag(state, 0, limits, wish)
    assert result.is_legal
    judged = check_walk(forgetful(state), 0, result.paths, limits)
    assert judged is not result
    assert judged.used == result.used
    assert judged.entered == result.entered
    assert judged.reasons == ()
    assert judged.poses == result.poses
    middle = [sum(getattr(p, axis) for p in unit.poses) / len(unit.poses) for axis in "xy"]
    ends = [sum(getattr(p, axis) for p in result.poses) / len(unit.poses) for axis in "xy"]
    assert math.dist(ends, (wish.x, wish.y)) <= math.dist(middle, (wish.x, wish.y)) + 700


@settings(max_examples=40)
@given(formations(0, 0, most=4), formations(1, 1, most=4), lone_units(3, first=2), grounds(3, ANY_GROUND))
def test_a_solved_charge_is_a_legal_charge(unit, target, others, pieces) -> None:
    """SK32-MELEE-04, SK32-MELEE-05: the plan is legal, makes contact, stays coherent and leaves no model out."""
    state = small_table(unit, target, *others, pieces=pieces)
    assume(is_free(state, unit) and is_free(state, target))
    assume(is_coherent(unit, state.profiles, CHARGE.coherency))
    plan = solve_charge(state, 0, 1, CHARGE)
    if not plan.is_legal:
        return
    assert check_walk(forgetful(state), 0, plan.paths, CHARGE, regroups=False).reasons == ()
    touching = [
        model.id
        for model, end in zip(unit.models, plan.poses, strict=True)
        if min(gap("inch", end, "inch", other) for other in target.poses) < 0.002
    ]
    assert list(plan.contacts) == touching
    assert touching
    again = replace(CHARGE, action="charge again")  # other limits: nothing is remembered
    assert check_charge(forgetful(state), 0, 1, list(plan.paths), again).reasons == ()


@settings(max_examples=40)
@given(formations(0, 0, most=3), formations(1, 1, most=5), lone_units(3, first=2), grounds(2, ANY_GROUND))
def test_a_solved_reaction_is_legal(unit, target, others, pieces) -> None:
    """SK32-MELEE-07, SK32-MELEE-08: the charged unit's answer passes its own check."""
    state = small_table(unit, target, *others, pieces=pieces)
    assume(is_free(state, unit) and is_free(state, target))
    both = is_coherent(unit, state.profiles, CHARGE.coherency) and is_coherent(
        target, state.profiles, REACT.coherency
    )
    assume(both)
    charge = solve_charge(state, 0, 1, CHARGE)
    assume(charge.is_legal)
    after = replace(state, units=(replace(unit, poses=charge.poses), *state.units[1:]))
    plan = solve_react(after, 1, 0, REACT)
    assert check_react(forgetful(after), 1, 0, list(plan.paths), REACT).reasons == ()
    moved = replace(target, poses=plan.poses)
    assert is_coherent(moved, state.profiles, REACT.coherency)


@settings(max_examples=40)
@given(st.integers(1, 9), st.sampled_from(KINDS), spot, lone_units(5), grounds(3, ANY_GROUND))
def test_a_spread_unit_is_placed_legally(count, kind, centre, others, pieces) -> None:
    """A formation that is found passes the check of placements; one that is not says why."""
    unit = group(0, 0, *[(0, 0)] * count, kind=kind, place="waiting")
    state = small_table(unit, *others, pieces=pieces)
    placement = spread_at(state, unit, centre, ADVANCE)
    if placement.is_legal:
        assert check_placement(state, unit, placement.poses, ADVANCE) == ()
        for i, a in enumerate(placement.poses):
            assert all(
                footprint(kind, a).intersection(footprint(kind, b)).area < 0.01 for b in placement.poses[:i]
            )
    else:
        assert placement.reasons
        assert placement.poses == ()


def plain_search(start, goal, posts: list, limit: float, keep: float = 0.0) -> float:
    """The shortest way on a grid of quarter inches for a one-inch base past one-inch posts, into contact.

    It ends `keep` inches or more from every post.
    """
    step = 0.25
    queue, best = [(0.0, 0, 0)], {(0, 0): 0.0}
    moves = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
    while queue:
        way, column, line = heapq.heappop(queue)
        if way > best[column, line]:
            continue
        x, y = start.x / 1000 + column * step, start.y / 1000 + line * step
        left = math.dist((x, y), (goal.x / 1000, goal.y / 1000)) - 1.0
        share = 1.0 / (left + 1.0)  # what the last step leaves of the way to the middle of the goal
        end = [goal.x / 1000 * (1 - share) + x * share, goal.y / 1000 * (1 - share) + y * share]
        if left <= 0.5 and way + left <= limit and all(math.dist(end, post) >= 1.0 + keep for post in posts):
            return way + left
        for dx, dy in moves:
            new = way + step * math.hypot(dx, dy)
            nx, ny = x + dx * step, y + dy * step
            if new > limit or not (0.6 <= nx <= SIZE - 0.6 and 0.6 <= ny <= SIZE - 0.6):
                continue
            if any(math.dist((nx, ny), post) < 1.2 for post in posts):
                continue
            key = (column + dx, line + dy)
            if new < best.get(key, math.inf):
                best[key] = new
                heapq.heappush(queue, (new, *key))
    return math.inf


@settings(max_examples=40)
@given(spot, spot, st.lists(spot, min_size=3, max_size=14))
@example(Pose(2801, 1500, 0), Pose(4962, 5431, 0), [Pose(1500, 1500, 0), Pose(3422, 3708, 0)])
def test_a_way_that_a_plain_search_finds_is_found(start, goal, posts) -> None:
    """SK32-MELEE-02, SK32-MELEE-06: where a grid search gets into contact in time, so does the charge.

    A charger ends an inch from all units but its target if it can, so only such paths are compared.
    """
    places = [(p.x / 1000, p.y / 1000) for p in posts]
    here, there = (start.x / 1000, start.y / 1000), (goal.x / 1000, goal.y / 1000)
    assume(math.dist(here, there) > 1.5)
    assume(all(math.dist(place, here) > 1.3 and math.dist(place, there) > 2.3 for place in places))
    way = plain_search(start, goal, places, 12.0)
    units = [group(2 + number, number % 2, place) for number, place in enumerate(places)]
    state = small_table(group(0, 0, here), group(1, 1, there), *units)
    plan = solve_charge(state, 0, 1, CHARGE)
    if way < 12.0:
        assert plan.is_legal
    if plan.is_legal:
        apart = plain_search(start, goal, places, 12.0, keep=1.0)
        bound = apart if apart < math.inf else way
        assert plan.walk.used[0] <= bound * 1.03 + 0.3
        assert any(option.target == 1 for option in charge_reach(state, 0, CHARGE))
