"""Army lists and tables of the one-page book: points, merging, command models, limits, terrain."""

from __future__ import annotations

import pytest

from shieldwall.armies import check_list, ready_list, ready_lists
from shieldwall.core.state import MILLI, Piece
from shieldwall.editions import ruleset
from shieldwall.editions.regiments_3_4.forces import LISTS, table_problems
from shieldwall.rules.features.army_lists import SIZES, ListedUnit, Upgrade, merged
from shieldwall.table.terrain import piece

RULES = ruleset("regiments-3.4")
OFF = {"force-organisation": "off", "joined-heroes-count": "with-unit"}
ON = {"force-organisation": "on", "joined-heroes-count": "with-unit"}
INFANTRY = ListedUnit("Infantrymen", price=100, models=10)


def rows(entries: list[ListedUnit], size: int, options: dict[str, str]) -> list[str]:
    return [problem.row for problem in LISTS.list_problems(entries, size, options)]


def named(count: int, cost: int = 10, **extra: object) -> list[ListedUnit]:
    """So many different units."""
    return [ListedUnit(f"Unit {number}", price=cost, **extra) for number in range(count)]  # type: ignore[arg-type]


def test_the_limit_is_equal_and_a_list_may_stay_below_it() -> None:
    """R34-ARMY-01: 1500 against 1480 is fine, 1501 is not."""
    full, less, more = ([ListedUnit("Host", price=worth)] for worth in (1500, 1480, 1501))
    assert rows(full, 1500, OFF) == rows(less, 1500, OFF) == []
    assert rows(more, 1500, OFF) == ["R34-ARMY-01"]


def test_the_sizes_suggested() -> None:
    """R34-ARMY-02."""
    assert dict(SIZES) == {"starter": 750, "full": 1500}
    assert (RULES.constants.points_starter, RULES.constants.points_full) == (750, 1500)


def test_two_copies_of_a_unit_of_several_models_may_be_merged() -> None:
    """R34-ARMY-03: 10 and 10 make 20; single models are refused."""
    assert merged(INFANTRY, INFANTRY).models == 20
    monster = ListedUnit("Bear")
    assert [problem.row for problem in LISTS.merge_problems(monster, monster)] == ["R34-ARMY-03"]


def test_upgrades_for_all_models_must_be_bought_for_both() -> None:
    """R34-ARMY-04."""
    spears = ListedUnit("Infantrymen", models=10, upgrades=(Upgrade("Spears", 15, for_all=True),))
    assert [problem.row for problem in LISTS.merge_problems(spears, INFANTRY)] == ["R34-ARMY-04"]
    assert LISTS.merge_problems(spears, spears) == ()
    sword = ListedUnit("Infantrymen", models=10, upgrades=(Upgrade("Great Sword", 5),))
    assert LISTS.merge_problems(sword, INFANTRY) == ()


def test_force_organisation_is_optional() -> None:
    """R34-FORCE-01, the switch force-organisation: 5 heroes at 750 points."""
    heroes = named(5, is_hero=True)
    assert rows(heroes, 750, OFF) == []
    assert rows(heroes, 750, ON) == ["R34-FORCE-02"]


def test_one_hero_for_each_complete_375_points() -> None:
    """R34-FORCE-02: 4 at 1500, not 5."""
    assert rows(named(4, is_hero=True), 1500, ON) == []
    assert rows(named(5, is_hero=True), 1500, ON) == ["R34-FORCE-02"]
    assert rows(named(2, is_hero=True), 749, ON) == ["R34-FORCE-02"]


def test_copies_of_a_unit() -> None:
    """R34-FORCE-03: 3 at 1500, not 4; combined units count as one."""
    assert rows([INFANTRY] * 3, 1500, ON) == []
    assert rows([INFANTRY] * 4, 1500, ON) == ["R34-FORCE-03"]
    assert rows([merged(INFANTRY, INFANTRY)] * 3, 1500, ON) == []


@pytest.mark.parametrize(("cost", "found"), [(525, []), (526, ["R34-FORCE-04"])])
def test_a_unit_costs_at_most_35_percent(cost: int, found: list[str]) -> None:
    """R34-FORCE-04."""
    assert rows([ListedUnit("Dragon", price=cost)], 1500, ON) == found


def test_one_unit_for_each_complete_150_points() -> None:
    """R34-FORCE-05: 10 at 1500, not 11."""
    assert rows(named(10), 1500, ON) == []
    assert rows(named(11), 1500, ON) == ["R34-FORCE-05"]


def test_whether_a_joined_hero_counts_as_a_unit_of_its_own() -> None:
    """R34-FORCE-05, the switch joined-heroes-count."""
    entries = [*named(10, models=5), ListedUnit("Captain", is_hero=True, joins=0)]
    assert rows(entries, 1500, ON | {"joined-heroes-count": "with-unit"}) == []
    assert rows(entries, 1500, ON | {"joined-heroes-count": "apart"}) == ["R34-FORCE-05"]


def test_one_command_model_of_each_kind() -> None:
    """R34-CMD-01."""
    assert rows([ListedUnit("Guard", models=5, command=("Musician", "Musician"))], 750, OFF) == ["R34-CMD-01"]
    assert rows([ListedUnit("Guard", models=5, command=("Sergeant", "Musician", "Banner"))], 750, OFF) == []


def test_who_may_join_whom() -> None:
    """R34-SR-HERO-01, R34-SR-HERO-02."""
    host, captain = ListedUnit("Guard", models=5), ListedUnit("Captain", is_hero=True, tough=6, joins=0)
    assert rows([host, captain], 750, OFF) == []
    assert rows([host, ListedUnit("Giant", is_hero=True, tough=9, joins=0)], 750, OFF) == ["R34-SR-HERO-01"]
    assert rows([host, captain, captain], 750, OFF) == ["R34-SR-HERO-02"]


def pieces(count: int) -> tuple[Piece, ...]:
    return tuple(
        piece(number, "rock", at=(3.0 * number + 2, 24.0), size=(1.0, 1.0)) for number in range(count)
    )


def test_ten_pieces_of_terrain_or_more() -> None:
    """R34-SETUP-01, R34-SETUP-02."""
    width, depth = RULES.constants.table
    assert (width, depth) == (72 * MILLI, 48 * MILLI)
    assert table_problems(RULES.constants, width, depth, pieces(10)) == ()
    assert [found.cite for found in table_problems(RULES.constants, width, depth, pieces(9))] == [
        "R34-SETUP-02"
    ]


@pytest.mark.parametrize(("depth", "found"), [(48, []), (44, ["R34-SETUP-03"])])
def test_smaller_tables_leave_24_inches_between_the_armies(depth: int, found: list[str]) -> None:
    """R34-SETUP-03: 48 by 48 with zones of 12 leaves 24, 48 by 44 leaves 20."""
    problems = table_problems(RULES.constants, 48 * MILLI, depth * MILLI, pieces(10))
    assert [problem.cite for problem in problems] == found


def test_the_ready_lists_keep_every_limit() -> None:
    """R34-ARMY-01, R34-CMD-01, R34-FORCE-02..05."""
    for ready in ready_lists("regiments-3.4"):
        checked = check_list(ready_list("regiments-3.4", ready.id), strict=True)
        assert checked.is_legal, checked.findings
