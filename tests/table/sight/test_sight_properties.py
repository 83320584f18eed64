"""Sight agrees with slow, obvious code on random battlefields; `tests/soak` asks the same of 10,000 pairs."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sight_makers import random_table
from sight_pairs import METHOD_NAMES, compare_pairs, random_pairs

from shieldwall.table.sight import Blocker, sees


@pytest.mark.parametrize("method", METHOD_NAMES)
@pytest.mark.parametrize("seed", range(100, 103))
def test_sight_agrees_with_shapely(method: str, seed: int) -> None:
    """Whether a model is seen, how much of it, and what stops the lines."""
    report = compare_pairs(method, seed, pairs=12)
    assert report.wrong == []
    assert report.too_close <= 2


@pytest.mark.parametrize("method", ["open", "top-down", "volumetric"])
@pytest.mark.parametrize("seed", range(3))
def test_sight_is_mutual(method: str, seed: int) -> None:
    """Methods with lines between bases, all round: who sees is seen. Hills aside, whose rule is one-way."""
    state = random_table(seed, ranked=False)
    state = replace(state, pieces=tuple(piece for piece in state.pieces if piece.kind != "hill"))
    for a, i, b, j in random_pairs(state, seed, 40):
        there, back = sees(state, method, a, i, b, j), sees(state, method, b, j, a, i)
        assert (there.visible, there.share) == (back.visible, back.share), f"seed {seed}: {a, i, b, j}"
        assert set(there.blockers) == set(back.blockers)


def test_the_outline_method_is_mutual_but_for_the_arc() -> None:
    """With sight in any direction ranked units see each other, too."""
    for seed in range(3):
        state = random_table(seed, ranked=True)
        state = replace(state, pieces=tuple(piece for piece in state.pieces if piece.kind != "hill"))
        for a, i, b, j in random_pairs(state, seed, 30):
            there = sees(state, "outline", a, i, b, j, any_direction=True)
            back = sees(state, "outline", b, j, a, i, any_direction=True)
            assert (there.visible, there.share) == (back.visible, back.share)


@pytest.mark.parametrize("method", METHOD_NAMES)
def test_taking_all_named_blockers_away_frees_the_middle_line(method: str) -> None:
    """Named blockers are really in the way: without them more lines are free."""
    checked = 0
    for seed in range(4):
        state = random_table(seed, ranked=method == "outline")
        for a, i, b, j in random_pairs(state, seed, 15):
            sight = sees(state, method, a, i, b, j)
            if sight.visible or any(blocker.kind == "arc" for blocker in sight.blockers):
                continue
            units = tuple(unit for unit in state.units if Blocker("unit", unit.id) not in sight.blockers)
            pieces = tuple(
                piece for piece in state.pieces if Blocker("piece", piece.id) not in sight.blockers
            )
            assert sees(replace(state, units=units, pieces=pieces), method, a, i, b, j).share > sight.share
            checked += 1
    assert checked >= 8
