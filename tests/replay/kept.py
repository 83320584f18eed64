"""Games kept from every version of the rules, to show that later versions can still use them.

`python -m tests.replay.kept record [EDITION ...]` plays and keeps the games of the versions that the editions have
now. Games of a version that was released are never recorded again: raise the `version` of the edition's `RULESET`
first.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from typing import NamedTuple

from shieldwall.armies.demo import demo_setup
from shieldwall.bots import play_game
from shieldwall.bots.registry import policy
from shieldwall.dice import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.replay import Log, Recorder, encode_log, parse_log

FOLDER = Path(__file__).parent / "kept"
GAMES = {11: "solo", 12: "random"}  # the seed of each game, and the bot that plays both sides


class KeptGame(NamedTuple):
    """One kept game: its edition and the version of the rules it was played with."""

    path: Path
    edition: str
    version: int

    def log(self) -> Log:
        return parse_log(gzip.decompress(self.path.read_bytes()), self.path.name)


def kept_games() -> list[KeptGame]:
    """All of them; a file is called EDITION/VERSION-SEED.jsonl.gz."""
    return [
        KeptGame(path, path.parent.name, int(path.name.split("-")[0]))
        for path in sorted(FOLDER.glob("*/*.jsonl.gz"))
    ]


def played(edition: str, seed: int, bot: str) -> Log:
    """A game with verifiable dice."""
    rules, setup, dice = ruleset(edition), demo_setup(edition, seed), SeededDice.from_seed(seed)
    recorder = Recorder(rules, setup, (bot, bot), dice.commitment)
    play_game(rules, setup, (policy(bot, 1), policy(bot, 2)), dice, recorder, seed=seed)
    recorder.reveal(dice.key)
    return recorder.log()


def record(editions: list[str]) -> None:
    """Keep games of these editions."""
    for edition in editions or list(EDITIONS):
        for seed, bot in GAMES.items():
            target = FOLDER / edition / f"{ruleset(edition).version}-{seed}.jsonl.gz"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(gzip.compress(encode_log(played(edition, seed, bot)), mtime=0))
            print(target.relative_to(FOLDER), target.stat().st_size)


if __name__ == "__main__":
    assert sys.argv[1:2] == ["record"], __doc__
    record(sys.argv[2:])
