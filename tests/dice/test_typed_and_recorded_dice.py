"""Dice typed in by people, and dice read back from a record."""

import pytest
from rolls import aimed, plain

from shieldwall.dice import RecordedDice, RecordedRoll, RecordEndedError, RecordMismatchError, TypedDice


class Person:
    """Types prepared lines and remembers what was shown."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.shown: list[str] = []

    def read(self, prompt: str) -> str:
        self.shown.append(prompt)
        return self.lines.pop(0)

    def throw(self, dice: int) -> tuple[int, ...]:
        return TypedDice(self.read, self.shown.append).faces(aimed(dice), 0)


def test_the_prompt_says_what_to_roll() -> None:
    person = Person("6 5 1")
    assert person.throw(3) == (6, 5, 1)
    assert "to hit: 3 dice, 4+ (+1 aim)" in person.shown[0]


@pytest.mark.parametrize("line", ["651", " 6,5, 1 ", "6/5/1", "6 51"])
def test_faces_may_be_typed_in_several_ways(line: str) -> None:
    assert Person(line).throw(3) == (6, 5, 1)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("6 five 1", "'five' is not a number"),
        ("6 5", "3 dice are needed, not 2"),
        ("", "are needed, not 0"),
        ("6 5 7", "a die cannot show 7"),
        ("6 5 0", "a die cannot show 0"),
        ("-1 2 3", "'-1' is not a number"),
        ("1 2 ²", "is not a number"),
    ],
)
def test_a_bad_line_is_explained_and_asked_again(line: str, said: str) -> None:
    person = Person(line, "1 2 3")
    assert person.throw(3) == (1, 2, 3)
    assert any(said in text for text in person.shown)


def test_recorded_dice_come_back_by_number_in_any_order() -> None:
    dice = RecordedDice([RecordedRoll("to_hit", (6, 5)), RecordedRoll("block", (1,))])
    assert dice.faces(plain(1, "block"), 1) == (1,)
    assert dice.faces(plain(2), 0) == (6, 5)


def test_a_record_that_does_not_fit_names_expected_and_found() -> None:
    dice = RecordedDice([RecordedRoll("to_hit", (6, 5))])
    with pytest.raises(
        RecordMismatchError, match="roll 0 is recorded as to_hit with 2 dice; the game asks for block"
    ):
        dice.faces(plain(2, "block"), 0)
    with pytest.raises(RecordMismatchError, match="asks for to hit: 3 dice"):
        dice.faces(plain(3), 0)
    with pytest.raises(RecordEndedError, match="has 1 roll; roll 1 is not among them"):
        dice.faces(plain(3), 1)


def test_a_record_may_begin_in_the_middle_of_a_game() -> None:
    dice = RecordedDice([RecordedRoll("to_hit", (6,))], first=12)
    assert dice.faces(plain(1), 12) == (6,)
    with pytest.raises(RecordEndedError):
        dice.faces(plain(1), 0)
