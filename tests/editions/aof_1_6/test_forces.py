"""Army lists of Age of Fantasy 1.6: points, heroes, big units, merging, the table for bigger games, allies."""

from __future__ import annotations

import pytest

from shieldwall.armies import check_list, ready_list, ready_lists
from shieldwall.armies.demo import demo_setup
from shieldwall.editions import ruleset
from shieldwall.editions.aof_1_6.forces import (
    FORCES,
    SIZES,
    advice,
    limits,
    merge_problems,
    share,
    side_problems,
)
from shieldwall.editions.aof_1_6.setup import table_advice, table_problems
from shieldwall.editions.aof_1_6.unit_types import INFANTRY, type_of
from shieldwall.rulebook.house_rules import defaults
from shieldwall.rules.features.army_lists import ListedUnit, Upgrade, merged
from shieldwall.table.terrain import piece

CONSTANTS = ruleset("aof-1.6").constants
CORE = defaults("aof-1.6")
TABLE = {**CORE, "size-table": "on"}
HERO = (ListedUnit("Captain", price=50, is_hero=True), INFANTRY)
PIKES = ListedUnit("Pikes", price=100, models=10)

Listed = list[tuple[ListedUnit, str]]


def force(heroes: int = 1, big: int = 0, kind: str = "Monster", cost: int = 10) -> Listed:
    """So many heroes and so many big units."""
    found: Listed = [(ListedUnit(f"Hero {n}", price=cost, is_hero=True), INFANTRY) for n in range(heroes)]
    return found + [(ListedUnit(f"Big {n}", price=cost), kind) for n in range(big)]


def rows(entries: Listed, points: int = 500, options: dict[str, str] = CORE) -> list[str]:
    return [problem.row for problem in side_problems((entries,), points, options)]


@pytest.mark.parametrize(("cost", "wrong"), [(500, []), (501, ["A16-ARMY-01"]), (480, [])])
def test_five_hundred_points_are_an_upper_limit(cost: int, wrong: list[str]) -> None:
    """A16-ARMY-01"""
    assert dict(SIZES) == {"full": 500}
    assert FORCES.sizes == SIZES
    assert rows([(ListedUnit("Captain", price=cost, is_hero=True), INFANTRY)]) == wrong


def test_a_force_needs_a_hero_and_may_have_more() -> None:
    """A16-ARMY-02"""
    assert rows([(PIKES, INFANTRY)]) == ["A16-ARMY-02"]
    assert rows(force(heroes=1)) == rows(force(heroes=4)) == []


def test_at_most_two_big_units_counted_together() -> None:
    """A16-ARMY-03: also a hero that is one."""
    three: Listed = [
        HERO,
        (ListedUnit("Drake"), "Monster"),
        (ListedUnit("Wagon"), "Chariot"),
        (ListedUnit("Gun"), "Artillery"),
    ]
    assert rows(three) == ["A16-ARMY-03"]
    assert rows([HERO, three[1], three[3]]) == []
    rider = (ListedUnit("Rider", is_hero=True), "Monster")
    assert rows([rider, three[1], three[2]]) == ["A16-ARMY-03"]


def test_two_copies_of_infantry_make_one_unit() -> None:
    """A16-ARMY-04: 10 and 10 make 20; no chariots, no heroes, no third copy."""
    double = merged(PIKES, PIKES)
    assert (double.models, double.cost) == (20, 200)
    wagon = ListedUnit("Wagon")
    assert [p.row for p in merge_problems(wagon, wagon, "Chariot")] == ["A16-ARMY-04"]
    assert [p.row for p in merge_problems(HERO[0], HERO[0])] == ["A16-ARMY-04"]
    assert [p.row for p in merge_problems(double, PIKES)] == ["A16-ARMY-04"]
    assert [p.row for p in merge_problems(PIKES, wagon)] == ["A16-ARMY-04"]


def test_upgrades_of_the_whole_unit_are_paid_for_in_both_halves() -> None:
    """A16-ARMY-05"""
    shields = ListedUnit("Pikes", price=100, models=10, upgrades=(Upgrade("Shields", 10, for_all=True),))
    assert [p.row for p in merge_problems(shields, PIKES)] == ["A16-ARMY-05"]
    assert merge_problems(shields, shields) == ()


def test_one_of_each_command_model() -> None:
    """A16-CMD-01"""
    both = ListedUnit("Pikes", command=("Sergeant", "Sergeant"))
    assert rows([HERO, (both, INFANTRY)]) == ["A16-CMD-01"]
    assert rows([HERO, (ListedUnit("Pikes", command=("Sergeant", "Musician")), INFANTRY)]) == []


TABLE_OF_SIZES = [
    (500, 1, 2, "A16-BIG-02"),
    (750, 1, 3, "A16-BIG-03"),
    (1000, 2, 4, "A16-BIG-04"),
    (1250, 2, 5, "A16-BIG-05"),
    (1500, 3, 6, "A16-BIG-06"),
    (1750, 3, 7, "A16-BIG-07"),
    (2000, 4, 8, "A16-BIG-08"),
    (2250, 4, 9, "A16-BIG-09"),
    (2500, 5, 10, "A16-BIG-10"),
    (2750, 5, 11, "A16-BIG-11"),
    (3000, 6, 12, "A16-BIG-12"),
]


@pytest.mark.parametrize(("points", "heroes", "big", "row"), TABLE_OF_SIZES)
def test_the_table_for_bigger_games(points: int, heroes: int, big: int, row: str) -> None:
    """A16-BIG-01"""
    assert rows(force(heroes, big), points, TABLE) == []
    assert rows(force(heroes + 1, big), points, TABLE) == [row]
    assert rows(force(heroes, big + 1), points, TABLE) == [row]
    assert rows(force(0, big), points, TABLE) == [row]


def test_the_table_binds_only_where_it_is_switched_on() -> None:
    """A16-BIG-01, A16-BIG-02: two heroes at 500 points."""
    assert rows(force(heroes=2), 500, CORE) == []
    assert rows(force(heroes=2), 500, TABLE) == ["A16-BIG-02"]


def test_sizes_between_and_beyond_the_rows() -> None:
    """A16-BIG-01: the next lower row; beyond 3000 one hero more for 500 points, one of the others for 250."""
    assert limits(1240, by_table=True) == limits(1000, by_table=True)
    beyond = limits(4000, by_table=True)
    assert (beyond.heroes_most, beyond.big_most) == (8, 16)


def test_a_bigger_game_comes_with_a_warning() -> None:
    """A16-BIG-13"""
    assert advice(500) == ()
    (told,) = advice(1000)
    assert "longer" in told.text
    assert told.row == "A16-BIG-13"


def test_points_are_split_among_the_players_of_a_side() -> None:
    """A16-MULTI-02"""
    assert share(1000, 2) == 500
    assert share(1000, 3) == 333
    second: Listed = [(ListedUnit("Lieutenant", price=300, is_hero=True), INFANTRY)]
    assert [p.row for p in side_problems(([HERO], second), 500, CORE)] == ["A16-MULTI-02"]


def test_limits_on_types_hold_for_all_players_of_a_side_together() -> None:
    """A16-MULTI-03: two Monsters each."""
    assert [p.row for p in side_problems((force(1, 2), force(1, 2)), 500, CORE)] == ["A16-MULTI-03"]
    assert side_problems((force(1, 1), force(0, 1)), 500, CORE) == ()


def test_all_problems_of_a_list_are_found_at_once() -> None:
    """A16-ARMY-01, A16-ARMY-02, A16-ARMY-03"""
    assert rows(force(0, 3, cost=200)) == ["A16-ARMY-01", "A16-ARMY-02", "A16-ARMY-03"]


def test_two_players_a_side_share_the_points_of_one_list() -> None:
    """A16-ARMY-01, A16-MULTI-01."""
    state = demo_setup("aof-1.6", 1, players=4)
    assert [seat.side for seat in state.seats] == [0, 0, 1, 1]
    assert {unit.seat for unit in state.units} == {0, 1, 2, 3}
    assert sum(unit.cost for unit in state.units if unit.side == 0) <= 500


def test_the_ready_lists_are_legal() -> None:
    """A16-ARMY-01, A16-ARMY-02, A16-ARMY-03"""
    for ready in ready_lists("aof-1.6"):
        checked = check_list(ready_list("aof-1.6", ready.id), strict=True)
        assert checked.is_legal, checked.findings


def test_five_pieces_of_terrain_are_needed_and_ten_advised() -> None:
    """A16-PREP-02"""
    pieces = [piece(n, "forest", at=(10 + n, 10), size=(1, 1)) for n in range(10)]
    assert [refusal.cite for refusal in table_problems(pieces[:4], CONSTANTS)] == ["A16-PREP-02"]
    assert table_problems(pieces[:5], CONSTANTS) == ()
    assert len(table_advice(pieces[:9], CONSTANTS)) == 1
    assert table_advice(pieces, CONSTANTS) == ()


def test_riders_and_beasts_are_infantry() -> None:
    """A16-FORCE-04"""
    state = demo_setup("aof-1.6", 1)
    kinds = {profile.kind: type_of(profile) for profile in state.profiles}
    assert all(kind == INFANTRY for name, kind in kinds.items() if name in ("infantry", "cavalry", "beast"))
    assert INFANTRY in kinds.values()
