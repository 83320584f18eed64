"""Compare the answers about pairs of models with those of the reference; shared by the tests and the soak."""

from __future__ import annotations

import random
from typing import NamedTuple

from sight_makers import random_table
from sight_reference import MARGINS, Answer, Reference

from shieldwall.core.state import State
from shieldwall.table.sight import sees

METHOD_NAMES = ("outline", "open", "true", "top-down", "volumetric")


class Report(NamedTuple):
    """The result of a comparison: mistakes in words, cases too close to call, number of pairs seen."""

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


def compare_pairs(method: str, seed: int, pairs: int, closely_each: int = 1) -> Report:
    """Ask about random pairs of one random battlefield; a failure repeats with the same method and seed.

    Of the pairs that are hidden, every so many is looked at closely for a gap, which takes long; a gap that was found
    is always proved.
    """
    state = random_table(seed, ranked=method == "outline")
    strict, generous = (Reference(state, method, margin) for margin in MARGINS)
    hills = {piece.id for piece in state.pieces if "hilltop" in piece.conditions}
    wrong, too_close, seen = [], 0, 0
    for number, pair in enumerate(random_pairs(state, seed, pairs)):
        found = sees(state, method, *pair)
        closely = found.visible or number % closely_each == 0
        on_hill = bool(strict.figures[pair[0]][pair[1]].inside & hills)
        expected = outcome_of(strict.look(*pair, closely=closely), on_hill, method)
        if expected != outcome_of(generous.look(*pair, closely=closely), on_hill, method):
            too_close += 1
            continue
        named = frozenset((blocker.kind, blocker.id) for blocker in found.blockers)
        if (found.visible, named) != (expected.visible, expected.stopped_by):
            wrong.append(f"method {method!r}, seed {seed}, pair {pair}: expected {expected}, found {found}")
        seen += found.visible
    return Report(wrong, too_close, seen)


class Outcome(NamedTuple):
    """The expected result of a sight check: seen or not, and what is to be named if not."""

    visible: bool
    stopped_by: frozenset[tuple[str, int]]


def outcome_of(answer: Answer, on_hill: bool, method: str) -> Outcome:
    """Seen when enough lines are free, on a hilltop past one thing; else who stops the first line, or any."""
    if not answer.in_arc:
        return Outcome(False, frozenset({("arc", answer.looker)}))
    needed = 3 if method == "true" else 1
    free = sum(not who for who in answer.blockers)
    everybody = frozenset[tuple[str, int]]().union(*answer.blockers)
    alone = [sum(who == {one} for who in answer.blockers) for one in everybody]
    if answer.slit or (on_hill and answer.past_one):
        return Outcome(True, frozenset())
    if free >= needed or (on_hill and free + max(alone, default=0) >= needed):
        return Outcome(True, frozenset())
    return Outcome(False, answer.blockers[0] or everybody)
