"""The cost of following a drag: previews of moves with legality, sight, cover and odds, 2 x 10 units."""

from __future__ import annotations

import random
import time

from bench.rows import Row
from shieldwall.armies.demo import demo_setup
from shieldwall.bots import numbers_for
from shieldwall.core.pending import Decision
from shieldwall.core.state import Pose, State
from shieldwall.dice import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rules.features.block_questions import Marching
from shieldwall.rules.features.loose_questions import Walking
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server.match import Answered, Began, carry_out
from shieldwall.server.messages import Preview
from shieldwall.server.previews import previewed
from shieldwall.table.formations import centre_of

DRAGS = 4
QUESTIONS = 40


def run() -> list[Row]:
    """All editions: the mean and the 95th percentile."""
    rows = []
    for edition in EDITIONS:
        found = list(moments(edition))
        times(found)  # caches are filled before anything is measured
        measured = sorted(times(found))
        slow = measured[int(len(measured) * 0.95)]
        rows.append(Row(f"{edition}: preview of a drag", len(measured), sum(measured)))
        rows.append(Row(f"{edition}: 19 of 20 are faster than", 1, slow))
    return rows


def moments(edition: str) -> list[tuple[Ruleset, State, Decision]]:
    """Questions about a move in the middle of a random game."""
    rules, dice = ruleset(edition), SeededDice.from_seed(2)
    numbers = [numbers_for(2, seat) for seat in (0, 1)]
    carried = carry_out(rules, demo_setup(edition, 2), Began(), dice.faces)
    found: list[tuple[Ruleset, State, Decision]] = []
    while carried.pending is not None and len(found) < QUESTIONS:
        pending = carried.pending
        if isinstance(pending, Marching | Walking) and carried.state.round > 1:
            found.append((rules, carried.state, pending))
        answer = pending.sample(numbers[pending.seat])
        carried = carry_out(rules, carried.state, Answered(pending.kind, answer), dice.faces)
    return found


def times(found: list[tuple[Ruleset, State, Decision]]) -> list[float]:
    """Processor seconds of each preview: every unit is dragged to a few random places near it."""
    numbers, measured = random.Random(1), []
    for rules, state, pending in found:
        assert isinstance(pending, Marching | Walking)
        x, y = centre_of(pending.unit)
        for _ in range(DRAGS):
            spot = Pose(x + numbers.randint(-7000, 7000), y + numbers.randint(-7000, 7000))
            began = time.process_time()
            previewed(rules, state, pending, 1, Preview(1, spot))
            measured.append(time.process_time() - began)
    return measured
