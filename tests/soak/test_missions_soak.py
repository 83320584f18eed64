"""Many random battles over all missions, with two players and with four, secrets on, in the books that have them."""

from __future__ import annotations

import os

import pytest

from shieldwall.armies.demo import demo_setup
from shieldwall.bots import RandomBot, play_game
from shieldwall.bots.invariants import Judge
from shieldwall.dice import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.replay import Recorder, encode_log, parse_log, verify
from shieldwall.rulebook.house_rules import Setting, house_rules
from shieldwall.rules.missions import MISSIONS, RANDOM

GAMES = int(os.environ.get("SHIELDWALL_SOAK_GAMES", "2000"))
CHUNKS = 20
WAYS = [(mission, players) for mission in ("", *MISSIONS, RANDOM) for players in (2, 4)]
SECRETS = ("mysterious-terrain", "mysterious-markers")


def secrets_of(edition: str) -> dict[str, Setting]:
    """The edition's switches for mysterious terrain and markers, switched on."""
    own = {rule.name for rule in house_rules(edition)}
    return {name: "on" for name in SECRETS if name in own}


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("edition", EDITIONS)
def test_missions_and_allies_break_no_law_and_their_logs_verify(edition: str, chunk: int) -> None:
    """A16-MISSION-01, A16-MULTI-01: every way of playing is repeated with different seeds."""
    rules = ruleset(edition)
    broken = []
    for seed in range(chunk, GAMES, CHUNKS):
        mission, players = WAYS[(seed // CHUNKS) % len(WAYS)]
        state = demo_setup(edition, seed, mission=mission, players=players, options=secrets_of(edition))
        bots = [RandomBot() for _ in state.seats]
        dice, judge = SeededDice.from_seed(seed), Judge(rules)
        recorder = Recorder(rules, state, [bot.name for bot in bots], dice.commitment)
        play_game(rules, state, bots, dice, recorder, seed=seed, watchers=[judge], trusting=False)
        where = f"seed {seed}, mission {mission or 'standard'}, {players} players"
        broken += [f"{where}: {problem}" for problem in judge.problems]
        if seed % 10 == 0 and not verify(parse_log(encode_log(recorder.log()))).ok:
            broken.append(f"{where}: the log does not verify")
    assert broken == []
