"""Plays a lesson through the engine like a player who follows the coach, making every listed mistake on the way."""

from __future__ import annotations

from msgspec import Struct

from shieldwall.core.answers import AnyAnswer, Faces
from shieldwall.core.engine import Progress, begin, submit
from shieldwall.core.errors import RefusedError
from shieldwall.core.events import AnyEvent
from shieldwall.core.pending import Decision, Pending, Roll
from shieldwall.core.state import State
from shieldwall.dice.seeded import SeededDice, mixed_key
from shieldwall.dice.source import Dice
from shieldwall.lessons.lesson import (
    AUTOMATIC,
    NONCES,
    CoachStep,
    Lesson,
    ScriptedOpponent,
    plan_of,
    reply_to,
    shown_plan,
    tasks_done,
)
from shieldwall.scenario.event_checks import Record
from shieldwall.scenario.expect import PlayedOutcome, differences
from shieldwall.scenario.schema import Expect
from shieldwall.table.numbers import TableNumbers

MOST_ANSWERS = 400


class LessonOutcome(Struct, frozen=True):
    """The result of a lesson: every deviation from its script, and the final state."""

    problems: tuple[str, ...]
    state: State
    events: tuple[AnyEvent, ...]


class LessonRun:
    """One run of a lesson. With `tries`, every wrong answer in the file is given first and its reply checked."""

    def __init__(self, found: Lesson, *, tries: bool = True, dice: Dice | None = None) -> None:
        self.lesson = found
        self.tries = tries
        self.dice = dice or SeededDice(mixed_key(found.dice_secret, NONCES))
        self.problems: list[str] = []
        self.events: list[AnyEvent] = []
        self.state = found.stage.start
        self.pending: Pending | None = None
        self._opponent = ScriptedOpponent(found)
        self._said = 0  # events before this one had happened when the coach last spoke
        self._heard = -1  # tasks done when the coach last spoke

    def play(self) -> LessonOutcome:
        """Play to the end of the battle."""
        self._take(begin(self.lesson.rules, self.state))
        for _ in range(MOST_ANSWERS):
            if not isinstance(self.pending, Decision):
                break
            try:
                self._answer(self.pending)
            except RefusedError as error:
                self.problems.append(f"an answer of the lesson is refused: {error}")
                break
        self._check_speech(self._segment(len(self.lesson.tasks)))
        self._look(self.lesson.file.expect, "at the end")
        if not self.state.finished:
            self.problems.append("the battle does not end")
        return LessonOutcome(tuple(self.problems), self.state, tuple(self.events))

    def _answer(self, decision: Decision) -> None:
        if decision.seat != 0:
            self._give(self._opponent.decide(self.state, decision, TableNumbers(1)))
        elif decision.kind in AUTOMATIC:
            self._give(decision.default())
        else:
            self._task()

    def _task(self) -> None:
        done = tasks_done(self.lesson, self.state)
        if done != self._heard:
            self._heard = done
            self._check_speech(self._segment(done))
        if done == len(self.lesson.tasks):
            assert isinstance(self.pending, Decision)
            self._give(self.pending.default())
            return
        task = self.lesson.tasks[done]
        if self.tries:
            self._make_mistakes(task, done + 1)
        plan = shown_plan(self.lesson, self.state)
        words = reply_to(self.lesson, self.state, [planned.answer for planned in plan])
        if words:
            self.problems.append(f"task {done + 1}: the coach refuses its own answer: {words}")
        for planned in plan:
            if not isinstance(self.pending, Decision) or self.pending.kind != planned.kind:
                break
            self._give(planned.answer)

    def _make_mistakes(self, task: CoachStep, number: int) -> None:
        for wrong in task.wrong:
            plan = plan_of(self.lesson, self.state, wrong.attempt)
            words = reply_to(self.lesson, self.state, [planned.answer for planned in plan])
            if words != wrong.say:
                self.problems.append(f"task {number}: to {wrong.attempt} the coach says {words!r}")

    def _segment(self, done: int) -> tuple[CoachStep, ...]:
        """What the coach says from one task up to and including the next."""
        steps, start = self.lesson.file.steps, 0
        for number, step in enumerate(steps):
            if done == 0:
                break
            if step.do is not None:
                done, start = done - 1, number + 1
        end = next((n for n in range(start, len(steps)) if steps[n].do is not None), len(steps) - 1)
        return steps[start : end + 1]

    def _check_speech(self, steps: tuple[CoachStep, ...]) -> None:
        for step in steps:
            if step.expect is not None:
                self._look(step.expect, f"when the coach says {step.say[:40]!r}")
        self._said = len(self.events)

    def _look(self, expect: Expect, when: str) -> None:
        record = Record(tuple(self.events[self._said :]), ())
        outcome = PlayedOutcome(self.state, self.pending, record, self.lesson.roster, self.lesson.stage.start)
        for one in differences(expect, outcome, ()):
            self.problems.append(f"{when}: {one.what}: expected {one.expected}, found {one.found}")

    def _give(self, answer: AnyAnswer) -> None:
        self._take(submit(self.lesson.rules, self.state, answer))

    def _take(self, progress: Progress) -> None:
        self.state, more, self.pending = progress
        self.events += more
        while isinstance(self.pending, Roll):
            faces = self.dice.faces(self.pending, self.state.rolls_made)
            self.state, more, self.pending = submit(self.lesson.rules, self.state, Faces(faces))
            self.events += more
