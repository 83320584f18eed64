"""The scene: footprints of all units at once, kept up to date from state to state."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shape_makers import BASES, at, block, loose, table
from shapely.geometry import MultiPolygon, Polygon
from shapely.ops import unary_union

from shieldwall.core.state import (
    Base,
    Model,
    Piece,
    Pose,
    State,
    Unit,
    is_same_position,
    with_unit,
)
from shieldwall.geometry.scene import (
    BARRED,
    FLAGS,
    IS_PIECE,
    LISTED,
    PIECE_COUNT,
    PIECE_FIRST,
    PIECE_REACH,
    PIECE_X,
    PIECE_Y,
    SOLID,
    STOPS_SIGHT,
)
from shieldwall.table.footprints import figure_poses, unit_outline, unit_shapes
from shieldwall.table.formations import formation_of
from shieldwall.table.scene import Scene, _made, scene_of
from shieldwall.table.shapes import Shapes, polygon_of


def same(one: Shapes, other: Shapes) -> bool:
    return np.array_equal(one.points, other.points) and np.array_equal(one.rows, other.rows)


def assert_equal_scenes(one: Scene, other: Scene) -> None:
    assert one.unit_ids == other.unit_ids
    assert one.row_of == other.row_of
    assert all(is_same_position(mine, theirs) for mine, theirs in zip(one.units, other.units, strict=True))
    assert same(one.models, other.models)
    assert same(one.outline, other.outline)
    for name in ("model_bounds", "outline_bounds", "sides", "circles"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert one.ground is other.ground
    bodies = one.flat().bodies
    assert np.array_equal(bodies.points, other.outline.points)
    assert np.array_equal(bodies.rows, other.outline.rows)
    assert np.array_equal(bodies.bounds, other.outline_bounds)
    assert np.array_equal(bodies.circles, other.circles)
    assert one.model_spans == one.model_bounds.tolist()
    assert one.outline_spans == one.outline_bounds.tolist()


def forget(state: State) -> State:
    """The same state with no memory of any footprint."""
    return replace(state, units=tuple(replace(unit) for unit in state.units))


@st.composite
def changes(draw: st.DrawFn) -> tuple[int, str, Pose]:
    kinds = ("move", "lose", "tire", "leave", "wound", "turn back")
    pose = Pose(draw(st.integers(0, 72000)), draw(st.integers(0, 48000)), draw(st.integers(0, 35999)))
    return draw(st.integers(0, 5)), draw(st.sampled_from(kinds)), pose


def changed(unit: Unit, what: str, pose: Pose) -> Unit:
    if what == "move" and unit.block is not None:
        return replace(unit, block=pose)
    if what == "move":
        poses = [Pose(pose.x + 1500 * index, pose.y, pose.heading, 500) for index in range(len(unit.poses))]
        return replace(unit, poses=tuple(poses))
    if what == "lose":
        return replace(unit, models=unit.models[1:], poses=unit.poses[1:])
    if what == "leave":
        return replace(unit, place="table" if unit.place == "reserve" else "reserve")
    if what == "wound":
        return replace(unit, models=tuple(replace(model, wounds=model.wounds + 1) for model in unit.models))
    return replace(unit, tired=not unit.tired)


def replaced(state: State, unit: Unit) -> State:
    """A state that knows nothing of the one it was made from."""
    return replace(state, units=(*state.units[: unit.id], unit, *state.units[unit.id + 1 :]))


@pytest.mark.parametrize("put", [replaced, with_unit])
@settings(max_examples=60)
@given(st.lists(st.tuples(changes(), st.booleans()), max_size=14))
def test_a_scene_made_from_the_last_one_is_the_scene_made_from_nothing(
    put: Callable[[State, Unit], State], steps: list[tuple[tuple[int, str, Pose], bool]]
) -> None:
    units = [block(index, at(6 + 10 * index, 8, 15 * index), 11, 1) for index in range(3)]
    units += [loose(index, [at(5 + 2 * model, 30) for model in range(4)], index % 4) for index in range(3, 6)]
    state = table(units)
    history = [state]
    for (index, what, pose), looks in steps:
        if looks:
            scene_of(state)
        if what == "turn back":
            state = history[len(history) // 2]
        else:
            state = put(state, changed(state.units[index], what, pose))
        history.append(state)
        if looks:
            assert_equal_scenes(scene_of(state), _made(forget(state)))
    for old in history:
        fresh = forget(old)
        found = scene_of(old)
        assert same(found.models, _made(fresh).models)
        assert same(found.outline, _made(fresh).outline)


def test_the_scene_of_a_state_is_made_once() -> None:
    state = table([loose(1, [at(5, 5)])])
    assert scene_of(state) is scene_of(state)
    assert scene_of(replace(state, round=3)) is scene_of(state)


def test_units_that_are_not_on_the_table_are_not_in_the_scene() -> None:
    inside = replace(loose(3, [at(5, 5)], place="inside"), inside=1)
    state = table([loose(1, [at(5, 5)]), loose(2, [at(9, 9)], place="reserve"), inside, loose(7, [at(1, 1)])])
    assert scene_of(state).unit_ids == (1, 7)
    empty = table([])
    assert scene_of(empty).unit_ids == ()
    assert len(scene_of(empty).models) == 0


def test_two_games_do_not_mix() -> None:
    small, big = Base("square", 20, 20), Base("square", 60, 60)
    units = [block(1, at(10, 10), 5), block(2, at(30, 30), 10)]
    one, other = table(units, small), table([replace(unit) for unit in units], big)
    scene_of(one)
    assert scene_of(other).models.circle[0, 2] == pytest.approx(60 / 25.4 / 2**0.5)
    assert scene_of(one).models.circle[0, 2] == pytest.approx(20 / 25.4 / 2**0.5)


def polygons(shapes: Shapes) -> MultiPolygon | Polygon:
    parts = [shapes.points[shapes.start[i] : shapes.start[i + 1]] for i in range(len(shapes))]
    return unary_union([Polygon(part) for part in parts])


@given(
    st.integers(1, 23), st.integers(0, 35999), st.sampled_from((0, 1, 2, -1, -2)), st.sampled_from(range(4))
)
def test_the_outline_of_a_block_is_the_union_of_its_bases(
    size: int, heading: int, slot: int, hero: int
) -> None:
    heroes = (BASES[1], Base("square", 50, 50), Base("square", 40, 40), Base("rect", 25, 50))
    unit = block(1, Pose(20000, 20000, heading), size)
    unit = replace(unit, models=(Model(99, 1), *unit.models), attached=99, slot=slot, start_models=size + 1)
    state = table([unit], Base("square", 25, 25), heroes[hero])
    outline, bases = (shapes(unit, state.profiles) for shapes in (unit_outline, unit_shapes))
    assert len(bases) == size + 1
    assert len(outline) <= 4
    assert polygons(outline).symmetric_difference(polygons(bases)).area < 1e-9


def test_blocks_of_the_same_models_in_another_order_or_slot_have_outlines_of_their_own() -> None:
    plain, hero = Base("square", 25, 25), Base("square", 40, 40)
    troopers = tuple(Model(index, 0) for index in range(5))
    first = replace(block(1, at(20, 20), 6), models=(Model(99, 1), *troopers), attached=99, slot=-1)
    units = [first, replace(first, id=2, slot=-2)]
    state = table(units, plain, hero)
    lefts = [float(unit_shapes(unit, state.profiles).circle[0, 0]) for unit in units]
    assert lefts[0] < 20 < lefts[1]
    alike = table(units, plain, plain)
    last = replace(first, id=4, models=(*troopers, Model(99, 0)), slot=0, width=5)
    nobody = replace(last, id=5, attached=-1)
    rows = [unit_shapes(unit, alike.profiles).circle.tolist() for unit in (last, nobody)]
    assert rows[0] != rows[1]  # who joined stands first in the front row, though listed last


@given(st.integers(1, 12), st.integers(0, 35999))
def test_footprints_of_a_block_lie_where_its_figures_stand(size: int, heading: int) -> None:
    unit = block(1, Pose(20000, 20000, heading, 1500), size, 1)
    state = table([unit])
    shapes = unit_shapes(unit, state.profiles)
    for pose, circle in zip(figure_poses(unit, state.profiles), shapes.circle, strict=True):
        assert (pose.x / 1000, pose.y / 1000) == pytest.approx(circle[:2].tolist(), abs=0.0006)
        assert pose.heading == heading
    assert shapes.low.tolist() == [1.5] * size
    assert shapes.high == pytest.approx([2.76] * size)


def test_every_unit_lies_in_its_circle() -> None:
    state = table([block(1, at(20, 20, 33), 13, 1), loose(2, [at(5, 5), at(9, 5, 45), at(6, 9)], 3)])
    scene = scene_of(state)
    for row, (x, y, reach) in enumerate(scene.circles.tolist()):
        first, stop = scene.model_spans[row]
        for cx, cy, r in scene.models.circle[first:stop].tolist():
            assert np.hypot(cx - x, cy - y) + r <= reach + 1e-9


def test_outlines_run_counter_clockwise_whichever_way_they_are_stored() -> None:
    corners = ((0, 0), (4000, 0), (4000, 3000), (0, 3000))
    for outline in (corners, corners[::-1]):
        polygon = polygon_of(Piece(id=1, name="Wood", kind="wood", outline=outline))
        assert Polygon(polygon).exterior.is_ccw
        assert Polygon(polygon).area == 12.0
        assert polygon.flags.c_contiguous


def test_pieces_lie_one_behind_the_other() -> None:
    square = Piece(id=1, name="Wood", kind="wood", outline=((0, 0), (4000, 0), (4000, 3000), (0, 3000)))
    wedge = Piece(id=2, name="Rock", kind="rock", outline=((9000, 9000), (11000, 9000), (10000, 12000)))
    scene = scene_of(table([], pieces=(square, wedge)))
    terrain = scene.flat().terrain
    assert terrain.rows[:, [PIECE_FIRST, PIECE_COUNT]].tolist() == [[0, 4], [4, 3]]
    assert terrain.points[4:7].tolist() == [[9.0, 9.0], [11.0, 9.0], [10.0, 12.0]]
    assert terrain.rows[0, [PIECE_X, PIECE_Y, PIECE_REACH]].tolist() == [2.0, 1.5, 2.5]


def test_versions_of_a_unit_share_its_card_until_models_are_lost() -> None:
    state = table([block(0, at(20, 20), 10)])
    unit = state.units[0]
    formation = formation_of(unit, state.profiles)
    moved = with_unit(state, replace(unit, block=at(30, 25, 90))).units[0]
    assert moved.card is unit.card
    assert formation_of(moved, state.profiles) is formation
    fewer = with_unit(state, replace(unit, models=unit.models[1:])).units[0]
    assert fewer.card is not unit.card
    assert len(formation_of(fewer, state.profiles).figures) == len(formation.figures) - 1


def test_the_effects_of_a_piece_are_one_set_of_flags() -> None:
    """Decoration acts on nobody; height bars the way from where the limit says, and only then."""
    tower = Piece(1, "Rock", "rock", ((0, 0), (4000, 0), (4000, 4000)), height=4000, types=("blocking",))
    fence = replace(tower, id=2, height=0, types=(), conditions=("decorative",))
    scene = scene_of(table([], pieces=(tower, fence)))
    flags = [int(row[FLAGS]) for row in scene.flat().terrain.rows]
    assert flags[0] == IS_PIECE | LISTED | SOLID | BARRED | STOPS_SIGHT
    assert flags[1] == IS_PIECE
    assert int(scene.flat(climb_max=4000).terrain.rows[0, FLAGS]) == flags[0] & ~BARRED
