"""Ten puzzles at random, re-checked with two hundred fresh battles each, however clear they are after a few."""

from __future__ import annotations

import datetime

from shieldwall.editions import ruleset
from shieldwall.puzzles.comparing import Contest, Tried, lead_of
from shieldwall.puzzles.ideas import ideas_of
from tests.puzzles.test_puzzles import of_the_day

BATTLES = 200


def test_ten_solutions_hold_with_many_fresh_battles() -> None:
    day = datetime.date.today().isoformat()
    for puzzle in of_the_day(10, day):
        contest = Contest(ruleset(puzzle.edition), puzzle.moment(), f"soak {day}")
        known = {idea.key: idea for idea in ideas_of(contest.rules, contest.moment)}
        tried = [Tried(known[idea.key], []) for idea in (puzzle.solution, *puzzle.others)]
        for one in tried:
            contest.play(one, BATTLES)
        for other, rival in zip(puzzle.others, tried[1:], strict=True):
            lead = lead_of(tried[0].ends, rival.ends)
            assert lead.low > 0, (puzzle.id, day, other.words, lead)
