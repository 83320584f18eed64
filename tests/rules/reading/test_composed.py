"""Subjects, conditions and effects put together in ways that no phrase lists, and what must not be read into them."""

from __future__ import annotations

import pytest

from shieldwall.core.blocks import Gets, Inches, Modifier, RuleRef, When
from shieldwall.rules.reading import read

NAMES = ("Fearless", "Furious", "Fear", "Ambush")
CHARGE = When(attack="melee", charging=True)
AP1 = RuleRef("AP", 1, True)

TEXTS = {
    "This model gets +1 to hit and AP(+1) when charging.": (
        Modifier("hit", 1, when=(CHARGE,)),
        Gets(AP1, when=(CHARGE,)),
    ),
    "When this unit is charging, it gets +1 to hit.": (Modifier("hit", 1, who="unit", when=(CHARGE,)),),
    "This model gains +1 to hit during its charge.": (Modifier("hit", 1, when=(CHARGE,)),),
    "While it remains unshaken, this unit gets +1 to hit.": (
        Modifier("hit", 1, who="unit", when=(When(shaken=False),)),
    ),
    "This unit gets +1 to block when an enemy shoots at it.": (
        Modifier("block", 1, who="unit", when=(When(attack="shoot"),)),
    ),
    "This model counts as if it had Fearless.": (Gets(RuleRef("Fearless")),),
    "This model gets AP(+1) against enemies with a Defense of 2+ to 4+.": (
        Gets(AP1, when=(When(target_defense=(2, 4)),)),
    ),
    "This model gets +1 to hit against any enemy that has Fear.": (
        Modifier("hit", 1, when=(When(target_rule="Fear"),)),
    ),
    "This unit moves two extra inches.": (Inches(2000, ("advance", "rush", "charge"), who="unit"),),
}


@pytest.mark.parametrize("text", TEXTS)
def test_parts_of_a_sentence_are_put_together(text: str) -> None:
    found = read("Example", text, NAMES)
    assert found.missed == ()
    assert found.blocks == TEXTS[text]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("word", ["not", "except", "unless", "other than", "at most", "wobbly"])
def test_a_negation_or_a_limit_anywhere_changes_the_blocks_or_is_reported(text: str, word: str) -> None:
    before, words = read("Example", text, NAMES), text.split(" ")
    for place in range(len(words) + 1):
        after = read("Example", " ".join([*words[:place], word, *words[place:]]), NAMES)
        assert after.missed or after.blocks != before.blocks, place


@pytest.mark.parametrize(
    "text",
    [
        'When an enemy charges this unit, it moves -2".',  # the enemy, or this unit?
        "When an enemy shoots at this unit, it gets AP(+1).",
        "This unit gets +1 to hit when an enemy shoots at it.",
    ],
)
def test_what_an_enemy_does_is_no_condition_for_the_bearers_own_attacks_and_moves(text: str) -> None:
    assert not read("Example", text, NAMES).is_whole
