"""Games between ready-made lists, checked while they are played."""

from __future__ import annotations

from shieldwall import armies
from shieldwall.armies.demo import table_for
from shieldwall.bots import MatchResult, RandomBot, play_game
from shieldwall.bots.invariants import Judge
from shieldwall.dice import SeededDice
from shieldwall.editions import ruleset


def play_ready(edition: str, first: str, second: str, seed: int) -> tuple[MatchResult, tuple[str, ...]]:
    """The end of a battle between two lists, and every invariant broken on the way."""
    rules = ruleset(edition)
    width, depth = rules.constants.table
    sides = [armies.recruit(armies.ready_list(edition, name)) for name in (first, second)]
    state = armies.fresh_state(rules, width, depth, table_for(edition, seed), sides)
    judge = Judge(rules)
    bots = [RandomBot(), RandomBot()]
    dice = SeededDice.from_seed(seed)
    result = play_game(rules, state, bots, dice, seed=seed, watchers=[judge], trusting=False)
    return result, tuple(judge.problems)
