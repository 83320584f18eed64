"""Army lists of Skirmish 3.2: all problems at once, each with its row."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from shieldwall.armies.demo import demo_armies
from shieldwall.armies.muster import MusteredArmy, UnitSpec, muster
from shieldwall.core.state import Profile, RuleRef, Unit
from shieldwall.editions import ruleset
from shieldwall.editions.skirmish_3_2.forces import PRESETS, check_force, cost_of, limits_at
from shieldwall.rulebook.house_rules import settle

RULES = ruleset("skirmish-3.2")


def units_of(*specs: UnitSpec) -> tuple[tuple[Unit, ...], tuple[Profile, ...]]:
    found = muster(RULES, [MusteredArmy("A list", specs)])
    return found.units, found.profiles


def entry(name: str, cost: int, rules: str = "", command: tuple[str, ...] = ()) -> UnitSpec:
    return UnitSpec(name=name, stats="Q4+ D4+", rules=rules, cost=cost, command=command)


def rows(specs: list[UnitSpec], points: int | None, **switches: str) -> list[str]:
    """The rows a list breaks."""
    units, profiles = units_of(*specs)
    settings = settle("skirmish-3.2", {name.replace("_", "-"): value for name, value in switches.items()})
    return [problem.cite for problem in check_force(units, profiles, points, settings)]


def test_lists_need_an_agreed_size() -> None:
    """SK32-ARMY-01: lists are refused before a points size is set."""
    assert rows([entry("Pike", 10)], None) == ["SK32-ARMY-01"]


def test_costs_of_units_and_upgrades_add_up() -> None:
    """SK32-ARMY-04, SK32-STAT-13: 60 and 45 points and an upgrade of 10 make 115; 40 and 65 make 105."""
    assert cost_of(units_of(entry("Pike", 60 + 10), entry("Wolf", 45))[0]) == 115
    assert cost_of(units_of(entry("Pike", 40), entry("Wolf", 65))[0]) == 105


@pytest.mark.parametrize(("cost", "broken"), [(250, []), (249, []), (251, ["SK32-ARMY-05"])])
def test_a_list_may_cost_as_much_as_agreed_and_not_a_point_more(cost: int, broken: list[str]) -> None:
    """SK32-ARMY-05."""
    assert rows([entry("Pike", cost)], 250) == broken


def test_any_number_of_units_without_force_organisation() -> None:
    """SK32-ARMY-06, SK32-FORCE-01: 25 one-model units, and 4 heroes, are legal until it is agreed on."""
    many = [entry("Pike", 10) for _ in range(25)]
    assert rows(many, 250) == []
    heroes = [entry(f"Hero {n}", 10, "Hero") for n in range(4)]
    assert rows(heroes, 250) == []
    assert rows(heroes, 250, force_organisation="on") == ["SK32-FORCE-02"]


@pytest.mark.parametrize(("points", "legal"), [(250, 2), (200, 1), (124, 0)])
def test_one_hero_for_each_full_125_points(points: int, legal: int) -> None:
    """SK32-FORCE-02."""
    heroes = [entry(f"Hero {n}", 10, "Hero, Tough(3)") for n in range(legal + 1)]
    assert rows(heroes[:legal], points, force_organisation="on") == []
    assert rows(heroes, points, force_organisation="on") == ["SK32-FORCE-02"]


@pytest.mark.parametrize(("points", "legal"), [(250, 3), (124, 1)])
def test_copies_of_a_unit_are_limited(points: int, legal: int) -> None:
    """SK32-FORCE-03: the name of the list entry makes a copy, whatever upgrades were bought."""
    copies = [entry("Pike", 10 + n, "Fast" if n else "") for n in range(legal + 1)]
    assert rows(copies[:legal], points, force_organisation="on") == []
    assert rows(copies, points, force_organisation="on") == ["SK32-FORCE-03"]


def test_a_combined_unit_is_one_copy_where_combining_is_allowed() -> None:
    """SK32-FORCE-04: two plain copies and one combined count as three; by default nothing is combined."""
    units, profiles = units_of(*(entry("Pike", 20) for _ in range(3)))
    units = (*units[:2], replace(units[2], picks=(("combined", "yes"),)))
    on = settle("skirmish-3.2", {"force-organisation": "on", "combined-units": "on"})
    off = settle("skirmish-3.2", {"force-organisation": "on"})
    assert check_force(units, profiles, 250, on) == ()
    assert [problem.cite for problem in check_force(units, profiles, 250, off)] == ["SK32-FORCE-04"]


@pytest.mark.parametrize(
    ("points", "cost", "share", "broken"),
    [
        (200, 70, "exact", False),
        (200, 71, "exact", True),
        (250, 87, "exact", False),
        (250, 88, "exact", True),
        (250, 85, "strict", False),
        (250, 86, "strict", True),
        (250, 90, "strict", True),
    ],
)
def test_one_unit_is_worth_at_most_35_percent(points: int, cost: int, share: str, broken: bool) -> None:
    """SK32-FORCE-05: exactly, or by a switch rounded down to a multiple of 5 as in the book's example."""
    found = rows([entry("Troll", cost)], points, force_organisation="on", unit_share=share)
    assert found == (["SK32-FORCE-05"] if broken else [])


def test_one_unit_for_25_points_and_one_model_for_15() -> None:
    """SK32-FORCE-06, SK32-FORCE-07: 10 units and 16 models at 250 points."""
    units = [entry(f"Pike {n}", 10) for n in range(11)]
    assert rows(units[:10], 250, force_organisation="on") == []
    assert rows(units, 250, force_organisation="on") == ["SK32-FORCE-06"]
    groups = [entry(f"Goblins {n} [{size}]", 60) for n, size in enumerate((8, 8))]
    assert rows(groups, 250, force_organisation="on") == []
    assert rows([*groups, entry("One more", 10)], 250, force_organisation="on") == ["SK32-FORCE-07"]


def test_worked_limits_at_250_points() -> None:
    """SK32-FORCE-08: 2 heroes, 3 copies, 85 points for a unit (87.5 by arithmetic), 10 units, 16 models."""
    limits = limits_at(250, strict_share=True)
    assert (limits.heroes, limits.copies, limits.unit_cost, limits.units, limits.models) == (2, 3, 85, 10, 16)
    assert limits_at(250).unit_cost == 87.5


def test_all_problems_are_told_at_once() -> None:
    """SK32-FORCE-01: every one of its limits applies."""
    specs = [entry("Hero", 100, "Hero", ("Banner",)), entry("Hero", 100, "Hero", ("Sergeant",))]
    specs += [entry("Hero", 10, "Hero") for _ in range(2)]
    assert rows(specs, 150, force_organisation="on") == [
        "SK32-ARMY-05",
        "SK32-CMD-01",
        "SK32-FORCE-02",
        "SK32-FORCE-03",
        "SK32-FORCE-05",
        "SK32-FORCE-05",
    ]


def test_one_command_model_in_the_whole_army() -> None:
    """SK32-CMD-01: one Sergeant is legal, two are not, nor is a Musician beside him."""
    one, two = entry("A", 10, command=("Sergeant",)), entry("B", 10, command=("Sergeant",))
    drum = entry("C", 10, command=("Musician",))
    assert rows([one, entry("D", 10)], 250) == []
    assert rows([one, two], 250) == ["SK32-CMD-01"]
    assert rows([one, drum], 250) == ["SK32-CMD-01"]


def test_by_a_switch_one_of_each_kind() -> None:
    """SK32-CMD-01: then a Sergeant, a Musician and a Banner, each once and each on a model of its own."""
    staff = [entry(role, 10, command=(role,)) for role in ("Sergeant", "Musician", "Banner")]
    assert rows(staff, 250, command_models="one-of-each") == []
    assert rows([*staff, staff[0]], 250, command_models="one-of-each") == ["SK32-CMD-01"]


@pytest.mark.parametrize("switch", ["one", "one-of-each"])
def test_one_model_takes_one_command_upgrade(switch: str) -> None:
    """SK32-CMD-01: Musician and Banner on one model are illegal either way."""
    units, profiles = units_of(entry("Pike", 10, command=("Musician",)))
    both = (replace(profiles[0], rules=(*profiles[0].rules, RuleRef("Banner"))),)
    settings = settle("skirmish-3.2", {"command-models": switch})
    found = check_force(units, both, 250, settings)
    assert [problem.cite for problem in found] == ["SK32-CMD-01"]
    assert "Musician and Banner" in found[0].reason


def test_presets() -> None:
    """SK32-ARMY-02, SK32-ARMY-03: 150 points to begin with, 250 for a full game."""
    assert PRESETS == {"starter": 150, "full": 250}
    assert (RULES.constants.points_starter, RULES.constants.points_full) == (150, 250)


@pytest.mark.parametrize("number", [0, 1])
def test_the_demonstration_lists_are_legal(number: int) -> None:
    """SK32-ARMY-05, SK32-CMD-01, SK32-FORCE-01: also under force organisation."""
    mustered = muster(RULES, [demo_armies("skirmish-3.2")[number]])
    settings = settle("skirmish-3.2", {"force-organisation": "on", "unit-share": "strict"})
    assert check_force(mustered.units, mustered.profiles, 250, settings) == ()
