"""One game of a series: its task and its outcome, as plain data that can be sent and stored."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from shieldwall import __version__
from shieldwall.armies import MusteredArmy, NoArmyError, fresh_state, ready_list, ready_lists, recruit
from shieldwall.armies.demo import table_for
from shieldwall.armies.finding import find_army
from shieldwall.bots import dismiss, play_game, policy
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.engine import Progress
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.events import ActionChosen, Declared, Destroyed
from shieldwall.core.pending import Pending
from shieldwall.core.state import State
from shieldwall.dice import SeededDice
from shieldwall.editions import ruleset
from shieldwall.lab.units import UnitCounter, UnitRecord
from shieldwall.rulebook.house_rules import Setting

Options = tuple[tuple[str, str], ...]  # names and values of house rules


class Task(Struct, frozen=True, omit_defaults=True):
    """One game: the edition, two lists and two bots, and the seed that determines table, dice and choices.

    `swapped` marks the second game of a pair, in which the bots have swapped seats. With `swap_lists` the lists swap
    with them, so that a pair compares lists and not bots. `options` are house rules that differ from their defaults.
    `by_unit` keeps a record of every unit.
    """

    number: int
    edition: str
    lists: tuple[str, str]
    bots: tuple[str, str]
    seed: int
    swapped: bool = False
    swap_lists: bool = False
    options: Options = ()
    mission: str = ""
    by_unit: bool = False

    @property
    def seats(self) -> tuple[str, str]:
        """The bots by seat."""
        first, second = self.bots
        return (second, first) if self.swapped else (first, second)

    @property
    def seat_lists(self) -> tuple[str, str]:
        """The lists by seat."""
        first, second = self.lists
        return (second, first) if self.swapped and self.swap_lists else (first, second)

    @property
    def command(self) -> str:
        """The command line that repeats this game."""
        lists = " ".join(self.seat_lists if self.swap_lists else self.lists)
        more = "".join(f" --set {name}={value}" for name, value in self.options)
        more += f" --mission {self.mission}" if self.mission else ""
        return (
            f"shieldwall duel {lists} --edition {self.edition} --bots {','.join(self.bots)} "
            f"--games 2 --seed {self.seed}{more}"
        )


class GameOutcome(Struct, frozen=True):
    """The outcome of a task. `score` is the first contender's: 1, 0.5 or 0.

    A contender is a bot, together with its list if lists swap seats too. Counts are by contender, not by seat:
    `points_lost` are points of lists, `rounds` the number of rounds begun, `units` records if the task wants them.
    """

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
    points_lost: tuple[int, int] = (0, 0)
    rounds: int = 0
    options: str = ""
    mission: str = ""
    units: tuple[UnitRecord, ...] = ()


class ResultCounter:
    """Counts what each side does."""

    def __init__(self) -> None:
        self.attacks = [0, 0]
        self.charges = [0, 0]
        self.losses = [0, 0]
        self.acted: set[int] = set()

    def began(self, progress: Progress) -> None:
        """Nothing has happened yet."""

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        """Count attacks, charges and losses, and note which units acted."""
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
    """Play one game. The same task has the same outcome everywhere, except for the time it takes."""
    rules = ruleset(task.edition)
    setup = setup_of(
        task.edition, task.seat_lists, task.seed, options=dict(task.options), mission=task.mission
    )
    bots = [policy(name, task.seed) for name in task.seats]
    counter, units = ResultCounter(), UnitCounter(setup)
    began = time.perf_counter()
    dice = SeededDice.from_seed(task.seed)
    try:
        result = play_game(rules, setup, bots, dice, seed=task.seed, watchers=[counter, units])
    finally:
        dismiss(bots)
    seconds = time.perf_counter() - began
    first = 1 if task.swapped else 0  # the seat of the first bot
    by_bot = (first, 1 - first)
    held = [sum(marker.holder == side for marker in result.state.markers) for side in by_bot]
    idle = [
        sum(
            1
            for u in result.state.units
            if u.side == side and u.id not in counter.acted and u.start_models and u.later is None
        )
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
        points_lost=(units.points_lost(first), units.points_lost(1 - first)),
        rounds=result.state.round,
        options=";".join(f"{name}={value}" for name, value in task.options),
        mission=task.mission,
        units=units.records(rules, result.state, first) if task.by_unit else (),
    )


def setup_of(
    edition: str,
    lists: tuple[str, str],
    seed: int,
    *,
    options: Mapping[str, Setting] | None = None,
    mission: str = "",
) -> State:
    """The start of a game: two lists on the table of a seed."""
    rules = ruleset(edition)
    width, depth = rules.constants.table
    armies = (army_of(edition, lists[0]), army_of(edition, lists[1]))
    given = dict(options or {})
    return fresh_state(rules, width, depth, table_for(edition, seed), armies, options=given, mission=mission)


HANDED_IN: dict[tuple[str, str], MusteredArmy] = {}  # armies that other processes could not find by name


def hand_in(edition: str, name: str, army: MusteredArmy) -> None:
    """Make an army available by a name, in this process and in workers it starts from now on."""
    HANDED_IN[edition, name] = army


def army_of(edition: str, name: str) -> MusteredArmy:
    """An army by its name: one that was handed in, a ready-made list, a file, or a list in the player's folder."""
    handed = HANDED_IN.get((edition, name))
    return handed if handed is not None else _found_army(edition, name)


@cache
def _found_army(edition: str, name: str) -> MusteredArmy:
    like = ruleset(edition).like
    if name in {ready.id for ready in ready_lists(like)}:
        return recruit(ready_list(like, name))
    found = find_army(name, edition=like)
    if found.army is None:
        raise ShieldwallError(f"{name} is an army book; games are played with lists")
    return recruit(found.army, found.books)


def default_lists(edition: str) -> tuple[str, str]:
    """Ready-made lists of two factions, of the largest size there is."""
    ready = ready_lists(ruleset(edition).like)
    most = max((one.points for one in ready), default=0)
    names = [one.id for one in ready if one.points == most][:2]
    if len(names) < 2:
        raise NoArmyError(f"there are no two ready-made lists of one size for {edition}; name two lists")
    return names[0], names[1]


def pairs(task: Task, seeds: range) -> Iterator[Task]:
    """Two games like a given one for each seed, numbered from its own; the bots swap seats for the second.

    With `swap_lists` the lists swap with them; everything else stays.
    """
    for at, seed in enumerate(seeds):
        for swapped in (False, True):
            yield replace(task, number=task.number + 2 * at + swapped, seed=seed, swapped=swapped)
