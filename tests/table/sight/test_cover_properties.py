"""Cover agrees with slow, obvious code on random battlefields."""

from __future__ import annotations

import random

import pytest
from cover_reference import CoverReference
from sight_makers import random_table

from shieldwall.table.cover import POLICIES, cover_of, covered_share


@pytest.mark.parametrize("policy", ["ranks", "loose", "crowd"])
@pytest.mark.parametrize("seed", range(6))
def test_cover_agrees_with_shapely(policy: str, seed: int) -> None:
    """How many models lie in cover terrain or stand behind something, and what that makes of the unit."""
    state = random_table(seed, ranked=policy == "ranks")
    reference = CoverReference(state, policy)
    rng = random.Random(seed)
    checked = 0
    for _ in range(25):
        shooters, target = rng.sample(state.units, 2)
        if POLICIES[policy].lone_model_by_area and len(target.models) == 1:
            continue
        models = tuple(sorted(rng.sample(range(len(shooters.models)), rng.randint(1, len(shooters.models)))))
        expected = reference.judge(shooters.id, models, target.id)
        if expected.too_close:
            continue
        found = cover_of(state, policy, shooters.id, models, target.id)
        of = len(target.models)
        kind = "in" if 2 * expected.inside > of else "none"
        if kind == "none" and 2 * (expected.inside + expected.behind) > of:
            kind = "behind"
        repeat = f"policy {policy!r}, seed {seed}, {shooters.id} {models} at {target.id}"
        assert (found.inside, found.covered) == (expected.inside, expected.inside + expected.behind), repeat
        assert (found.kind, found.of) == (kind, of), repeat
        checked += 1
    assert checked >= 8


@pytest.mark.parametrize("seed", range(2))
def test_the_covered_share_agrees_with_samples(seed: int) -> None:
    """R35-TERRAIN-14: sampling the base point by point gives the same shares within a few percent."""
    state = random_table(seed, ranked=True, units=8)
    reference = CoverReference(state, "ranks")
    rng = random.Random(seed)
    compared = 0
    for _ in range(7):
        shooters, target = rng.sample(state.units, 2)
        index = rng.randrange(len(target.models))
        figure = reference.sight.figures[target.id][index]
        if reference.sight.figures[shooters.id][0].area.distance(figure.area) < 3:
            continue
        inside, covered = reference.sampled_share(shooters.id, target.id, index, across=10)
        found = covered_share(state, "ranks", shooters.id, (0,), target.id, index)
        repeat = f"seed {seed}, {shooters.id} at {target.id}, model {index}"
        assert found.inside == pytest.approx(inside, abs=0.05), repeat
        assert found.covered == pytest.approx(covered, abs=0.07), repeat
        compared += 1
    assert compared >= 3
