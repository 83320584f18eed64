"""Exact odds agree with played dice for army rules that change attacks."""

from __future__ import annotations

import contextlib
import random
from fractions import Fraction
from math import sqrt

import pytest
import yaml
from msgspec.structs import replace

from shieldwall.core.answers import Faces
from shieldwall.core.engine import Progress, pending_of, submit_checked
from shieldwall.core.events import ActivationEnded
from shieldwall.core.frames import Attack
from shieldwall.core.pending import Decision, Roll
from shieldwall.core.state import MILLI, State, with_unit
from shieldwall.odds.api import of_line
from shieldwall.odds.attacks import attack_wounds
from shieldwall.rules.ruleset import Ruleset
from shieldwall.scenario import build as building
from shieldwall.scenario.failures import StopError
from shieldwall.scenario.load import load_text
from shieldwall.scenario.play import ScenarioPlayer

GAMES = 1500
WALKED_GAMES = 250
FAR = 4.5  # standard errors, more than chance explains

RULES = {
    "extra wounds for 1s to block": (
        "weapon",
        "This weapon deals 1 extra wound for natural 1s to block.",
    ),
    "extra wounds for 6s that get through": (
        "weapon",
        "On natural 6s to hit which are not blocked, this weapon causes 1 extra wound.",
    ),
    "extra attacks for 6s": (
        "model",
        "For each natural 6 to hit when attacking, it rolls +1 attack with that weapon. Extra attacks bring no more.",
    ),
    "extra hits for 6s": (
        "model",
        "When attacking, this model scores 1 additional hit on natural 6s to hit.",
    ),
    "6s pierce": ("weapon", "This weapon's hits from natural 6s to hit get AP(+2)."),
    "6s to block again": (
        "weapon",
        "When attacking, foes must reroll natural 6s to block.",
    ),
    "wounds ignored": (
        "target",
        "Units where all their models have this rule ignore wounds on a 6+.",
    ),
    "hits taken pierce less": (
        "target",
        "Hits on a unit where all its models have this rule get AP(-1).",
    ),
    "harder to hit": (
        "target",
        'When a unit where all its models have this rule is shot or charged from more than 9", '
        "attackers get -1 to hit.",
    ),
}


WALKED = {  # what cannot be added up die by die
    "1s to hit wound its own unit": (
        "weapon",
        "Gets AP(+2), but its unit takes 1 wound for each natural 1 to hit.",
    ),
    "a feat against wounds": (
        "target",
        "Once a game, against wounds on a unit where all its models have this rule, you may throw one die for each and"
        " ignore those of a 4+.",
    ),
}


def about_to_shoot(text: str, who: str) -> tuple[Ruleset, State]:
    """Ten archers have named their target; the dice to hit are next."""
    bow = 'Bow (24", A1, AP(1), Trait)' if who == "weapon" else 'Bow (24", A1, AP(1))'
    scene = {
        "scenario": "odds",
        "edition": "regiments-3.5",
        "army_rules": {"Trait": text},
        "units": {
            "Bows": {"side": "A", "models": 10, "equipment": bow, "front": [36, 10]},
            "Wolves": {"side": "B", "models": 20, "front": [36, 22], "facing": 180},
        },
        "play": [{"activate": "Bows", "action": "hold", "shoot": "Wolves"}],
    }
    units = scene["units"]
    assert isinstance(units, dict)
    if who != "weapon":
        units["Bows" if who == "model" else "Wolves"]["rules"] = "Trait"
    loaded, faults = load_text(yaml.safe_dump(scene), "odds")
    assert not faults, faults
    scenario = loaded[0].scenario
    built = building.build(scenario)
    player = ScenarioPlayer(scenario, built, building.started(scenario, built))
    player.begin()
    with contextlib.suppress(StopError):  # no dice are written down, so it stops before the first throw
        player.do(scenario.play[0], ("play", 0))
    assert isinstance(player.pending, Roll)
    return built.ruleset, player.state


def wounds_played(rules: Ruleset, state: State, numbers: random.Random) -> int:
    """The wounds of one played volley."""
    progress = Progress(state, (), pending_of(rules, state))
    while any(isinstance(frame, Attack) for frame in progress.state.stack):
        pending = progress.pending
        assert pending is not None
        if isinstance(pending, Decision):
            answer = pending.default()
        else:
            answer = Faces(tuple(numbers.randint(1, 6) for _ in range(pending.dice)))
        progress = submit_checked(rules, progress.state, pending, answer)
    return len(state.units[1].models) - len(progress.state.units[1].models)


@pytest.mark.parametrize("rule", RULES)
def test_exact_odds_agree_with_played_shots(rule: str) -> None:
    who, text = RULES[rule]
    rules, state = about_to_shoot(text, who)
    frame = state.stack[-1]
    assert isinstance(frame, Attack)
    exact = attack_wounds(rules, state, frame)
    assert exact is not None
    numbers = random.Random(7)
    counts = [wounds_played(rules, state, numbers) for _ in range(GAMES)]
    mean = sum(counts) / GAMES
    spread = sqrt(sum((count - mean) ** 2 for count in counts) / GAMES)
    assert abs(mean - float(exact.mean)) < FAR * max(spread, 0.1) / sqrt(GAMES)


def test_odds_of_a_block_follow_what_stands_near_it() -> None:
    rules, far = about_to_shoot('This unit gets +1 to hit rolls while within 6" of an enemy.', "model")
    wolves = far.units[1]
    assert wolves.block is not None
    near = with_unit(far, replace(wolves, block=replace(wolves.block, y=wolves.block.y - 7 * MILLI)))
    frame = far.stack[-1]
    assert isinstance(frame, Attack)
    found = [attack_wounds(rules, state, frame) for state in (far, near, far)]
    assert found[0] is not None
    assert found[1] is not None
    assert found[1].mean / found[0].mean == Fraction(4, 3)  # 3+ instead of 4+
    assert found[2] == found[0]


def models_left(rules: Ruleset, state: State, numbers: random.Random) -> tuple[int, int]:
    """The models of both units when the activation is over."""
    progress = Progress(state, (), pending_of(rules, state))
    while not any(isinstance(event, ActivationEnded) for event in progress.events):
        pending = progress.pending
        assert pending is not None
        if isinstance(pending, Decision):
            answer = pending.default()
        else:
            answer = Faces(tuple(numbers.randint(1, 6) for _ in range(pending.dice)))
        progress = submit_checked(rules, progress.state, pending, answer)
    shooters, target = progress.state.units
    return len(shooters.models), len(target.models)


@pytest.mark.parametrize("rule", WALKED)
def test_exact_odds_agree_with_played_activations(rule: str) -> None:
    who, text = WALKED[rule]
    rules, state = about_to_shoot(text, who)
    frame = state.stack[-1]
    assert isinstance(frame, Attack)
    assert attack_wounds(rules, state, frame) is None, "dice alone do not tell"
    odds = of_line(rules, state)
    numbers = random.Random(11)
    games = [models_left(rules, state, numbers) for _ in range(WALKED_GAMES)]
    for unit in (0, 1):
        lost = [len(state.units[unit].models) - game[unit] for game in games]
        mean = sum(lost) / len(lost)
        spread = sqrt(sum((count - mean) ** 2 for count in lost) / len(lost))
        exact = float(odds.unit(unit).lost.mean)
        assert abs(mean - exact) < FAR * max(spread, 0.1) / sqrt(len(lost)), unit
