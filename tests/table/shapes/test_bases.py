"""Usual bases and their text form."""

from __future__ import annotations

import pytest
from hypothesis import given
from shape_makers import bases

from shieldwall.core.errors import MalformedError
from shieldwall.core.state import Base
from shieldwall.table.bases import (
    CATEGORIES,
    default_base,
    default_height,
    describe_base,
    listed_bases,
    mixed_bases,
    nominal_height,
    parse_base,
)


def square(side: float) -> Base:
    return Base("square", side, side)


def circle(diameter: float) -> Base:
    return Base("round", diameter, diameter)


def test_square_infantry() -> None:
    """R35-STAT-03: 20 and 32 mm squares, 32 mm tall; the default lies in that range."""
    assert listed_bases("infantry", "square") == (square(20), square(32))
    assert nominal_height("infantry") == 32
    default = default_base("infantry", "square")
    assert default.shape == "square"
    assert 20 <= default.width <= 32


def test_square_large_infantry() -> None:
    """R35-STAT-04: 40 and 50 mm squares, 50 mm tall."""
    assert listed_bases("large infantry", "square") == (square(40), square(50))
    assert nominal_height("large infantry") == 50


def test_square_cavalry_has_its_short_side_in_front() -> None:
    """R35-STAT-05: 25 mm wide, 50 mm deep, 40 mm tall."""
    assert default_base("cavalry", "square") == Base("rect", width=25, depth=50)
    assert nominal_height("cavalry") == 40


def test_square_monster() -> None:
    """R35-STAT-06: 60 mm square, 70 mm tall."""
    assert default_base("monster", "square") == square(60)
    assert nominal_height("monster") == 70


def test_square_giant_has_its_short_side_in_front() -> None:
    """R35-STAT-07: 50 mm wide, 100 mm deep, 100 mm tall."""
    assert default_base("giant", "square") == Base("rect", width=50, depth=100)
    assert nominal_height("giant") == 100


@pytest.mark.parametrize("family", ["square", "round"])
def test_vehicles_must_say_what_they_stand_on(family: str) -> None:
    """R35-STAT-08: the engine asks for an agreed hull footprint and gives no base out."""
    assert listed_bases("vehicle", family) == ()  # type: ignore[arg-type]
    with pytest.raises(MalformedError, match="agreed hull footprint"):
        default_base("vehicle", family)  # type: ignore[arg-type]


def test_any_size_may_be_used_if_all_models_of_a_kind_use_it() -> None:
    """R35-STAT-09, SK32-STAT-05: one size for a kind is fine, two are a warning."""
    assert mixed_bases([("Spears", square(25))] * 10 + [("Bows", square(25))] * 5) == []
    assert mixed_bases([("Spears", square(25)), ("Ogres", square(40))]) == []
    warnings = mixed_bases([("Spears", square(32)), ("Spears", square(20)), ("Bows", square(20))])
    assert [warning.text for warning in warnings] == [
        "the models of Spears have bases of different sizes: 20mm square, 32mm square"
    ]
    assert mixed_bases([("Goblins", circle(25)), ("Goblins", circle(32))])[0].cite == "base.same-size"


def test_a_model_of_skirmish_stands_on_a_round_base() -> None:
    """SK32-STAT-01: a base without a shape is round in the round family."""
    assert parse_base("25mm", "round") == circle(25)
    assert parse_base("25mm", "square") == square(25)


def test_round_infantry() -> None:
    """SK32-STAT-02: 20 or 32 mm, by default 32, and 32 mm tall."""
    assert listed_bases("infantry", "round") == (circle(20), circle(32))
    assert default_base("infantry", "round") == circle(32)
    assert default_height("infantry") == 1260


def test_round_large_infantry() -> None:
    """SK32-STAT-03: 40 or 50 mm, by default 40, and 50 mm tall."""
    assert listed_bases("large infantry", "round") == (circle(40), circle(50))
    assert default_base("large infantry", "round") == circle(40)


def test_round_cavalry_stands_on_an_oval() -> None:
    """SK32-STAT-04: 60 mm long along the facing, 35 mm wide, 40 mm tall."""
    assert default_base("cavalry", "round") == Base("oval", width=35, depth=60)
    assert nominal_height("cavalry") == 40


@pytest.mark.parametrize("category", sorted(set(CATEGORIES) - {"vehicle"}))
def test_every_other_category_has_a_base_in_both_families(category: str) -> None:
    assert default_base(category, "square").shape in ("square", "rect")
    assert default_base(category, "round").shape in ("round", "oval")
    for family in ("square", "round"):
        base = default_base(category, family)  # type: ignore[arg-type]
        assert base.width <= base.depth
    assert default_base(category.title(), "square") == default_base(category, "square")
    assert default_height(category) > 0


def test_an_unknown_category_names_the_known_ones() -> None:
    with pytest.raises(MalformedError, match="expected one of swarm, infantry"):
        default_base("wizard", "square")


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("25mm round", circle(25)),
        ("25x50mm", Base("rect", 25, 50)),
        ("50 x 25 mm", Base("rect", 50, 25)),
        ("60x35mm oval", Base("oval", 35, 60)),
        ("35×60mm OVAL", Base("oval", 35, 60)),
        ("32mm square", square(32)),
        ("32x32mm", square(32)),
        ('1x1"', square(25.4)),
        ('1" round', circle(25.4)),
        ("28.5mm round", circle(28.5)),
        ("40", square(40)),
    ],
)
def test_texts_of_bases(text: str, base: Base) -> None:
    assert parse_base(text) == base


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "expected something like"),
        ("big", "expected something like"),
        ("25cm round", "expected something like"),
        ("0mm round", "above 0"),
        ("25x50mm square", "two equal sides"),
        ("25x50mm round", "two equal sides"),
    ],
)
def test_texts_that_are_no_base(text: str, problem: str) -> None:
    with pytest.raises(MalformedError, match=problem):
        parse_base(text)


@given(bases)
def test_a_base_survives_its_text_form(base: Base) -> None:
    if base.shape == "oval":  # an oval always looks along its long axis
        base = Base("oval", min(base.width, base.depth), max(base.width, base.depth))
    assert parse_base(describe_base(base)) == base
