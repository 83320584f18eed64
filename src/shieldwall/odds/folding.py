"""Many independent dice at once: ask the rules once per label, then add up.

A roll whose steps say that they add up is not walked result by result. One die of each pool goes through the
steps of the running game, once for each of its labels, with every roll that follows from it; what comes of so many
dice is then a sum of independent parts. No rule is written down here a second time: the parts come from the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from operator import mul
from typing import NamedTuple

from msgspec.structs import replace

from shieldwall.core.engine import GameRun, current_step, feed_counts, step_on
from shieldwall.core.frames import AnyFrame, Attack, HitGroup, Packet
from shieldwall.core.pending import Roll
from shieldwall.core.state import State
from shieldwall.core.values import Counts
from shieldwall.odds.powers import Exponents, Terms, multiplied, product_of_powers
from shieldwall.odds.weights import shares, throws
from shieldwall.rules.army.feats import feat_against_wounds
from shieldwall.rules.hooks import WoundContext
from shieldwall.rules.losses import first_to_land, may_ignore, room_for_wounds
from shieldwall.rules.ruleset import Play, Ruleset
from shieldwall.rules.steps.attack import groups_on

Kind = HitGroup | Packet
Amounts = dict[Kind, int]


class Part(NamedTuple):
    """What one die may bring: amounts by kind, each with its weight out of `total`."""

    ways: tuple[tuple[tuple[tuple[Kind, int], ...], int], ...]
    total: int


class Folded(NamedTuple):
    """A roll and all that adds up after it: the games it may lead to, each with its weight out of `total`.

    `amounts` say how many of each of the `kinds` a game goes on with; folds that come to rest in the same state and
    the same frame (`resting`) with the same amounts go on alike.
    """

    games: list[tuple[Callable[[], Play], int]]
    total: int
    amounts: list[Exponents]
    kinds: tuple[Kind, ...]
    resting: State
    stack: tuple[AnyFrame, ...]


class NotAddingUpError(Exception):
    """Some die ends somewhere else than the others, so they cannot be added up."""


def can_fold(rules: Ruleset, state: State) -> bool:
    """Whether the roll a state waits for may be folded: fresh dice of an attack whose step adds up."""
    frame = state.stack[-1]
    if not isinstance(frame, Attack) or frame.failed or frame.again or frame.more or frame.thrown:
        return False
    if frame.landing is not None:
        return False
    game = GameRun(rules, state)
    step = current_step(game)
    if frame.packets:  # dice that may ignore wounds
        return not any(packet.sticky for packet in frame.packets) and step.adds_up(game)
    return step.adds_up(game) or step.pools_add_up(game)


def fold(
    rules: Ruleset, state: State, roll: Roll, game_at: Callable[[State], Play] | None = None
) -> Folded | None:
    """The roll a state waits for with everything that adds up after it; None where that does not work out.

    `game_at` makes the games it leads to from the states they go on from.
    """
    try:
        return _Folding(rules, state, roll, game_at).folded()
    except NotAddingUpError:
        return None


def fold_amounts(
    rules: Ruleset, state: State, roll: Roll, before_ignoring: bool = False
) -> tuple[list[tuple[int, int]], int] | None:
    """Numbers of wounds a folded roll may bring, with their weights; None where it does not come down to wounds.

    With `before_ignoring` no wound is ignored yet, whatever rules the victim has.
    """
    try:
        folding = _Folding(rules, state, roll)
        terms, kinds, total = folding.summed(before_ignoring)
    except NotAddingUpError:
        return None
    if not all(isinstance(kind, Packet) for kind in kinds):
        return None
    if not before_ignoring and folding.may_still_be_ignored(kinds):
        return None
    each = [kind.amount for kind in kinds if isinstance(kind, Packet)]
    return [(sum(map(mul, amounts, each)), weight) for amounts, weight in terms], total


class _Folding:
    """One roll being folded. `rest` is the frame in which the dice come to rest, with nothing in it yet."""

    def __init__(
        self, rules: Ruleset, state: State, roll: Roll, game_at: Callable[[State], Play] | None = None
    ) -> None:
        self.rules = rules
        self.game_at = game_at or (lambda there: GameRun(rules, there))
        self.state = state
        self.roll = roll
        self.depth = len(state.stack)
        self.rest: Attack | None = None
        self.resting_state = state
        frame = state.stack[-1]
        self.saving = isinstance(frame, Attack) and bool(frame.packets)  # these dice may ignore wounds
        self.hits_come_new = isinstance(frame, Attack) and not frame.hits
        self.rests_on_failures = False  # whether the dice come to rest as hits that were not blocked
        self.ignoring = False  # whether the second stage is on: from wounds to those that are not ignored

    def folded(self) -> Folded:
        terms, kinds, total = self.summed_saves() if self.saving else self.summed()
        if self.rest is None:  # nothing can come of it at all
            return Folded([(self._missed, 1)], 1, [], (), self.state, ())
        if self.ignoring:
            terms = self._that_can_land(terms)
        games = [(self._maker(kinds, amounts), weight) for amounts, weight in terms]
        stack = (*self.state.stack[:-1], self.rest)
        all_amounts = [amounts for amounts, _ in terms]
        return Folded(games, total, all_amounts, tuple(kinds), self.resting_state, stack)

    def summed_saves(self) -> tuple[Terms, list[Kind], int]:
        """The wounds that land after the dice which may ignore them, where all wounds fall alike."""
        frame = self.state.stack[-1]
        assert isinstance(frame, Attack)
        wounds: list[Kind] = [replace(packet, count=1) for packet in frame.packets]
        if len(set(wounds)) != len(wounds):
            raise NotAddingUpError
        self.rest = replace(frame, packets=())
        parts, kinds = self._ignored([Part(((((kind, 1),), 1),), 1) for kind in wounds], wounds)
        if not self.ignoring:
            raise NotAddingUpError
        dice = [packet.count for packet in frame.packets]
        factors = tuple((_terms(part, kinds), number) for part, number in zip(parts, dice, strict=True))
        total = prod(part.total**number for part, number in zip(parts, dice, strict=True))
        return product_of_powers(factors), kinds, total

    def summed(self, before_ignoring: bool = False) -> tuple[Terms, list[Kind], int]:
        """All amounts the dice may bring together, of which kinds, and the sum of their weights.

        Where they are wounds, those that the victim ignores are left out, unless asked for `before_ignoring`.
        """
        game: Play = GameRun(self.rules, self.state)
        pools = self.roll.pools
        if current_step(game).adds_up(game):
            parts = [self._one_die(game, self.roll, at) for at in range(len(pools))]
            dice = [pool.dice for pool in pools]
        else:
            parts = [self._one_pool(game, self.roll, at) for at in range(len(pools))]
            dice = [1] * len(pools)
        kinds = _kinds(parts)
        if not kinds:
            return (((), 1),), [], 1
        if not before_ignoring and all(isinstance(kind, Packet) for kind in kinds):
            parts, kinds = self._ignored(parts, kinds)
        factors = tuple(
            (_terms(part, kinds), number) for part, number in zip(parts, dice, strict=True) if number
        )
        total = prod(part.total**number for part, number in zip(parts, dice, strict=True))
        return product_of_powers(factors), kinds, total

    def may_still_be_ignored(self, kinds: list[Kind]) -> bool:
        """Whether a roll of the victim's is still to come for some of the wounds."""
        if self.ignoring or self.rest is None:
            return False
        victim = self.state.units[self.rest.victim]
        if not self.rest.feat_asked and feat_against_wounds(self.rules, self.state, victim) is not None:
            return True
        ctx = WoundContext(self.state, victim, self.rest.kind, self.rest.picked)
        return any(may_ignore(self.rules, ctx, no_saves) for no_saves in {k.no_saves for k in kinds})

    def _that_can_land(self, terms: Terms) -> Terms:
        """The same with all numbers of wounds put together that are more than the victim can take."""
        assert self.rest is not None
        unit = self.state.units[self.rest.victim]
        room = room_for_wounds(self.rules, self.state, unit, self.rest.picked)
        found: dict[Exponents, int] = {}
        for (wounds,), weight in terms:
            landing = (min(wounds, room),)
            found[landing] = found.get(landing, 0) + weight
        return tuple(found.items())

    # one die

    def _one_die(self, game: Play, roll: Roll, at: int) -> Part:
        """What one die of a pool brings, with every roll that follows from it."""
        return self._part(
            game, roll, at, [({label: 1}, faces) for label, faces in shares(roll.pools[at].labels)]
        )

    def _one_pool(self, game: Play, roll: Roll, at: int) -> Part:
        """What all dice of a pool bring together, with every roll that follows from them."""
        pool = roll.pools[at]
        return self._part(game, roll, at, throws(pool.labels, pool.dice))

    def _part(self, game: Play, roll: Roll, at: int, results: Sequence[tuple[Counts, int]]) -> Part:
        branches: list[tuple[Part, int]] = []
        for result, weight in results:
            counts: list[Counts] = [{} for _ in roll.pools]
            counts[at] = result
            branch = game.branch()
            feed_counts(branch, roll, tuple(counts))
            branches.append((self._followed(branch), weight))
        thrown = sum(weight for _, weight in results)
        most = max(part.total for part, _ in branches)
        found: dict[tuple[tuple[Kind, int], ...], int] = {}
        for part, weight in branches:
            scale = weight * (most // part.total)
            for way, chance in part.ways:
                found[way] = found.get(way, 0) + chance * scale
        return Part(tuple(found.items()), thrown * most)

    def _followed(self, game: Play) -> Part:
        """Walk on until the dice come to rest at a step that does not add up."""
        while True:
            frame = game.stack[-1] if len(game.stack) == self.depth else None
            if not isinstance(frame, Attack) or game.steps[-1] >= game.plans[frame.procedure].count:
                return Part((((), 1),), 1)
            step = current_step(game)
            if self._rests(game, frame):
                return self._rested(game, frame)
            pending = step.ask(game)
            if pending is None:
                step_on(game)
            elif isinstance(pending, Roll):
                return self._rolled(game, pending)
            else:
                raise NotAddingUpError

    def _rests(self, game: Play, frame: Attack) -> bool:
        if frame.packets and not self.ignoring:
            return True
        return frame.landing is not None or not current_step(game).adds_up(game)

    def _rolled(self, game: Play, roll: Roll) -> Part:
        parts = [self._one_die(game, roll, at) if pool.dice else None for at, pool in enumerate(roll.pools)]
        thrown = [(part, pool.dice) for part, pool in zip(parts, roll.pools, strict=True) if part is not None]
        kinds = _kinds([part for part, _ in thrown])
        ways = {(0,) * len(kinds): 1}
        total = 1
        for part, number in thrown:
            terms = dict(_terms(part, kinds))
            for _ in range(number):
                ways = multiplied(ways, terms)
                total *= part.total
        return Part(
            tuple((_named(kinds, exponents), weight) for exponents, weight in ways.items()),
            total,
        )

    def _rested(self, game: Play, frame: Attack) -> Part:
        if frame.thrown:  # some dice are thrown again, and all of them are read together
            raise NotAddingUpError
        amounts: Amounts = {}
        if frame.landing is not None:
            if frame.landing.count:  # whatever could be ignored has been
                amounts[replace(frame.landing, count=1, no_saves=False)] = frame.landing.count
        elif frame.packets:
            for packet in frame.packets:
                amounts[replace(packet, count=1)] = packet.count
        elif frame.failed:
            if frame.ones:
                raise NotAddingUpError
            for group, failed in zip(groups_on(frame, frame.victim), frame.failed, strict=True):
                if failed:
                    amounts[replace(group, count=1)] = failed
        elif self.hits_come_new:
            for group in frame.hits:
                amounts[replace(group, count=1)] = group.count
        if amounts:
            self._note_rest(game)
        return Part(((tuple(amounts.items()), 1),), 1)

    def _note_rest(self, game: Play) -> None:
        game.settle()
        frame = game.top(Attack)
        if game.stack[:-1] != list(self.state.stack[:-1]):
            raise NotAddingUpError
        # hits on other units wait their turn; before a victim is taken all hits come from these dice
        left = tuple(group for group in frame.hits if group.unit != frame.victim) if frame.victim >= 0 else ()
        empty = replace(frame, hits=left, packets=(), failed=(), again=(), ones=(), more=())
        self.rests_on_failures = bool(frame.failed)
        if self.rest is None:
            self.rest, self.resting_state = empty, game.state
            return
        same_place = replace(empty, landing=None) == replace(self.rest, landing=None)
        if not same_place or game.state is not self.resting_state:
            raise NotAddingUpError

    # wounds that may be ignored

    def _ignored(self, parts: list[Part], kinds: list[Kind]) -> tuple[list[Part], list[Kind]]:
        """The parts after the dice that may ignore wounds, where all wounds fall alike."""
        assert self.rest is not None
        first_rest = self.rest
        wounds = tuple(kind for kind in kinds if isinstance(kind, Packet))
        game = self._game(replace(first_rest, packets=wounds))
        if not current_step(game).adds_up(game):
            return parts, kinds
        self._begin_ignoring()
        each: dict[Kind, Part] = {
            kind: self._followed(self._game(replace(first_rest, packets=(kind,)))) for kind in wounds
        }
        landing = _kinds(list(each.values()))
        if len(landing) != 1:  # nothing gets through, or not as one kind: leave it to the walk
            self.rest, self.ignoring = first_rest, False
            return parts, kinds
        return [_through(part, each, landing) for part in parts], landing

    def _begin_ignoring(self) -> None:
        self.ignoring, self.rest = True, None

    # where it leads

    def _game(self, frame: Attack) -> Play:
        game = self.game_at(self.resting_state)
        game.restart_from(frame)
        return game

    def _missed(self) -> Play:
        game = self.game_at(self.state)
        feed_counts(game, self.roll, tuple({} for _ in self.roll.pools))
        return game

    def _maker(self, kinds: list[Kind], amounts: Exponents) -> Callable[[], Play]:
        def make() -> Play:
            assert self.rest is not None
            there = [replace(kind, count=count) for kind, count in zip(kinds, amounts, strict=True) if count]
            if not there and self.saving and isinstance(kinds[0], Packet):
                return self._game(replace(self.rest, landing=replace(kinds[0], count=0)))
            if not there:
                return self._missed()
            if self.ignoring and isinstance(there[0], Packet):
                return self._game(replace(self.rest, landing=there[0]))
            packets = tuple(sorted([one for one in there if isinstance(one, Packet)], key=first_to_land))
            hits = tuple([one for one in there if isinstance(one, HitGroup)])
            failed = tuple([group.count for group in hits]) if self.rests_on_failures else ()
            return self._game(replace(self.rest, packets=packets, hits=hits + self.rest.hits, failed=failed))

        return make


def _kinds(parts: list[Part]) -> list[Kind]:
    """All kinds in order of appearance, sixes before others."""
    order = dict.fromkeys(kind for part in parts for way, _ in part.ways for kind, _ in way)
    return sorted(order, key=lambda kind: isinstance(kind, HitGroup) and not kind.six)


def _terms(part: Part, kinds: list[Kind]) -> Terms:
    found: dict[Exponents, int] = {}
    for way, weight in part.ways:
        amounts = dict(way)
        exponents = tuple(amounts.get(kind, 0) for kind in kinds)
        found[exponents] = found.get(exponents, 0) + weight
    return tuple(sorted(found.items()))


def _named(kinds: list[Kind], exponents: Exponents) -> tuple[tuple[Kind, int], ...]:
    return tuple((kind, count) for kind, count in zip(kinds, exponents, strict=True) if count)


def _through(part: Part, each: Mapping[Kind, Part], kinds: list[Kind]) -> Part:
    """A part whose every unit goes through one more throw."""
    found: dict[Exponents, int] = {}
    most = max(prod(each[kind].total ** count for kind, count in way) for way, _ in part.ways)
    for way, weight in part.ways:
        sums: dict[Exponents, int] = {(0,) * len(kinds): weight}
        total = 1
        for kind, count in way:
            for _ in range(count):
                sums = multiplied(sums, dict(_terms(each[kind], kinds)))
                total *= each[kind].total
        for exponents, chance in sums.items():
            found[exponents] = found.get(exponents, 0) + chance * (most // total)
    ways = tuple((_named(kinds, exponents), weight) for exponents, weight in found.items())
    return Part(ways, part.total * most)
