"""Small tables to look at: a scenario with a few activations played one after the other, each with a caption."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from shieldwall.core import events as ev
from shieldwall.core.answers import Faces
from shieldwall.core.engine import Progress, begin, check, submit
from shieldwall.core.pending import Decision, Pending, Roll
from shieldwall.core.state import State
from shieldwall.dice.seeded import SeededDice, key_from_seed
from shieldwall.lessons.files import SetTable, set_table
from shieldwall.lessons.lesson import answer_by
from shieldwall.scenario.schema import Step as ScenarioStep

MOST_ANSWERS = 40
SIDES = ("Blue", "Orange")


class FrameFile(Struct, frozen=True, forbid_unknown_fields=True):
    """One frame: its caption, and the activation that leads to it."""

    say: str
    do: ScenarioStep | None = None


class SceneFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A scene as written; its edition is the reader's."""

    caption: str
    setting: dict[str, object]
    frames: tuple[FrameFile, ...]
    seed: int = 1


class SceneFrame(Struct, frozen=True):
    """One frame: the state, and what happened since the previous one."""

    say: str
    state: State
    events: tuple[ev.AnyEvent, ...]


class PlayedScene(Struct, frozen=True):
    """A scene played through. `problems` are activations that could not be played as written."""

    caption: str
    stage: SetTable
    frames: tuple[SceneFrame, ...]
    problems: tuple[str, ...]


def played_scene(file: SceneFile, edition: str, name: str) -> PlayedScene:
    """A scene in an edition."""
    setting: Mapping[str, object] = {**file.setting, "edition": edition}
    stage = set_table(setting, file.caption, SIDES, name)
    run = _SceneRun(stage, SeededDice(key_from_seed(f"{name} {file.seed}")))
    frames = [run.frame(frame) for frame in file.frames]
    return PlayedScene(file.caption, stage, tuple(frames), tuple(run.problems))


class _SceneRun:
    """Plays the activations of a scene; questions that a step leaves open get their default answers."""

    def __init__(self, stage: SetTable, dice: SeededDice) -> None:
        self.stage, self.dice = stage, dice
        self.rules, self.roster = stage.built.ruleset, stage.built.roster
        self.problems: list[str] = []
        self.state = stage.start
        self.pending: Pending | None = None
        self._events: list[ev.AnyEvent] = []
        self._take(begin(self.rules, self.state))
        self._events.clear()

    def frame(self, frame: FrameFile) -> SceneFrame:
        """The next frame."""
        self._events.clear()
        if frame.do is not None:
            self._activation(frame.do)
        return SceneFrame(frame.say, self.state, tuple(self._events))

    def _activation(self, do: ScenarioStep) -> None:
        unit = self.roster.unit(do["activate"])
        for _ in range(MOST_ANSWERS):
            if not isinstance(self.pending, Decision):
                return
            if any(isinstance(event, ev.ActivationEnded) and event.unit == unit for event in self._events):
                return
            given = answer_by(do, self.roster, self.state, self.pending)
            if given is not None and check(self.pending, given):
                self.problems.append(f"{self.pending.kind} of {do} is not allowed")
                given = None
            answer = self.pending.default() if given is None else given
            self._take(submit(self.rules, self.state, answer))

    def _take(self, progress: Progress) -> None:
        self.state, more, self.pending = progress
        self._events += more
        while isinstance(self.pending, Roll):
            faces = self.dice.faces(self.pending, self.state.rolls_made)
            self.state, more, self.pending = submit(self.rules, self.state, Faces(faces))
            self._events += more
