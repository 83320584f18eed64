"""Dice notation read from six-sided dice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shieldwall.dice import Expression, ExpressionError, parse


def test_R35_DICE_07_a_D3_is_a_D6_halved_and_rounded_up() -> None:
    """R35-DICE-07, R34-DICE-06, SK32-DICE-07, A2-DICE-07, A16-DICE-07"""
    assert [parse("D3").value([face]) for face in range(1, 7)] == [1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize(
    ("text", "faces", "result", "row"),
    [
        ("2D6", [3, 6], 9, "R35-DICE-08"),
        ("D6+1", [6], 7, "R35-DICE-09"),
        ("3D3+2", [1, 4, 6], 8, "R35-DICE-10"),
        ("2D6", [2, 5], 7, "SK32-DICE-08"),
        ("D6+1", [6], 7, "SK32-DICE-09"),
        ("D3+2", [3], 4, "SK32-DICE-10"),
        ("3D6+2", [4, 4, 1], 11, "SK32-DICE-10"),
        ("2D6", [3, 5], 8, "A2-DICE-08"),
        ("D6+1", [6], 7, "A2-DICE-09"),
        ("D3+2", [5], 5, "A2-DICE-10"),
        ("2D3+1", [2, 6], 5, "A2-DICE-10"),
        ("D3+2", [4], 4, "A16-DICE-07"),
        ("2D6", [6, 3], 9, "A16-DICE-07"),
        ("d6 - 1", [1], 0, "R35-DICE-10"),
    ],
)
def test_expressions_of_the_books(text: str, faces: list[int], result: int, row: str) -> None:
    assert parse(text).value(faces) == result, row


@given(st.integers(1, 40), st.sampled_from([3, 6]), st.integers(-9, 9), st.data())
def test_every_expression_round_trips_and_stays_in_range(
    count: int, sides: int, plus: int, data: st.DataObject
) -> None:
    expression = Expression(count, sides, plus)
    assert parse(str(expression)) == expression
    faces = data.draw(st.lists(st.integers(1, 6), min_size=count, max_size=count))
    assert expression.lowest <= expression.value(faces) <= expression.highest


@pytest.mark.parametrize("text", ["", "6", "D8", "0D6", "D6+", "2xD6", "D6 1", "one D6"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ExpressionError, match="not dice notation"):
        parse(text)


def test_faces_must_fit_the_expression() -> None:
    with pytest.raises(ExpressionError, match="2D6 takes 2 dice, not 1"):
        parse("2D6").value([3])
    with pytest.raises(ExpressionError, match="read from faces 1 to 6"):
        parse("D6").value([0])
