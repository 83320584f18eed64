"""Random battles of Age of Fantasy 1.6 break no invariant: all missions, allies, secrets, buildings, transports."""

from __future__ import annotations

from collections import Counter

import pytest

from shieldwall.armies.demo import demo_setup
from shieldwall.bots.invariants import Judge
from shieldwall.bots.match import play_game
from shieldwall.bots.random_bot import RandomBot
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.engine import Progress
from shieldwall.core.pending import Pending
from shieldwall.core.state import State
from shieldwall.dice.seeded import SeededDice
from shieldwall.editions import ruleset
from shieldwall.rules.missions import MISSIONS

RULES = ruleset("aof-1.6")
SECRETS = {"mysterious-terrain": "on", "mysterious-markers": "on"}


class Tally:
    """Counts what happened."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    def began(self, progress: Progress) -> None:
        self.seen.update(type(event).__name__ for event in progress.events)

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        self.seen.update(type(event).__name__ for event in progress.events)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("mission", ["", *MISSIONS])
def test_a_random_battle_breaks_no_law(mission: str, players: int) -> None:
    """A16-MULTI-06: sides take turns, whichever of their players acts."""
    seed = 1 + players + len(mission)
    state = demo_setup("aof-1.6", seed, mission=mission, players=players, options=dict(SECRETS))
    judge = Judge(RULES)
    bots = [RandomBot() for _ in state.seats]
    result = play_game(
        RULES, state, bots, SeededDice.from_seed(seed), seed=seed, watchers=[judge], trusting=False
    )
    assert judge.problems == []
    assert result.state.round == 4
    assert result.state.finished


def test_buildings_and_secrets_come_up_in_random_battles() -> None:
    """A16-BUILD-10, A16-MYST-01, A16-MYST-08: without them the test above would prove little."""
    tally = Tally()
    for seed in (6,):
        state = demo_setup("aof-1.6", seed, options=dict(SECRETS))
        bots = [RandomBot() for _ in state.seats]
        play_game(RULES, state, bots, SeededDice.from_seed(seed), seed=seed, watchers=[tally])
    assert tally.seen["SecretFound"] > 0
    assert tally.seen["Garrisoned"] > 0
