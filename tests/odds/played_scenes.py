"""Scenes on a real table, exact and played, for rules that need more than two units on an empty table."""

from __future__ import annotations

from typing import NamedTuple

from fair_dice import directly, played
from msgspec.structs import replace
from played_rules import strange
from scenes import scene
from slow_odds import by_fate

from shieldwall import odds
from shieldwall.core.answers import AnyAnswer, Bid, Pick
from shieldwall.core.frames import Activation, Round
from shieldwall.core.pending import Choice, Decision
from shieldwall.core.state import State
from shieldwall.odds.api import Budget

ROUT = """
scenario: An army at half its strength
edition: skirmish-3.2
start_units: {{A: 4, B: 1}}
units:
  A1: {{side: A, stats: Q4+ D4+, rules: '{rules}', activated: true, at: [10, 6]}}
  B1: {{side: B, activated: true, at: [10, 42]}}
  A2: {{side: A, stats: Q5+ D4+, activated: true, at: [16, 6]}}
"""
TOKENS = """
scenario: Spells and tokens against them
edition: {edition}
spells: {{Bolt: {{cost: 1, range: 18, hits: 4}}}}
units:
  Mage: {{side: A, rules: Caster(2), tokens: 2, spells: [Bolt], {at}: [24, 10]}}
  Foe: {{side: B, models: 3, rules: 'Caster(1), Tough(2)', tokens: 2, spells: [Bolt], {at}: [24, 20], facing: 180}}
"""
WIZARDS = """
scenario: Two wizards
edition: {edition}
spells: {{Bolt: {{cost: 5, range: 18, hits: 4}}}}
units:
  Mage: {{side: A, rules: Wizard(2), spells: [Bolt], at: [24, 10]}}
  Foe: {{side: B, models: 4, at: [24, 20], facing: 180}}
  Sage: {{side: B, rules: Wizard(1), spells: [Bolt], at: [30, 20], facing: 180}}
"""
GROUND = """
scenario: A charge over dangerous ground
edition: {edition}
terrain: {{Lava: {{kind: lava, at: [24, 12.5], size: [12, 1]}}}}
units:
  Pikes: {{side: A, models: 5, equipment: 'Pike (A2)', rules: Impact(1), {at}: [24, 10]}}
  Wolves: {{side: B, models: 5, equipment: 'Claws (A2)', {at}: [24, 15], facing: 180}}
"""


class Scene(NamedTuple):
    """A situation, and how long it is played."""

    name: str
    text: str
    until: str = "activation"


SCENES = [
    *[
        Scene(f"rout, {rules or 'no rule'}", ROUT.format(rules=rules), "round")
        for rules in ("", "Fearless", "To Morale(1)", "Banner", "Hero")
    ],
    *[
        Scene(f"tokens, {one}", TOKENS.format(edition=one, at="front"))
        for one in ("regiments-3.4", "regiments-3.5")
    ],
    Scene("tokens, skirmish-3.2", TOKENS.format(edition="skirmish-3.2", at="at")),
    *[Scene(f"wizards, {one}", WIZARDS.format(edition=one)) for one in ("aof-1.6", "aof-2")],
    *[
        Scene(f"ground, {one}", GROUND.format(edition=one, at="front"))
        for one in ("regiments-3.4", "regiments-3.5")
    ],
    *[
        Scene(f"ground, {one}", GROUND.format(edition=one, at="at"))
        for one in ("aof-1.6", "aof-2", "skirmish-3.2")
    ],
]


def boldly(state: State, decision: Decision) -> AnyAnswer | None:
    """Cast, charge, oppose and bid whenever asked; answer everything else by default."""
    if decision.kind == "bid":
        return Bid(-1) if decision.seat == 1 else None
    if isinstance(decision, Choice):
        keys = [option.key for option in decision.options]
        opposing = [key for key in keys if key.startswith("m")]
        wanted = {"action": ("cast", "charge"), "cast_or_go": ("cast",), "oppose": ("yes", *opposing)}
        return next((Pick(key) for key in wanted.get(decision.kind, ()) if key in keys), None)
    return None


def wrong_in(told: Scene, times: int, seed: int, watching: int) -> list[str]:
    """Where games played with fair dice differ from the exact odds of a scene."""
    rules, state, _ = scene(told.text)
    found = odds.of_line(rules, state, boldly, until=told.until, budget=Budget(states=10**9))
    assert found.exact
    assert len(found.branches) > 1, "the scene has no dice"
    last = Activation if told.until == "activation" else Round
    at = next((at for at, frame in enumerate(state.stack) if isinstance(frame, last)), len(state.stack) - 1)
    alone = replace(state, stack=state.stack[at:])
    games = played(rules, alone, times, seed, watching, boldly)
    astray = [game for game in games.watched if directly(rules, alone, game, boldly) != game.end]
    return [f"ends otherwise when played alone: {game}" for game in astray] + strange(by_fate(found), games)
