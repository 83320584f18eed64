"""Army lists: costs, merging, command models, joining, and the optional force organisation."""

from __future__ import annotations

import pytest

from shieldwall.armies import check_list, ready_list, ready_lists
from shieldwall.editions import ruleset
from shieldwall.editions.regiments_3_5.forces import LISTS
from shieldwall.rules.features.army_lists import (
    SIZES,
    ListedUnit,
    ListLimits,
    Upgrade,
    limits,
    merged,
    total,
)

OFF = {"force-organisation": "off", "joined-heroes-count": "with-unit"}
ON = {"force-organisation": "on", "joined-heroes-count": "with-unit"}
INFANTRY = ListedUnit("Infantrymen", price=100, models=10)


def rows(entries: list[ListedUnit], size: int, options: dict[str, str]) -> list[str]:
    return [problem.row for problem in LISTS.list_problems(entries, size, options)]


def named(count: int, cost: int = 10, **extra: object) -> list[ListedUnit]:
    """So many different units."""
    return [ListedUnit(f"Unit {number}", price=cost, **extra) for number in range(count)]  # type: ignore[arg-type]


def test_both_lists_are_held_to_the_one_size_agreed_on() -> None:
    """R35-ARMY-01: at 1500, lists of 1500 and 1480 are legal; one of 1501 is not, on either side."""
    full, less, more = ([ListedUnit("Host", price=worth)] for worth in (1500, 1480, 1501))
    assert rows(full, 1500, OFF) == rows(less, 1500, OFF) == []
    assert rows(more, 1500, OFF) == ["R35-ARMY-04"]


def test_the_sizes_suggested_are_starter_and_full() -> None:
    """R35-ARMY-02."""
    constants = ruleset("regiments-3.5").constants
    assert dict(SIZES) == {"starter": 750, "full": 1500}
    assert (constants.points_starter, constants.points_full) == (750, 1500)


def test_a_list_is_worth_the_sum_of_all_costs_from_any_army() -> None:
    """R35-ARMY-03, R35-STAT-19: units of 130 and 250 from two factions and an upgrade of 15 make 395."""
    entries = [
        ListedUnit(
            "Guard", price=130, models=5, faction="Humans", upgrades=(Upgrade("Spears", 15, for_all=True),)
        ),
        ListedUnit("Bear", price=250, faction="Beasts"),
    ]
    assert total(entries) == 395
    assert rows(entries, 750, ON) == []


def test_an_upgrade_adds_its_price() -> None:
    """R35-STAT-19: a unit of 130 with an upgrade of 20 adds 150."""
    before = named(2, cost=100)
    unit = ListedUnit("Guard", price=130, upgrades=(Upgrade("Shields", 20),))
    assert total([*before, unit]) - total(before) == 150


@pytest.mark.parametrize(("worth", "found"), [(750, []), (751, ["R35-ARMY-04"])])
def test_a_list_may_cost_as_much_as_the_size(worth: int, found: list[str]) -> None:
    """R35-ARMY-04: any number of units without force organisation."""
    entries = [*named(74), ListedUnit("Rest", price=worth - 740)]
    assert rows(entries, 750, OFF) == found


def test_two_copies_make_one_unit() -> None:
    """R35-ARMY-05: two units of 10 become one of 20, which cannot be merged again."""
    both = merged(INFANTRY, INFANTRY)
    assert (both.models, both.cost, both.is_merged) == (20, 200, True)
    assert [problem.row for problem in LISTS.merge_problems(both, INFANTRY)] == ["R35-ARMY-05"]


@pytest.mark.parametrize(
    "other", [ListedUnit("Bear"), ListedUnit("Halberdiers", models=10)], ids=["a monster", "another unit"]
)
def test_only_copies_of_units_of_several_models_are_merged(other: ListedUnit) -> None:
    """R35-ARMY-05."""
    first = other if other.models == 1 else INFANTRY
    assert {problem.row for problem in LISTS.merge_problems(first, other)} == {"R35-ARMY-05"}


def with_upgrades(*upgrades: Upgrade) -> ListedUnit:
    return ListedUnit("Infantrymen", price=100, models=10, upgrades=upgrades)


def test_what_all_models_have_must_be_bought_for_both_copies() -> None:
    """R35-ARMY-06, R35-ARMY-07: Spears for one copy only, or Spears and Halberds, are refused."""
    spears, halberds = Upgrade("Spears", 15, for_all=True), Upgrade("Halberds", 15, for_all=True)
    assert [p.row for p in LISTS.merge_problems(with_upgrades(spears), with_upgrades())] == ["R35-ARMY-06"]
    assert len(LISTS.merge_problems(with_upgrades(spears), with_upgrades(halberds))) == 2
    assert LISTS.merge_problems(with_upgrades(spears), with_upgrades(spears)) == ()


def test_upgrades_of_single_models_may_differ() -> None:
    """R35-ARMY-06: one copy with a Sergeant, one without."""
    first = ListedUnit("Infantrymen", models=10, command=("Sergeant",), upgrades=(Upgrade("Sergeant", 5),))
    assert LISTS.merge_problems(first, ListedUnit("Infantrymen", models=10)) == ()


def test_each_unit_has_one_command_model_of_a_kind() -> None:
    """R35-CMD-01: two Banners in a merged unit are refused, one of each is fine."""
    banner = ListedUnit("Infantrymen", models=10, command=("Banner",))
    others = ListedUnit("Infantrymen", models=10, command=("Sergeant", "Musician"))
    assert rows([merged(banner, banner)], 750, OFF) == ["R35-CMD-01"]
    assert rows([merged(banner, others)], 750, OFF) == []
    assert rows([ListedUnit("Guard", models=5, command=("Piper",))], 750, OFF) == ["R35-CMD-01"]


def test_force_organisation_binds_only_where_it_was_agreed() -> None:
    """R35-FORCE-01, the switch force-organisation: 5 heroes at 750 points."""
    heroes = named(5, is_hero=True)
    assert rows(heroes, 750, OFF) == []
    assert rows(heroes, 750, ON) == ["R35-FORCE-02"]


@pytest.mark.parametrize(("size", "legal"), [(1500, 4), (750, 2), (749, 1)])
def test_one_hero_for_each_complete_375_points(size: int, legal: int) -> None:
    """R35-FORCE-02."""
    host = ListedUnit("Guard", models=5)
    assert rows([*named(legal, is_hero=True), host], size, ON) == []
    assert "R35-FORCE-02" in rows([*named(legal + 1, is_hero=True), host], size, ON)


def test_copies_are_limited_and_a_merged_unit_counts_once() -> None:
    """R35-FORCE-03: 3 copies at 1500; same name with other upgrades is the same unit."""
    armed = with_upgrades(Upgrade("Spears", 15, for_all=True))
    assert rows([INFANTRY, armed, INFANTRY], 1500, ON) == []
    assert rows([INFANTRY, armed, INFANTRY, armed], 1500, ON) == ["R35-FORCE-03"]
    both = merged(INFANTRY, INFANTRY)
    assert rows([both, both, INFANTRY], 1500, ON) == []


@pytest.mark.parametrize(("cost", "found"), [(525, []), (526, ["R35-FORCE-04"])])
def test_a_unit_costs_at_most_35_percent(cost: int, found: list[str]) -> None:
    """R35-FORCE-04."""
    assert rows([ListedUnit("Dragon", price=cost)], 1500, ON) == found


def test_one_unit_for_each_complete_150_points() -> None:
    """R35-FORCE-05: 10 at 1500, 11 are too many."""
    assert rows(named(10), 1500, ON) == []
    assert rows(named(11), 1500, ON) == ["R35-FORCE-05"]


def test_whether_a_joined_hero_counts_as_a_unit_of_its_own() -> None:
    """R35-FORCE-05, the switch joined-heroes-count; the limit on heroes counts every one of them."""
    units = named(10, models=5)
    hero = ListedUnit("Captain", is_hero=True, joins=0)
    assert rows([*units, hero], 1500, ON | {"joined-heroes-count": "with-unit"}) == []
    assert rows([*units, hero], 1500, ON | {"joined-heroes-count": "apart"}) == ["R35-FORCE-05"]
    alone = ListedUnit("Captain", is_hero=True)
    assert rows([*units, alone], 1500, ON) == ["R35-FORCE-05"]
    assert rows([*units[:5], *named(5, is_hero=True, joins=0)], 1500, ON).count("R35-FORCE-02") == 1


def test_the_worked_limits_at_1500_points() -> None:
    """R35-FORCE-06."""
    assert limits(1500) == ListLimits(heroes=4, copies=3, unit_cost=525, units=10)


def test_who_may_join_whom() -> None:
    """R35-SR-HERO-01, R35-SR-HERO-02: heroes up to Tough(6), one to a unit of several models."""
    host, lone = ListedUnit("Guard", models=5), ListedUnit("Troll", models=1)
    captain = ListedUnit("Captain", is_hero=True, tough=6, joins=0)
    assert rows([host, captain], 750, OFF) == []
    assert rows([host, ListedUnit("Giant", is_hero=True, tough=9, joins=0)], 750, OFF) == ["R35-SR-HERO-01"]
    assert rows([lone, captain], 750, OFF) == ["R35-SR-HERO-01"]
    assert rows([host, ListedUnit("Dog", joins=0)], 750, OFF) == ["R35-SR-HERO-01"]
    assert rows([host, captain, captain], 750, OFF) == ["R35-SR-HERO-02"]


def test_all_problems_come_at_once() -> None:
    """R35-ARMY-04, R35-CMD-01, R35-FORCE-02, R35-FORCE-04: nothing hides behind the first fault."""
    entries = [
        ListedUnit("Guard", price=600, models=5, command=("Banner", "Banner")),
        *named(3, cost=100, is_hero=True),
    ]
    found = rows(entries, 750, ON)
    assert found == ["R35-ARMY-04", "R35-CMD-01", "R35-FORCE-02", "R35-FORCE-04"]


def test_the_ready_lists_keep_every_limit() -> None:
    """R35-FORCE-01..05, R35-CMD-01."""
    for ready in ready_lists("regiments-3.5"):
        checked = check_list(ready_list("regiments-3.5", ready.id), strict=True)
        assert checked.is_legal, checked.findings
