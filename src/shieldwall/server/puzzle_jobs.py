"""Puzzles, as handled by a worker: the list, a position to start from, and the verdict on what was played."""

from __future__ import annotations

import datetime

from shieldwall.analysis.moments import begins_activation, chosen_unit
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.codec import encode
from shieldwall.editions import ruleset
from shieldwall.puzzles import Puzzle, judged, puzzle, puzzles
from shieldwall.puzzles.ideas import is_about_a_spell
from shieldwall.puzzles.puzzle import DAY_ONE, puzzle_of_the_day
from shieldwall.server.analysis_views import (
    IdeaView,
    PuzzleCard,
    PuzzleList,
    PuzzleSolution,
    PuzzleVerdict,
    PuzzleView,
)
from shieldwall.server.archive import play_again
from shieldwall.server.from_position import SeatTaker, StartPosition
from shieldwall.server.match import Answered
from shieldwall.server.storage import CommandRow, GameRow
from shieldwall.story.names import side_name


def puzzle_list() -> PuzzleList:
    """All puzzles without their positions."""
    cards = tuple(
        PuzzleCard(one.id, one.kind, one.grade, one.edition, ruleset(one.edition).title, one.title)
        for one in puzzles().values()
    )
    days = (DAY_ONE + datetime.timedelta(days=number) for number in range(len(cards)))
    return PuzzleList(cards, tuple(puzzle_of_the_day(day) for day in days))


def puzzle_view(id: str) -> PuzzleView:
    """The task of a puzzle."""
    one = puzzle(id)
    return PuzzleView(
        one.id,
        one.kind,
        one.grade,
        one.edition,
        ruleset(one.edition).title,
        one.title,
        one.side,
        one.task,
        one.hint,
    )


def puzzle_solution(id: str) -> PuzzleSolution:
    """The solution of a puzzle."""
    one = puzzle(id)
    return PuzzleSolution(
        one.id,
        one.explanation,
        IdeaView(one.solution.words, one.solution.chance),
        tuple(IdeaView(other.words, other.chance) for other in one.others),
        one.budget.battles,
        one.budget.at_least,
    )


def puzzle_beginning(id: str) -> tuple[StartPosition, list[SeatTaker], int]:
    """A puzzle's position as the start of a game, who sits where, and the seat that has to solve it."""
    one = puzzle(id)
    moment = one.moment()
    names = [side_name(one.position, seat.side) for seat in one.position.seats]
    sitters = [SeatTaker(name, army_name=name) for name in names]
    beginning = StartPosition(
        one.edition, encode(one.position), f"Puzzle: {one.title}", f"puzzle {one.id}", f"puzzle/{one.id}"
    )
    return beginning, sitters, moment.decision.seat


def verdict_on(id: str, row: GameRow, rows: list[CommandRow]) -> PuzzleVerdict:
    """The verdict on what was played in a puzzle, once the activation is over."""
    one = puzzle(id)
    answers = _answers(one, row, rows)
    if answers is None:
        return PuzzleVerdict("waiting")
    found = judged(one, answers)
    return PuzzleVerdict(
        "solved" if found.solved else "wrong", found.words, round(found.chance, 3), one.solution.chance
    )


def _answers(one: Puzzle, row: GameRow, rows: list[CommandRow]) -> tuple[tuple[str, AnyAnswer], ...] | None:
    """The answers from the position to the end of the activation; None until it is over."""
    decision = one.moment().decision
    answers: list[tuple[str, AnyAnswer]] = []
    unit = -1
    for played in play_again(row, rows):
        if not isinstance(played.command, Answered):
            continue
        if played.row.actor == decision.seat:
            answers.append((played.command.kind, played.command.answer))
        is_spell = is_about_a_spell(decision)
        if len(answers) == 1 and not is_spell:
            unit = chosen_unit(decision, answers[0][1])
        waits = played.carried.pending
        if answers and (waits is None or is_spell or begins_activation(waits, unit)):
            return tuple(answers)
    return None
