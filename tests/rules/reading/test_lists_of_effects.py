"""Lists of effects, each behind its name or the faces of a die: their names change nothing, every other word counts."""

from __future__ import annotations

import pytest

from shieldwall.core.blocks import Block, Gets, Inches, Modifier, PickedEffect, RolledEffect, RuleRef, When
from shieldwall.rules.reading import read

MELEE, SHOOT = (When(attack="melee"),), (When(attack="shoot"),)
RUN = Inches(3000, ("advance", "rush", "charge"))
AIM, STRIKE = Modifier("hit", 1, when=SHOOT), Modifier("hit", 1, when=MELEE)
ORDERS = (
    "When this unit activates choose one of the following orders, and they gain one of these until the"
    " end of the round:"
)
LINES = '• Quick March: +3" when moving. • Steady: +1 to shooting rolls. • Hew: +1 to melee rolls.'


def one_block(text: str) -> Block:
    found = read("Example", text)
    assert found.missed == ()
    assert len(found.blocks) == 1
    return found.blocks[0]


@pytest.mark.parametrize(
    "lines",
    [
        LINES,
        LINES.replace("• ", "- "),
        LINES.replace("• ", ""),
        LINES.replace(".", "") + ".",
        LINES.replace("•", "\ufffd").replace('"', "\ufffd"),
    ],
)
def test_one_of_several_orders_is_picked_at_activation(lines: str) -> None:
    assert one_block(f"{ORDERS} {lines}") == PickedEffect(((RUN,), (AIM,), (STRIKE,)), "activated", "round")


def test_the_hero_and_his_unit_are_one_unit() -> None:
    text = f"{ORDERS} {LINES}".replace("this unit activates", "the hero and his unit are activated")
    assert one_block(text) == one_block(f"{ORDERS} {LINES}")


@pytest.mark.parametrize(
    "joint", ["pick one fighting style:", "pick one of these stances and apply the bonus:"]
)
def test_one_of_several_styles_is_picked_when_fighting(joint: str) -> None:
    text = (
        f"Whenever this unit fights in melee {joint} • Thrust: AP(+1) in melee. • Parry: +1 to defense rolls."
    )
    piercing = Gets(RuleRef("AP", 1, True), "model", MELEE)
    assert one_block(text) == PickedEffect(((piercing,), (Modifier("block", 1),)), "fights", "activation")


def test_a_die_settles_which_of_several_effects_applies() -> None:
    text = (
        "When this model fights in melee roll a die and apply one bonus: • 1-2: Unit has AP(+1). • 3-4: Unit gets"
        " Furious. • 5-6: Enemies get -1 to hit."
    )
    effects = (
        (Gets(RuleRef("AP", 1, True)),),
        (Gets(RuleRef("Furious")),),
        (Modifier("hit", -1, "enemy"),),
    )
    assert one_block(text) == RolledEffect(((1, 2), (3, 4), (5, 6)), effects, "fights")


@pytest.mark.parametrize(
    "text",
    [
        f"{ORDERS} {LINES}".replace("+1 to melee rolls", "+1 to melee rolls sometimes"),
        f"{ORDERS} {LINES}".replace("Hew: +1 to melee rolls", "Hew"),
        f"{ORDERS} {LINES}".replace("until the end of the round", "until the end of the feast"),
        f"{ORDERS} {LINES}".replace("choose one of", "choose two of"),
        f"{ORDERS} • Hew: +1 to melee rolls.",  # one alone is no choice
        "When this model fights in melee roll a die and apply one bonus: 1-2: AP(+1). 4-6: Furious.",  # and on a 3?
        "When this model fights in melee roll a die and apply one bonus: 1-3: AP(+1). 3-6: Furious.",
    ],
)
def test_a_list_with_a_gap_or_a_strange_word_is_not_understood(text: str) -> None:
    assert not read("Example", text).is_whole
