"""The law that every rule fires: each special rule of an edition has a scene that differs without it.

The scenes are scenario files in `scenes/`, one for each edition; a case is called like its rule. They are played
twice, with the edition and with the edition less the rule. Dice a scene does not name come from an endless row.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import pytest

from shieldwall.core.events import AnyEvent
from shieldwall.core.pending import Choice, Roll
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rules.bindings import Binding, Specials
from shieldwall.rules.hooks import SpecialRule
from shieldwall.rules.ruleset import Ruleset
from shieldwall.scenario import build as building
from shieldwall.scenario.failures import StopError
from shieldwall.scenario.load import Loaded, load_file, load_text
from shieldwall.scenario.play import ScenarioPlayer
from shieldwall.scenario.schema import Scenario

SCENES = Path(__file__).parent / "scenes"
FACES = (6, 4, 3, 1, 5, 2)


class EndlessDice:
    """The faces a scene names for a purpose, then the same row of faces again and again."""

    def __init__(self, scenario: Scenario) -> None:
        self.used: dict[str, int] = {}
        self._named = {
            purpose: [face for entry in faces for face in (entry if isinstance(entry, list) else [entry])]
            for purpose, faces in scenario.dice.items()
        }
        self._rows: dict[str, Iterator[int]] = {}

    def faces(self, roll: Roll, number: int) -> tuple[int, ...]:
        named = self._named.setdefault(roll.purpose, [])
        row = self._rows.setdefault(roll.purpose, cycle(FACES))
        return tuple(named.pop(0) if named else next(row) for _ in range(roll.dice))

    def leftovers(self) -> dict[str, tuple[int, ...]]:
        return {}


class Outcome(NamedTuple):
    """What distinguishes outcomes: events, questions, the open question, and where it stopped."""

    events: tuple[AnyEvent, ...]
    asked: tuple[str, ...]
    open_now: tuple[str, ...]
    stopped: str


def played(scenario: Scenario, rules: Ruleset, monkeypatch: pytest.MonkeyPatch) -> Outcome:
    """The outcome of a scene under some rules; the state is built again, because rules also shape profiles."""
    monkeypatch.setattr(building, "ruleset_of", lambda edition: rules)
    built = building.build(scenario)
    player = ScenarioPlayer(scenario, built, building.started(scenario, built))
    player.dice = EndlessDice(scenario)  # type: ignore[assignment]
    stopped = ""
    try:
        player.begin()
        for number, step in enumerate(scenario.play):
            player.do(step, ("play", number))
            if "until" in step:
                player.run_until(str(step["until"]), ("play", number))
        if not player.is_open and "until" not in scenario.play[-1]:
            player.settle(("play", 0))
    except StopError as stop:
        stopped = f"{stop.failure.what}: {stop.failure.expected}, but {stop.failure.found}"
    pending = player.pending
    options = tuple(option.key for option in pending.options) if isinstance(pending, Choice) else ()
    return Outcome(tuple(player.events), tuple(player.asked), options, stopped)


def rule_of(one: Loaded) -> str:
    """The rule a scene is about."""
    return one.scenario.scenario.rpartition(": ")[2]


def scenes_of(edition: str) -> list[Loaded]:
    path = SCENES / f"{edition}.yaml"
    if not path.exists():
        return []
    scenes, faults = load_file(path)
    assert not faults, faults
    return scenes


ALL_SCENES = [(edition, one) for edition in EDITIONS for one in scenes_of(edition)]


def fires(one: Loaded, rules: Ruleset, rule: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a scene comes out differently without a rule; it must be playable with it."""
    with_it = played(one.scenario, rules, monkeypatch)
    assert not with_it.stopped, f"the scene cannot be played: {with_it.stopped}"
    return played(one.scenario, rules.without(rule), monkeypatch) != with_it


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_special_rule_of_an_edition_has_a_scene(edition: str) -> None:
    known = set(ruleset(edition).specials.bindings)
    shown = {rule_of(one) for one in scenes_of(edition)}
    assert known - shown == set(), f"write a scene for these into {SCENES.name}/{edition}.yaml"
    assert shown - known == set(), "scenes of rules that the edition does not have"


@pytest.mark.parametrize(
    ("edition", "one"), ALL_SCENES, ids=[f"{edition}: {rule_of(one)}" for edition, one in ALL_SCENES]
)
def test_a_scene_comes_out_differently_without_its_rule(
    edition: str, one: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert one.scenario.edition == edition
    assert fires(one, ruleset(edition), rule_of(one), monkeypatch), f"{rule_of(one)} never fires"


IDLE = """
scenario: 'Shooting: Idle'
edition: regiments-3.5
units:
  Archers: {side: A, models: 5, rules: Idle, equipment: 'Bow (24", A1)', front: [36, 10]}
  Wolves: {side: B, models: 10, front: [36, 22], facing: 180}
play: [{activate: Archers, action: hold, shoot: {Bow: Wolves}}]
"""


def test_the_law_notices_a_rule_that_never_fires(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule bound to a class that overrides no hook changes nothing, and the law says so."""
    (one,), faults = load_text(IDLE, "idle")
    assert not faults
    rules = ruleset("regiments-3.5").without(
        "Fast"
    )  # a ruleset of our own: the shared one must stay as it is
    bindings = {**rules.specials.bindings, "Idle": Binding(SpecialRule, "R35-DICE-01")}
    rules.specials = rules.hooks.specials = Specials(bindings)
    assert not fires(one, rules, "Idle", monkeypatch)
