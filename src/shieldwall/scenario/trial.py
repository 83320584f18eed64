"""One scenario being run: measured, played, compared with its expectations."""

from __future__ import annotations

import os
import traceback
from pathlib import Path as FilePath
from typing import Any

import msgspec

from shieldwall.core.errors import ShieldwallError
from shieldwall.scenario.build import Built, started
from shieldwall.scenario.check import Path, converted
from shieldwall.scenario.event_checks import Record
from shieldwall.scenario.expect import PlayedOutcome, differences
from shieldwall.scenario.failures import Failure, StopError
from shieldwall.scenario.measure import (
    MeasureContext,
    context_at_start,
    context_now,
    listed_entries,
    measured,
    taken,
)
from shieldwall.scenario.outcome import outcome_data, plain
from shieldwall.scenario.play import GOALS, ScenarioMoment, ScenarioPlayer
from shieldwall.scenario.schema import Expect, Measurement, Scenario, Step

LOOKS = {"expect", "measure", "note"}
TRIES = {"legal", "need", "actions"}  # measurements that play a copy of the game, with the scenario's dice


class Trial:
    """Everything that differs from what was written; with `verbose`, also everything that was measured and happened."""

    def __init__(self, scenario: Scenario, built: Built, verbose: bool = False) -> None:
        self.scenario = scenario
        self.built = built
        self.verbose = verbose
        self.failures: list[Failure] = []
        self.measured: list[dict[str, Any]] = []
        self.outcome: dict[str, Any] | None = None
        self._looked = 0  # events before this one were checked earlier
        self._failed = ""  # "step" until the next activation, then "earlier step"

    def run(self) -> None:
        """Measure and play; an error that stops it is reported as a failure."""
        scenario = self.scenario
        try:
            before = context_at_start(scenario, self.built) if scenario.measure else None
            if before is not None:
                self._measure(before, scenario.measure, ("measure",))
            for_measuring = any(TRIES & entry.keys() for entry in listed_entries(scenario.measure))
            has_dice = bool(scenario.dice) and not for_measuring
            if scenario.play or scenario.until or scenario.expect != Expect() or has_dice:
                self._play(ScenarioPlayer(scenario, self.built, started(scenario, self.built)))
            elif before is not None:
                self._report_dice(before.dice_left())
        except StopError as stop:
            if stop.failure not in self.failures:
                self.failures.append(stop.failure)
        except (ShieldwallError, msgspec.ValidationError) as error:
            self.failures.append(Failure((), "engine", "no error", str(error)))
        except Exception as error:
            if os.environ.get("SHIELDWALL_DEBUG") == "1":
                raise
            where = traceback.extract_tb(error.__traceback__)[-1]
            text = f"{type(error).__name__}: {error} ({FilePath(where.filename).name}:{where.lineno})"
            self.failures.append(Failure((), "engine", "no error", text))

    def _measure(self, context: MeasureContext, entries: object, where: Path) -> None:
        for number, entry in enumerate(listed_entries(entries)):
            self.failures += measured(context, entry, (*where, number))
            if self.verbose:
                verb, found = taken(context, entry)
                about = {"verb": verb, "about": entry[verb]}
                self.measured.append(
                    {**about, **({"error": found} if isinstance(found, str) else plain(found))}
                )

    def _play(self, player: ScenarioPlayer) -> None:
        scenario = self.scenario
        try:
            player.begin()
            for number, step in enumerate(scenario.play):
                goal = scenario.until if number == len(scenario.play) - 1 else ""
                self._try_step(player, step, ("play", number), goal)
            if not self._failed:
                self._finish(player, len(scenario.play))
                if scenario.until:
                    player.run_until(scenario.until, ("until",))
        finally:
            if self.verbose:
                self.outcome = outcome_data(_outcome(player, None, 0), player.moment().state)
        if self._failed:
            return  # the game took a different course, so its outcome means nothing
        self.failures += differences(scenario.expect, _outcome(player, player.moment(), 0), ("expect",))
        self._report_dice(player.dice.leftovers())

    def _report_dice(self, left: dict[str, tuple[int, ...]]) -> None:
        """Report dice that were written down and never rolled."""
        self.failures += [
            Failure(("dice", purpose), f"dice of {purpose}", "all rolled", f"left over: {list(faces)}")
            for purpose, faces in left.items()
        ]

    def _try_step(self, player: ScenarioPlayer, step: Step, where: Path, goal: str) -> None:
        """Play a step. If it fails, the rest of its activation is skipped; the next activation is played again."""
        if "activate" in step and self._failed == "step":
            self._failed = "earlier step"
        elif self._failed == "step" or (self._failed and not set(step) - LOOKS):
            return
        try:
            self._step(player, step, where, goal)
        except StopError as stop:
            self.failures.append(stop.failure)
            if stop.failure.what in ("dice", "engine"):
                raise StopError(stop.failure) from stop
            if "refused" not in step:
                self._failed = "step"

    def _step(self, player: ScenarioPlayer, step: Step, where: Path, goal: str) -> None:
        if set(step) - LOOKS:  # only checking does not roll pending dice
            player.stop_at(str(step.get("until", goal)), where)
            player.do(step, where)
        if "until" in step:
            player.run_until(str(step["until"]), where)
        number = int(where[1])
        if "measure" in step:
            if not any(_is_about_question(entry) for entry in listed_entries(step["measure"])):
                self._finish(player, number + 1)
            self._measure(context_now(player), step["measure"], (*where, "measure"))
        if "expect" in step:
            self._finish(player, number + 1)
            moment = player.moment()
            inner = converted(step["expect"], Expect)
            self.failures += differences(inner, _outcome(player, moment, self._looked), (*where, "expect"))
            self._looked = moment.count

    def _finish(self, player: ScenarioPlayer, after: int) -> None:
        """Play an activation to its end before an expectation is checked, unless a later step answers one of its
        questions.

        It also stays open after a goal (`until`), and after a step that was refused at an open question.
        """
        steps = self.scenario.play
        done = next((step for step in reversed(steps[:after]) if set(step) - LOOKS), None)
        rest = next((step for step in steps[after:] if set(step) - LOOKS), {"until": self.scenario.until})
        if not (player.is_open or _goes_on(rest) or (done is not None and "until" in done)):
            player.settle(("play", max(0, after - 1)))


def _goes_on(rest: Step) -> bool:
    """Whether the next step answers, or stops at, a question or dice of the running activation."""
    verbs = rest.keys() - LOOKS - {"until"}
    goal = str(rest.get("until", ""))
    return "activate" not in rest if verbs else goal not in ("", "activate", *GOALS)


def _is_about_question(entry: Measurement) -> bool:
    """Whether a measurement concerns the open question: its legal answers, or the next dice."""
    about = entry.get("legal") if "legal" in entry else entry.get("when", {}) if "need" in entry else None
    steps = about if isinstance(about, list) else [about]
    return about is not None and not any(isinstance(step, dict) and "activate" in step for step in steps)


def _outcome(player: ScenarioPlayer, moment: ScenarioMoment | None, since: int) -> PlayedOutcome:
    """The game at a moment, or now, with everything since some event."""
    moment = moment or ScenarioMoment(player.state, player.pending, len(player.events))
    asked = tuple(
        kind for kind, at in zip(player.asked, player.asked_at, strict=True) if since <= at <= moment.count
    )
    record = Record(tuple(player.events[since : moment.count]), asked)
    return PlayedOutcome(
        moment.state, moment.pending, record, player.built.roster, player.start, moment.round_ends
    )
