"""Compiled kernels and their uncompiled twins give the same answers."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from loose_scene import group, pose, table

from shieldwall.table.drag import solve_drag
from shieldwall.table.loose_charge import solve_charge
from shieldwall.table.loose_place import spread_at
from shieldwall.table.loose_push import solve_push, step_back
from shieldwall.table.loose_react import solve_react
from shieldwall.table.terrain import piece
from shieldwall.table.walk_context import WalkLimits

ADVANCE = WalkLimits((6.0,))
CHARGE = WalkLimits((12.0,), "charge", spacing=0.0)
REACT = WalkLimits((3.0,), "react")


EVERYDAY = (0, 4, 8)  # one table for each kind of base; tests/soak goes through twelve


def everything(seeds: Sequence[int] = EVERYDAY) -> str:
    """Solve many small tables and put all results into one fingerprint."""
    found: list[object] = []
    for seed in seeds:
        shift = seed * 0.37
        pieces = (
            piece(0, "building", at=(12 + shift, 14), size=(4, 2), angle=13.0 * seed),
            piece(1, "mud", at=(20 - shift, 12), size=(3, 5)),
            piece(2, "hill", at=(8, 20 + shift), size=(6, 4)),
            piece(3, "chasm", at=(26, 24), size=(6, 0.5 + shift), depth=4),
        )
        unit = group(0, 0, (10, 8), (11.4, 8), (12.8, 8.2), kind=("inch", "square", "oval")[seed % 3])
        enemies = group(1, 1, (13 + shift, 18), (14.5 + shift, 18)), group(2, 1, (18, 15 - shift / 2))
        waiting = group(3, 0, *[(0, 0)] * 5, place="waiting")
        state = table(unit, *enemies, waiting, pieces=pieces)
        for wish in (pose(14, 12), pose(20, 20), pose(8, 20)):
            result = solve_drag(state, 0, ADVANCE, wish)
            found += [result.paths, result.used, result.entered, result.leaps]
        for target in (1, 2):
            plan = solve_charge(state, 0, target, CHARGE)
            found += [plan.paths, plan.contacts, plan.reasons]
            found.append(solve_react(state, target, 0, REACT).paths)
            found.append(step_back(state, 0, target, CHARGE).paths)
        found.append(solve_push(state, 1, 100, 3000 * seed, CHARGE).pose)
        found.append(spread_at(state, waiting, pose(24, 24), ADVANCE).poses)
    return hashlib.sha256(repr(found).encode()).hexdigest()


def test_compiled_and_plain_kernels_agree() -> None:
    """An uncompiled process finds the same moves, to the last digit."""
    compare_both_forms(EVERYDAY)


def compare_both_forms(seeds: Sequence[int]) -> None:
    """Solve the same tables by compiled functions here and by plain ones in another process."""
    here = Path(__file__).parent
    script = (
        f"import sys; sys.path.insert(0, {str(here)!r}); import test_twins; "
        f"print(test_twins.everything({tuple(seeds)}))"
    )
    environment = {**os.environ, "SHIELDWALL_PLAIN": "1"}
    plain = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert plain.stdout.strip() == everything(seeds)
