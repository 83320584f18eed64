"""One scenario being tried: measured, played, compared with what was written."""

from __future__ import annotations

import os
import traceback
from pathlib import Path as FilePath
from typing import Any

import msgspec

from shieldwall.core.errors import ShieldwallError
from shieldwall.core.state import State
from shieldwall.scenario.build import Built, started
from shieldwall.scenario.check import Path, converted
from shieldwall.scenario.event_checks import Record
from shieldwall.scenario.expect import Outcome, differences
from shieldwall.scenario.failures import Failure, StopError
from shieldwall.scenario.measure import (
    MeasureContext,
    context_at_start,
    context_now,
    listed_entries,
    measured,
    taken,
)
from shieldwall.scenario.outcome import outcome_told, plain
from shieldwall.scenario.play import Player
from shieldwall.scenario.schema import Expect, Measurement, Scenario, Step

LOOKS = {"expect", "measure", "note"}
TRIES = {
    "legal",
    "need",
    "actions",
}  # measurements that play a copy of the game, with the dice of the scenario
STOPS = {"refused", "until"}  # what was refused has changed nothing, and a goal is where to stop


class Trial:
    """What does not come out as written; and, for whoever `tells`, all that was measured and happened."""

    def __init__(self, scenario: Scenario, built: Built, tells: bool = False) -> None:
        self.scenario = scenario
        self.built = built
        self.tells = tells
        self.failures: list[Failure] = []
        self.measured: list[dict[str, Any]] = []
        self.outcome: dict[str, Any] | None = None
        self._looked = 0

    def run(self) -> None:
        """Measure and play; whatever stops it is a failure among the others."""
        scenario = self.scenario
        try:
            if scenario.measure:
                self._measure(context_at_start(scenario, self.built), scenario.measure, ("measure",))
            for_measuring = any(TRIES & entry.keys() for entry in listed_entries(scenario.measure))
            has_dice = bool(scenario.dice) and not for_measuring
            if scenario.play or scenario.until or scenario.expect != Expect() or has_dice:
                self._play(Player(scenario, self.built, started(scenario, self.built)))
        except StopError as stop:
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
            if self.tells:
                verb, found = taken(context, entry)
                about = {"verb": verb, "about": entry[verb]}
                self.measured.append(
                    {**about, **({"error": found} if isinstance(found, str) else plain(found))}
                )

    def _play(self, player: Player) -> None:
        scenario = self.scenario
        try:
            player.begin()
            for number, step in enumerate(scenario.play):
                goal = scenario.until if number == len(scenario.play) - 1 else ""
                self._step(player, step, ("play", number), goal)
            if scenario.until:
                player.run_until(scenario.until, ("until",))
            elif not (scenario.play and scenario.play[-1].keys() & STOPS):
                player.settle(("play", max(0, len(scenario.play) - 1)))
        finally:
            if self.tells:
                self.outcome = outcome_told(_outcome(player, 0), player.rests[0] if player.rests else None)
        self.failures += _differences(scenario.expect, player, 0, ("expect",))
        self.failures += [
            Failure(("dice", purpose), f"dice of {purpose}", "all thrown", f"left over: {list(faces)}")
            for purpose, faces in player.dice.leftovers().items()
        ]

    def _step(self, player: Player, step: Step, where: Path, goal: str) -> None:
        if set(step) - LOOKS:  # a mere look leaves dice lying where they are
            player.stop_at(str(step.get("until", goal)), where)
            player.do(step, where)
        if "until" in step:
            player.run_until(str(step["until"]), where)
        if "measure" in step or "expect" in step:
            self._finish(player, where)
        if "measure" in step:
            self._measure(context_now(player), step["measure"], (*where, "measure"))
        if "expect" in step:
            inner = converted(step["expect"], Expect)
            self.failures += _differences(inner, player, self._looked, (*where, "expect"))
            self._looked = len(player.events)

    def _finish(self, player: Player, where: Path) -> None:
        """Let an activation come to its end before somebody looks, where no later step answers any of its questions."""
        steps, number = self.scenario.play, int(where[1])
        done = next((step for step in reversed(steps[: number + 1]) if set(step) - LOOKS), None)
        rest = next((step for step in steps[number + 1 :] if set(step) - LOOKS), None)
        looks_at_question = "pending" in (steps[number].get("expect") or {}) or any(
            _is_about_question(entry) for entry in listed_entries(steps[number].get("measure", ()))
        )
        goes_on = "activate" not in rest if rest is not None else bool(self.scenario.until)
        if not (goes_on or looks_at_question or done is None or done.keys() & STOPS):
            player.settle(where)


def _is_about_question(entry: Measurement) -> bool:
    """Whether something is measured of the question that is open: what may be answered, or which dice come next."""
    about = entry.get("legal") if "legal" in entry else entry.get("when", {}) if "need" in entry else None
    steps = about if isinstance(about, list) else [about]
    return about is not None and not any(isinstance(step, dict) and "activate" in step for step in steps)


def _differences(expect: Expect, player: Player, since: int, where: Path) -> list[Failure]:
    """What is not as expected; units and models may be so now, or when the activation that was played was over.

    Where a side has one unit left that can do one thing only, the engine goes on by itself: a unit that has just been
    Shaken would have recovered before anybody could look. Likewise for everything at the end of a round.
    """
    wrong = list(differences(expect, _outcome(player, since), where))
    looks: list[tuple[State, tuple[str, ...]]] = [(rest, ("units", "models")) for rest in player.rests]
    if player.round_over is not None:
        looks.append((player.round_over, ("units", "models", "objectives", "round", "turn", "starter")))
    for state, about in looks if wrong else ():
        then = {failure.path for failure in differences(expect, _outcome(player, since, state), where)}
        wrong = [
            failure for failure in wrong if failure.path in then or failure.path[len(where)] not in about
        ]
    return wrong


def _outcome(player: Player, since: int, state: State | None = None) -> Outcome:
    happened = Record(tuple(player.events[since:]), tuple(player.asked), dict(player.dice.used))
    return Outcome(state or player.state, player.pending, happened, player.built.roster, player.start)
