"""Ten puzzles at random, re-checked with many fresh battles."""

from __future__ import annotations

import datetime

from shieldwall.puzzles import checked
from tests.puzzles.test_puzzles import of_the_day


def test_ten_solutions_hold_with_many_fresh_battles() -> None:
    day = datetime.date.today().isoformat()
    for puzzle in of_the_day(10):
        found = checked(puzzle, 200, f"soak {day}")
        assert found.holds, (puzzle.id, day, found.lead)
        assert found.lead.mean > 2 * found.lead.error, (puzzle.id, day, found.lead)
