"""Drives the engine through the steps of a scenario: named dice, short choices, defaults for the rest."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from functools import reduce

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Faces, Pick
from shieldwall.core.apply import apply
from shieldwall.core.engine import Progress, begin, check, submit
from shieldwall.core.errors import RefusedError
from shieldwall.core.frames import Melee
from shieldwall.core.pending import Decision, Pending, Refusal, Roll
from shieldwall.core.state import State
from shieldwall.dice.scripted import ScriptedDice, ScriptError
from shieldwall.rulebook.house_rules import HouseRuleError, settle
from shieldwall.rules.features.rulings import open_dispute
from shieldwall.scenario.build import Built
from shieldwall.scenario.check import Path
from shieldwall.scenario.failures import Failure, StopError, UnaskedError, cited, is_over, waiting_words
from shieldwall.scenario.questions import StepFaultError, unit_in_question
from shieldwall.scenario.roster import side_number
from shieldwall.scenario.schema import Faces as WrittenFaces
from shieldwall.scenario.schema import Scenario, Step
from shieldwall.scenario.steps import Prepared, kinds_of, prepared, verbs_of
from shieldwall.scenario.why_not_asked import why_not_cast, why_not_charged, why_unasked


class NamedDice:
    """Faces by purpose. A list inside a queue is one throw, whose number of dice must then be right."""

    def __init__(self, written: dict[str, WrittenFaces]) -> None:
        flat: dict[str, list[int]] = {}
        self._throws: dict[str, list[int]] = {}
        for purpose, faces in written.items():
            flat[purpose] = []
            for entry in faces:
                thrown = entry if isinstance(entry, list) else [entry]
                flat[purpose] += thrown
                # 0 stands for a die that may be part of any throw
                self._throws.setdefault(purpose, []).append(len(thrown) if isinstance(entry, list) else 0)
        self._dice = ScriptedDice(flat)
        self.used: dict[str, int] = {}

    def faces(self, roll: Roll, number: int) -> tuple[int, ...]:
        """The next faces for a roll."""
        throws = self._throws.get(roll.purpose, [])
        if throws and throws[0]:
            if throws[0] != roll.dice:
                raise ScriptError(f"{roll.purpose!r} is a throw of {roll.dice} dice, not of {throws[0]}")
            throws.pop(0)
        else:
            del throws[: roll.dice]
        faces = self._dice.faces(roll, number)
        self.used[roll.purpose] = self.used.get(roll.purpose, 0) + len(faces)
        return faces

    def leftovers(self) -> dict[str, tuple[int, ...]]:
        """Faces that were never thrown."""
        return self._dice.leftovers()


# Questions that nobody answers by default on the way to a step: they would play the game by themselves.
WEIGHTY = ("activate", "action")
MOST_ANSWERS = 20_000

# A spell or a charge at somebody may be named right where the way to it is chosen.
CASTING_WINDOWS = ("action", "cast_or_go")
STARTS_OR_SETTLES = ("activate", "action", "charge", "answer")  # what a unit does, or that it is its turn
LEADS_TO = {"charge": ("action",), "cast": CASTING_WINDOWS}

GOALS = ("end of activation", "end of turn", "end of round", "end of game")


class Player:
    """A scenario being played. `events` holds everything so far, `asked` the kinds of all questions."""

    def __init__(self, scenario: Scenario, built: Built, start: State) -> None:
        self.scenario = scenario
        self.built = built
        self.start = start
        self.state = start
        self.pending: Pending | None = None
        self.events: list[ev.AnyEvent] = []
        self.asked: list[str] = []
        self.dice = NamedDice(scenario.dice)
        self.where: Path = ()
        self._seen = 0  # events before this one belong to steps that are done
        self._activation = 0  # events from here on belong to the latest activation
        self._answered = 0  # events from here on came of the latest step
        self._stop_at = ""
        self._acting = -1  # the unit that a step activated, until a step says what it does
        # when the activation of the latest step was over, and before the next one began
        self.rests: list[State] = []
        self.round_over: State | None = None  # how the round left everything whose end was the last goal
        self._rounds: list[tuple[int, State]] = []
        self._passed: Player | None = None  # the game before a search for a question that nobody was asked

    def twin(self) -> Player:
        """The same game to try things in: nothing done there shows here."""
        other = copy.copy(self)
        other.events, other.asked, other.rests = list(self.events), list(self.asked), list(self.rests)
        other._rounds = list(self._rounds)
        other.dice = copy.deepcopy(self.dice)
        return other

    def begin(self) -> None:
        """Run up to the first question."""
        goal = next((str(step["until"]) for step in self.scenario.play[:1] if "until" in step), "")
        self._stop_at = goal or ("" if self.scenario.play else self.scenario.until)
        self._take(begin(self.built.ruleset, self.state))
        self._stop_at = ""

    def do(self, step: Step, where: Path) -> None:
        """Play one step: its verbs one after another; a refusal concerns the last of them."""
        self.where = where
        self.rests = []
        self.round_over = None
        for single in verbs_of(step):
            self._answer(ready := prepared(single, self.built.roster))
            if ready.refused is None and ready.verb in STARTS_OR_SETTLES:
                self._acting = self.built.roster.unit(single["activate"]) if ready.verb == "activate" else -1

    def run_until(self, goal: str, where: Path) -> None:
        """Answer everything by default until a goal is reached."""
        self.where = where
        start = self._activation
        is_reached = self._goal(goal)
        self._stop_at = goal
        for _ in range(MOST_ANSWERS):
            if is_reached():
                self._stop_at = ""
                if goal == "end of round":
                    self.round_over = next((state for at, state in self._rounds if at >= start), None)
                self._activation = len(self.events)
                return
            if not isinstance(self.pending, Decision):
                break
            self._submit(self.pending.default())
        self._stop_at = ""
        raise self._stopped(f"until {goal}", goal, self._waiting())

    def reasons_against(self, step: Prepared) -> tuple[Refusal, ...]:
        """Why a step is not allowed now; nothing is played but the small questions before it."""
        try:
            if self._advance_to(step):
                return ()
        except UnaskedError:
            return self._why_unasked(step)
        pending = self.pending
        assert isinstance(pending, Decision)
        if step.verb == "charge" and pending.kind == "action":
            return why_not_charged(self.built.ruleset, self.state, pending, step)[0]
        if step.verb == "cast" and pending.kind in CASTING_WINDOWS:
            if refusals := why_not_cast(self.built.ruleset, self.state, self._lately(), pending, step):
                return refusals
            self._submit(Pick("cast"))
            pending = self.pending
            assert isinstance(pending, Decision)
        return check(pending, self._made(step, pending))

    def stop_at(self, purpose: str, where: Path = ()) -> None:
        """Do not throw the dice of a purpose: stop in front of them. Dice that were left lying are thrown."""
        self.where = where
        self._stop_at = purpose
        if isinstance(self.pending, Roll):
            self._take(Progress(self.state, (), self.pending))

    def settle(self, where: Path) -> None:
        """Answer small questions by default, up to a weighty one or another activation."""
        self.where = where
        while self.scenario.auto and isinstance(self.pending, Decision) and self.pending.kind not in WEIGHTY:
            if self._has_gone_on():
                break
            self._submit(self.pending.default())

    def _has_gone_on(self) -> bool:
        """Whether the engine has begun another activation since the last step: of a unit that can do one thing only."""
        later = self.events[self._answered :]
        ends = (at for at, event in enumerate(later) if isinstance(event, ev.ActivationEnded))
        end = next(ends, len(later))
        return any(isinstance(event, ev.Activated) for event in later[end:])

    # one step

    def _answer(self, step: Prepared) -> None:
        if step.read.opens is not None:
            self._settle(step, *step.read.opens)
            return
        if step.verb == "cast" and step.read.declines and getattr(self.pending, "kind", "") != "cast":
            return  # who was not about to cast does not have to be asked
        may_be_unasked = step.refused is not None or step.read.declines
        before = self._passed or (self.twin() if may_be_unasked else None)
        try:
            if self._reach(step):
                self._answered = max(self._answered, self._seen - 1)
                return
        except UnaskedError as error:
            reasons = self._why_unasked(step)
            if not may_be_unasked:
                told = "; ".join(reason.reason for reason in reasons)
                raise self._stopped(step.verb, error.failure.expected, told, cited(reasons)) from error
            self._passed = before
            self._expect_reasons(step, reasons)
            return
        self._passed = None
        pending = self.pending
        assert isinstance(pending, Decision)
        if step.verb == "cast" and pending.kind in CASTING_WINDOWS:
            if not self._is_casting(step, pending):
                return
            pending = self.pending
            assert isinstance(pending, Decision)
        if step.verb == "charge" and pending.kind == "action":
            if not self._is_charging(step, pending):
                return
            pending = self.pending
            assert isinstance(pending, Decision)
        answer = self._made(step, pending)
        if step.refused is not None:
            self._expect_refusal(step, check(pending, answer), answer)
            return
        if step.verb == "activate":
            self._activation = len(self.events)
        self._answered = len(self.events)
        self._submit(answer)

    def _settle(self, step: Prepared, question: str, readings: tuple[str, ...]) -> None:
        """Put a disputed question to both sides; it comes on top of whatever the game waits for."""
        if any(name == question for name, _ in self.state.options):
            try:
                for reading in readings:
                    settle(self.scenario.edition, {question: reading})
            except HouseRuleError as error:
                raise self._stopped(step.verb, "readings that the switch knows", str(error)) from error
        self._take(open_dispute(self.built.ruleset, self.state, question, readings))
        while isinstance(self.pending, Decision) and self.pending.kind == "ruling":
            self._submit(self._made(step, self.pending))

    def _is_casting(self, step: Prepared, pending: Decision) -> bool:
        """Whether a spell can be named now; False where nobody may cast, and that is what the step says."""
        refusals = why_not_cast(self.built.ruleset, self.state, self._lately(), pending, step)
        if refusals and step.refused is not None:
            self._expect_refusal(step, refusals, Pick("cast"))
            return False
        self._submit(Pick("cast"))
        if not isinstance(self.pending, Decision) or self.pending.kind != "cast":
            raise self._stopped(step.verb, "a question about cast", self._waiting())
        return True

    def _is_charging(self, step: Prepared, pending: Decision) -> bool:
        """Whether the target of a charge can be named now; False where that is done, or it had to be refused."""
        refusals, answer = why_not_charged(self.built.ruleset, self.state, pending, step)
        if step.refused is not None:
            self._expect_refusal(step, refusals, answer)
            return False
        if refusals:  # the engine alone would speak of the nearest enemy
            told = "; ".join(f"{refusal.reason} ({refusal.cite})" for refusal in refusals)
            raise self._stopped("choice", "to be allowed", f"refused: {told}")
        self._submit(Pick("charge"))
        return not self._is_done_already(step)

    def _lately(self) -> list[ev.AnyEvent]:
        """The events of the activation that the steps are about."""
        latest = self.events[self._activation :]
        ends = (at for at, event in enumerate(latest) if isinstance(event, ev.ActivationEnded))
        return latest[: next(ends, len(latest))]

    def _why_unasked(self, step: Prepared) -> tuple[Refusal, ...]:
        return why_unasked(self.built.ruleset, self.state, self._lately(), step, self._waiting())

    def _made(self, step: Prepared, pending: Decision) -> AnyAnswer:
        try:
            return step.read.answer(self.state, pending)
        except (StepFaultError, LookupError) as error:
            raise self._stopped(step.verb, "an answer that makes sense here", str(error)) from error

    def _is_done_already(self, step: Prepared) -> bool:
        """Whether the engine has given this answer by itself, because there was no other."""
        pending = self.pending
        if step.read.unit_is_in is not None and isinstance(pending, Decision):
            unit, kinds = step.read.unit_is_in
            return pending.kind in kinds and unit_in_question(self.state, pending).id == unit
        if step.read.building >= 0:
            melees = (frame for frame in self.state.stack if isinstance(frame, Melee))
            return any(frame.building == step.read.building for frame in melees)
        if step.read.event is None:
            return False
        tag, field, value = step.read.event
        for index in range(self._seen, len(self.events)):
            event = self.events[index]
            if event.__struct_config__.tag == tag and getattr(event, field) == value:
                self._seen = index + 1
                if step.verb == "activate":
                    self._activation = index
                return True
        return False

    def _reach(self, step: Prepared) -> bool:
        """Advance to what a step is about; back to before a search that found nothing, if it passed that by."""
        try:
            return self._advance_to(step)
        except UnaskedError:
            if self._passed is None:
                raise
            now = self.twin()
            self.__dict__.update(self._passed.twin().__dict__)
            try:
                return self._advance_to(step)
            except UnaskedError:
                self.__dict__.update(now.__dict__)
                raise

    def _advance_to(self, step: Prepared) -> bool:
        """Answer small questions by default until one comes that the step is about.

        True when there is nothing left to answer, because the engine has given this answer by itself.
        """
        start = len(self.events)
        for _ in range(MOST_ANSWERS):
            if step.refused is None and self._is_done_already(step):
                return True
            pending = self.pending
            if isinstance(pending, Decision) and not self._is_too_late(step, pending, start):
                kinds = (*step.read.kinds, *LEADS_TO.get(step.verb, ()))
                fits = any(kind in kinds for kind in kinds_of(pending))
                if fits and (not step.side or self.state.seats[pending.seat].side == side_number(step.side)):
                    return False
                if self.scenario.auto and pending.kind not in WEIGHTY:
                    self._submit(pending.default())
                    continue
            break
        raise UnaskedError(Failure(self.where, step.verb, f"a question about {step.verb}", self._waiting()))

    def _is_too_late(self, step: Prepared, pending: Decision, start: int) -> bool:
        """Whether the engine has gone on: after the one thing a unit could do, or past a refused spell's activation."""
        if step.verb == "cast" and step.refused is not None:
            return any(isinstance(event, ev.ActivationEnded) for event in self.events[start:])
        if self._acting < 0 or step.verb not in ("action", "charge"):
            return False
        latest = self.events[self._activation :]
        chosen = [event for event in latest if isinstance(event, ev.ActionChosen)]
        if chosen and chosen[0].unit == self._acting:
            wanted = step.read.event[2] if step.verb == "action" and step.read.event else step.verb
            return wanted != chosen[0].action
        return pending.kind == "action" and unit_in_question(self.state, pending).id != self._acting

    def _expect_refusal(self, step: Prepared, refusals: Iterable[Refusal], answer: AnyAnswer) -> None:
        refusals, pending = tuple(refusals), self.pending
        if not refusals:
            found = "it is allowed"
            if isinstance(pending, Decision) and pending.kind == step.verb == "action":
                found += f" to {unit_in_question(self.state, pending).name}"
            raise self._stopped(step.verb, "to be refused", found)
        if pending is not None and step.verb != "charge":
            try:
                submit(self.built.ruleset, self.state, answer)
            except RefusedError:
                pass
            else:
                raise self._stopped(step.verb, "to be refused", "it was carried out")
        self._expect_reasons(step, refusals)

    def _expect_reasons(self, step: Prepared, refusals: tuple[Refusal, ...]) -> None:
        told = cited(refusals)
        for wanted in step.refused or ():
            if not any(wanted.casefold() in reason.casefold() for reason in told):
                raise self._stopped(step.verb, f"to be refused because of {wanted!r}", "; ".join(told))

    # the engine

    def _submit(self, answer: AnyAnswer) -> None:
        self._seen = len(self.events)
        try:
            progress = submit(self.built.ruleset, self.state, answer)
        except RefusedError as error:
            raise self._stopped(
                "choice", "to be allowed", f"refused: {error}", cited(error.refusals)
            ) from error
        self._take(progress)

    def _take(self, progress: Progress) -> None:
        """Keep what came of an answer and throw all dice that are asked for now."""
        while True:
            self._note_rests(progress)
            self.state = progress.state
            self.events += progress.events
            self.pending = progress.pending
            if isinstance(self.pending, Decision):
                self.asked.append(self.pending.kind)
            if not isinstance(self.pending, Roll) or self.pending.purpose == self._stop_at:
                return
            try:
                faces = self.dice.faces(self.pending, self.state.rolls_made)
            except ScriptError as error:
                raise self._stopped("dice", f"dice for {self.pending.purpose}", str(error)) from error
            progress = submit(self.built.ruleset, self.state, Faces(faces))

    def _note_rests(self, progress: Progress) -> None:
        """Keep the states in which one activation ended and another began, before the engine goes on by itself."""
        for at, event in enumerate(progress.events):
            is_end = isinstance(event, ev.ActivationEnded)
            if isinstance(event, ev.RoundBegan):
                ended = reduce(apply, progress.events[: at + 1], self.state)
                self._rounds.append((len(self.events) + at, ended))
            if (is_end and not self.rests) or (isinstance(event, ev.Activated) and len(self.rests) == 1):
                self.rests.append(reduce(apply, progress.events[: at + is_end], self.state))

    # goals

    def _goal(self, goal: str) -> Callable[[], bool]:
        start = self._activation
        if goal in ("end of round", "end of game"):
            return lambda: is_over(goal, self.events, start)
        if goal in ("end of activation", "end of turn"):
            return lambda: any(isinstance(event, ev.ActivationEnded) for event in self.events[start:])
        # a unit that has no fresh mates is activated without a question
        own = ev.Activated if goal == "activate" else None
        return lambda: (
            (own is not None and any(isinstance(event, own) for event in self.events[start:]))
            or (isinstance(self.pending, Decision) and self.pending.kind == goal)
            or (isinstance(self.pending, Roll) and self.pending.purpose == goal)
        )

    # words

    def _waiting(self) -> str:
        return waiting_words(self.state, self.pending)

    def _stopped(self, what: str, expected: str, found: str, reasons: tuple[str, ...] = ()) -> StopError:
        return StopError(Failure(self.where, what, expected, found), reasons)
