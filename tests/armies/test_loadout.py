"""What models carry after buying, and what may be bought."""

import pytest
from msgspec.structs import replace

from shieldwall.armies.book import Book, Section
from shieldwall.armies.book_file import read_book
from shieldwall.armies.lists import UpgradePick
from shieldwall.armies.loadout import bare_figures, both_copies, most_taken, outfit, stems, totals
from shieldwall.core.state import RuleRef

BOOK: Book = read_book("""
format: shieldwall-book/1
id: test
name: Test
packages:
  - id: foot
    sections:
      - {id: all, label: Replace all Bows, replace: [Bows], affects: all, options: ['Crossbow (24", A1, AP(1))']}
      - {id: any, label: Replace any Knife, replace: [Knife], affects: any, options: [Axe (A2)]}
      - {id: up, label: Upgrade up to three models with one, affects: up to 3, select: one, options: [Sergeant, Banner]}
      - {id: one, label: Upgrade one model with one, affects: one, select: one, options: [Drum (Fear(1)), Horn (Fast)]}
      - {id: every, label: Upgrade all models with, affects: all, options: [Shields (Stealth)]}
  - id: hero
    sections:
      - {id: some, label: Up to two, select: up to 2, options: [Cloak (Stealth), Boots (Fast), Ring (Fear(1))]}
      - {id: two, label: Replace 2x Claws, replace: [2x Claws], options: ['Maul (A4, AP(2))']}
      - {id: arm, label: Replace any melee weapon, replace: [melee weapon], affects: any, options: [Spike (A1)]}
units:
  - {name: Foot, size: 5, cost: 50, quality: 4, defense: 4, upgrades: [foot], equipment: 'Bow (24", A1), Knife (A1)'}
  - {name: Beast, cost: 90, quality: 4, defense: 4, upgrades: [hero], equipment: '2x Claw (A2)', rules: Tough(6)}
""")
FOOT, BEAST = BOOK.units


def weapons(unit_picks: list[str], number: int = 0) -> list[list[str]]:
    unit = BOOK.units[number]
    loadout = outfit(BOOK, unit, [UpgradePick(pick) for pick in unit_picks])
    assert loadout.problems == ()
    return [[weapon.name for weapon in figure.weapons] for figure in loadout.figures]


def problems(unit_picks: list[str], number: int = 0) -> tuple[str, ...]:
    return outfit(BOOK, BOOK.units[number], [UpgradePick(pick) for pick in unit_picks]).problems


def test_replacing_all_changes_every_model_and_is_paid_once() -> None:
    assert weapons(["all-crossbow"]) == [["Knife", "Crossbow"]] * 5


def test_replacing_any_changes_one_model_each_time_it_is_bought() -> None:
    assert weapons(["any-axe", "any-axe"]) == [["Bow", "Axe"]] * 2 + [["Bow", "Knife"]] * 3


def test_more_cannot_be_replaced_than_there_is() -> None:
    (problem,) = problems(["any-axe"] * 6)
    assert "Knife" in problem
    assert "none is left" in problem


def test_roles_go_to_models_of_their_own() -> None:
    loadout = outfit(
        BOOK, FOOT, [UpgradePick("up-sergeant"), UpgradePick("up-banner"), UpgradePick("one-drum")]
    )
    assert [len(figure.gained) for figure in loadout.figures] == [1, 1, 1, 0, 0]


def test_no_more_models_are_upgraded_than_the_heading_allows() -> None:
    (problem,) = problems(["up-sergeant", "up-banner", "up-sergeant", "up-banner"])
    assert "the maximum is 3" in problem


def test_one_of_several_options_excludes_the_others() -> None:
    (problem,) = problems(["one-drum", "one-horn"])
    assert "the maximum is 1" in problem


def test_up_to_two_options_are_two_and_no_more() -> None:
    assert problems(["some-cloak", "some-boots"], 1) == ()
    (problem,) = problems(["some-cloak", "some-boots", "some-ring"], 1)
    assert "the maximum is 2" in problem


def test_an_option_for_all_models_is_bought_once() -> None:
    assert any("bought 2 times" in problem for problem in problems(["every-shields", "every-shields"]))


def test_two_of_a_kind_are_replaced_together() -> None:
    assert weapons(["two-maul"], 1) == [["Maul"]]


def test_general_words_find_any_weapon_of_that_kind() -> None:
    assert weapons(["arm-spike"], 1) == [["Claw", "Spike"]]


def test_options_the_book_lacks_are_named_and_cost_nothing() -> None:
    loadout = outfit(BOOK, FOOT, [UpgradePick("nothing", "nowhere")])
    assert loadout.missing == (UpgradePick("nothing", "nowhere"),)
    assert loadout.cost == 50


def test_things_some_models_carry_go_to_the_models_that_carry_least() -> None:
    book = read_book("""
format: shieldwall-book/1
id: t
name: T
units:
  - name: Mixed
    size: 10
    quality: 4
    defense: 4
    equipment:
      - {weapon: Sword, attacks: 1, models: 9}
      - {weapon: Axe, attacks: 1, models: 1}
      - {rule: Sergeant, models: 1}
""")
    figures = bare_figures(book.units[0])
    assert all(len(figure.weapons) == 1 for figure in figures)
    assert sum(figure.rules == (RuleRef("Sergeant"),) for figure in figures) == 1


def test_two_copies_make_one_unit_with_the_special_models_in_front() -> None:
    one = outfit(BOOK, FOOT, [UpgradePick("up-sergeant")])
    two = outfit(BOOK, FOOT, [UpgradePick("up-banner")])
    both = both_copies(one, two)
    assert both.size == 10
    assert both.cost == one.cost + two.cost
    assert [figure.specials for figure in both.figures] == [1, 1] + [0] * 8


def test_totals_count_everything_carried() -> None:
    loadout = outfit(BOOK, FOOT, [UpgradePick("any-axe"), UpgradePick("up-sergeant")])
    counted = {getattr(thing, "name", ""): count for thing, count in totals(loadout)}
    assert counted == {"Bow": 5, "Knife": 4, "Axe": 1, "Sergeant": 1}


PLURALS = {
    "axe": "axes",
    "bash": "bashes",
    "blunderbuss": "blunderbusses",
    "crossbow": "crossbows",
    "glaive": "glaives",
    "knife": "knives",
    "lance": "lances",
    "spear": "spears",
    "staff": "staves",
    "torch": "torches",
}


@pytest.mark.parametrize(("single", "plural"), PLURALS.items())
def test_targets_in_plural_mean_the_thing_itself(single: str, plural: str) -> None:
    assert stems(plural) & stems(single)
    assert not stems(plural) & stems(f"great {single}")


CHAINS: Book = read_book("""
format: shieldwall-book/1
id: chains
name: Chains
packages:
  - id: p
    sections:
      - {id: halberd, label: Replace all Great Weapons, replace: [Great Weapons], affects: all, options: [Halberd (A2)]}
      - {id: great, label: Replace all Swords, replace: [Swords], affects: all, options: ['Great Weapon (A1, AP(1))']}
      - {id: tower, label: Replace Shield, replace: [Shields], affects: all, options: [Tower (Regeneration)]}
      - {id: shield, label: Upgrade all models with, affects: all, options: [Shield (Stealth)]}
      - {id: two, label: Replace two Swords, replace: [Swords], affects: exactly 2, options: [Axe (A1)]}
units:
  - {name: Foot, size: 5, cost: 50, quality: 4, defense: 4, upgrades: [p], equipment: Sword (A1)}
""")


def test_a_bought_item_can_be_replaced_whatever_the_order() -> None:
    for picks in (["great-great-weapon", "halberd-halberd"], ["halberd-halberd", "great-great-weapon"]):
        loadout = outfit(CHAINS, CHAINS.units[0], [UpgradePick(pick) for pick in picks])
        assert loadout.problems == ()
        assert {weapon.name for figure in loadout.figures for weapon in figure.weapons} == {"Halberd"}


def test_an_upgrade_can_be_replaced_by_another() -> None:
    loadout = outfit(CHAINS, CHAINS.units[0], [UpgradePick("shield-shield"), UpgradePick("tower-tower")])
    assert loadout.problems == ()
    assert {item.name for figure in loadout.figures for item in figure.items} == {"Tower"}


def test_replacing_exactly_two_changes_two_models_at_once() -> None:
    loadout = outfit(CHAINS, CHAINS.units[0], [UpgradePick("two-axe")])
    counted = {getattr(thing, "name", ""): count for thing, count in totals(loadout)}
    assert counted == {"Sword": 3, "Axe": 2}


@pytest.mark.parametrize(("section", "most"), [("all", 1), ("any", 5), ("up", 3), ("one", 1)])
def test_a_unit_takes_as_much_under_a_heading_as_it_has_to_replace(section: str, most: int) -> None:
    assert most_taken(_section(section), FOOT) == most


def test_a_single_weapon_is_replaced_by_one_of_the_options() -> None:
    sabre = replace(_section("two"), targets=("Claw",), options=_section("some").options)
    assert most_taken(sabre, replace(BEAST, equipment=BEAST.equipment[:1])) == 2  # it has two claws
    assert most_taken(replace(sabre, targets=("2x Claws",)), BEAST) == 1
    assert most_taken(replace(sabre, targets=("Horn",)), BEAST) == 3, "a horn may be bought"


def _section(id: str) -> Section:
    return next(section for package in BOOK.packages for section in package.sections if section.id == id)
