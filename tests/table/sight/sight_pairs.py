"""Compare the answers about pairs of models with those of the reference; shared by the tests and the soak."""

from __future__ import annotations

import random
from typing import NamedTuple

from sight_makers import random_table
from sight_reference import MARGINS, Answer, Reference

from shieldwall.core.state import State
from shieldwall.table.sight import Sight, sees

METHOD_NAMES = ("outline", "open", "true", "top-down", "volumetric")


class Report(NamedTuple):
    """What came out of a comparison: mistakes in words, cases too close to call, how many were seen."""

    wrong: list[str]
    too_close: int
    seen: int


def random_pairs(state: State, seed: int, count: int) -> list[tuple[int, int, int, int]]:
    """Unit and model that look, unit and model that are looked at."""
    rng = random.Random(seed)
    pairs = []
    for _ in range(count):
        one, other = rng.sample(state.units, 2)
        pairs.append((one.id, rng.randrange(len(one.models)), other.id, rng.randrange(len(other.models))))
    return pairs


def compare_pairs(method: str, seed: int, pairs: int) -> Report:
    """Ask about random pairs of one random battlefield; a failure repeats with the same method and seed."""
    state = random_table(seed, ranked=method == "outline")
    strict, generous = (Reference(state, method, margin) for margin in MARGINS)
    hills = {piece.id for piece in state.pieces if "hilltop" in piece.conditions}
    wrong, too_close, seen = [], 0, 0
    for pair in random_pairs(state, seed, pairs):
        expected = strict.look(*pair)
        if expected != generous.look(*pair):
            too_close += 1
            continue
        found = sees(state, method, *pair)
        on_hill = bool(strict.figures[pair[0]][pair[1]].inside & hills)
        problem = fault_of(found, expected, on_hill, needed=3 if method == "true" else 1)
        if problem:
            wrong.append(f"method {method!r}, seed {seed}, pair {pair}: {problem}; found {found}")
        seen += found.visible
    return Report(wrong, too_close, seen)


def fault_of(found: Sight, expected: Answer, on_hill: bool, needed: int) -> str:
    """What is wrong with an answer; empty when nothing is."""
    if not expected.in_arc:
        is_named = [blocker.kind for blocker in found.blockers] == ["arc"]
        return "" if is_named and not found.visible else "the target is out of the arc"
    lines = [{(kind, number) for kind, number in who} for who in expected.blockers]
    free = sum(not who for who in lines)
    alone = [sum(who == {one} for who in lines) for one in sorted(set().union(*lines))]
    visible = free >= needed or (on_hill and free + max(alone, default=0) >= needed)
    if found.visible is not visible:
        return f"{free} of {len(lines)} lines are free"
    if visible:
        return "" if not found.blockers else "blockers of a model that is seen"
    named = {(blocker.kind, blocker.id) for blocker in found.blockers}
    stopping = lines[0] or set().union(*lines)
    return "" if named == stopping else f"the lines are stopped by {sorted(stopping)}"
