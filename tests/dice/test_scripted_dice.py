"""Scripted dice are strict: none is made up, none is left over."""

import pytest
from rolls import aimed, plain

from shieldwall.dice import ScriptedDice, ScriptError


def test_queues_are_read_in_order_and_independently() -> None:
    dice = ScriptedDice({"to_hit": [6, 5, 1], "block": [2, 3]})
    assert dice.faces(plain(2), 0) == (6, 5)
    assert dice.faces(plain(2, "block"), 1) == (2, 3)
    assert dice.faces(plain(1), 2) == (1,)
    assert dice.leftovers() == {}
    dice.require_used_up()


def test_an_unknown_purpose_is_named_with_the_roll_in_words() -> None:
    dice = ScriptedDice({"block": [2]})
    with pytest.raises(ScriptError) as caught:
        dice.faces(aimed(10), 4)
    message = str(caught.value)
    assert "no dice are scripted for 'to_hit'" in message
    assert "roll 4: to hit: 10 dice, 4+ (+1 aim)" in message
    assert "there are dice for: block" in message


def test_too_few_dice_say_how_many_are_needed_and_left() -> None:
    dice = ScriptedDice({"to_hit": [6, 5, 4]})
    dice.faces(plain(1), 0)
    with pytest.raises(ScriptError) as caught:
        dice.faces(aimed(3), 1)
    message = str(caught.value)
    assert "'to_hit' needs 3 dice but 2 are left of 3" in message
    assert "left: [5, 4]" in message
    assert dice.leftovers() == {"to_hit": (5, 4)}, "a failed roll must not eat dice"


def test_leftovers_fail_a_scene() -> None:
    dice = ScriptedDice({"to_hit": [6], "morale": [1, 2], "block": []})
    dice.faces(plain(1), 0)
    assert dice.leftovers() == {"morale": (1, 2)}
    with pytest.raises(ScriptError, match=r"never rolled: morale: \[1, 2\]"):
        dice.require_used_up()


@pytest.mark.parametrize("face", [0, 7, -1, True, 3.0])
def test_impossible_faces_are_refused_at_once(face: int) -> None:
    with pytest.raises(ScriptError, match="not a face of a die"):
        ScriptedDice({"block": [1, face]})


def test_the_script_given_is_not_changed() -> None:
    script = {"to_hit": [1, 2]}
    ScriptedDice(script).faces(plain(2), 0)
    assert script == {"to_hit": [1, 2]}
