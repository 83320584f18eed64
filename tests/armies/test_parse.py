"""Profile texts: the engine gets what lists print, and malformed texts are refused with reasons."""

import pytest

from shieldwall.armies.parse import (
    Gear,
    Stats,
    Title,
    describe_weapon,
    parse_equipment,
    parse_rules,
    parse_stats,
    parse_title,
    parse_weapon,
)
from shieldwall.armies.rule_names import rule_spelled
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import RuleRef, Weapon


def test_title_holds_name_and_size() -> None:
    """R35-STAT-14, SK32-STAT-08: a name with the number of models in square brackets."""
    assert parse_title("Infantrymen [10]") == Title("Infantrymen", 10)
    assert parse_title("Goblins [3]") == Title("Goblins", 3)
    assert parse_title("Champion [1]") == Title("Champion", 1)


def test_title_without_size_is_a_single_model() -> None:
    assert parse_title("Slag Troll") == Title("Slag Troll", 1)


@pytest.mark.parametrize(
    "text", ["Infantrymen [0]", "Infantrymen [ten]", "Infantrymen []", "[10]", "A [1] [2]"]
)
def test_title_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(MalformedError):
        parse_title(text)


def test_bad_size_says_what_was_understood() -> None:
    with pytest.raises(MalformedError, match="understood the name 'Infantrymen'"):
        parse_title("Infantrymen [ten]")


@pytest.mark.parametrize(
    "text",
    [
        "Q4+ D5+",
        "D5+ Q4+",
        "Q4+, D5+",
        "Q4+/D5+",
        "Quality4+ Defense5+",
        "q4+ d5+",
        "Q4 D5",
        "Quality 4+, Defense 5+",
        "Quality: 4 Defence: 5",
        "Q 4 + D 5 +",
    ],
)
def test_stats_are_quality_and_defense(text: str) -> None:
    """R35-STAT-15, R35-STAT-16, SK32-STAT-09, SK32-STAT-10: Quality and Defense as printed."""
    assert parse_stats(text) == Stats(4, 5)


def test_all_faults_of_stats_are_reported_together() -> None:
    with pytest.raises(MalformedError) as caught:
        parse_stats("Q9+ T3")
    assert caught.value.problems == [
        "'T3' is neither a Quality (Q4+) nor a Defense (D5+)",
        "Quality 9+ is not possible; it runs from 2+ to 6+",
        "no Defense given",
    ]


def test_equipment_tells_weapons_from_other_items() -> None:
    """R35-STAT-17: one weapon and one other item."""
    found = parse_equipment("Hand Weapon (A1), Shield")
    assert found.weapons == (Weapon("Hand Weapon", 1),)
    assert found.gear == (Gear("Shield"),)


def test_equipment_holds_ranged_and_melee_weapons() -> None:
    """SK32-STAT-11: a bow and a hand weapon."""
    bow, hand_weapon = parse_equipment('Bow (24", A1), Hand Weapon (A1)').weapons
    assert bow.reach > 0
    assert hand_weapon.reach == 0


def test_counted_equipment_is_carried_that_often() -> None:
    assert [weapon.name for weapon in parse_equipment("2x Claw (A1), Sting (A3, Bane)").weapons] == [
        "Claw",
        "Claw",
        "Sting",
    ]


def test_gear_may_bring_special_rules() -> None:
    assert parse_equipment("Wings (Flying, Fear(1))").gear == (
        Gear("Wings", (RuleRef("Flying"), RuleRef("Fear", 1))),
    )


def test_rules_carry_their_values() -> None:
    """R35-STAT-18, SK32-STAT-12: Fast, and Tough with value 3."""
    assert parse_rules("Fast, Tough(3)") == (RuleRef("Fast"), RuleRef("Tough", 3))
    assert parse_rules("") == ()
    assert parse_rules("AP(+1)") == (RuleRef("AP", 1, plus=True),)


def test_bad_rules_are_all_named_with_what_was_understood() -> None:
    with pytest.raises(MalformedError) as caught:
        parse_rules("Fast, Tough(three), 7")
    assert caught.value.problems == [
        "Tough has 'three' in brackets, which is not a whole number",
        "'7' is not a special rule; expected Fast or Tough(3)",
        "understood Fast",
    ]


def test_melee_weapon_has_no_range() -> None:
    """R35-STAT-22, R35-STAT-23, SK32-STAT-15, SK32-STAT-16: Great Axe (A2, AP(1))."""
    axe = parse_weapon("Great Axe (A2, AP(1))")
    assert axe == Weapon("Great Axe", 2, 0, (RuleRef("AP", 1),))
    assert axe.reach == 0


def test_ranged_weapon_has_a_range() -> None:
    """R35-STAT-20, R35-STAT-21, R35-STAT-24, SK32-STAT-14, SK32-STAT-17: Heavy Rifle (24", A1, AP(1))."""
    rifle = parse_weapon('Heavy Rifle (24", A1, AP(1))')
    assert rifle == Weapon("Heavy Rifle", 1, 24_000, (RuleRef("AP", 1),))
    assert rifle.reach > 0


@pytest.mark.parametrize("mark", ['"', "”", "in", " inches", "''"])
def test_ranges_may_be_written_in_several_ways(mark: str) -> None:
    assert parse_weapon(f"Bow (18{mark}, A2)").reach == 18_000


def test_weapons_read_back_as_they_print() -> None:
    for text in ('Heavy Rifle (24", A1, AP(1))', "Great Axe (A2, AP(1), Rending)", 'Sling (7.5", A1)'):
        assert describe_weapon(parse_weapon(text)) == text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Great Axe", "expected a name and brackets"),
        ('Bow (24")', "no attacks given"),
        ("Axe (A1, A2)", "two numbers of attacks"),
        ('Bow (24", 12", A1)', "two ranges"),
        ('Bow (0", A1)', "a range of 0"),
        ("Axe (A0)", "A0 never attacks"),
        ("Axe (A1, AP(x))", "not a whole number"),
        ("Axe (A1, AP(1)", "not closed"),
        ("Axe (A1))", "never opened"),
    ],
)
def test_weapons_that_make_no_sense_are_refused(text: str, problem: str) -> None:
    with pytest.raises(MalformedError, match="weapon") as caught:
        parse_weapon(text)
    assert problem in str(caught.value)


def test_bad_weapon_says_what_was_understood() -> None:
    with pytest.raises(MalformedError, match=r'understood Bow \(24", A0, Rending\)'):
        parse_weapon('Bow (24", Rending)')


def test_a_plus_in_front_of_a_value_is_kept_unless_it_is_only_its_sign() -> None:
    assert parse_rules("Tough(+3), AP(1), To Hit(+1)") == (
        RuleRef("Tough", 3, plus=True),
        RuleRef("AP", 1),
        RuleRef("To Hit", 1),
    )
    assert describe_weapon(parse_weapon("Great Axe (A2, AP(+1))")) == "Great Axe (A2, AP(+1))"
    assert rule_spelled("tough(+3)") == RuleRef("Tough", 3, plus=True)
