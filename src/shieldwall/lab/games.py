"""One game of a series: what is to be played, and what came of it. Both are plain data that travel and are kept."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from msgspec import Struct

from shieldwall import __version__
from shieldwall.armies import Army, NoArmyError, fresh_state, ready_list, ready_lists, recruit
from shieldwall.armies.demo import table_for
from shieldwall.armies.list_file import read_list
from shieldwall.bots import dismiss, play_game, policy
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.engine import Progress
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.events import ActionChosen, Declared, Destroyed
from shieldwall.core.pending import Pending
from shieldwall.core.state import State
from shieldwall.dice import SeededDice
from shieldwall.editions import ruleset

LIST_FILES = (".yaml", ".yml")


class Task(Struct, frozen=True):
    """One game: the edition, a list and a bot for each seat, and the seed that table, dice and choices follow from.

    `swapped` marks the second game of a pair: the same but for the bots, which have changed seats.
    """

    number: int
    edition: str
    lists: tuple[str, str]
    bots: tuple[str, str]
    seed: int
    swapped: bool = False

    @property
    def seats(self) -> tuple[str, str]:
        """The bots by seat."""
        first, second = self.bots
        return (second, first) if self.swapped else (first, second)

    @property
    def command(self) -> str:
        """The command line that plays this very game again, for everybody to see."""
        lists = " ".join(self.lists)
        return (
            f"shieldwall duel {lists} --edition {self.edition} --bots {','.join(self.bots)} "
            f"--games 2 --seed {self.seed}"
        )


class GameOutcome(Struct, frozen=True):
    """What came of a task. `score` is the first bot's: 1, a half or 0. Counts are by bot, not by seat."""

    number: int
    edition: str
    lists: tuple[str, str]
    bots: tuple[str, str]
    seed: int
    swapped: bool
    score: float
    winner: int
    markers: tuple[int, int]
    turns: int
    answers: int
    seconds: float
    attacks: tuple[int, int]
    charges: tuple[int, int]
    losses: tuple[int, int]
    idle_units: tuple[int, int]
    engine: str = __version__
    forfeit: str = ""


class ResultCounter:
    """A watcher that counts what each side did."""

    def __init__(self) -> None:
        self.attacks = [0, 0]
        self.charges = [0, 0]
        self.losses = [0, 0]
        self.acted: set[int] = set()

    def began(self, progress: Progress) -> None:
        """Nothing has happened yet."""

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        """Count attacks, charges and losses, and who did anything."""
        for event in progress.events:
            if isinstance(event, ActionChosen):
                side = before.units[event.unit].side
                self.charges[side] += event.action == "charge"
                if event.action != "idle":
                    self.acted.add(event.unit)
            elif isinstance(event, Declared) and event.group != "charge":
                self.attacks[before.units[event.unit].side] += 1
            elif isinstance(event, Destroyed):
                self.losses[before.units[event.unit].side] += 1


def play_task(task: Task) -> GameOutcome:
    """Play one game. The same task gives the same outcome everywhere, but for the time it takes."""
    rules = ruleset(task.edition)
    setup = setup_of(task.edition, task.lists, task.seed)
    bots = [policy(name, task.seed) for name in task.seats]
    counter = ResultCounter()
    began = time.perf_counter()
    dice = SeededDice.from_seed(task.seed)
    try:
        result = play_game(rules, setup, bots, dice, seed=task.seed, watchers=[counter])
    finally:
        dismiss(bots)
    seconds = time.perf_counter() - began
    first = 1 if task.swapped else 0  # the seat of the first bot
    by_bot = (first, 1 - first)
    held = [sum(marker.holder == side for marker in result.state.markers) for side in by_bot]
    idle = [
        sum(1 for u in result.state.units if u.side == side and u.id not in counter.acted and u.start_models)
        for side in by_bot
    ]
    return GameOutcome(
        number=task.number,
        edition=task.edition,
        lists=task.lists,
        bots=task.bots,
        seed=task.seed,
        swapped=task.swapped,
        score=0.5 if result.winner < 0 else float(result.winner == first),
        winner=result.winner,
        markers=(held[0], held[1]),
        turns=result.turns,
        answers=result.answers,
        seconds=round(seconds, 4),
        attacks=(counter.attacks[first], counter.attacks[1 - first]),
        charges=(counter.charges[first], counter.charges[1 - first]),
        losses=(counter.losses[first], counter.losses[1 - first]),
        idle_units=(idle[0], idle[1]),
        forfeit=result.forfeit,
    )


def setup_of(edition: str, lists: tuple[str, str], seed: int) -> State:
    """A game about to begin: two lists on the table of a seed."""
    rules = ruleset(edition)
    width, depth = rules.constants.table
    armies = (army_of(edition, lists[0]), army_of(edition, lists[1]))
    return fresh_state(rules, width, depth, table_for(edition, seed), armies)


@cache
def army_of(edition: str, name: str) -> Army:
    """An army from the id of a ready-made list or from a file."""
    if name.endswith(LIST_FILES):
        path = Path(name)
        if not path.is_file():
            raise ShieldwallError(f"there is no army list at {name!r}; give a file or the id of a ready list")
        found = read_list(path.read_bytes(), path.name)
        if found.edition != edition:
            raise ShieldwallError(f"{name} is a list for {found.edition}; this is played by {edition}")
        return recruit(found)
    return recruit(ready_list(edition, name))


def default_lists(edition: str) -> tuple[str, str]:
    """Ready-made lists of two factions of the same size, the biggest there is."""
    ready = ready_lists(edition)
    most = max((one.points for one in ready), default=0)
    names = [one.id for one in ready if one.points == most][:2]
    if len(names) < 2:
        raise NoArmyError(f"there are no two ready-made lists of one size for {edition}; name two lists")
    return names[0], names[1]


def pairs(
    edition: str, lists: tuple[str, str], bots: tuple[str, str], seeds: range, first: int = 0
) -> Iterator[Task]:
    """Two games for each seed: the bots change seats, everything else stays."""
    for at, seed in enumerate(seeds):
        for swapped in (False, True):
            yield Task(first + 2 * at + swapped, edition, lists, bots, seed, swapped)
