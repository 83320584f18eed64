"""The same rule in other words is read into the same blocks."""

from __future__ import annotations

import pytest

from shieldwall.core.blocks import (
    Aura,
    ExtraWounds,
    Gets,
    InTerrain,
    Lend,
    Modifier,
    Picks,
    RolledEffect,
    RuleRef,
    When,
)
from shieldwall.rules.reading import read

SHOOT = When(attack="shoot")
AP1 = RuleRef("AP", 1, True)
AIMED = Modifier("hit", 1, who="unit", when=(SHOOT,))
PIERCING = Gets(AP1, who="unit")

TEXTS = {
    "This weapon deals 2 extra wounds for natural 1-2 to block.": ExtraWounds(2, "block", 2, who="weapon"),
    "This weapon causes 1 extra wound on natural 6s to hit that are not blocked.": ExtraWounds(
        1, "hit", 6, who="weapon"
    ),
    'Pick a foe within 7". Friendly units get AP(+1) against it the next time.': Picks(
        (Lend((PIERCING,), "once", against=True),), "enemy", reach=7000
    ),
    'Pick up to 2 friends within 5". They get +1 to hit at shooting the next time.': Picks(
        (Lend((AIMED,), "once"),), "friend", count=2, reach=5000
    ),
    'Pick a foe within 7". It counts as being in difficult terrain the next time.': Picks(
        (Lend((InTerrain("difficult"),), "once"),), "enemy", reach=7000
    ),
    "When shooting, roll a die: on 1-2 it has AP(+1), on 3-6 it has +1 to hit.": RolledEffect(
        ((1, 2), (3, 6)), ((Gets(AP1),), (Modifier("hit", 1),)), "shoots"
    ),
    "This model and up to 2 friends picked before the game get +1 to hit at shooting.": Aura(
        (AIMED,), "picked", 2
    ),
}


@pytest.mark.parametrize("text", TEXTS)
def test_plain_words_are_understood(text: str) -> None:
    found = read("Example", text)
    assert found.is_whole, found.missed
    assert found.blocks == (TEXTS[text],)


@pytest.mark.parametrize(
    "text",
    [
        'Pick a foe within 7".',  # and then nothing happens
        'Pick a foe within 7". Its banner is blue.',
        "When shooting, roll a die: on 1-2 it has AP(+1), on 4-6 it has +1 to hit.",  # and on a 3?
        "This weapon deals 1 extra wound for natural 2s to block.",  # without 1s
    ],
)
def test_what_makes_no_rule_is_not_understood(text: str) -> None:
    assert not read("Example", text).is_whole
