"""Plays the steps of a scenario through the engine: written dice, short steps, defaults for everything else.

docs/scenarios.md explains when expectations are checked; see `ScenarioPlayer.moment`.
"""

from __future__ import annotations

import copy
from bisect import bisect_right
from collections.abc import Callable, Iterable

from msgspec import Struct

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Faces, Pick
from shieldwall.core.engine import Progress, begin, check, submit
from shieldwall.core.errors import RefusedError
from shieldwall.core.frames import Activation, Melee
from shieldwall.core.pending import Choice, Decision, Option, Pending, Refusal, Roll
from shieldwall.core.state import State
from shieldwall.dice.scripted import ScriptedDice, ScriptError
from shieldwall.rulebook.house_rules import HouseRuleError, settle
from shieldwall.rules.features.rulings import open_dispute
from shieldwall.scenario.build import Built
from shieldwall.scenario.check import Path
from shieldwall.scenario.failures import Failure, StopError, UnaskedError, cited, waiting_words
from shieldwall.scenario.questions import StepFaultError, is_never_offered, unit_in_question
from shieldwall.scenario.roster import side_number
from shieldwall.scenario.schema import Faces as WrittenFaces
from shieldwall.scenario.schema import Scenario, Step
from shieldwall.scenario.steps import RULE_VERBS, Prepared, prepared, verbs_of
from shieldwall.scenario.why_not_asked import (
    PLACED_NEXT,
    NotAsked,
    why_not_asked,
    why_not_cast,
    why_not_charged,
)
from shieldwall.scenario.words import BETWEEN_ACTIVATIONS

# Questions that are never answered by default on the way to a step.
WEIGHTY = ("activate", "action")
# Questions to one side at a time: a default answer for one side would play the other's turn.
TURN_BY_TURN = ("marker", "deploy", "arrive", *WEIGHTY)
MOST_ANSWERS = 20_000

# A spell or a charge may be given directly when the action is chosen.
CASTING_WINDOWS = ("action", "cast_or_go")
LEADS_TO = {"charge": ("action",), "cast": CASTING_WINDOWS}
# Steps that may begin the activation of a unit that the engine has activated automatically.
OPENING_STEPS = ("activate", "action", "charge", "cast", "answer")
SAYS_ACTION = ("action", "charge", "answer")

GOALS = ("end of activation", "end of turn", "end of round", "end of game")
ROUND_ENDS = "end of round"


class NamedDice:
    """Faces by purpose. A list inside a list is one roll, which must have that many dice."""

    def __init__(self, written: dict[str, WrittenFaces]) -> None:
        flat: dict[str, list[int]] = {}
        self._throws: dict[str, list[int]] = {}
        for purpose, faces in written.items():
            flat[purpose] = []
            for entry in faces:
                thrown = entry if isinstance(entry, list) else [entry]
                flat[purpose] += thrown
                # 0: a die that may be part of any roll
                self._throws.setdefault(purpose, []).append(len(thrown) if isinstance(entry, list) else 0)
        self._dice = ScriptedDice(flat)

    def faces(self, roll: Roll, number: int) -> tuple[int, ...]:
        """The next faces for a roll."""
        throws = self._throws.get(roll.purpose, [])
        if throws and throws[0]:
            if throws[0] != roll.dice:
                raise ScriptError(f"{roll.purpose!r} rolls {roll.dice} dice, not {throws[0]}")
            throws.pop(0)
        else:
            if any(throws[: roll.dice]):
                raise ScriptError(f"{roll.purpose!r} rolls {roll.dice} dice, not those written")
            del throws[: roll.dice]
        return self._dice.faces(roll, number)

    def leftovers(self) -> dict[str, tuple[int, ...]]:
        """Faces that were never rolled."""
        return self._dice.leftovers()


class ScenarioMoment(Struct, frozen=True):
    """The game as expectations see it: its state, what it waits for, and the number of events so far."""

    state: State
    pending: Pending | None
    count: int
    round_ends: bool = False
    """The round ends next, without a question."""


class ScenarioPlayer:
    """A scenario being played. `events` holds everything so far, `asked` the kinds of all questions."""

    def __init__(self, scenario: Scenario, built: Built, start: State) -> None:
        self.scenario = scenario
        self.built = built
        self.start = start
        self.state = start
        self.pending: Pending | None = None
        self.events: list[ev.AnyEvent] = []
        self.asked: list[str] = []
        self.asked_at: list[int] = []  # how many events had happened when each question was asked
        self.dice = NamedDice(scenario.dice)
        self.where: Path = ()
        self.is_open = False  # the latest step was refused, and the question it concerned is still open
        self._answers: list[tuple[int, State]] = []  # before each answer: how many events, and the state
        self._seen = 0  # events before this one belong to finished steps
        self._stop_at = ""
        self._begun = -1  # the event that began the activation that the steps are about; -1: none
        self._goal_at = -1  # the event that reached the latest goal; -1: no goal was the latest step
        self._goal_from = 0  # a goal counts from here on
        self._placing: tuple[int, tuple[str, ...]] = (
            -1,
            (),
        )  # the unit that the latest step deploys, and where
        self._awaits_action = False  # a step has activated a unit, and no step has given its action yet
        self._to_come: tuple[Prepared, ...] = ()  # verbs of the running step that have not been played

    def twin(self) -> ScenarioPlayer:
        """A copy of the game in which to try things."""
        other = copy.copy(self)
        other.events, other.asked = list(self.events), list(self.asked)
        other.asked_at, other._answers = list(self.asked_at), list(self._answers)
        other.dice = copy.deepcopy(self.dice)
        return other

    def _return_to(self, earlier: ScenarioPlayer) -> None:
        """Undo everything since a copy was made."""
        where = self.where
        self.__dict__.update(earlier.twin().__dict__)
        self.where = where

    def begin(self) -> None:
        """Run up to the first question."""
        goal = next((str(step["until"]) for step in self.scenario.play[:1] if "until" in step), "")
        self._stop_at = goal or ("" if self.scenario.play else self.scenario.until)
        self._take(begin(self.built.ruleset, self.state))
        self._stop_at = ""

    def do(self, step: Step, where: Path) -> None:
        """Play the verbs of one step in order; a refusal concerns the last of them."""
        self.where = where
        self.is_open = False
        self._to_come = _charge_before_rules([prepared(one, self.built.roster) for one in verbs_of(step)])
        while self._to_come:
            ready, *rest = self._to_come
            self._to_come = tuple(rest)
            self._play(ready)

    def _play(self, ready: Prepared) -> None:
        if ready.refused is not None:
            self._expect_refusal(ready)
            return
        self._goal_at = -1
        self._placing = ready.read.unit_is_in or (-1, ())
        self._answer(ready)
        self._awaits_action = ready.verb == "activate" or (
            self._awaits_action and ready.verb not in SAYS_ACTION
        )

    def run_until(self, goal: str, where: Path) -> None:
        """Answer everything by default until a goal is reached."""
        self.where = where
        self.is_open = False
        self._stop_at = goal
        if isinstance(self.pending, Roll) and self._is_past_moment():
            self._take(Progress(self.state, (), self.pending))
        for _ in range(MOST_ANSWERS):
            reached = self._reached(goal)
            if reached is not None:
                self._stop_at = ""
                self._arrive(goal, reached)
                return
            if not isinstance(self.pending, Decision):
                break
            self._submit(self.pending.default())
        self._stop_at = ""
        raise self._stopped(f"until {goal}", goal, self._waiting())

    def reasons_against(self, step: Prepared) -> tuple[Refusal, ...]:
        """Why a step is not allowed now; plays on to the question it is about, so use a copy of the game.

        Raises `UnaskedError` if that question is not asked and no rule is known to be the reason.
        """
        try:
            if self._advance_to(step, is_trial=True):
                return ()
        except UnaskedError as error:
            found = self._why_not_asked(step)
            if not found.reasons:
                raise UnaskedError(self._unasked(step, found.general.reason)) from error
            return found.reasons
        return self._against(step)

    def stop_at(self, purpose: str, where: Path = ()) -> None:
        """Stop before the dice of a purpose are rolled. Dice at which play stopped earlier are rolled first."""
        self.where = where
        self._stop_at = purpose
        if isinstance(self.pending, Roll):
            self._take(Progress(self.state, (), self.pending))

    def settle(self, where: Path) -> None:
        """Answer minor questions by default until the activation is over, or until the unit is placed."""
        self.where = where
        while (
            self.scenario.auto and isinstance(self.pending, Decision) and not self._is_settled(self.pending)
        ):
            if self._next_activation() is not None:
                break
            self._submit(self.pending.default())

    def _is_settled(self, pending: Decision) -> bool:
        """Whether a question begins an activation, or belongs neither to one nor to the unit being placed."""
        if pending.kind in WEIGHTY:
            return True
        if pending.kind not in BETWEEN_ACTIVATIONS or self._running() >= 0:
            return False
        unit, kinds = self._placing
        return pending.kind not in kinds or unit_in_question(self.state, pending).id != unit

    # the moment that expectations check

    def moment(self) -> ScenarioMoment:
        """The moment when the acting unit is done, before the round ends or another unit acts."""
        now = ScenarioMoment(self.state, self.pending, len(self.events))
        done = self._done_at()
        if done is None:
            return now
        for at in range(done + 1, len(self.events)):
            event = self.events[at]
            if isinstance(event, ev.RoundEnded):
                return ScenarioMoment(self._state_at(at), None, at, round_ends=True)
            if isinstance(event, ev.Activated):
                if at == len(self.events) - 1 and not isinstance(self.pending, Roll):
                    return now
                state = self._state_at(at)
                return ScenarioMoment(state, self._only_choice(state, event.unit), at)
        return now

    def _is_past_moment(self) -> bool:
        """Whether the engine has played on beyond the moment that expectations check."""
        return self.moment().count < len(self.events)

    def _done_at(self) -> int | None:
        """The event that reached a goal, or ended the activation of the steps."""
        if self._goal_at >= 0:
            return self._goal_at
        if self._begun < 0:
            return None
        later = range(self._begun + 1, len(self.events))
        return next((at for at in later if isinstance(self.events[at], ev.ActivationEnded)), None)

    def _state_at(self, count: int) -> State:
        """The state after a number of events."""
        answer = bisect_right(self._answers, count, key=lambda entry: entry[0]) - 1
        first, state = self._answers[answer]
        for event in self.events[first:count]:
            state = event.apply(state)
        return state

    def _only_choice(self, state: State, unit: int) -> Choice:
        """The question that the engine answered automatically: which unit acts, if only one can."""
        name, seat = state.units[unit].name, state.units[unit].seat
        cite = self.built.ruleset.cite("round.activate")
        return Choice("activate", seat, "Pick a unit to activate", cite, (Option(f"u{unit}", name, unit),))

    # steps that are played

    def _answer(self, step: Prepared) -> None:
        if step.read.opens is not None:
            self._settle_dispute(step, *step.read.opens)
            return
        if step.verb == "cast" and step.read.declines and getattr(self.pending, "kind", "") != "cast":
            return  # a unit that was not about to cast is not asked
        before = self.twin() if step.read.declines else None
        try:
            if self._advance_to(step):
                return
        except UnaskedError as error:
            if before is not None:  # declining something that is not offered changes nothing
                self._return_to(before)
                return
            found = self._why_not_asked(step)
            reasons = (*found.reasons, found.general)
            text = "; ".join(reason.reason for reason in reasons)
            raise self._stopped(step.verb, error.failure.expected, text, self.in_words(reasons)) from error
        try:
            if self._is_done_by_its_action(step):
                return
        except UnaskedError as error:
            raise self._stopped(step.verb, error.failure.expected, error.failure.found) from error
        answer = self._built_answer(step, self._decision())
        if step.verb == "activate":
            self._begun = self._goal_from = len(self.events)
        else:
            self._note_activation()
        if step.read.one_by_one and isinstance(self.pending, Choice):
            self._answer_one_by_one(step, self.pending.kind)
        else:
            self._submit(answer)

    def _is_done_by_its_action(self, step: Prepared) -> bool:
        """Take the action that a spell or a charge needs; True where nothing is left to answer after it."""
        kind = self._decision().kind
        if step.verb == "cast" and kind in CASTING_WINDOWS:
            self._require_castable(step)
            self._submit(Pick("cast"))
            if self._decision().kind != "cast":
                raise self._stopped(step.verb, "a question about cast", self._waiting())
        if step.verb != "charge" or kind != "action":
            return False
        self._note_activation()
        refusals = self._against(step)
        if refusals:  # the engine's own reason would be about the nearest enemy
            text = "; ".join(self.in_words(refusals))
            raise self._stopped("choice", "to be allowed", f"refused: {text}")
        self._submit(Pick("charge"))
        return self._advance_to(step)  # a rule may ask before the charge is carried out

    def _require_castable(self, step: Prepared) -> None:
        """If a unit can cast nothing now, say what is wrong with the spell that was named."""
        against = why_not_cast(self.built.ruleset, self.state, self._recent_events(), self._decision(), step)
        if against:
            words = self.in_words(against)
            raise self._stopped("cast", "to be allowed", f"refused: {'; '.join(words)}", words)

    def _answer_one_by_one(self, step: Prepared, kind: str) -> None:
        """Give the answers of a list one after another, if the game asks for one at a time."""
        for number, answer in enumerate(step.read.one_by_one):
            pending = self.pending
            if not isinstance(pending, Choice) or pending.kind != kind:
                asked = f"{number} asked for, then {self._waiting()}"
                raise self._stopped(step.verb, f"a choice of {len(step.read.one_by_one)}", asked)
            self._submit(answer(self.state, pending))

    def _note_activation(self) -> None:
        """Note that the following steps are about the running activation, or about none."""
        self._begun = self._running()

    def _running(self) -> int:
        """The event that began the running activation; -1 between activations."""
        if not any(isinstance(frame, Activation) for frame in self.state.stack):
            return -1
        indexes = range(len(self.events) - 1, -1, -1)
        return next((at for at in indexes if isinstance(self.events[at], ev.Activated)), -1)

    def _next_activation(self) -> int | None:
        """The event that began another activation after the one that the steps are about."""
        done = self._done_at()
        later = range(done + 1, len(self.events)) if done is not None else ()
        return next((at for at in later if isinstance(self.events[at], ev.Activated)), None)

    def _settle_dispute(self, step: Prepared, question: str, readings: tuple[str, ...]) -> None:
        """Put a disputed question to both sides, on top of whatever the game waits for."""
        if any(name == question for name, _ in self.state.options):
            try:
                for reading in readings:
                    settle(self.scenario.edition, {question: reading})
            except HouseRuleError as error:
                raise self._stopped(step.verb, "readings that the switch knows", str(error)) from error
        self._take(open_dispute(self.built.ruleset, self.state, question, readings))
        while isinstance(self.pending, Decision) and self.pending.kind == "ruling":
            self._submit(self._built_answer(step, self.pending))

    # steps that must be refused

    def _expect_refusal(self, step: Prepared) -> None:
        """Play a step that must be refused. It changes nothing: only minor questions before it are answered.

        If the step's question is not asked, a rule must be the reason.
        """
        before = self.twin()
        try:
            self._advance_to(step, is_trial=True)
        except UnaskedError as error:
            found = self._why_not_asked(step)
            is_open = len(self._answers) == len(before._answers)  # nothing was played to find the question
            self._return_to(before)
            self.is_open = is_open
            if not found.reasons:
                text = f"it is not asked: {found.general.reason}"
                raise self._stopped(step.verb, "to be refused", text) from error
            self._expect_reasons(step, found.reasons)
            return
        if self._running() >= 0:
            self._note_activation()
            self._goal_at = -1
        self.is_open = True
        refusals = self._against(step)
        if not refusals:
            found_words = "it is allowed"
            pending = self._decision()
            if pending.kind == step.verb == "action":
                found_words += f" to {unit_in_question(self.state, pending).name}"
            raise self._stopped(step.verb, "to be refused", found_words)
        self._expect_reasons(step, refusals)

    def _against(self, step: Prepared) -> tuple[Refusal, ...]:
        """The reasons against a step at the open question; nothing is played."""
        pending, rules = self._decision(), self.built.ruleset
        if step.verb == "charge" and pending.kind == "action":
            return why_not_charged(rules, self.state, pending, step)[0]
        if step.verb == "cast" and pending.kind in CASTING_WINDOWS:
            refusals = why_not_cast(rules, self.state, self._recent_events(), pending, step)
            if refusals:
                return refusals
            ahead = self.twin()
            ahead._submit(Pick("cast"))
            return check(ahead._decision(), ahead._built_answer(step, ahead._decision()))
        answer = self._built_answer(step, pending)
        refusals = check(pending, answer)
        if refusals and is_never_offered(pending, answer, self.built.roster):
            raise self._stopped(step.verb, "an answer that the question may have", refusals[0].reason)
        if refusals:
            self._require_refusal(step, answer)
        return refusals

    def _require_refusal(self, step: Prepared, answer: AnyAnswer) -> None:
        """The engine must refuse what its question refuses."""
        try:
            submit(self.built.ruleset, self.state, answer)
        except RefusedError:
            return
        raise self._stopped(step.verb, "to be refused", "it was carried out")

    def _expect_reasons(self, step: Prepared, refusals: tuple[Refusal, ...]) -> None:
        given = self.in_words(refusals)
        for wanted in step.refused or ():
            if not any(wanted.casefold() in reason.casefold() for reason in given):
                raise self._stopped(step.verb, f"to be refused because of {wanted!r}", "; ".join(given))

    # the question that a step is about

    def _advance_to(self, step: Prepared, is_trial: bool = False) -> bool:
        """Answer minor questions by default until one comes that the step is about.

        True if the engine has given this answer by itself, so that nothing is left to answer. A trial (`is_trial`)
        never plays on into the activation of another unit or the turn of another side.
        """
        for _ in range(MOST_ANSWERS):
            if step.refused is None and self._is_done_already(step):
                return True
            pending = self.pending
            if not isinstance(pending, Decision) or self._is_past(step, is_trial):
                break
            kinds = (*step.read.kinds, *LEADS_TO.get(step.verb, ()))
            if self._is_about(step, kinds, pending):
                if self._is_of_side(step, pending):
                    return False
                if is_trial and pending.kind in TURN_BY_TURN:
                    break
            if is_trial and pending.kind == PLACED_NEXT.get(step.verb):
                break  # the engine has chosen the only unit there was
            if self._is_answered_early(step, pending):
                continue
            if not self.scenario.auto or pending.kind in WEIGHTY:
                break
            self._submit(pending.default())
        raise UnaskedError(self._unasked(step, self._waiting()))

    def _is_answered_early(self, step: Prepared, pending: Decision) -> bool:
        """Play a later verb of the same step if it answers the question and either of the two is about an army rule.

        An author cannot know at which moment an army rule asks.
        """
        for later in self._to_come:
            by_rule = step.verb in RULE_VERBS or later.verb in RULE_VERBS
            is_meant = self._is_about(later, later.read.kinds, pending) and self._is_of_side(later, pending)
            if by_rule and is_meant and later.refused is None:
                self._to_come = tuple(verb for verb in self._to_come if verb is not later)
                self._play(later)
                return True
        return False

    def _is_about(self, step: Prepared, kinds: tuple[str, ...], pending: Decision) -> bool:
        """Whether a step answers a question that is of one of these kinds."""
        fits = step.read.fits is None or step.read.fits(self.state, pending)
        return fits and any(kind in kinds for kind in pending.kinds)

    def _is_of_side(self, step: Prepared, pending: Decision) -> bool:
        return not step.side or self.state.seats[pending.seat].side == side_number(step.side)

    def _unasked(self, step: Prepared, waiting: str) -> Failure:
        return Failure(self.where, step.verb, f"a question about {step.verb}", waiting)

    def _is_past(self, step: Prepared, is_trial: bool) -> bool:
        """Whether the activation of a step is over, or its action was taken already."""
        if self._begun < 0 or step.verb == "activate" or self._goal_at >= 0:
            return False
        is_bound = is_trial or self._awaits_action
        if is_bound and step.verb in ("action", "charge"):
            wanted = step.read.event[2] if step.verb == "action" and step.read.event else step.verb
            taken = (event.action for event in self._recent_events() if isinstance(event, ev.ActionChosen))
            if next(taken, wanted) != wanted:
                return True
        if self._done_at() is None:
            return False
        running = self._running()
        if running < 0 or running == self._begun:
            return not BETWEEN_ACTIVATIONS.intersection(step.read.kinds)
        return is_bound or step.verb not in OPENING_STEPS

    def _is_done_already(self, step: Prepared) -> bool:
        """Whether the engine has given this answer itself because it was the only one."""
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
        end = self._next_activation() if self._awaits_action and step.verb != "activate" else None
        for index in range(self._seen, len(self.events) if end is None else end):
            event = self.events[index]
            if event.__struct_config__.tag == tag and getattr(event, field) == value:
                self._seen = index + 1
                self._begun = index if step.verb == "activate" else self._activation_at(index)
                if step.verb == "activate":
                    self._goal_from = index
                return True
        return False

    def _activation_at(self, index: int) -> int:
        """The event that began the activation of another event."""
        earlier = range(index, -1, -1)
        return next((at for at in earlier if isinstance(self.events[at], ev.Activated)), -1)

    def _recent_events(self) -> list[ev.AnyEvent]:
        """The events of the activation that the steps are about."""
        if self._begun < 0:
            return []
        done = self._done_at()
        return self.events[self._begun : None if done is None else done]

    def _why_not_asked(self, step: Prepared) -> NotAsked:
        return why_not_asked(
            self.built.ruleset, self.state, self._recent_events(), step, self.pending, self._waiting()
        )

    def _decision(self) -> Decision:
        if not isinstance(self.pending, Decision):
            raise self._stopped("play", "a question", self._waiting())
        return self.pending

    def _built_answer(self, step: Prepared, pending: Decision) -> AnyAnswer:
        try:
            return step.read.answer(self.state, pending)
        except (StepFaultError, LookupError) as error:
            raise self._stopped(step.verb, "a valid answer", str(error)) from error

    # the engine

    def _submit(self, answer: AnyAnswer) -> None:
        self._seen = len(self.events)
        try:
            progress = submit(self.built.ruleset, self.state, answer)
        except RefusedError as error:
            raise self._stopped(
                "choice", "to be allowed", f"refused: {error}", self.in_words(error.refusals)
            ) from error
        self._take(progress)

    def _take(self, progress: Progress) -> None:
        """Keep the result of an answer and roll all pending dice, if there are dice for what the steps are about."""
        while True:
            self._answers.append((len(self.events), self.state))
            self.state = progress.state
            self.events += progress.events
            self.pending = progress.pending
            if isinstance(self.pending, Decision):
                self.asked.append(self.pending.kind)
                self.asked_at.append(len(self.events))
            if not isinstance(self.pending, Roll) or self.pending.purpose == self._stop_at:
                return
            try:
                faces = self.dice.faces(self.pending, self.state.rolls_made)
            except ScriptError as error:
                if progress.events and self._is_past_moment():
                    return  # whatever is played later asks for these dice again
                raise self._stopped("dice", f"dice for {self.pending.purpose}", str(error)) from error
            progress = submit(self.built.ruleset, self.state, Faces(faces))

    # goals

    def _reached(self, goal: str) -> int | None:
        """The event that reached a goal; the number of all events if a question or dice reach it."""
        later = range(self._goal_from, len(self.events))
        if goal in GOALS:
            ends = self._ends(goal)
            return next((at for at in later if ends(at)), None)
        if goal == "activate":  # a unit that has no fresh mates is activated without a question
            own = next((at for at in later if isinstance(self.events[at], ev.Activated)), None)
            if own is not None:
                return own
        is_question = isinstance(self.pending, Decision) and self.pending.kind == goal
        is_roll = isinstance(self.pending, Roll) and self.pending.purpose == goal
        return len(self.events) if is_question or is_roll else None

    def _ends(self, goal: str) -> Callable[[int], bool]:
        """Whether an event is the end of an activation, of a round (another one begins), or of the game."""
        events = self.events
        if goal in ("end of activation", "end of turn"):
            return lambda at: isinstance(events[at], ev.ActivationEnded)
        ended = next((at for at, event in enumerate(events) if isinstance(event, ev.RoundEnded)), len(events))
        return lambda at: (
            isinstance(events[at], ev.GameEnded)
            or (goal == ROUND_ENDS and at >= ended and isinstance(events[at], ev.RoundBegan))
        )

    def _arrive(self, goal: str, reached: int) -> None:
        """Remember where a goal was reached; questions and dice are those open now."""
        self._begun = -1
        self._goal_at = reached if goal in GOALS else -1
        self._goal_from = len(self.events)
        if goal not in GOALS:
            self._note_activation()
            self._seen = min(self._seen, max(0, self._begun)) if goal == "activate" else self._seen

    # words

    def _waiting(self) -> str:
        return waiting_words(self.state, self.pending)

    def in_words(self, refusals: Iterable[Refusal | tuple[str, str]]) -> tuple[str, ...]:
        """Reasons in words, each with its row; units and models by their names."""
        return tuple(self.built.roster.in_words(reason) for reason in cited(refusals))

    def _stopped(self, what: str, expected: str, found: str, reasons: tuple[str, ...] = ()) -> StopError:
        found = self.built.roster.in_words(found)
        return StopError(Failure(self.where, what, expected, found), reasons)


def _charge_before_rules(verbs: list[Prepared]) -> tuple[Prepared, ...]:
    """The verbs of a step; a charge that is its action comes before answers to army rules, which ask when they like."""
    names = [verb.verb for verb in verbs]
    if "charge" not in names or "action" in names or any(verb.refused is not None for verb in verbs):
        return tuple(verbs)
    at = names.index("charge")
    first = at
    while first and names[first - 1] in RULE_VERBS:
        first -= 1
    return (*verbs[:first], verbs[at], *verbs[first:at], *verbs[at + 1 :])
