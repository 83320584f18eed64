"""Heights of models and pieces in the methods that do not take the real ones."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sight_makers import FOOT, loose, profile, table

from shieldwall.core.state import Base
from shieldwall.geometry.distance import HIGH, LOW, REACH
from shieldwall.geometry.sight_lines import VALUE
from shieldwall.table.sight import sees
from shieldwall.table.sight_layer import layer_for
from shieldwall.table.sight_methods import (
    TOP_DOWN,
    UNIT_VALUES,
    VOLUMETRIC,
    height_of_base,
    missing_values,
    piece_value,
    unit_value,
    volume_height,
)
from shieldwall.table.terrain import piece


@pytest.mark.parametrize(
    ("kind", "height", "value"), [("hill", 1.0, 2.0), ("rock", 1.5, 2.5), ("building", 2.0, 3.0)]
)
def test_pieces_count_their_height_plus_one(kind: str, height: float, value: float) -> None:
    """SK32-LOS-14 and SK32-LOS-15: decimals are kept."""
    assert piece_value(piece(0, kind, at=(9, 9), size=(3, 3), height=height)) == value


def test_every_piece_in_the_way_needs_a_value() -> None:
    """SK32-LOS-12 and SK32-LOS-13: the piece without one is named; agreeing on a value fixes it."""
    pieces = (
        piece(0, "wall", at=(9, 9), size=(3, 1), height=0, name="Old Wall"),
        piece(1, "lake", at=(20, 9), size=(3, 3)),
        piece(2, "rock", at=(30, 9), size=(3, 3)),
    )
    problems = missing_values(pieces)
    assert [problem.cite for problem in problems] == ["sight.height-value"]
    assert "Old Wall" in problems[0].text
    assert missing_values(pieces, replace(TOP_DOWN, agreed=(("Old Wall", 3000),))) == ()


def test_presets_win_over_measured_heights() -> None:
    """SK32-LOS-16: 1 inch and no known type is 2; infantry of 1.26 is 2, not 2.26."""
    assert unit_value(profile(height=1.0, kind="construct")) == 2.0
    assert unit_value(profile(height=1.26, kind="infantry")) == 2.0
    assert unit_value(profile(height=1.26, kind="construct")) == pytest.approx(2.26)
    assert unit_value(profile(height=1.26), replace(TOP_DOWN, agreed=(("Trooper", 3500),))) == 3.5


@pytest.mark.parametrize(
    ("kinds", "value"),
    [
        (("swarm", "swarms"), 1),
        (("infantry", "Artillery"), 2),
        (("large infantry", "large-infantry", "Cavalry", "chariots"), 3),
        (("large cavalry", "monster", "vehicles"), 4),
        (("large_monster", "Giants"), 5),
        (("titan",), 6),
    ],
)
def test_values_by_kind_of_unit(kinds: tuple[str, ...], value: int) -> None:
    """SK32-LOS-17, 18, 19, 20, 21 and 22: presets, however the kind is spelled."""
    assert {unit_value(profile(height=7.7, kind=kind)) for kind in kinds} == {value}
    assert value in UNIT_VALUES.values()


@pytest.mark.parametrize(("kind", "height", "value"), [("cavalry", 1.0, 5.0), ("infantry", 2.0, 5.0)])
def test_standing_on_a_piece_adds_its_value(kind: str, height: float, value: float) -> None:
    """SK32-LOS-23 and SK32-LOS-24: cavalry on a hill of 2, infantry on a building of 3; decided per model."""
    ground = piece(0, "hill", at=(10, 10), size=(4, 4), height=height)
    kinds = (profile(FOOT, 1.25, kind),)
    state = table(loose(1, (10, 10, 0, height), (14, 10)), pieces=(ground,), profiles=kinds)
    figures = layer_for(state, TOP_DOWN).arrays[0]
    assert figures[:2, VALUE].tolist() == [value, unit_value(kinds[0])]


def test_standing_in_a_forest_adds_nothing() -> None:
    """SK32-LOS-23: only on top."""
    trees = piece(0, "forest", at=(10, 10), size=(4, 4))
    state = table(loose(1, (10, 10)), pieces=(trees,), profiles=(profile(FOOT),))
    assert layer_for(state, TOP_DOWN).arrays[0][0, VALUE] == 2.0


def test_pieces_of_a_kind_may_share_a_value() -> None:
    """SK32-LOS-27: two ruins of 2.7 and 3.2 inches get one value."""
    ruins = tuple(
        piece(k, "ruin", at=(9 * k + 9, 9), size=(3, 3), height=height) for k, height in enumerate((2.7, 3.2))
    )
    method = replace(TOP_DOWN, agreed=(("ruin", 4200),))
    assert {piece_value(ruin, method) for ruin in ruins} == {4.2}
    assert {piece_value(ruin) for ruin in ruins} == {3.7, 4.2}


@pytest.mark.parametrize(
    ("size", "height"),
    [
        (25, 1.0),
        (32, 1.25),
        (40, 1.5),
        (50, 2.0),
        (60, 3.0),
        (100, 4.0),
        (20, 1.0),
        (80, 3.0),
        (81, 4.0),
        (130, 4.0),
    ],
)
def test_volumes_by_base(size: float, height: float) -> None:
    """SK32-LOS-33 to SK32-LOS-38: the nearest listed size; a tie takes the smaller."""
    assert height_of_base(Base("round", size, size)) == height


def test_the_long_axis_of_an_oval_counts() -> None:
    """SK32-LOS-33: a 60 mm oval is taken as 60 mm."""
    assert height_of_base(Base("oval", 35, 60)) == 3.0


@pytest.mark.parametrize("sculpt", [0.6, 1.2, 1.9])
def test_the_sculpt_does_not_matter(sculpt: float) -> None:
    """SK32-LOS-28, SK32-LOS-29 and SK32-LOS-31: 32 mm is 1.25 and 40 mm is 1.5 whatever stands on it."""
    assert volume_height(profile(FOOT, sculpt)) == 1.25
    assert volume_height(profile(Base("round", 40, 40), sculpt)) == 1.5


def test_a_volume_stands_on_its_ground() -> None:
    """SK32-LOS-30: radius 0.63 from z = 2.0 to z = 3.25."""
    state = table(loose(1, (10, 10, 0, 2.0)), profiles=(profile(FOOT, 5.0),))
    figure = layer_for(state, VOLUMETRIC).arrays[0][0]
    assert (figure[LOW], figure[HIGH]) == (2.0, 3.25)
    assert round(float(figure[REACH]), 2) == 0.63


def test_models_without_a_base_have_an_agreed_volume() -> None:
    """SK32-LOS-32: real height 3.5 over an agreed area of radius 1.5."""
    idol = profile(Base("round", 76.2, 76.2), 3.5, name="Idol")
    agreed = replace(VOLUMETRIC, agreed=(("Idol", 3500),))
    figure = layer_for(table(loose(1, (10, 10)), profiles=(idol,)), agreed).arrays[0][0]
    assert (figure[HIGH] - figure[LOW], figure[REACH]) == (pytest.approx(3.5), pytest.approx(1.5))


@pytest.mark.parametrize("miniature", [0.4, 1.25, 3.5])
def test_a_paper_cylinder_in_the_place_of_a_model_changes_no_sight(miniature: float) -> None:
    """SK32-LOS-40: volumes are those of the base; only by the true method does the height of the miniature matter."""
    figures = (profile(FOOT, 1.25), profile(FOOT, miniature))
    for wall, is_seen in ((1.0, True), (1.5, False)):
        hedge = piece(0, "wall", at=(20, 15), size=(40, 0.5), height=wall)
        state = table(
            loose(1, (20, 10)), loose(2, (20, 20), side=1, kind=1), pieces=(hedge,), profiles=figures
        )
        assert sees(state, "volumetric", 1, 0, 2, 0).visible is is_seen
        assert sees(state, "volumetric", 2, 0, 1, 0).visible is is_seen
        assert sees(state, "true", 2, 0, 1, 0).visible is (miniature > wall)
