"""Where puzzles come from: the last round of games between bots, and the same round repeated with other dice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from shieldwall.analysis.chance import chance_before
from shieldwall.analysis.moments import ACTION, ACTIVATE, Moment
from shieldwall.armies import MusteredArmy, fresh_state, ready_lists, recruit
from shieldwall.armies.book import Book
from shieldwall.armies.demo import table_for
from shieldwall.armies.random_lists import Chances, books_for, legal_list
from shieldwall.armies.troops import Troop
from shieldwall.bots import play_game, policy
from shieldwall.core.answers import AnyAnswer, Cast
from shieldwall.core.engine import Progress, submit_checked
from shieldwall.core.pending import Decision, Pending
from shieldwall.core.state import State
from shieldwall.dice import SeededDice
from shieldwall.editions import ruleset
from shieldwall.lab.games import army_of
from shieldwall.puzzles.ideas import is_about_a_spell
from shieldwall.rules.features.tokens_bids import BidTokens
from shieldwall.rules.features.tokens_legal import CastSpell
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.objectives import units_near
from shieldwall.table.numbers import TableNumbers

MOST_WAITING = 7  # units that have yet to act
CLOSE = 0.43  # how far from even a position may be
AGAIN = 3  # how often the last round of a game is repeated with other dice
CASTER_TRIES = 40  # random lists tried until one has a caster
MANY_HEROES = Chances(section=0.4, hero=0.8)
BOTS = (("solo", "solo"), ("tactician", "tactician"), ("solo", "tactician"), ("tactician", "solo"))


class LateMoments:
    """A watcher that keeps the decisions of the last round: battles played on from there are short.

    `opening` is the first of them, `moments` those with few units left to act, `spells` those in which a
    spell may be stopped: every spell that could be cast at units on markers or yet to act, not only the one that was.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.opening: Moment | None = None
        self.moments: list[Moment] = []
        self.spells: list[Moment] = []

    def began(self, progress: Progress) -> None:
        """Nothing has been decided yet."""

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        """Keep the current question, if it is late enough."""
        waits, state = progress.pending, progress.state
        if not isinstance(waits, Decision) or state.round < self.rules.constants.rounds:
            return
        if isinstance(waits, CastSpell) and waiting_units(state) <= MOST_WAITING:
            for moment in self._spells_to_stop(state, waits):
                self.spells.append(moment)
        was_chosen = isinstance(pending, Decision) and pending.kind == ACTIVATE
        if waits.kind == ACTIVATE or (waits.kind == ACTION and not was_chosen):
            moment = Moment(len(self.moments), 0, state, waits, (), ())
            self.opening = self.opening or moment
            if waiting_units(state) <= MOST_WAITING:
                self.moments.append(moment)

    def _spells_to_stop(self, state: State, decision: CastSpell) -> Iterator[Moment]:
        """What an enemy of the caster would be asked, for every spell that may be cast at a unit that matters."""
        matters = {unit.id for marker in state.markers for unit in units_near(self.rules, state, marker)}
        matters |= {unit.id for unit in state.units if not unit.activated}
        for option in decision.options:
            if option.spell.on != "enemy":
                continue
            for target in matters.intersection(option.targets):
                answer = Cast(option.model, option.spell.name, (target,))
                asked = submit_checked(self.rules, state, decision, answer)
                while isinstance(asked.pending, BidTokens) and asked.pending.helps:
                    asked = submit_checked(self.rules, asked.state, asked.pending, asked.pending.default())
                waits = asked.pending
                if isinstance(waits, Decision) and is_about_a_spell(waits) and waits.seat != decision.seat:
                    yield Moment(len(self.spells), 0, asked.state, waits, (), ())


def waiting_units(state: State) -> int:
    """How many units have yet to act in this round."""
    return sum(bool(unit.models) and not unit.activated for unit in state.units)


class LateGame(NamedTuple):
    """A game whose last round began undecided: its origin, and the ways that round went."""

    rules: Ruleset
    source: str
    seed: int
    ways: tuple[LateMoments, ...]


def late_game(edition: str, seed: int, with_casters: bool = False) -> LateGame | None:
    """The game of a seed, with ready-made lists or with random ones that have casters; None if it was decided
    before the last round.
    """
    rules = ruleset(edition)
    armies = _with_casters(rules, seed) if with_casters else _ready_made(rules, seed)
    bots = BOTS[seed % len(BOTS)]
    width, depth = rules.constants.table
    setup = fresh_state(rules, width, depth, table_for(edition, seed), armies)
    watcher = LateMoments(rules)
    seats = [policy(name, seed) for name in bots]
    play_game(rules, setup, seats, SeededDice.from_seed(seed), seed=seed, watchers=[watcher])
    if watcher.opening is None or is_decided(rules, watcher.opening):
        return None
    names = [army.name for army in armies]
    source = f"{names[0]} against {names[1]}, {bots[0]} against {bots[1]}, seed {seed}"
    return LateGame(rules, source, seed, (watcher, *_again(rules, watcher.opening, seed)))


def _ready_made(rules: Ruleset, seed: int) -> tuple[MusteredArmy, MusteredArmy]:
    """Two ready-made lists of the smallest size: few units make clear puzzles."""
    points = _smallest(rules)
    names = [ready.id for ready in ready_lists(rules.like) if ready.points == points]
    first = seed // 3 % len(names)
    second = (first + 1 + seed // 7 % (len(names) - 1)) % len(names)
    return army_of(rules.id, names[first]), army_of(rules.id, names[second])


def _smallest(rules: Ruleset) -> int:
    return min(ready.points for ready in ready_lists(rules.like))


def _with_casters(rules: Ruleset, seed: int) -> tuple[MusteredArmy, MusteredArmy]:
    """Two small random lists, each with a caster."""
    books = books_for(rules.like)
    first = seed % len(books)
    second = (first + 1 + seed // 7 % (len(books) - 1)) % len(books)
    points = _smallest(rules)
    numbers = TableNumbers(seed)
    one, other = (_caster_list(books[at], rules, numbers, points) for at in (first, second))
    return one, other


def _caster_list(source: Book, rules: Ruleset, numbers: TableNumbers, points: int) -> MusteredArmy:
    for _ in range(CASTER_TRIES):
        made = legal_list(source, rules.like, numbers, points=points, chances=MANY_HEROES)
        army = recruit(replace(made, name=source.name), (source,))
        if any(isinstance(troop, Troop) and _casts(troop) for troop in army.units):
            return army
    return army


def _casts(troop: Troop) -> bool:
    soldiers = troop.soldiers if troop.hero is None else (*troop.soldiers, troop.hero)
    return any(soldier.spells for soldier in soldiers)


def _again(rules: Ruleset, opening: Moment, seed: int) -> Iterator[LateMoments]:
    for number in range(AGAIN):
        watcher = LateMoments(rules)
        dice = SeededDice.from_seed(f"{seed} again {number}")
        seats = [policy("tactician", number) for _ in opening.state.seats]
        play_game(rules, opening.state, seats, dice, seed=f"{seed} {number}", watchers=[watcher])
        yield watcher


def is_decided(rules: Ruleset, moment: Moment) -> bool:
    """Whether one side has practically won, so that nothing depends on the choice."""
    chance = chance_before(rules, moment.state, moment.decision, 64).chance
    return abs(chance - 0.5) > CLOSE
