"""Rules as people write them at home: texts of one group mean the same, and nothing is guessed."""

from __future__ import annotations

import pytest

from shieldwall.armies.army_rules import standings_of
from shieldwall.editions import ruleset
from shieldwall.rules.reading import read, read_spell

SAME: dict[str, tuple[str, ...]] = {
    "This model gets AP(+1) when charging.": (
        "When this model charges, its weapons have AP(+1).",
        "On the charge, this model's weapons gain AP(+1).",
        "If this model charged this turn, it gets AP(+1).",
        "Models with this rule get AP(+1) when they charge.",
    ),
    "When attacking enemies with Tough(6) or higher, this model gets AP(+2).": (
        "When attacking a unit with Tough(6) or higher, this model gets AP(+2).",
    ),
    'Its ranged weapons get AP(+1) over 9" away.': ('Its shooting weapons get AP(+1) beyond 9".',),
    "This model gets AP(+1) when attacking.": (
        "Attacks made by this model have AP(+1).",
        "This model's attacks have AP(+1).",
    ),
    "This model gets +1 to hit when shooting.": (
        "Add 1 to this model's hit rolls when shooting.",
        "This model adds +1 to its hit rolls when shooting.",
    ),
    "Enemies get -1 to hit in melee when attacking this unit.": (
        "Enemies have -1 to hit this unit in melee.",
        "Enemies attacking this unit in melee have -1 to hit rolls.",
    ),
    'When enemies shoot at this unit from over 9" away, they get -1 to hit.': (
        'Enemies shooting at this unit from more than 9" away get -1 to hit.',
    ),
    "Attacks against this unit get -1 to hit.": ("Hit rolls against this unit get -1.",),
    'This model gets +1 to hit when most models in it are within 3" of terrain.': (
        'This model gets +1 to its hit rolls while it is within 3" of terrain.',
    ),
    'This unit moves +2" when using Advance actions.': (
        'This unit moves an extra 2" when using Advance actions.',
        'This unit moves 2" farther when advancing.',
    ),
    'This model moves +3" when using Charge actions.': (
        'When charging, this model moves +3".',
        'This model gets +3" movement when charging.',
        "This model's charge moves are 3\" longer.",
        'Adds 3" to its charge moves.',
    ),
    'Enemies get -3" movement when trying to charge this unit.': (
        'Enemies charging this unit move -3".',
        'Enemies get -3" to their charge moves against this unit.',
    ),
    "For each unmodified 6 to hit, this weapon deals 1 extra hit.": (
        "On unmodified rolls of 6 to hit this weapon causes one additional hit.",
        "This weapon's unmodified hit rolls of 6 count as 2 hits.",
    ),
    "On natural 6s to hit, those hits get AP(+4).": ("Natural 6s to hit get AP(+4).",),
    "On natural 1s to block, this model deals 1 extra wound.": (
        "Unmodified 1s to block cause 1 extra wound.",
        "When the target rolls unmodified 1s to block, it takes 1 extra wound.",
    ),
    "Enemies must re-roll natural 6s to block.": ("The target re-rolls successful blocks of 6.",),
    "This unit ignores wounds on a 5+.": (
        "Whenever this unit takes a wound, roll a die: on a 5+ it is ignored.",
        "Each time this unit takes a wound, on a 5+ that wound is ignored.",
        "This unit ignores each wound on a roll of 5+.",
    ),
    'Once each activation, before it attacks, pick one enemy unit within 17", which gets -1 to defense rolls once.': (
        'Before attacking, pick one enemy unit within 17". It gets -1 to defense rolls once.',
        'Before attacking, pick one enemy within 17", it gets -1 to defense rolls once.',
    ),
    "Once a game, when this unit attacks, you may use this rule to gain AP(+1).": (
        "Once per game, when this unit attacks, it may get AP(+1).",
    ),
    'Once per round, this unit may move up to 3" after attacking.': (
        'After attacking, this unit may move up to 3".',
    ),
    "This unit gets one marker at the end of each round. For each marker it gets +1 to hit, up to 2 times.": (
        "At the end of each round this unit gets a marker. For each marker it gets +1 to hit, up to 2.",
    ),
    "This model may shoot after rushing.": ("This model can shoot after a Rush action.",),
    "Has a Defense of 3+.": ("Counts as Defense 3+.",),
}
PAIRS = [(text, usual) for usual, others in SAME.items() for text in others]


@pytest.mark.parametrize(("text", "usual"), PAIRS)
def test_other_words_mean_the_same(text: str, usual: str) -> None:
    found, same = read("Example", text), read("Example", usual)
    assert same.is_whole, same.missed
    assert found.is_whole, found.missed
    assert found.blocks == same.blocks


SPELLS = {
    'Choose up to 2 enemy units within 11". Each takes 2 hits with AP(2).': (
        'Pick up to two enemy units within 11", which take 2 hits with AP(2) each.'
    ),
    'One enemy unit within 18" takes 4 hits.': 'Pick one enemy unit within 18", which takes 4 hits.',
    'Pick one enemy unit within 18". Roll one die. On a 4+ it takes 3 wounds.': (
        'Pick one enemy unit within 18" and roll one die. On a 4+ it takes 3 wounds.'
    ),
}


@pytest.mark.parametrize("text", SPELLS)
def test_spells_in_other_words_mean_the_same(text: str) -> None:
    found, same = read_spell("Example", text), read_spell("Example", SPELLS[text])
    assert found.is_whole, found.missed
    assert found.blocks == same.blocks


@pytest.mark.parametrize(
    "text",
    [
        "When this unit is shot at, it gets +1 to hit.",  # it does not shoot then
        "When attacked, this unit gets AP(+1).",
        "When this model shoots, hits against it count as having AP(-1).",
    ],
)
def test_a_condition_about_the_other_side_is_not_guessed(text: str) -> None:
    assert not read("Example", text).is_whole


@pytest.mark.parametrize(
    "text",
    [
        "When charging, this model gets Fearless.",  # nerve hangs on no attack
        "This model gets Strider when shooting.",
        "When attacking units with Tough(3) or more, this model gets Takedown.",  # whom it may pick comes first
        "This unit may move through friendly units.",  # and not through others
    ],
)
def test_what_cannot_be_kept_to_is_not_played(text: str) -> None:
    standing = standings_of({"Example": read("Example", text)}, ruleset("regiments-3.5"))["Example"]
    assert not standing.is_played


@pytest.mark.parametrize(
    "effect",
    [
        "gets +1 to hit",
        "gets +1 to block in melee",
        "gets +1 to morale tests",
        "gets Furious",
        "gets AP(+1) when charging",
        'moves +2"',
        'gets +6" range',
        "gets +1 attack in melee",
        "counts as having Defense 3+",
        "ignores wounds on 6+",
        "ignores wounds on 6+, or on 4+ against spells",
        "ignores cover",
        "re-rolls failed blocks",
        "deals 1 extra hit on natural 6s to hit",
        "is never fatigued",
    ],
)
@pytest.mark.parametrize("how_many", ["all", "most of"])
def test_how_many_models_must_have_a_rule_is_never_passed_over(effect: str, how_many: str) -> None:
    for text in (
        f"This unit {effect} while {how_many} its models have this rule.",
        f"If {how_many} its models have this rule, this unit {effect}.",
    ):
        found = read("Example", text)
        assert {block.who for block in found.blocks} <= {how_many.split(maxsplit=1)[0]}, text  # type: ignore[union-attr]
