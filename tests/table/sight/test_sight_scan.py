"""The scan of a whole unit, and the scene behind it."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from msgspec.structs import replace
from shapely import affinity
from shapely.geometry import Point
from sight_makers import BLOCK_KINDS, LOOSE_KINDS, PROFILES, block, loose, profile, random_table, table

from shieldwall.core.state import Base, State, Unit
from shieldwall.geometry.sight_lines import crosses
from shieldwall.geometry.tolerance import within
from shieldwall.table.measure import models_apart
from shieldwall.table.sight import METHODS, sees, shooting_scan
from shieldwall.table.sight_layer import layer_for
from shieldwall.table.sight_methods import SightMethod
from shieldwall.table.terrain import piece

FIVE = ("outline", "open", "true", "top-down", "volumetric")


def by_pairs(state: State, method: SightMethod, unit: int, reach: float) -> list[list[tuple[float, ...]]]:
    """The same three tables, one pair of models after the other."""
    shooter = next(one for one in state.units if one.id == unit)
    rows = []
    for i in range(len(shooter.models)):
        row = []
        for enemy in (one for one in state.units if one.side != shooter.side):
            best = [math.inf] * 3
            for j in range(len(enemy.models)):
                distance = models_apart(state, unit, i, enemy.id, j, method.ruler_in_space)
                if not within(distance, reach):
                    continue
                sight = sees(state, method, unit, i, enemy.id, j)
                in_arc = not any(blocker.kind == "arc" for blocker in sight.blockers)
                for k, counts in enumerate((True, in_arc, sight.visible)):
                    best[k] = min(best[k], distance) if counts else best[k]
            row.append(tuple(best))
        rows.append(row)
    return rows


@pytest.mark.parametrize("name", FIVE)
@pytest.mark.parametrize("seed", range(2))
def test_the_scan_agrees_with_single_questions(name: str, seed: int) -> None:
    """Every short cut gives the same as asking pair by pair; without hills, where all models share one choice."""
    state = random_table(seed, ranked=name == "outline", units=6, pieces=6, size=24)
    state = replace(state, pieces=tuple(one for one in state.pieces if one.kind != "hill"))
    method = METHODS[name]
    for unit in state.units[:3]:
        for reach in (math.inf, 9.0):
            scan = shooting_scan(state, method, unit.id, reach=reach)
            found = np.stack([scan.nearest, scan.nearest_in_arc, scan.nearest_seen], axis=2)
            assert np.allclose(found, by_pairs(state, method, unit.id, reach), atol=1e-9), f"seed {seed}"


def two_and_a_few(rng: random.Random, ranked: bool) -> State:
    """Two figures close together and up to three things about the line between them."""
    kinds = BLOCK_KINDS if ranked else LOOSE_KINDS
    made: list[Unit] = []
    for number, (x, y) in enumerate(((10.0, 10.0), (10 + rng.uniform(-2, 2), rng.uniform(12.5, 18)))):
        turn, kind = rng.uniform(0, 360), rng.choice(kinds)
        z = rng.choice((0.0, 0.0, 2.0))
        if ranked:
            made.append(block(number, x, y, 1, rng.uniform(-50, 50) if number == 0 else turn, number, kind))
        else:
            made.append(loose(number, (x, y, turn, z), side=number, kind=kind))
    pieces = []
    for number in range(rng.randint(1, 3)):
        at = (10 + rng.uniform(-1.5, 1.5), rng.uniform(10.5, 17))
        size, height = (rng.uniform(0.1, 3), rng.uniform(0.1, 1.5)), rng.uniform(0.5, 4)
        pieces.append(piece(number, "wall", at=at, size=size, angle=rng.uniform(0, 180), height=height))
    if rng.random() < 0.5:
        made.append(loose(2, (10 + rng.uniform(-1, 1), rng.uniform(11, 16)), kind=rng.choice(kinds)))
    return table(*made, pieces=tuple(pieces), profiles=PROFILES)


@pytest.mark.parametrize("name", FIVE)
def test_quick_ways_out_are_right_for_single_pairs(name: str) -> None:
    """Close bases of all shapes with things between them: the scan, with short cuts, and `sees`, without."""
    rng = random.Random(5)
    seen = 0
    for number in range(250):
        state = two_and_a_few(rng, ranked=name == "outline")
        found = bool(shooting_scan(state, name, 0).nearest_seen[0, 0] < math.inf)
        assert found is sees(state, name, 0, 0, 1, 0).visible, f"table {number}"
        seen += found
    assert 25 < seen < 225


def test_targets_are_enemies_friends_or_all() -> None:
    """Columns follow the order of the state; units off the table are no columns."""
    away = replace(block(5, 0, 0, side=1), place="reserve")
    state = table(
        block(1, 10, 10), block(2, 10, 20, side=1), block(3, 20, 20), away, block(4, 20, 30, side=1)
    )
    assert shooting_scan(state, "outline", 1).targets == (2, 4)
    assert shooting_scan(state, "outline", 1, at="friends").targets == (1, 3)
    assert shooting_scan(state, "outline", 1, at="all").targets == (1, 2, 3, 4)
    with pytest.raises(ValueError, match="unit 5 is not on the table"):
        shooting_scan(state, "outline", 5)
    with pytest.raises(ValueError, match="no sight method 'guess'"):
        shooting_scan(state, "guess", 1)


@pytest.mark.parametrize("name", FIVE)
def test_a_scene_follows_the_state(name: str) -> None:
    """After moves, losses, arrivals and departures a used scene answers as a new one does."""
    state = random_table(7, ranked=name == "outline", units=6, pieces=5, size=24)
    method = METHODS[name]
    steps = [state]
    first, second, third, *rest = state.units
    moved = (
        replace(first, block=replace(first.block, x=first.block.x + 3000))
        if first.block is not None
        else replace(first, poses=tuple(replace(pose, x=pose.x + 3000) for pose in first.poses))
    )
    steps.append(replace(state, units=(moved, second, third, *rest)))
    steps.append(replace(state, units=(moved, replace(second, place="gone"), third, *rest)))
    shorter = replace(third, models=third.models[:1], poses=third.poses[:1])
    steps.append(replace(state, units=(moved, replace(second, place="gone"), shorter, *rest)))
    steps.append(replace(state, units=(moved, replace(second, activated=True), shorter, *rest)))
    for step in (*steps, *reversed(steps)):
        fresh = replace(step, profiles=(*step.profiles,))  # another tuple, so another scene
        for unit in (0, 4):
            old, new = shooting_scan(step, method, unit), shooting_scan(fresh, method, unit)
            assert old.targets == new.targets
            assert old.nearest_seen.tolist() == new.nearest_seen.tolist()


def test_a_scene_makes_room_for_more() -> None:
    """A unit that grows, and one whose models all stand within an inch of many others."""
    kinds = (profile(Base("round", 25, 25)), profile(Base("oval", 35, 60)))
    enemy = loose(2, (30, 10), side=1)
    small = table(loose(1, (10, 10)), loose(3, (20, 10)), enemy, profiles=kinds)
    assert shooting_scan(small, "true", 1).nearest_seen[0, 0] == math.inf
    crowd = loose(3, *((18 + 1.1 * (k % 4), 20 + 1.1 * (k // 4)) for k in range(16)))
    riders = loose(1, *((8, 4 + 2.6 * k) for k in range(6)), kind=1)
    large = replace(small, units=(riders, crowd, enemy))
    scan = shooting_scan(large, "true", 1)
    assert scan.nearest_seen.shape == (6, 1)
    assert scan.nearest_seen.max() < math.inf
    parts = layer_for(large, METHODS["true"]).arrays[4][1, 4]
    assert parts > 16 + 24  # bases, and strips along rows, columns and diagonals


def test_a_scene_makes_room_for_other_bases() -> None:
    """A model that changes its base for one with more corners outgrows its places, too."""
    kinds = (profile(Base("round", 25, 25)), profile(Base("oval", 35, 60)), profile(Base("oval", 20, 90)))
    state = table(loose(1, (10, 10)), loose(2, (20, 10), side=1), profiles=kinds)
    for kind in (0, 1, 2, 0):
        step = replace(state, units=(loose(1, (10, 10), kind=kind), state.units[1]))
        fresh = replace(step, profiles=(*kinds,))
        assert shooting_scan(step, "true", 1).nearest_seen == shooting_scan(fresh, "true", 1).nearest_seen


def test_a_scene_follows_a_hero_to_the_other_side() -> None:
    """A figure beside a block that changes sides opens one line and closes another, though nobody moved."""
    kinds = (profile(), profile(Base("square", 38, 38), name="Hero"))
    troop = block(3, 36, 15, 5)
    models = (*troop.models, replace(troop.models[0], id=399, profile=1))
    joined = replace(troop, models=models, attached=399, slot=-1, width=5)
    ends = block(1, 33.2, 10), block(2, 33.2, 20, side=1)
    sides = [
        sees(table(*ends, replace(joined, slot=slot), profiles=kinds), "outline", 1, 0, 2, 0).visible
        for slot in (-1, -2)
    ]
    state = table(*ends, joined, profiles=kinds)
    moved = replace(state, units=(*ends, replace(joined, slot=-2)))
    left = replace(state, units=(*ends, replace(joined, attached=-1)))
    assert [sees(one, "outline", 1, 0, 2, 0).visible for one in (state, moved, state)] == [*sides, sides[0]]
    fresh = sees(replace(left, profiles=(*kinds,)), "outline", 1, 0, 2, 0)
    assert sees(left, "outline", 1, 0, 2, 0) == fresh


@pytest.mark.parametrize("base", [Base("oval", 35, 60), Base("oval", 120, 92), Base("oval", 90, 20)])
def test_ovals_stop_lines_with_their_true_outline(base: Base) -> None:
    """A line two thousandths of an inch inside the ellipse is stopped, one as far outside is free."""
    state = table(loose(1, (10, 10, 33)), profiles=(profile(base),))
    sight = layer_for(state, METHODS["open"]).flat
    ellipse = affinity.scale(Point(0, 0).buffer(1, quad_segs=256), base.width / 50.8, base.depth / 50.8)
    ellipse = affinity.translate(affinity.rotate(ellipse, -33, origin=(0, 0)), 10, 10)
    for degrees in range(0, 360, 7):
        out = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        far = max(x * out[0] + y * out[1] for x, y in ellipse.exterior.coords)
        for depth, is_stopped in ((0.002, True), (-0.002, False)):
            x, y = out[0] * (far - depth) - 30 * out[1], out[1] * (far - depth) + 30 * out[0]
            assert bool(crosses(sight, 0, x, y, 60 * out[1], -60 * out[0])) is is_stopped


def test_states_with_other_units_do_not_share_a_layer() -> None:
    """Two tables with as many units, but not the same ones."""
    one = table(block(1, 10, 10), block(2, 10, 20, side=1), block(3, 10, 15, 5))
    other = replace(one, units=(one.units[0], one.units[1], block(4, 10, 16, 5)))
    assert sees(one, "outline", 1, 0, 2, 0).blockers[0].id == 3
    assert sees(other, "outline", 1, 0, 2, 0).blockers[0].id == 4
    assert sees(one, "outline", 1, 0, 2, 0).blockers[0].id == 3


def test_agreed_heights_make_a_method_of_their_own() -> None:
    """The same table asked by two methods that differ only in what the players agreed."""
    wall = piece(0, "wall", at=(10, 15), size=(9, 0.3))
    state = table(
        loose(1, (10, 10)), loose(2, (10, 20), side=1), pieces=(wall,), profiles=(profile(height=1.0),)
    )
    low = replace(METHODS["true"], agreed=(("wall", 300),))
    assert [sees(state, method, 1, 0, 2, 0).visible for method in ("true", low, "true")] == [
        False,
        True,
        False,
    ]


def test_deep_bases_see_themselves() -> None:
    """R35-LOS-03: also where the own centre is not in the own front arc."""
    state = table(block(1, 10, 10, kind=0), profiles=(profile(Base("rect", 25, 50)),))
    assert shooting_scan(state, "outline", 1, at="all").nearest_seen[0, 0] == 0.0
