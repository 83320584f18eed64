"""Compile everything a game can need, once, by playing a few games of every edition and way of seeing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from shieldwall.armies.demo import demo_setup
from shieldwall.bots.greedy import GreedyBot
from shieldwall.bots.match import play_game
from shieldwall.bots.random_bot import RandomBot
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.state import State
from shieldwall.dice.seeded import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rulebook.house_rules import house_rules
from shieldwall.table.compiled import IS_COMPILED
from shieldwall.table.warmth import warm_stamp

GAMES_EACH = 6
BOTS = (RandomBot(), RandomBot())
THINKING = (GreedyBot(battles=1), RandomBot())
SIGHT = "sight-method"
THOUGHT_IN = EDITIONS[0]  # any will do: battles in the rough are the same for all


def warm_up(tell: Callable[[str], None]) -> None:
    """Play until every kernel has been called, then leave the stamp that lets later runs use them."""
    if not IS_COMPILED:
        raise ShieldwallError("nothing to warm up: Numba is missing or switched off (SHIELDWALL_NO_NUMBA)")
    for edition in EDITIONS:
        for name, state in _states(edition):
            tell(f"compiling {edition}{name}")
            for seed in range(GAMES_EACH):
                play_game(ruleset(edition), state, BOTS, SeededDice.from_seed(seed), seed=seed)
    tell("compiling what bots think with")
    play_game(ruleset(THOUGHT_IN), demo_setup(THOUGHT_IN, 1), THINKING, SeededDice.from_seed(1), seed=1)
    stamp = warm_stamp()
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.touch()


def _states(edition: str) -> Iterator[tuple[str, State]]:
    """A demonstration battle, once for each sight method the edition offers."""
    state = demo_setup(edition, 1)
    methods = [choice.value for rule in house_rules(edition) if rule.name == SIGHT for choice in rule.choices]
    if not methods:
        yield "", state
    for method in methods:
        options = tuple((key, method if key == SIGHT else value) for key, value in state.options)
        yield f", {method} sight", replace(state, options=options)
