"""Freeze and compare behaviour.

python -m tests.corpus check            compare the everyday corpus; exit code 1 where something differs
python -m tests.corpus check --long     the long one as well (some minutes)
python -m tests.corpus record [--long]  freeze what the engine does now; commit the changed files
python -m tests.corpus settle           keep the version although other tables come out (see versions.py)
python -m tests.corpus show EDITION BOT SEED ANSWER   print one answer of a game: question, answer, events, units

Words of the form edition=NAME restrict check, record and settle to one edition.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from shieldwall.armies.demo import demo_setup
from shieldwall.bots.match import play_game
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.codec import encode
from shieldwall.core.engine import Progress
from shieldwall.core.pending import Pending, Roll
from shieldwall.core.state import State
from shieldwall.dice.seeded import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from tests.corpus.takes import BOTS, Record, chances, game, page, scenarios
from tests.corpus.versions import settle

FROZEN = Path(__file__).parent / "frozen"
Corpus = dict[str, Record]
SHOWN = 20  # differences printed for each file


def everyday(edition: str) -> Corpus:
    """A little of everything: a few seconds for each edition."""
    taken = {f"game random {seed}": game(edition, "random", seed) for seed in (1, 2, 3)}
    taken["game solo 1"] = game(edition, "solo", 1)
    taken["page"] = page(edition, 4, 12)
    taken["odds"] = chances(edition, 7)
    return taken


def long(edition: str) -> Corpus:
    """Many seeds, all scenario files; states only, to keep the files small."""
    taken: Corpus = {}
    for bot, seeds in (("random", range(100, 140)), ("solo", range(100, 106))):
        for seed in seeds:
            record = game(edition, bot, seed)
            taken[f"game {bot} {seed}"] = {name: record[name] for name in ("answers", "end", "states")}
    for seed in range(2):
        taken[f"page {seed}"] = page(edition, 100 + seed, 4)
    taken["odds"] = chances(edition, 1)
    taken["scenarios"] = scenarios(edition)
    return taken


KINDS = {"everyday": everyday, "long": long}


def frozen_file(kind: str, edition: str) -> Path:
    """Where a corpus is kept."""
    return FROZEN / f"{kind}-{edition}.json"


def differences(kind: str, edition: str) -> list[str]:
    """One sentence for each difference from the frozen corpus: edition, seed, answer, and what differs."""
    path = frozen_file(kind, edition)
    if not path.is_file():
        return [f"{edition}: no {kind} corpus is recorded; python -m tests.corpus record"]
    frozen: Corpus = json.loads(path.read_text(encoding="utf-8"))
    now = KINDS[kind](edition)
    told: list[str] = []
    for name, record in frozen.items():
        told += _different(f"{edition}, {name}", record, now.get(name, {}))
    return told


def _different(where: str, frozen: Record, now: Record) -> list[str]:
    if "states" not in frozen:
        return [
            f"{where}, {name}: {now.get(name, 'not there any more')} in place of {old}"
            for name, old in frozen.items()
            if now.get(name) != old
        ]
    if frozen == {name: now.get(name) for name in frozen}:
        return []
    told = []
    for what in ("questions", "events", "states"):
        before, after = frozen.get(what, ""), now.get(what, "")
        if what in frozen and before != after:
            pairs = enumerate(zip(before, after, strict=False))
            first = next((at for at, (a, b) in pairs if a != b), min(len(before), len(after)))
            told.append((first, what))
    if not told:
        return [f"{where}: it ends differently"]
    first = min(told)[0]
    parts = " and ".join(what for at, what in told if at == first)
    return [f"{where}, answer {first} of {frozen['answers']}: the {parts} differ"]


def check(kinds: list[str], editions: list[str]) -> int:
    """Compare and print; the exit code."""
    failed = 0
    for kind in kinds:
        for edition in editions:
            told = differences(kind, edition)
            print(f"{kind}, {edition}: {f'{len(told)} differences' if told else 'as recorded'}", flush=True)
            for line in told[:SHOWN]:
                print("  " + line)
            failed += bool(told)
    if failed:
        print(
            "Look at one with: python -m tests.corpus show EDITION BOT SEED ANSWER (here and in the old checkout)."
        )
        print("If the change is wanted: python -m tests.corpus record, and say in the commit what changed.")
    return 1 if failed else 0


def record(kinds: list[str], editions: list[str]) -> int:
    """Write the files again."""
    FROZEN.mkdir(exist_ok=True)
    for kind in kinds:
        for edition in editions:
            text = json.dumps(KINDS[kind](edition), indent=0, sort_keys=True)
            frozen_file(kind, edition).write_text(text + "\n", encoding="utf-8")
            print(f"recorded {kind}, {edition}", flush=True)
    return 0


class Printer:
    """Prints one answer of a game."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self.count = 0

    def began(self, progress: Progress) -> None:
        """Print the start if that was asked for."""
        if self.wanted == 0:
            print(encode(progress.state).decode())

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        """Print what happened at the wanted answer."""
        self.count += 1
        if self.count == self.wanted:
            print("question:", pending.purpose if isinstance(pending, Roll) else pending.prompt)
            print("answer:", encode(answer).decode())
            for event in progress.events:
                print("event:", encode(event).decode())
            for old, new in zip(before.units, progress.state.units, strict=True):
                if old != new:
                    print("unit before:", encode(old).decode())
                    print("unit after: ", encode(new).decode())


def show(edition: str, bot: str, seed: int, answer: int) -> int:
    """Play a game again and print one answer of it."""
    bots = (BOTS[bot](1), BOTS[bot](2))
    dice, printer = SeededDice.from_seed(seed), Printer(answer)
    play_game(ruleset(edition), demo_setup(edition, seed), bots, dice, watchers=[printer], seed=seed)
    return 0


def main(words: list[str]) -> int:
    """Run one command; see the docstring of this file."""
    kinds = ["everyday", "long"] if "--long" in words else ["everyday"]
    editions = [word.removeprefix("edition=") for word in words if word.startswith("edition=")] or list(
        EDITIONS
    )
    match words:
        case ["check", *_]:
            return check(kinds, editions)
        case ["record", *_]:
            return record(kinds, editions)
        case ["settle", *_]:
            settle({edition: ruleset(edition).version for edition in editions})
            return 0
        case ["show", edition, bot, seed, answer]:
            return show(edition, bot, int(seed), int(answer))
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
