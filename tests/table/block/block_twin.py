"""Answers of every block function on made-up tables; run as a script it prints them.

The test compares what compiled kernels answer with what a process without the compiler prints.
"""

from __future__ import annotations

import random

from block_scenes import ADVANCE, CHARGE, RUSH, at, block, ground, table
from msgspec.structs import replace

from shieldwall.core.answers import Leg
from shieldwall.core.state import Pose, State
from shieldwall.table.block_charge import charge_reach, charge_to
from shieldwall.table.block_drag import solve_drag
from shieldwall.table.block_moves import (
    candidate,
    check_march,
    furthest_forward,
    proposed_marches,
    standing_in,
)
from shieldwall.table.melee_contact import align_units, consolidation_limits, step_back

KINDS = ("mud", "building", "lava", "hill", "wall", "river", "chasm", "forest")


def scene(numbers: random.Random) -> State:
    """Six units and four pieces, which may overlap."""
    units = [
        block(
            unit_id,
            Pose(numbers.randint(30000, 42000), numbers.randint(18000, 30000), numbers.randint(0, 35999)),
            numbers.randint(1, 10),
            side=unit_id % 2,
        )
        for unit_id in range(1, 5)
    ]
    pieces = []
    for piece_id in range(1, 5):
        x, y = numbers.uniform(26, 44), numbers.uniform(14, 32)
        wide, deep = numbers.uniform(0.5, 5), numbers.uniform(0.5, 5)
        pieces.append(ground(piece_id, numbers.choice(KINDS), x, y, x + wide, y + deep))
    return table(*units, pieces=tuple(pieces))


def answers(seed: int, count: int) -> list[str]:
    """One line for each table, with everything the functions return for it."""
    numbers = random.Random(seed)
    lines = []
    for _ in range(count):
        state = scene(numbers)
        pose = state.units[0].block
        assert pose is not None
        legs = (
            Leg("forward", numbers.randint(0, 6000)),
            Leg("pivot", numbers.randint(-9000, 9000)),
            Leg("forward", 900),
        )
        found: list[object] = [check_march(state, 1, legs, limits) for limits in (ADVANCE, RUSH, CHARGE)]
        found.append(check_march(state, 1, (Leg("side", 700), Leg("back", 500)), consolidation_limits()))
        found.append(standing_in(state, 1, RUSH))
        for kind in ("forward", "side", "back"):
            found.append(furthest_forward(state, 1, pose, ADVANCE, kind))  # type: ignore[arg-type]
        picks = [numbers.randint(0, 10**9) for _ in range(4)]
        found.append(proposed_marches(state, 1, ADVANCE, picks))
        found.append([candidate(state, 1, ADVANCE, number) for number in picks])
        flier = replace(RUSH, ignores_units=True, ignores_terrain=True)
        found.append(candidate(state, 1, flier, 77777))
        found.append(charge_reach(state, 1, CHARGE))
        found.append(charge_to(state, 1, 2, CHARGE, "left"))
        found.append(align_units(state, 1, 2, "front", at(36, 24, 45)))
        found.append(step_back(state, 1, 2))
        lines.append(repr(found))
    state = scene(numbers)
    lines.append(repr(solve_drag(state, 1, ADVANCE, at(38, 26, 60))))
    return lines


if __name__ == "__main__":
    print("\n".join(answers(11, 12)))
