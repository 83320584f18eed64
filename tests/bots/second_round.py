"""Battles at the start of their second round."""

from __future__ import annotations

import pytest

from shieldwall.armies.demo import demo_setup
from shieldwall.bots import play_game, policy
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.engine import Progress
from shieldwall.core.pending import Decision, Pending
from shieldwall.core.state import State
from shieldwall.dice import SeededDice
from shieldwall.editions import ruleset


class FoundError(Exception):
    """The wanted state, and the question asked in it."""

    def __init__(self, state: State, decision: Decision) -> None:
        self.state = state
        self.decision = decision


class StopInRoundTwo:
    """Stops a game at the first activation of its second round."""

    def began(self, progress: Progress) -> None:
        """Nothing yet."""

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        if before.round == 2 and isinstance(pending, Decision) and pending.kind == "activate":
            raise FoundError(before, pending)


def second_round(edition: str, seed: int, bot: str = "random") -> FoundError:
    """A demo battle between two such bots, in its second round."""
    bots, dice = [policy(bot), policy(bot)], SeededDice.from_seed(seed)
    with pytest.raises(FoundError) as stop:
        play_game(
            ruleset(edition), demo_setup(edition, seed), bots, dice, seed=seed, watchers=[StopInRoundTwo()]
        )
    return stop.value
