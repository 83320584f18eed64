"""The coach's part in a game: a lesson's progress, what the coach refuses, and what the coach would play."""

from __future__ import annotations

from collections.abc import Sequence

from shieldwall.core.answers import AnyAnswer
from shieldwall.core.state import State
from shieldwall.lessons.battles import lesson_behind
from shieldwall.lessons.lesson import reply_to, shown_plan, tasks_done
from shieldwall.server.question_views import PlannedAnswer
from shieldwall.server.setup import ORDERS
from shieldwall.server.storage import GameRow


def battle_of(row: GameRow) -> str:
    """The key of the set battle a game was made from; "" for an ordinary game."""
    is_set = b'"battle":"' in row.ordered and b'"battle":""' not in row.ordered
    return ORDERS.decode(row.ordered).battle if is_set else ""


def task_number(battle: str, state: State) -> int:
    """How many tasks of its lesson a game has completed; -1 if it is not a lesson."""
    found = lesson_behind(battle)
    return tasks_done(found, state) if found is not None else -1


def coach_refusal(battle: str, state: State, answers: Sequence[AnyAnswer]) -> str:
    """The coach's reply to answers that the lesson does not want; "" if they are allowed."""
    found = lesson_behind(battle)
    return reply_to(found, state, answers) if found is not None else ""


def coach_plan(battle: str, state: State) -> tuple[PlannedAnswer, ...]:
    """What the coach would play."""
    found = lesson_behind(battle)
    plan = shown_plan(found, state) if found is not None else ()
    return tuple(PlannedAnswer(planned.kind, planned.answer) for planned in plan)
