"""Sight of ranked units, by the rows of the rulebook."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace
from sight_makers import INCH, block, loose, profile, table

from shieldwall.core.state import Piece, State, Unit
from shieldwall.geometry.tolerance import within
from shieldwall.table.sight import Blocker, Sight, sees, shooting_scan
from shieldwall.table.sight_methods import OUTLINE
from shieldwall.table.terrain import piece

ARC = Blocker("arc", 1)


def look(*units: Unit, pieces: tuple[Piece, ...] = (), any_direction: bool = False) -> Sight:
    """How the first model of unit 1 sees the first model of unit 2."""
    return sees(table(*units, pieces=pieces), "outline", 1, 0, 2, 0, any_direction=any_direction)


def wall(number: int = 0, y: float = 15.0) -> Piece:
    return piece(number, "wall", at=(36, y), size=(12, 0.5))


def test_sight_is_in_the_front_arc() -> None:
    """R35-LOS-01: a model sees what lies ahead and not what lies behind."""
    assert look(block(1, 36, 10), block(2, 36, 20, side=1)).visible
    behind = look(block(1, 36, 10), block(2, 36, 4, side=1))
    assert (behind.visible, behind.blockers) == (False, (ARC,))


def test_only_the_heading_of_the_base_decides() -> None:
    """R35-LOS-02: turned round, a model sees the other side."""
    assert look(block(1, 36, 10, heading=0), block(2, 36, 20, side=1)).visible
    assert not look(block(1, 36, 10, heading=180), block(2, 36, 20, side=1)).visible
    assert look(block(1, 36, 10, heading=180), block(2, 36, 4, side=1)).visible


@pytest.mark.parametrize(
    ("x", "visible"), [(46.0, True), (46.9, True), (47.1, False), (25.1, True), (24.9, False)]
)
def test_the_touched_point_lies_in_the_arc(x: float, visible: bool) -> None:
    """R35-FORM-02: the arc runs at 45 degrees from the front corners; one corner inside is enough.

    Front corners (35.5, 10.5) and (36.5, 10.5): at y = 20.5, the far side, the arc ends at 46.5.
    """
    sight = look(block(1, 36, 10), block(2, x, 20, side=1))
    assert sight.visible is visible
    assert (ARC in sight.blockers) is not visible


def test_a_model_sees_itself() -> None:
    """R35-LOS-03: whatever stands around it."""
    state = table(block(1, 36, 10, 5), pieces=(piece(0, "forest", at=(36, 10), size=(9, 9)),))
    assert sees(state, "outline", 1, 2, 1, 2) == Sight(True, 1.0)
    scan = shooting_scan(state, "outline", 1, at="all")
    assert scan.targets == (1,)
    assert scan.nearest_seen[:, 0].tolist() == [0.0] * 5


def test_a_wall_stops_sight_and_is_named() -> None:
    """R35-LOS-05 and R35-LOS-09: for shooting and for every other question."""
    ends = block(1, 36, 10), block(2, 36, 20, side=1)
    assert look(*ends, pieces=(wall(7),)) == Sight(False, 0.0, (Blocker("piece", 7),))
    assert look(*ends, pieces=(wall(7, y=25),)).visible
    scan = shooting_scan(table(*ends, pieces=(wall(7),)), "outline", 1)
    assert (scan.nearest[0, 0], scan.nearest_seen[0, 0]) == (pytest.approx(9.0), math.inf)


@pytest.mark.parametrize("side", [0, 1])
def test_the_outline_of_a_third_unit_stops_sight(side: int) -> None:
    """R35-LOS-06: friend or foe, whatever its height."""
    low = (profile(), profile(height=0.2, name="Rats"))
    units = block(1, 36, 10), block(2, 36, 20, side=1), block(3, 36, 15, 10, side=side, kind=1)
    sight = sees(table(*units, profiles=low), "outline", 1, 0, 2, 0)
    assert sight == Sight(False, 0.0, (Blocker("unit", 3),))


def test_no_line_slips_between_the_models_of_a_block() -> None:
    """R35-LOS-06: as if the unit were a solid block; here the middle line runs along a seam of bases."""
    assert not look(block(1, 36, 10), block(2, 36, 20, side=1), block(3, 36, 15, 4)).visible


def test_the_nearest_blocker_is_named_first() -> None:
    """All that stops the middle line is named, in the order in which the line meets it."""
    units = block(1, 36, 10), block(2, 36, 30, side=1), block(3, 36, 24, 10), block(4, 36, 14, 10, side=1)
    names = look(*units, pieces=(wall(5, y=19),)).blockers
    assert names == (Blocker("unit", 4), Blocker("piece", 5), Blocker("unit", 3))


def test_own_models_and_the_target_unit_never_stop_sight() -> None:
    """R35-LOS-07, R35-LOS-06, R35-SHOOT-04 and R35-SR-TAKEDOWN-04: all ten fire, and rear rows are seen."""
    state = table(block(1, 36, 10, 10), block(2, 36, 22, 10, 180, side=1))
    scan = shooting_scan(state, "outline", 1, reach=24)
    assert sum(within(distance, 24) for distance in scan.nearest_seen[:, 0]) == 10
    assert sees(state, "outline", 1, 7, 2, 8).visible


def test_banners_may_be_left_out_of_the_height() -> None:
    """R35-LOS-08: only the banner rises above the wall."""
    kinds = (profile(height=2.5), profile(height=2.5, name="Bearer"))
    state = table(block(1, 36, 10), block(2, 36, 20, side=1, kind=1), pieces=(wall(),), profiles=kinds)
    assert sees(state, "outline", 1, 0, 2, 0).visible
    without_banners = replace(OUTLINE, agreed=(("Bearer", 1500),))
    assert not sees(state, without_banners, 1, 0, 2, 0).visible


@pytest.mark.parametrize(
    ("looker", "target", "visible"),
    [(2.1, 2.1, True), (2.1, 2.0, False), (2.0, 2.1, False), (1.1, 4.0, False), (3.0, 4.0, True)],
)
def test_a_piece_is_seen_over_when_lower_than_both(looker: float, target: float, visible: bool) -> None:
    """R35-LOS-01: heights matter only for looking over terrain; the wall is 2 inches tall."""
    kinds = (profile(height=looker), profile(height=target))
    state = table(block(1, 36, 10), block(2, 36, 20, side=1, kind=1), pieces=(wall(),), profiles=kinds)
    assert sees(state, "outline", 1, 0, 2, 0).visible is visible


def test_a_blocking_piece_without_a_height_is_never_seen_over() -> None:
    """R35-TERRAIN-29: the agreed type decides, whatever the model of the piece looks like."""
    giants = (profile(height=9.0),)
    flat = piece(0, "wall", at=(36, 15), size=(12, 0.5), height=0)
    assert not sees(table(block(1, 36, 10), block(2, 36, 20, side=1), pieces=(flat,), profiles=giants),
                    "outline", 1, 0, 2, 0).visible  # fmt: skip


def test_a_target_needs_sight_and_range_of_one_model() -> None:
    """R35-SHOOT-02: one model sees it too far away, the other is near enough and sees nothing."""
    screen = piece(0, "building", at=(30, 12), size=(6, 1))
    shooters = loose(1, (30, 10), (60, 10))
    state = table(shooters, loose(2, (30, 30.5, 180), side=1), pieces=(screen,))
    scan = shooting_scan(state, "outline", 1)
    assert within(scan.nearest[0, 0], 24)
    assert scan.nearest_seen[0, 0] == math.inf
    assert scan.nearest_seen[1, 0] > 24
    assert shooting_scan(state, "outline", 1, reach=24).nearest_seen.min() == math.inf
    in_reach = table(block(1, 36, 10), block(2, 36, 35, side=1))
    assert shooting_scan(in_reach, "outline", 1, reach=24).nearest_seen[0, 0] == pytest.approx(24.0)


def test_three_of_five_marksmen_fire() -> None:
    """R35-SHOOT-03 and R35-SHOOT-05: one has no sight, one is out of range."""
    screen = piece(0, "wall", at=(10, 6.5), size=(3, 0.3))
    marksmen = loose(1, (10, 5), (14, 5), (18, 5), (22, 5), (34, 5))
    scan = shooting_scan(
        table(marksmen, loose(2, (16, 25), side=1), pieces=(screen,)), "outline", 1, reach=21
    )
    assert [distance < math.inf for distance in scan.nearest_seen[:, 0]] == [False, True, True, True, False]
    assert [distance < math.inf for distance in scan.nearest[:, 0]] == [True, True, True, True, False]


FOREST = piece(4, "forest", at=(36, 20), size=(6, 6))


@pytest.mark.parametrize(
    ("y", "to_y", "visible"),
    [(10, 30, False), (10, 20, True), (20, 30, True), (19, 21, True), (10, 22.9, True), (10, 23.1, False)],
)
def test_sight_goes_into_and_out_of_a_forest_but_not_through(y: float, to_y: float, visible: bool) -> None:
    """R35-TERRAIN-03 and R35-SETUP-16: a model is in the forest when the centre of its base is."""
    sight = look(block(1, 36, y), block(2, 36, to_y, side=1), pieces=(FOREST,))
    assert sight.visible is visible
    assert sight.blockers == (() if visible else (Blocker("piece", 4),))


def test_a_forest_agreed_to_be_only_cover_is_looked_through() -> None:
    """R35-TERRAIN-29: effects exist only through the agreed types."""
    thin = piece(4, "forest", at=(36, 20), size=(6, 6), types=("cover",), conditions=())
    assert look(block(1, 36, 10), block(2, 36, 30, side=1), pieces=(thin,)).visible


def test_blocking_terrain_and_weapons_that_need_no_sight() -> None:
    """R35-TERRAIN-10, R35-TERRAIN-11 and R35-SR-INDIRECT-02: in the arc and in range, but hidden."""
    house = piece(0, "building", at=(36, 16), size=(8, 4))
    near = table(block(1, 36, 10), block(2, 36, 26, side=1), pieces=(house,))
    assert sees(near, "outline", 1, 0, 2, 0).blockers == (Blocker("piece", 0),)
    scan = shooting_scan(near, "outline", 1, reach=24)
    assert (scan.nearest_in_arc[0, 0], scan.nearest_seen[0, 0]) == (pytest.approx(15.0), math.inf)
    far = table(block(1, 36, 10), block(2, 36, 36, side=1), pieces=(house,))
    assert shooting_scan(far, "outline", 1, reach=24).nearest_in_arc[0, 0] == math.inf
    behind = table(block(1, 36, 30), block(2, 36, 15, side=1))
    scan = shooting_scan(behind, "outline", 1, reach=24)
    assert (scan.nearest_in_arc[0, 0], scan.nearest[0, 0]) == (math.inf, pytest.approx(14.0))


def test_casters_see_in_any_direction() -> None:
    """R35-SR-CASTER-07: directly behind is fine, behind a wall is not."""
    ends = block(1, 36, 30), block(2, 36, 20, side=1)
    assert look(*ends, any_direction=True).visible
    assert look(*ends, pieces=(wall(y=25),), any_direction=True).blockers == (Blocker("piece", 0),)
    state = table(*ends)
    assert shooting_scan(state, "outline", 1).nearest_seen[0, 0] == math.inf
    assert shooting_scan(state, "outline", 1, any_direction=True).nearest_seen[0, 0] == pytest.approx(9.0)


def hill_table(*between: Unit, pieces: tuple[Piece, ...] = ()) -> State:
    hill = piece(9, "hill", at=(36, 10), size=(10, 6))
    return table(block(1, 36, 10, 3), block(2, 36, 30, 3, 180, side=1), *between, pieces=(hill, *pieces))


def test_a_unit_on_a_hill_ignores_one_thing_in_the_way() -> None:
    """R35-SETUP-17: over one unit or piece, not over two; the scan names the same one."""
    one = hill_table(block(3, 36, 20, 10))
    assert sees(one, "outline", 1, 1, 2, 1).disregarded == Blocker("unit", 3)
    scan = shooting_scan(one, "outline", 1)
    assert scan.nearest_seen.max() < math.inf
    assert scan.disregarded(2) == Blocker("unit", 3)
    assert sees(hill_table(pieces=(wall(5, y=20),)), "outline", 1, 1, 2, 1).disregarded == Blocker("piece", 5)
    two = hill_table(block(3, 36, 20, 10), block(4, 36, 24, 10))
    assert sees(two, "outline", 1, 1, 2, 1).blockers == (Blocker("unit", 3), Blocker("unit", 4))
    assert shooting_scan(two, "outline", 1).nearest_seen.min() == math.inf
    assert shooting_scan(two, "outline", 1).disregarded(2) is None


def test_the_thing_disregarded_is_the_one_that_helps() -> None:
    """R35-SETUP-17: two walls stop most lines, but only past the third is there anything to see."""
    walls = [(3, 17, 34, 36.2), (4, 20, 34, 36.2), (5, 18.5, 36.2, 38)]
    pieces = tuple(piece(k, "wall", [(a, y), (b, y), (b, y + 0.2), (a, y + 0.2)]) for k, y, a, b in walls)
    sight = sees(hill_table(pieces=pieces), "outline", 1, 1, 2, 1)
    assert (sight.visible, sight.disregarded) == (True, Blocker("piece", 5))


def test_one_thing_is_named_for_the_whole_target() -> None:
    """R35-SETUP-17: the unit picks one thing per target, the one that lets most of its models see."""
    units = block(3, 33.5, 20, 5), block(4, 38.2, 20, 4)
    state = hill_table(*units)
    wide = replace(state, units=(block(1, 36, 10, 5), block(2, 36, 30, 5, 180, side=1), *state.units[2:]))
    scan = shooting_scan(wide, "outline", 1)
    picked = scan.disregarded(2)
    assert picked in (Blocker("unit", 3), Blocker("unit", 4))
    without = [unit for unit in wide.units if unit.id != picked.id]
    flat = shooting_scan(replace(wide, units=tuple(without), pieces=()), "outline", 1)
    assert scan.nearest_seen.tolist() == flat.nearest_seen.tolist()


def test_a_round_base_has_a_front_arc_too() -> None:
    """R35-FORM-02: by the square round it."""
    kinds = (profile(INCH), profile())
    state = table(
        loose(1, (36, 10, 90)), loose(2, (50, 10), side=1), loose(3, (36, 20), side=1), profiles=kinds
    )
    scan = shooting_scan(state, "outline", 1)
    assert scan.targets == (2, 3)
    assert [distance < math.inf for distance in scan.nearest_seen[0]] == [True, False]
