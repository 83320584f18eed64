"""Army lists and models of Age of Fantasy 2: all problems at once, each with its row; bases as advised."""

from __future__ import annotations

import pytest

from shieldwall.armies.demo import demo_armies
from shieldwall.armies.muster import UnitSpec, mustering_for
from shieldwall.armies.troops import Soldier, stands_on
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import Base
from shieldwall.editions import ruleset
from shieldwall.editions.aof_2.forces import FORCES, SIZES, merge_problems, roster_problems
from shieldwall.rulebook.house_rules import defaults
from shieldwall.rules.features.army_lists import ListedUnit, Upgrade, merged, total
from shieldwall.rules.features.roster import ForceRoster
from shieldwall.table.bases import default_base, listed_bases, mixed_bases, parse_base

RULES = ruleset("aof-2")
SWITCHES = defaults("aof-2")


def roster(*entries: ListedUnit, books: tuple[str, ...] = ("ours",)) -> ForceRoster:
    return ForceRoster(entries=entries, halves=(), units=(), profiles=(), books=books)


def rows(found: ForceRoster, points: int | None = 750) -> list[str]:
    return [problem.row for problem in roster_problems(found, points, SWITCHES)]


def swordsmen(*upgrades: Upgrade, **more: object) -> ListedUnit:
    return ListedUnit(name="Swordsmen", price=100, models=10, upgrades=upgrades, **more)  # type: ignore[arg-type]


def test_lists_need_an_agreed_size() -> None:
    """A2-ARMY-01: a list is refused before a points size is set."""
    assert rows(roster(ListedUnit("Pikes", 100)), None) == ["A2-ARMY-01"]
    assert rows(roster(ListedUnit("Pikes", 100)), 750) == []


def test_750_points_are_the_usual_size() -> None:
    """A2-ARMY-02."""
    assert SIZES == FORCES.sizes == {"starter": 750}
    assert RULES.constants.points_starter == 750


def test_costs_of_units_and_upgrades_add_up() -> None:
    """A2-ARMY-03: 120 and 95 with upgrades of 10 and 5 make 230."""
    first = ListedUnit("Pikes", 120, upgrades=(Upgrade("Shields", 10),))
    second = ListedUnit("Bows", 95, upgrades=(Upgrade("Horn", 5),))
    assert total((first, second)) == 230


def test_all_units_come_from_one_army_list() -> None:
    """A2-ARMY-03."""
    assert rows(roster(ListedUnit("Pikes", 1), books=("ours", "theirs"))) == ["A2-ARMY-03"]


@pytest.mark.parametrize(("cost", "broken"), [(750, []), (751, ["A2-ARMY-04"])])
def test_a_list_may_cost_as_much_as_agreed_and_not_a_point_more(cost: int, broken: list[str]) -> None:
    """A2-ARMY-04."""
    assert rows(roster(ListedUnit("Pikes", cost))) == broken


def test_any_number_of_anything() -> None:
    """A2-ARMY-04: ten copies of one unit and no hero are legal."""
    assert rows(roster(*(ListedUnit("Pikes", 75) for _ in range(10)))) == []


def test_two_copies_make_one_unit_of_double_size() -> None:
    """A2-ARMY-05: twenty models; no third copy, and no two different units."""
    one = merged(swordsmen(), swordsmen())
    assert (one.models, one.cost, one.is_merged) == (20, 200, True)
    assert [problem.row for problem in merge_problems(one, swordsmen())] == ["A2-ARMY-05"]
    assert [problem.row for problem in merge_problems(swordsmen(), ListedUnit("Bows"))] == ["A2-ARMY-05"]


def test_single_models_may_be_merged_unless_agreed_otherwise() -> None:
    """A2-ARMY-05: by a switch only units of several models."""
    troll = ListedUnit("Troll", 100)
    assert merge_problems(troll, troll, SWITCHES["merging"]) == []
    assert [problem.row for problem in merge_problems(troll, troll, "several-models")] == ["A2-ARMY-05"]


def test_what_all_models_have_must_be_bought_for_both() -> None:
    """A2-ARMY-06: shields for all on one copy only are refused, one crossbow on one copy is not."""
    shields, crossbow = Upgrade("Shields", 10, for_all=True), Upgrade("Crossbow", 5)
    assert [p.row for p in merge_problems(swordsmen(shields), swordsmen())] == ["A2-ARMY-06"]
    assert merge_problems(swordsmen(shields), swordsmen(shields)) == []
    assert merge_problems(swordsmen(crossbow), swordsmen()) == []


def test_swords_and_spears_do_not_merge() -> None:
    """A2-ARMY-07: the worked example; both upgrades are named."""
    swords = ListedUnit("Infantrymen", models=5, upgrades=(Upgrade("Swords", for_all=True),))
    spears = ListedUnit("Infantrymen", models=5, upgrades=(Upgrade("Spears", for_all=True),))
    found = merge_problems(swords, spears)
    assert [problem.row for problem in found] == ["A2-ARMY-06", "A2-ARMY-06"]


def test_one_of_each_command_model_in_a_unit() -> None:
    """A2-CMD-01: also in combined units."""
    staff = ("Sergeant", "Musician", "Battle Standard")
    assert rows(roster(swordsmen(command=staff))) == []
    both = merged(swordsmen(command=("Musician",)), swordsmen(command=("Musician",)))
    assert rows(roster(both)) == ["A2-CMD-01"]


def test_all_problems_are_told_at_once() -> None:
    """A2-ARMY-03, A2-ARMY-04, A2-CMD-01, A2-SR-HERO-01."""
    hero = ListedUnit("Ida", 500, is_hero=True, joins=2)
    friend = ListedUnit("Bo", 500, is_hero=True, joins=2)
    found = roster(hero, friend, swordsmen(command=("Sergeant", "Sergeant")), books=("ours", "theirs"))
    assert rows(found) == ["A2-ARMY-04", "A2-ARMY-03", "A2-CMD-01", "A2-SR-HERO-01"]


def test_a_hero_joins_no_hero() -> None:
    """A2-SR-HERO-01."""
    assert rows(roster(ListedUnit("Ida", is_hero=True, joins=1), ListedUnit("Bo", is_hero=True))) == [
        "A2-SR-HERO-01"
    ]


@pytest.mark.parametrize("number", [0, 1])
def test_the_demonstration_lists_cost_750_points(number: int) -> None:
    """A2-ARMY-04."""
    units = demo_armies("aof-2")[number].units
    assert sum(unit.cost for unit in units) == 750


def test_models_stand_on_round_bases() -> None:
    """A2-STAT-01: a model of which nobody said anything, and a base without a shape."""
    mustering = mustering_for(RULES)
    assert mustering.add(UnitSpec("Pike", "Q4+ D4+"), 0) is not None
    assert mustering.profiles[0].base.shape == "round"
    assert parse_base("25mm", "oval") == Base("round", 25, 25)


def test_the_supplied_base_is_used() -> None:
    """A2-STAT-02: a book's own size, and the usual one where the book has none."""
    assert stands_on(Soldier("Pike", 4, 4, bases=("40mm", "25mm")), "oval") == Base("round", 40, 40)
    assert stands_on(Soldier("Pike", 4, 4), "oval") == Base("round", 32, 32)


def test_advised_bases() -> None:
    """A2-STAT-03: infantry 20 to 40 mm, riders and beasts 25 by 50, monsters and chariots 50 by 100, guns none."""
    assert all(20 <= base.width <= 40 for base in listed_bases("infantry", "oval"))
    assert default_base("infantry", "oval") in listed_bases("infantry", "oval")
    for kind in ("cavalry", "beast"):
        assert default_base(kind, "oval") == Base("oval", 25, 50)
    for kind in ("monster", "chariot"):
        assert default_base(kind, "oval") == Base("oval", 50, 100)
    assert listed_bases("artillery", "oval") == ()
    assert default_base("artillery", "oval").shape == "rect"  # the hull it is measured from


def test_other_sizes_are_fine_but_should_be_the_same_for_all() -> None:
    """A2-STAT-04: a warning, not a refusal."""
    pikes = [("Pikes", Base("round", 25, 25)), ("Pikes", Base("round", 60, 60))]
    warnings = RULES.refusals(mixed_bases(pikes))
    assert [warning.cite for warning in warnings] == ["A2-STAT-04"]
    assert mixed_bases(pikes[:1] * 2) == []


def test_a_profile_needs_all_its_numbers() -> None:
    """A2-STAT-07: what is missing is named, everything at once."""
    mustering = mustering_for(RULES)
    mustering.add(UnitSpec("Pikes [x]", ""), 0)
    with pytest.raises(MalformedError) as error:
        mustering.finished()
    assert len(error.value.problems) >= 2
