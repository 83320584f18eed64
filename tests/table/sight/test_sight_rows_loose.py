"""Sight of loose units by three methods, by the rows of the rulebook."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace
from sight_makers import FOOT, SMALL, WIDE, loose, profile, table

from shieldwall.core.state import Base, Piece, Profile, State, Unit
from shieldwall.table.sight import METHODS, Blocker, sees, shooting_scan
from shieldwall.table.sight_methods import TOP_DOWN, TRUE, VOLUMETRIC, SightMethod
from shieldwall.table.terrain import piece

THREE = ("true", "top-down", "volumetric")
MAN = (profile(FOOT, 1.25),)
A, E = loose(1, (10, 10)), loose(2, (10, 20), side=1)


def wall(height: float, y: float = 15.0, wide: float = 60.0, number: int = 0) -> Piece:
    return piece(number, "wall", at=(10, y), size=(wide, 0.3), height=height)


def visible(state: State, method: str | SightMethod) -> bool:
    """Whether model 0 of unit 1 sees model 0 of unit 2, by both questions."""
    found = sees(state, method, 1, 0, 2, 0)
    scan = shooting_scan(state, method, 1)
    assert bool(scan.nearest_seen[0, scan.targets.index(2)] < math.inf) is found.visible
    assert bool(found.blockers) is not found.visible
    return found.visible


def test_methods_are_listed_from_plain_to_complex() -> None:
    """SK32-LOS-03: basic, then top-down, then volumetric."""
    assert [name for name in METHODS if name in THREE] == list(THREE)


@pytest.mark.parametrize("method", THREE)
def test_clear_sight_is_the_same_for_every_question(method: str) -> None:
    """SK32-LOS-01: one function for shooting, casting and all else."""
    assert visible(table(A, E, profiles=MAN), method)


@pytest.mark.parametrize("method", THREE)
def test_models_see_all_around(method: str) -> None:
    """SK32-LOS-04: facing north, the enemy due south is seen."""
    assert visible(table(loose(1, (10, 30, 0)), E, profiles=MAN), method)


@pytest.mark.parametrize("method", THREE)
def test_unit_mates_are_ignored(method: str) -> None:
    """SK32-LOS-05 and SK32-SHOOT-05: three shooters in a file all see."""
    file = loose(1, (10, 10), (10, 12), (10, 14))
    scan = shooting_scan(table(file, E, profiles=MAN), method, 1)
    assert scan.nearest_seen[:, 0].max() < math.inf


@pytest.mark.parametrize("method", THREE)
def test_solid_obstacles_block(method: str) -> None:
    """SK32-LOS-06, SK32-TERRAIN-10 and SK32-SETUP-07: every line crosses something taller than both."""
    assert not visible(table(A, E, pieces=(wall(3.0),), profiles=MAN), method)
    house = piece(0, "building", at=(10, 15), size=(5, 3))
    assert not visible(table(A, E, pieces=(house,), profiles=MAN), method)
    scan = shooting_scan(table(A, E, pieces=(house,), profiles=MAN), method, 1)
    assert scan.nearest_in_arc[0, 0] < math.inf  # a weapon that needs no sight may fire


@pytest.mark.parametrize("method", THREE)
@pytest.mark.parametrize("side", [0, 1])
def test_gaps_inside_a_unit_are_closed(method: str, side: int) -> None:
    """SK32-LOS-07: models within 1 inch leave no gap to look through; friend and foe alike."""
    kinds = (profile(SMALL, 0.9, "swarm"), profile(FOOT, 1.25))
    gap = 0.8 + 2 * 16 / 25.4
    screen = loose(3, (10 - gap / 2, 11.2), (10 + gap / 2, 11.2), side=side, kind=1)
    ends = loose(1, (10, 10)), loose(2, (10, 14.2), side=1)
    state = table(*ends, screen, profiles=kinds)
    assert not visible(state, method)
    assert sees(state, method, 1, 0, 2, 0).blockers == (Blocker("unit", 3),)
    assert visible(state, replace(METHODS[method], perimeter="bases"))
    apart = loose(3, (10 - gap / 2 - 0.2, 11.2), (10 + gap / 2 + 0.2, 11.2), side=side, kind=1)
    assert visible(table(*ends, apart, profiles=kinds), method)


@pytest.mark.parametrize("first", [0, 1])
def test_strips_are_as_high_as_the_taller_model(first: int) -> None:
    """SK32-LOS-39: over the low end of the hull of two linked models one does not look, over a low model one does."""
    kinds = (profile(FOOT), profile(SMALL), profile(WIDE))
    left = piece(0, "wall", [(5, 14.9), (9.6, 14.9), (9.6, 15.1), (5, 15.1)], height=9)
    right = piece(1, "wall", [(9.9, 14.9), (15, 14.9), (15, 15.1), (9.9, 15.1)], height=9)
    pair = [((10.0, 15.0), 1), ((12.0, 15.0), 2)]
    pair = pair if first == 0 else pair[::-1]
    linked = loose(3, pair[0][0], pair[1][0], kind=(pair[0][1], pair[1][1]))
    alone = loose(3, (10, 15), kind=1)
    low, high = (table(A, E, unit, pieces=(left, right), profiles=kinds) for unit in (alone, linked))
    assert visible(low, "volumetric")
    assert not visible(high, "volumetric")


def test_models_on_different_levels_leave_a_gap() -> None:
    """SK32-LOS-07: within 1 inch is measured in three dimensions."""
    kinds = (profile(SMALL, 0.9, "swarm"), profile(FOOT, 1.25))
    gap = 0.8 + 2 * 16 / 25.4
    for z, seen in ((0.0, False), (0.5, False), (2.0, True)):
        screen = loose(3, (10 - gap / 2, 11.2), (10 + gap / 2, 11.2, 0, z), kind=1)
        state = table(loose(1, (10, 10)), loose(2, (10, 14.2), side=1), screen, profiles=kinds)
        assert visible(state, "top-down") is seen


@pytest.mark.parametrize("method", THREE)
def test_a_model_sees_itself(method: str) -> None:
    """SK32-LOS-08: in any terrain."""
    inside = piece(0, "building", at=(10, 10), size=(4, 4))
    assert sees(table(A, E, pieces=(inside,), profiles=MAN), method, 1, 0, 1, 0).visible


def test_the_eye_looks_over_a_fence() -> None:
    """SK32-LOS-10: eye at 1.1 inches, fence 0.5, target 1.25; also when the fence is solid."""
    kinds = (profile(FOOT, 1.1 / 0.9), profile(FOOT, 1.25))
    target = loose(2, (10, 20), side=1, kind=1)
    fence = piece(0, "fence", at=(10, 19), size=(8, 0.2), height=0.5)
    assert sees(table(A, target, pieces=(fence,), profiles=kinds), "true", 1, 0, 2, 0).share == 1.0
    solid = piece(0, "fence", at=(10, 19), size=(8, 0.2), height=0.5, types=("blocking",))
    share = sees(table(A, target, pieces=(solid,), profiles=kinds), "true", 1, 0, 2, 0).share
    assert 0.1 <= share < 1.0


def peephole(seen: int) -> State:
    """The top fifth of the target shows above one wall, and `seen` of its five cells beside another."""
    edge = {3: -0.05, 2: 0.05, 1: 0.15}[seen]
    tall = piece(1, "wall", [(5, 13.95), (10 + edge, 13.95), (10 + edge, 14.05), (5, 14.05)], height=5)
    return table(A, E, pieces=(wall(1.05), tall), profiles=MAN)


@pytest.mark.parametrize(
    ("seen", "with_tenth", "without"), [(3, True, True), (2, False, True), (1, False, True)]
)
def test_a_tenth_of_the_model_must_be_seen(seen: int, with_tenth: bool, without: bool) -> None:
    """SK32-LOS-11: 12 percent are enough, 8 and 4 are not, unless the option is off."""
    state = peephole(seen)
    assert sees(state, "true", 1, 0, 2, 0).share == seen / 25
    assert visible(state, TRUE) is with_tenth
    assert visible(state, "true-any-part") is without


def test_top_down_needs_one_free_line() -> None:
    """SK32-LOS-25: the wall covers the middle but leaves the left rims a line."""
    assert visible(table(A, E, pieces=(wall(9, wide=1.0),), profiles=MAN), "top-down")
    assert sees(table(A, E, pieces=(wall(9, wide=1.0),), profiles=MAN), "top-down", 1, 0, 2, 0).share < 1
    assert not visible(table(A, E, pieces=(wall(9, wide=2.0),), profiles=MAN), "top-down")


@pytest.mark.parametrize(
    ("viewer", "target", "blocker", "seen"),
    [(2, 2, 2, False), (2, 2, 1, True), (2, 3, 2, True), (3, 2, 3, False), (2, 3, 3, False), (4, 2, 3, True)],
)
@pytest.mark.parametrize("by_unit", [False, True])
def test_a_blocker_must_be_as_high_as_both(
    viewer: int, target: int, blocker: int, seen: bool, by_unit: bool
) -> None:
    """SK32-LOS-26: equal or higher than viewer and target; units and pieces alike."""
    names = ("Viewer", "Target", "Screen")
    kinds = tuple(profile(WIDE if name == "Screen" else FOOT, 1.25, name=name) for name in names)
    heights = (viewer * 1000, target * 1000, blocker * 1000)
    method = replace(TOP_DOWN, agreed=(*zip(names, heights, strict=True), ("wall", blocker * 1000)))
    ends = A, loose(2, (10, 20), side=1, kind=1)
    screen = loose(3, (10, 15), kind=2)
    state = (
        table(*ends, screen, profiles=kinds) if by_unit else table(*ends, pieces=(wall(0.1),), profiles=kinds)
    )
    assert visible(state, method) is seen


def test_a_roof_adds_its_value() -> None:
    """SK32-LOS-23, 24 and 26: infantry of height 2 on a building of 3 looks over a blocker of 4."""
    roof = piece(1, "building", at=(10, 10), size=(3, 3), height=2)
    tall = wall(3.0)
    assert visible(table(loose(1, (10, 10, 0, 2)), E, pieces=(tall, roof), profiles=MAN), "top-down")
    assert not visible(table(A, E, pieces=(tall,), profiles=MAN), "top-down")
    assert not visible(table(loose(1, (10, 10, 0, 2)), E, pieces=(wall(4.0), roof), profiles=MAN), "top-down")


@pytest.mark.parametrize(("height", "seen"), [(1.0, True), (1.24, True), (1.25, False), (1.5, False)])
def test_volumes_look_over_low_walls(height: float, seen: bool) -> None:
    """SK32-LOS-39: two 32 mm bases are 1.25 inches tall, so the line between the tops runs at 1.25."""
    kinds = (profile(FOOT, 9.9),)
    assert visible(table(A, E, pieces=(wall(height),), profiles=kinds), "volumetric") is seen


@pytest.mark.parametrize(("base", "seen"), [(SMALL, True), (Base("round", 40, 40), False), (WIDE, False)])
def test_volumes_of_other_units_block(base: Base, seen: bool) -> None:
    """SK32-LOS-39: over a 25 mm base, but not past wider and taller ones."""
    kinds = (profile(FOOT, 1.25), profile(base, 1.25))
    near = loose(1, (10, 17.2)), E, loose(3, (10, 18.6), kind=1)
    assert visible(table(*near, profiles=kinds), "volumetric") is seen


def test_volumetric_looks_below_what_stands_high() -> None:
    """SK32-LOS-39: a line may leave from anywhere in the volume, so also pass below models on a gantry."""
    kinds = (profile(FOOT, 1.25), profile(Base("round", 100, 100), 4.0))
    giants = loose(1, (10, 10), kind=1), loose(2, (10, 20), side=1, kind=1)
    crew = loose(3, *((7 + 1.5 * k, 15, 0, 3.0) for k in range(5)))
    assert visible(table(*giants, crew, profiles=kinds), "volumetric")
    below = loose(4, *((7 + 1.5 * k, 15) for k in range(5)), kind=1)
    assert not visible(table(*giants, crew, below, profiles=kinds), "volumetric")


@pytest.mark.parametrize("method", THREE)
@pytest.mark.parametrize(
    ("x", "to_x", "seen"), [(10, 30, False), (10, 20, True), (20, 30, True), (19, 21, True)]
)
def test_forests(method: str, x: float, to_x: float, seen: bool) -> None:
    """SK32-TERRAIN-04 and SK32-SETUP-09: into and out of a forest, not through it."""
    forest = piece(0, "forest", at=(20, 10), size=(6, 6))
    state = table(loose(1, (x, 10)), loose(2, (to_x, 10), side=1), pieces=(forest,), profiles=MAN)
    assert visible(state, method) is seen


@pytest.mark.parametrize("method", THREE)
def test_a_model_taller_than_the_trees_looks_over_them(method: str) -> None:
    """SK32-TERRAIN-10: a piece hides only as far as its height does; so it is with forests."""
    copse = piece(0, "forest", at=(20, 10), size=(6, 6), height=1.0)
    giants = (profile(Base("round", 100, 100), 4.0, "giant"),)
    assert visible(
        table(loose(1, (10, 10)), loose(2, (30, 10), side=1), pieces=(copse,), profiles=giants), method
    )


@pytest.mark.parametrize("method", THREE)
def test_low_blocking_terrain(method: str) -> None:
    """SK32-TERRAIN-10: it blocks only as far as its height hides the target."""
    assert visible(table(A, E, pieces=(wall(0.5),), profiles=MAN), method)


@pytest.mark.parametrize("method", THREE)
def test_hilltop(method: str) -> None:
    """SK32-SETUP-17: a unit on a hill disregards one thing in the way, not two."""
    kinds = (*MAN, profile(Base("round", 100, 100), 6.0, "titan"))
    hill = piece(0, "hill", at=(10, 10), size=(6, 6))
    up = loose(1, (10, 10, 0, 2)), E

    def titan(number: int, y: float) -> Unit:
        return loose(number, (10, y), kind=1)

    assert not visible(table(A, E, titan(3, 17), profiles=kinds), method)
    one = table(*up, titan(3, 17), pieces=(hill,), profiles=kinds)
    if method != "volumetric":  # there a titan on a 100 mm base is 4 inches tall
        kinds_needed = sees(replace(one, pieces=()), method, 1, 0, 2, 0)
        assert not kinds_needed.visible
    assert visible(one, method)
    assert not visible(table(*up, titan(3, 17), titan(4, 13.5), pieces=(hill,), profiles=kinds), "true")


def test_a_hill_without_the_rule_gives_nothing() -> None:
    """SK32-SETUP-17: the condition decides, not the shape."""
    kinds = (*MAN, profile(WIDE, 4.0, "monster"))
    plain = piece(0, "hill", at=(10, 10), size=(6, 6), conditions=())
    assert not visible(table(A, E, loose(3, (10, 11.8), kind=1), pieces=(plain,), profiles=kinds), "true")


@pytest.mark.parametrize("method", THREE)
def test_targets_in_sight_and_in_range_are_the_same_model(method: str) -> None:
    """SK32-SHOOT-02: one shooter sees too far, the other reaches without seeing."""
    screen = wall(5, y=12, wide=4.0)
    pair = loose(1, (10, 10), (40, 10))
    scan = shooting_scan(
        table(pair, loose(2, (10, 30), side=1), pieces=(screen,), profiles=MAN), method, 1, reach=24
    )
    assert scan.nearest[0, 0] < 24
    assert scan.nearest_seen[:, 0].tolist() == [math.inf, math.inf]
    at_24 = table(A, loose(2, (10, 34 + 32 / 25.4), side=1), profiles=MAN)
    assert shooting_scan(at_24, method, 1, reach=24).nearest_seen[0, 0] == pytest.approx(24, abs=0.0005)


@pytest.mark.parametrize("method", THREE)
def test_two_of_three_bows_reach(method: str) -> None:
    """SK32-SHOOT-04: at 20, 23 and 26 inches of the nearest visible model, 24 inch bows give two attacks."""
    base = 32 / 25.4
    bows = loose(1, (5, 30 - 20 - base), (5, 30 - 23 - base), (5, 30 - 26 - base))
    scan = shooting_scan(table(bows, loose(2, (5, 30), side=1), profiles=MAN), method, 1, reach=24)
    assert [distance < math.inf for distance in scan.nearest_seen[:, 0]] == [True, True, False]


@pytest.mark.parametrize("method", THREE)
def test_only_the_middle_archer_shoots(method: str) -> None:
    """SK32-SHOOT-06: the top one has no sight, the bottom one is out of range."""
    screen = piece(0, "building", at=(12, 26), size=(1, 3))
    archers = loose(1, (10, 26), (10, 20), (10, 6))
    state = table(archers, loose(2, (28, 24), side=1), pieces=(screen,), profiles=MAN)
    scan = shooting_scan(state, method, 1, reach=20)
    assert [distance < math.inf for distance in scan.nearest[:, 0]] == [True, True, False]
    assert [distance < math.inf for distance in scan.nearest_seen[:, 0]] == [False, True, False]
    assert sees(state, method, 1, 2, 2, 0).visible


@pytest.mark.parametrize("method", ["true", "volumetric"])
def test_a_roof_hides_models_close_to_its_wall(method: str) -> None:
    """SK32-LOS-10 and SK32-LOS-39: from the middle of a roof one does not look through it, from its edge one does."""
    house = piece(0, "building", at=(10, 10), size=(8, 8), height=5)
    below = loose(2, (10, 15), side=1)
    middle = table(loose(1, (10, 9, 0, 5)), below, pieces=(house,), profiles=MAN)
    assert sees(middle, method, 1, 0, 2, 0).blockers == (Blocker("piece", 0),)
    assert visible(table(loose(1, (10, 13.9, 0, 5)), below, pieces=(house,), profiles=MAN), method)
    inside = table(loose(1, (10, 9)), below, pieces=(house,), profiles=MAN)
    assert visible(inside, method)  # who stands in a piece, at the table's level, looks out of it


def test_distances_bridge_heights() -> None:
    """SK32-MEAS-05: distances are measured in three dimensions."""
    roof = piece(0, "building", at=(10, 20), size=(4, 4), height=4)
    kinds: tuple[Profile, ...] = (profile(Base("round", 25.4, 25.4), 1.25),)
    state = table(loose(1, (10, 10)), loose(2, (10, 14, 0, 4), side=1), pieces=(roof,), profiles=kinds)
    scan = shooting_scan(state, VOLUMETRIC, 1)
    assert scan.nearest_seen[0, 0] == pytest.approx(5.0)
