"""Walks a game through everything its dice may do: each result with its weight, equal games put together.

The walk goes in two sweeps. The first finds every game that may come up between two rolls and what may follow from it;
games that are equal in all that can still matter are one. The second sends weights through, in an order in which
every game is reached before it is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from operator import attrgetter
from typing import NamedTuple

from msgspec.structs import replace

from shieldwall.core.engine import Game, begin, feed, feed_counts, pending_of, resume
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.frames import Activation, AnyFrame, Round
from shieldwall.core.pending import Decision, Pending, Roll
from shieldwall.core.state import State, Unit
from shieldwall.core.values import Counts
from shieldwall.odds.folding import can_fold, fold
from shieldwall.odds.memory import at_moment
from shieldwall.odds.playbook import Playbook
from shieldwall.odds.tally import NOTHING, Tally, told
from shieldwall.odds.weights import FACES, results_of, throws_of
from shieldwall.rules.ruleset import Play, Ruleset

RESULTS_FOR_A_SPOT = 20  # results of one throw that may fall together in one spot
WIDE = 2000  # results of a throw beyond which samples throw dice instead of listing them
UNLIMITED = 10**12
OVER = 1_000_000  # a step no procedure has: a frame that stands there is left at once
STOPS: dict[str, type[AnyFrame] | None] = {"activation": Activation, "round": Round, "game": None}


# Units and pieces are compared in a quicker way; the rest here never changes in a game, or is a mere count.
_COMPARED_APART = (
    "units",
    "pieces",
    "profiles",
    "spells",
    "seats",
    "ruleset",
    "width",
    "depth",
    "rolls_made",
)
_OTHER_FIELDS = attrgetter(*(name for name in State.__struct_fields__ if name not in _COMPARED_APART))


class OverBudgetError(Exception):
    """The walk would take more games than were allowed."""


class CircleError(ShieldwallError):
    """The game may come back to where it was, again and again, so its results cannot be listed."""


class Spot(NamedTuple):
    """A game between two rolls: its state, how many answers of the line are given, and what has happened."""

    state: State
    given: int
    tally: Tally


Maker = Callable[[], Play]


class Fan:
    """What may follow from a spot: ways to go on with their weights out of `total`, gone only when asked for."""

    __slots__ = ("given", "makers", "reached", "total", "weights")

    def __init__(self, ways: Sequence[tuple[Maker, int]], total: int, given: int) -> None:
        self.given = given
        self.makers = [maker for maker, _ in ways]
        self.weights = [weight for _, weight in ways]
        self.total = total
        self.reached: list[int] = [-1] * len(ways)


class Walker:
    """All spots found so far, by number, each with its fan once it was opened. Spot 0 is the start."""

    def __init__(self, rules: Ruleset, state: State, line: Playbook, until: str, most: int) -> None:
        if until not in STOPS:
            raise ShieldwallError(f"a line of play ends with one of {', '.join(STOPS)}, not {until!r}")
        self.rules = rules
        self.line = line
        self.until = until
        self.most = most
        self.refused: tuple[str, ...] = ()
        self.used = 0  # answers of the line given on any way so far
        self.spots: list[Spot] = []
        self.fans: list[Fan | None] = []
        self.pieces = state.pieces
        self._wide: dict[object, int] = {}
        self._numbers: dict[object, int] = {}
        self._units: dict[Unit, Unit] = {}
        self._known: dict[int, tuple[Unit, Unit]] = {}
        begun = at_moment(state, tuple(self._stopping(list(state.stack))))
        tally = NOTHING
        if pending_of(rules, begun) is None and begun.stack:  # it stands between two steps
            progress = begin(rules, begun)
            begun, tally = progress.state, told(tally, begun, progress.events)
        self._number(Spot(begun, 0, tally))

    # spots

    def _number(self, spot: Spot) -> int:
        key = (self._key(spot.state), spot.given, spot.tally)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.spots)
            self.spots.append(spot)
            self.fans.append(None)
            if number >= self.most:
                raise OverBudgetError
        return number

    def _key(self, state: State) -> object:
        """Equal for states that are equal in everything that can change in a game."""
        return (
            tuple([id(self._one(unit)) for unit in state.units]),
            None if state.pieces is self.pieces else state.pieces,
            _OTHER_FIELDS(state),
        )

    def _one(self, unit: Unit) -> Unit:
        """The one unit that stands for all that are equal to this one."""
        known = self._known.get(id(unit))
        if known is None:  # the unit itself is kept as well, so that its id stays its own
            known = self._known[id(unit)] = (unit, self._units.setdefault(unit, unit))
        return known[1]

    def pending(self, number: int) -> Pending | None:
        """What the game waits for at a spot; None at the end of the line."""
        return pending_of(self.rules, self.spots[number].state)

    def fan(self, number: int) -> Fan:
        """What may follow from a spot that is not an end."""
        found = self.fans[number]
        if found is None:
            found = self.fans[number] = self._opened(number)
        return found

    def reach(self, number: int, way: int) -> int:
        """The spot one of the ways of a fan leads to."""
        fan = self.fan(number)
        there = fan.reached[way]
        if there < 0:
            there = fan.reached[way] = self._gone(number, fan.given, fan.makers[way]())
        return there

    def is_wide(self, number: int) -> bool:
        """Whether a spot waits for a throw with more results than are worth listing."""
        pending = self.pending(number)
        if self.fans[number] is not None or not isinstance(pending, Roll):
            return False
        return results_of(pending.pools) > WIDE and not can_fold(self.rules, self.spots[number].state)

    def reach_by(self, number: int, counts: tuple[Counts, ...]) -> int:
        """The spot one result of a wide throw leads to."""
        key = (number, tuple(tuple(sorted(one.items())) for one in counts))
        there = self._wide.get(key)
        if there is None:
            spot = self.spots[number]
            there = self._wide[key] = self._gone(number, spot.given, self._thrower(spot.state, counts)())
        return there

    def lift_budget(self) -> None:
        """Spots are no longer counted."""
        self.most = UNLIMITED

    def _opened(self, number: int) -> Fan:
        spot = self.spots[number]
        pending = self.pending(number)
        if isinstance(pending, Decision):
            return self._answered(spot, pending)
        assert isinstance(pending, Roll)
        if can_fold(self.rules, spot.state):
            folded = fold(self.rules, spot.state, pending)
            if folded is not None:
                return Fan(folded.games, folded.total, spot.given)
        if len(self.spots) + results_of(pending.pools) > RESULTS_FOR_A_SPOT * self.most:
            raise OverBudgetError
        ways = [(self._thrower(spot.state, counts), weight) for counts, weight in throws_of(pending.pools)]
        return Fan(ways, FACES**pending.dice, spot.given)

    def _thrower(self, state: State, counts: tuple[Counts, ...]) -> Maker:
        def throw() -> Play:
            game: Play = Game(self.rules, state)
            feed_counts(game, counts)
            return game

        return throw

    def _answered(self, spot: Spot, decision: Decision) -> Fan:
        answer, given = self.line.answer(spot.state, decision, spot.given)
        if given == spot.given == self.used:
            refusals = self.line.against_next(decision, given)
            self.refused += tuple(f"{decision.kind}: {refusal.reason}" for refusal in refusals)
        self.used = max(self.used, given)

        def tell() -> Play:
            game: Play = Game(self.rules, spot.state)
            feed(game, decision, answer)
            return game

        return Fan([(tell, 1)], 1, given)

    def _gone(self, number: int, given: int, game: Play) -> int:
        spot = self.spots[number]
        game.stand(self._stopping(game.stack))
        progress = resume(game)
        return self._number(Spot(progress.state, given, told(spot.tally, spot.state, progress.events)))

    def _stopping(self, stack: list[AnyFrame]) -> list[AnyFrame]:
        """The stack with everything below the last frame of the line over and done with."""
        last = STOPS[self.until]
        if last is None:
            return stack
        for at in range(len(stack) - 1, -1, -1):
            if isinstance(stack[at], last):
                return [*(_done(frame) for frame in stack[:at]), *stack[at:]]
        return stack


def _done(frame: AnyFrame) -> AnyFrame:
    return frame if frame.step == OVER else replace(frame, step=OVER)


def ends(walker: Walker) -> dict[int, Fraction]:
    """The spots a line ends at with their exact chances, which add up to one."""
    order = _reached_before_left(walker)
    shares: dict[int, tuple[int, int]] = {0: (1, 1)}
    found: dict[int, Fraction] = {}
    for number in order:
        share, total = shares.pop(number)
        if walker.pending(number) is None:
            found[number] = Fraction(share, total)
            continue
        fan = walker.fan(number)
        again = sum(weight for weight, there in zip(fan.weights, fan.reached, strict=True) if there == number)
        total *= fan.total - again  # a throw that changes nothing is thrown again
        for weight, there in zip(fan.weights, fan.reached, strict=True):
            if there != number:
                shares[there] = _sum(shares.get(there), share * weight, total)
    return found


def _sum(known: tuple[int, int] | None, share: int, total: int) -> tuple[int, int]:
    if known is None:
        return share, total
    if known[1] == total:
        return known[0] + share, total
    common = lcm(known[1], total)
    return known[0] * (common // known[1]) + share * (common // total), common


def _reached_before_left(walker: Walker) -> list[int]:
    """Every spot of the walk, in an order in which all ways to a spot come before the ways from it."""
    left: list[int] = []
    done: set[int] = set()
    under_way: set[int] = set()
    waiting: list[tuple[int, int]] = [(0, 0)]
    while waiting:
        number, way = waiting.pop()
        if way == 0:
            under_way.add(number)
        if walker.pending(number) is not None and way < len(walker.fan(number).makers):
            waiting.append((number, way + 1))
            there = walker.reach(number, way)
            if there in under_way and there != number:
                raise CircleError("the game may come back to where it was; its results cannot be listed")
            if there not in done and there != number:
                waiting.append((there, 0))
            continue
        under_way.discard(number)
        done.add(number)
        left.append(number)
    left.reverse()
    return left
