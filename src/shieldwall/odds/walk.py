"""Walks a game through every result of its dice: each with its weight, equal states merged.

The walk has two passes. The first finds every state in which dice are about to be thrown and what may follow from it;
states that are equal in everything that can still matter are one node. The second passes the weights on, in an
order in which every way into a node comes before the ways out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from operator import attrgetter
from typing import Any, NamedTuple

from shieldwall.core import events as ev
from shieldwall.core.engine import GameRun, Plans, begin, feed, feed_counts, pending_of, run
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.frames import Activation, AnyFrame, Round
from shieldwall.core.pending import Decision, Pending, Roll
from shieldwall.core.state import State, Unit, is_same_position, with_version
from shieldwall.core.values import Counts
from shieldwall.odds.folding import Folded, can_fold, fold
from shieldwall.odds.footprint import CLOCK_EVERY, Gauge
from shieldwall.odds.playbook import Playbook
from shieldwall.odds.tally import COUNTED, NOTHING, Tally, counted
from shieldwall.odds.weights import FACES, results_of, throws_of
from shieldwall.rules.ruleset import Play, Ruleset

RESULTS_PER_NODE = 20  # results of one throw that may merge into one node
WIDE = 2000  # results of a throw beyond which samples throw dice instead of listing them
UNLIMITED = 10**12
CHOICES_IN_A_ROW = 200  # answered without a node between them; more may be a loop
OVER = 1_000_000  # a step no procedure has: a frame that stands there is left at once
REPORT_EVERY = 16  # ways between two reports of progress
STOPS: dict[str, type[AnyFrame] | None] = {"activation": Activation, "round": Round, "game": None}


# Units, pieces and options are compared in a quicker way; the others here never change in a game, or are mere counts.
_COMPARED_APART = (
    "units",
    "pieces",
    "profiles",
    "spells",
    "seats",
    "ruleset",
    "options",
    "army_rules",
    "width",
    "depth",
    "rolls_made",
)
_OTHER_FIELDS = attrgetter(*(name for name in State.__struct_fields__ if name not in _COMPARED_APART))
_NOT_THE_STACK = attrgetter(
    *(name for name in State.__struct_fields__ if name not in (*_COMPARED_APART, "stack"))
)
_ALL_BUT_UNITS = attrgetter(*(name for name in State.__struct_fields__ if name not in ("units", "stack")))
# Events that write to their own unit and nothing else, and so give the same unit wherever they happen to an equal one.
_OWN_UNIT_ONLY = frozenset((ev.Removed, ev.Wounded, ev.Tired, ev.Broke, ev.Destroyed, ev.Stunned))

# Told the share of the work done so far (0 to 1), how many states were found or games played, and why games are
# played instead of counting ("memory", "time", "states", "loop" or "asked"; nothing while the odds are exact).
Progress = Callable[[float, int, str], None]


class TooManyStatesError(Exception):
    """The walk would take more states, or more memory, than it was given."""


class CycleError(ShieldwallError):
    """The game may come back to where it was, again and again, so its results cannot be listed."""


class Node(NamedTuple):
    """A state about to throw dice (or at the end): answers of the playbook given so far, and what has happened."""

    state: State
    given: int
    tally: Tally


Continuation = Callable[[], Play]


class Outcomes:
    """What may follow from a node: continuations with their weights out of `total`, run only when asked for.

    Continuations with equal `keys`, anywhere in the walk, lead to the same node.
    """

    __slots__ = ("continuations", "given", "keys", "reached", "total", "weights")

    def __init__(
        self, ways: Sequence[tuple[Continuation, int]], total: int, given: int, keys: Sequence[object] = ()
    ) -> None:
        self.given = given
        self.keys = keys
        self.continuations: list[Continuation | None] = [way for way, _ in ways]
        self.weights = [weight for _, weight in ways]
        self.total = total
        self.reached: list[int] = [-1] * len(ways)


class WalkedUnits:
    """A number for every version of a unit that a walk meets, and one for all versions that are equal; each version
    carries its own. `after` holds what became of versions by an event, and whether they still stand as before.
    """

    __slots__ = ("after", "equal", "met")

    def __init__(self) -> None:
        self.met = 0
        self.equal: dict[Unit, int] = {}
        self.after: dict[tuple[int, Any], tuple[Unit, bool]] = {}

    def of(self, unit: Unit) -> list[Any]:
        """Whose numbers these are, the version's own, and that of all that are equal to it (-1: not yet known)."""
        known: list[Any] | None = unit.__dict__.get("walked")
        if known is None or known[0] is not self:
            known = unit.__dict__["walked"] = [self, self.met, -1]
            self.met += 1
        return known

    def of_equal(self, unit: Unit) -> int:
        """The number of all versions that are equal to a unit."""
        known: list[Any] | None = unit.__dict__.get("walked")
        if known is None or known[0] is not self:
            known = self.of(unit)
        if known[2] < 0:
            known[2] = self.equal.setdefault(unit, len(self.equal))
        number: int = known[2]
        return number


class WalkedGame(GameRun[Ruleset]):
    """A game on a walk: equal things that happen to one unit give one and the same new unit.

    Whatever was worked out about a unit is then known wherever the walk meets it again, and units compare by
    identity. Only events that count for the odds are kept.
    """

    __slots__ = ("units",)

    def __init__(self, rules: Ruleset, state: State, plans: Plans, units: WalkedUnits) -> None:
        super().__init__(rules, state, plans)
        self.units = units

    def emit(self, event: ev.AnyEvent) -> None:
        kind = type(event)
        if kind in COUNTED:
            self.events.append(event)
        if kind in ev.LOG_ONLY:
            return
        state = self.state
        self._write(state, event, kind)
        if self.plans.has_area_rules:
            self.note_change(state, event)

    def _write(self, state: State, event: ev.AnyEvent, kind: type[ev.AnyEvent]) -> None:
        if kind not in _OWN_UNIT_ONLY:
            self.state = event.apply(state)
            return
        unit = state.units[event.unit]  # type: ignore[union-attr]
        key = (self.units.of(unit)[1], event)
        known = self.units.after.get(key)
        if known is not None:
            self.state = with_version(state, *known)
            return
        after = self.state = event.apply(state)
        others = zip(after.units, state.units, strict=True)
        alone = all(one is two or one.id == unit.id for one, two in others)
        if alone and _ALL_BUT_UNITS(after) == _ALL_BUT_UNITS(state):  # nothing but the unit was written
            later = after.units[unit.id]
            self.units.after[key] = (later, is_same_position(unit, later))


class Walker:
    """All nodes found so far, by number, each with its outcomes once they were worked out. Node 0 is the start."""

    def __init__(
        self,
        rules: Ruleset,
        state: State,
        playbook: Playbook,
        until: str,
        most: int = UNLIMITED,
        gauge: Gauge | None = None,
    ) -> None:
        if until not in STOPS:
            raise ShieldwallError(f"odds can stop at the end of one of {', '.join(STOPS)}, not {until!r}")
        self.rules = rules
        self.plans = rules.plans_for(state)
        self.playbook = playbook
        self.until = until
        self.most = most
        self.gauge = gauge
        self.refused: tuple[str, ...] = ()
        self.used = 0  # answers of the playbook given anywhere so far
        self.nodes: list[Node] = []
        self.pending: list[Pending | None] = []  # what the game waits for at each node; None at an end
        self.outcomes: list[Outcomes | None] = []
        self.passed: list[State] = []  # states in which a choice was answered without a node
        self.pieces, self.options = state.pieces, state.options
        self._wide: dict[object, int] = {}
        self._merged: dict[object, int] = {}
        self._rests: dict[object, int] = {}
        self._numbers: dict[object, int] = {}
        self._units = WalkedUnits()
        game = GameRun(rules, state, self.plans)
        self._stop_below(game)
        begun, tally = game.rest(), NOTHING
        if pending_of(rules, begun) is None and begun.stack:  # it stands between two steps
            progress = begin(rules, begun)
            begun, tally = progress.state, counted(tally, begun, progress.events)
        self._number(Node(begun, 0, tally), pending_of(rules, begun))

    # nodes

    def _number(self, node: Node, pending: Pending | None) -> int:
        key = (self._key(node.state), node.given, node.tally)
        met = len(self.nodes)
        number = self._numbers.setdefault(key, met)
        if number == met:
            self.nodes.append(node)
            self.pending.append(pending)
            self.outcomes.append(None)
            if number >= self.most:
                raise TooManyStatesError
            if number % CLOCK_EVERY == 0 and self.gauge is not None and self.gauge.is_full(number):
                raise TooManyStatesError
        return number

    def _key(self, state: State) -> tuple[object, ...]:
        """Equal for states that are equal in everything that can change in a game."""
        return (
            tuple([self._units.of_equal(unit) for unit in state.units]),
            None if state.pieces is self.pieces else state.pieces,
            None if state.options is self.options else state.options,
            _OTHER_FIELDS(state),
        )

    def outcomes_of(self, number: int) -> Outcomes:
        """What may follow from a node that is not an end."""
        found = self.outcomes[number]
        if found is None:
            found = self.outcomes[number] = self._worked_out(number)
        return found

    def reach(self, number: int, way: int) -> int:
        """The node one of the outcomes of another leads to."""
        outcomes = self.outcomes[number] or self.outcomes_of(number)
        there = outcomes.reached[way]
        if there >= 0:
            return there
        key = outcomes.keys[way] if outcomes.keys else None
        there = self._merged.get(key, -1) if key is not None else -1
        if there < 0:
            continuation = outcomes.continuations[way]
            assert continuation is not None
            there = self._run(number, outcomes.given, continuation())
            if key is not None:
                self._merged[key] = there
        outcomes.reached[way] = there
        outcomes.continuations[way] = None  # it is not needed again
        return there

    def is_wide(self, number: int) -> bool:
        """Whether a node waits for a throw with more results than are worth listing."""
        pending = self.pending[number]
        if self.outcomes[number] is not None or not isinstance(pending, Roll):
            return False
        return results_of(pending.pools) > WIDE and not can_fold(self.rules, self.nodes[number].state)

    def reach_by(self, number: int, counts: tuple[Counts, ...]) -> int:
        """The node one result of a wide throw leads to."""
        key = (number, tuple(tuple(sorted(one.items())) for one in counts))
        there = self._wide.get(key)
        if there is None:
            node, roll = self.nodes[number], self.pending[number]
            assert isinstance(roll, Roll)
            thrower = self._thrower(node.state, roll, counts)
            there = self._wide[key] = self._run(number, node.given, thrower())
        return there

    def lift_limits(self) -> None:
        """Neither states nor memory are counted any longer."""
        self.most, self.gauge = UNLIMITED, None

    def release(self) -> None:
        """Let go of everything but the nodes, so that memory comes back at once."""
        for held in (self.outcomes, self._units.after, self._merged, self._rests, self._wide, self._numbers):
            held.clear()
        self._units.equal.clear()

    def game(self, state: State) -> Play:
        """A game that continues from a state of the walk."""
        return WalkedGame(self.rules, state, self.plans, self._units)

    def _worked_out(self, number: int) -> Outcomes:
        node = self.nodes[number]
        pending = self.pending[number]
        assert pending is not None, "nothing follows from an end"
        if not isinstance(pending, Roll):
            return self._answered(node, pending)
        if can_fold(self.rules, node.state):
            folded = fold(self.rules, node.state, pending, self.game)
            if folded is not None:
                return Outcomes(folded.games, folded.total, node.given, self._keys(node, folded))
        if len(self.nodes) + results_of(pending.pools) > RESULTS_PER_NODE * self.most:
            raise TooManyStatesError
        ways = [
            (self._thrower(node.state, pending, counts), weight)
            for counts, weight in throws_of(pending.pools)
        ]
        return Outcomes(ways, FACES**pending.dice, node.given)

    def _keys(self, node: Node, folded: Folded) -> list[object]:
        """Equal for folded results that go on alike, whatever was thrown before."""
        rest = (
            self._key(folded.resting)[:-1],
            _NOT_THE_STACK(folded.resting),
            folded.stack,
            folded.kinds,
            node.given,
            node.tally,
        )
        place = self._rests.setdefault(rest, len(self._rests))
        return [(place, amounts) if any(amounts) else None for amounts in folded.amounts]

    def _thrower(self, state: State, roll: Roll, counts: tuple[Counts, ...]) -> Continuation:
        def throw() -> Play:
            game = self.game(state)
            feed_counts(game, roll, counts)
            return game

        return throw

    def _answered(self, node: Node, decision: Decision) -> Outcomes:
        """The one outcome of a choice that the playbook answers."""
        playbook = self.playbook
        answer, given = playbook.answer(node.state, decision, node.given)
        self._note_answer(decision, node.given, given)

        def tell() -> Play:
            game = self.game(node.state)
            feed(game, decision, answer)
            return game

        return Outcomes([(tell, 1)], 1, given)

    def _note_answer(self, decision: Decision, before: int, given: int) -> None:
        if given == before == self.used and self.playbook.answers:
            refusals = self.playbook.against_next(decision, given)
            self.refused += tuple(f"{decision.kind}: {refusal.reason}" for refusal in refusals)
        self.used = max(self.used, given)

    def _run(self, number: int, given: int, game: Play) -> int:
        """The node a game comes to; choices on the way are answered at once."""
        node = self.nodes[number]
        self._stop_below(game)
        answered = 0
        while (pending := run(game)) is not None and not isinstance(pending, Roll):
            if answered >= CHOICES_IN_A_ROW:
                break
            answer, given = self._answer(game, pending, given)
            feed(game, pending, answer)
            self._stop_below(game)
            answered += 1
        state = game.rest()
        state.__dict__["_pending"] = pending
        return self._number(Node(state, given, counted(node.tally, node.state, game.events)), pending)

    def _answer(self, game: Play, decision: Decision, before: int) -> tuple[Any, int]:
        playbook = self.playbook
        if not playbook.answers and playbook.policy is None:  # nobody looks at the state
            return playbook.by_kind(decision), before
        state = game.rest()
        state.__dict__["_pending"] = decision
        if playbook.answers:
            self.passed.append(state)
        answer, given = playbook.answer(state, decision, before)
        self._note_answer(decision, before, given)
        return answer, given

    def _stop_below(self, game: Play) -> None:
        """Mark everything below the last procedure that is played as finished."""
        last, stack = STOPS[self.until], game.stack
        if last is None:
            return
        for at in range(len(stack) - 1, -1, -1):
            if stack[at].__class__ is last:
                game.steps[:at] = [OVER] * at
                return


def final_chances(walker: Walker, progress: Progress | None = None) -> dict[int, Fraction]:
    """The nodes at which play ends with their exact chances, which add up to one."""
    order = _in_order(walker, progress)
    shares: dict[int, tuple[int, int]] = {0: (1, 1)}
    found: dict[int, Fraction] = {}
    for number in order:
        share, total = shares.pop(number)
        outcomes = walker.outcomes[number]
        if outcomes is None:
            found[number] = Fraction(share, total)
            continue
        weights, reached = outcomes.weights, outcomes.reached
        again = 0
        if number in reached:
            again = sum(weight for weight, there in zip(weights, reached, strict=True) if there == number)
        total *= outcomes.total - again  # a throw that changes nothing is thrown again
        for weight, there in zip(weights, reached, strict=True):
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


def _in_order(walker: Walker, progress: Progress | None) -> list[int]:
    """Every node of the walk, in an order in which all ways into a node come before the ways out of it."""
    left: list[int] = []
    done: set[int] = set()
    under_way: set[int] = set()
    waiting: list[tuple[int, int, float]] = [(0, 0, 1.0)]  # node, next outcome, its part of the work
    finished, steps = 0.0, 0
    while waiting:
        number, way, part = waiting.pop()
        under_way.add(number)
        ways = len(walker.outcomes_of(number).reached) if walker.pending[number] is not None else 0
        while way < ways:
            there = walker.reach(number, way)
            way += 1
            steps += 1
            if progress is not None and steps % REPORT_EVERY == 0:
                progress(min(finished, 1.0), len(walker.nodes), "")
            if there != number and there not in done:
                if there in under_way:
                    raise CycleError(
                        "the game may return to an earlier position, so its results cannot be listed"
                    )
                if walker.pending[there] is not None:
                    waiting += ((number, way, part), (there, 0, part / ways))
                    break
                done.add(there)
                left.append(there)
            finished += part / ways
        else:
            under_way.discard(number)
            done.add(number)
            left.append(number)
    left.reverse()
    return left
