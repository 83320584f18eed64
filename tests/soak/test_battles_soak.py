"""Many random battles: no broken invariant, none of our own answers refused, every log verifies, neither seat
favoured."""

from __future__ import annotations

import math
import os

import pytest

from shieldwall.armies.demo import demo_setup
from shieldwall.bots import RandomBot, play_game
from shieldwall.bots.invariants import Judge
from shieldwall.core.state import State
from shieldwall.dice import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.replay import Recorder, encode_log, parse_log, verify
from shieldwall.rulebook.house_rules import house_rules

GAMES = int(os.environ.get("SHIELDWALL_SOAK_GAMES", "2000"))
CHUNKS = 20
BOTS = (RandomBot(), RandomBot())


def ways_to_play() -> list[tuple[str, str]]:
    """Every edition, once for each sight method it offers."""
    ways = []
    for edition in EDITIONS:
        methods = [
            c.value for rule in house_rules(edition) if rule.name == "sight-method" for c in rule.choices
        ]
        ways += [(edition, method) for method in methods or [""]]
    return ways


def start(edition: str, method: str, seed: int, mirror: bool = False) -> State:
    return demo_setup(edition, seed, mirror=mirror, options={"sight-method": method} if method else None)


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize(("edition", "method"), ways_to_play())
def test_random_battles_break_no_law_and_their_logs_verify(edition: str, method: str, chunk: int) -> None:
    rules = ruleset(edition)
    broken = []
    for seed in range(chunk, GAMES, CHUNKS):
        state, dice, judge = start(edition, method, seed), SeededDice.from_seed(seed), Judge(rules)
        recorder = Recorder(rules, state, ("random", "random"), dice.commitment)
        play_game(rules, state, BOTS, dice, recorder, seed=seed, watchers=[judge], trusting=False)
        broken += [f"seed {seed}: {problem}" for problem in judge.problems]
        if seed % 10 == 0 and not verify(parse_log(encode_log(recorder.log()))).ok:
            broken.append(f"seed {seed}: the log does not verify")
    assert broken == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_mirror_match_favours_neither_seat(edition: str) -> None:
    """Draws count half; the allowance is 2.5 points over 2,000 games, more over fewer."""
    rules = ruleset(edition)
    score = 0.0
    for seed in range(GAMES):
        state = start(edition, "", seed, mirror=True)
        winner = play_game(rules, state, BOTS, SeededDice.from_seed(seed), seed=seed).winner
        score += 0.5 if winner < 0 else 1.0 - winner
    allowance = 2.5 * math.sqrt(max(1.0, 2000 / GAMES))
    assert abs(100 * score / GAMES - 50) <= allowance
