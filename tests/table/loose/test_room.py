"""Loose units of several base sizes, and units placed in a crowd."""

from __future__ import annotations

import pytest
from loose_scene import PROFILES, group, pose, table
from msgspec.structs import replace

from shieldwall.core.state import MILLI, Base, Model, Profile, State, Unit
from shieldwall.table.coherency import Coherency
from shieldwall.table.loose_place import check_placement, spread_at
from shieldwall.table.loose_room import find_room
from shieldwall.table.terrain import piece
from shieldwall.table.walk_context import WalkLimits
from shieldwall.table.zones import Region, Zone

MOUNTS = (
    Base("round", 60, 60),
    Base("oval", 70, 105),
    Base("oval", 92, 120),
    Base("rect", 50, 100),
    Base("round", 130, 130),
)
FOOT = (Base("round", 25, 25), Base("round", 32, 32), Base("square", 20, 20))
EDITIONS = {
    "skirmish": WalkLimits((6.0,), coherency=Coherency(1.0, 6.0, "chain")),
    "age of fantasy": WalkLimits((6.0,), coherency=Coherency(2.0, 12.0, "chain")),
    "by the letter": WalkLimits((6.0,), coherency=Coherency(2.0, 12.0, "letter")),
}


def mixed(*bases: Base) -> tuple[State, Unit]:
    """A unit that waits to be placed, with one model on each base."""
    kinds = list(dict.fromkeys(bases))
    profiles = tuple(Profile(f"Kind {at}", 4, 4, base, 1200) for at, base in enumerate(kinds))
    models = tuple(Model(at, kinds.index(base)) for at, base in enumerate(bases))
    unit = Unit(0, 0, 0, "Riders", models, (), place="waiting", start_models=len(models))
    return replace(table(unit), profiles=profiles), unit


def strip(left: float, near: float, right: float, far: float) -> Region:
    zone = Zone(*(round(value * MILLI) for value in (left, near, right, far)))
    return Region((zone,), "in a strip", "deploy.zone")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("mount", MOUNTS, ids=lambda base: f"{base.width:g}x{base.depth:g}")
@pytest.mark.parametrize("foot", FOOT, ids=lambda base: f"{base.shape} {base.width:g}")
@pytest.mark.parametrize("count", [1, 5, 20])
def test_a_mounted_hero_stands_with_a_unit_on_foot(edition: str, mount: Base, foot: Base, count: int) -> None:
    """SK32-FORM-01, A2-FORM-02, A16-FORM-01: whichever hero joins whichever unit, there is a formation in the
    open."""
    for bases in ((mount, *([foot] * count)), (*([mount] * min(count, 3)), foot)):
        state, unit = mixed(*bases)
        placement = spread_at(state, unit, pose(24, 24), EDITIONS[edition])
        assert placement.reasons == ()
        assert check_placement(state, unit, placement.poses, EDITIONS[edition]) == ()


def test_equal_bases_fill_a_honeycomb() -> None:
    """A unit of equal bases fills a honeycomb about the spot."""
    state, unit = mixed(*([FOOT[0]] * 7))
    placement = spread_at(state, unit, pose(24, 24), EDITIONS["skirmish"])
    assert placement.poses[0] == pose(24, 24)
    assert (
        len({round(((p.x - 24000) ** 2 + (p.y - 24000) ** 2) ** 0.5, -1) for p in placement.poses[1:]}) == 1
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_strip_hardly_wider_than_the_widest_base_is_found(edition: str) -> None:
    """SK32-DEPLOY-04, A2-DEPLOY-03: a chariot with a hero on foot finds the only place that is left."""
    chariot, hero = Base("rect", 50, 100), Base("round", 25, 25)
    state, unit = mixed(chariot, hero)
    region = strip(10, 0, 16, 3.95)
    found = next(find_room(state, unit, EDITIONS[edition], region))
    assert check_placement(state, unit, found, EDITIONS[edition], region) == ()
    upright = strip(10, 0, 12, 6)
    found = next(find_room(state, unit, EDITIONS[edition], upright))
    assert check_placement(state, unit, found, EDITIONS[edition], upright) == ()


def test_without_room_nothing_is_found() -> None:
    """No place for the chariot, or none for all of the others."""
    limits = EDITIONS["skirmish"]
    state, unit = mixed(Base("rect", 50, 100), Base("round", 25, 25))
    assert list(find_room(state, unit, limits, strip(0, 0, 40, 1.5))) == []
    state, unit = mixed(*([Base("round", 25, 25)] * 10))
    assert list(find_room(state, unit, limits, strip(10, 10, 12.5, 12.5))) == []


def test_a_unit_is_placed_around_obstacles() -> None:
    """SK32-MOVE-04: an inch from others, off impassable ground, in one chain between them."""
    rock = piece(1, "building", at=(20, 5), size=(12, 4))
    enemies = group(1, 1, (5, 4), (5, 6), (5, 8))
    waiting = replace(group(0, 0, *[(0, 0)] * 6, place="waiting"), poses=())
    state = table(waiting, enemies, pieces=(rock,))
    region, limits = strip(0, 0, 27, 10), WalkLimits((6.0,))
    found = next(find_room(state, waiting, limits, region, 3.0))
    assert check_placement(state, waiting, found, limits, region, 3.0) == ()
    assert state.profiles == PROFILES
