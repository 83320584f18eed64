"""Answers: distributions with exact weights, and what they say about units, sides and markers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from math import lcm, sqrt
from typing import Any, Generic, NamedTuple, TypeVar

from shieldwall.core.state import State, Unit
from shieldwall.odds.tally import NOTHING, Tally
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.objectives import sides_near

V = TypeVar("V", bound=Hashable)


class Distribution(Mapping[V, Fraction], Generic[V]):
    """Values with their chances, lowest value first; the chances add up to exactly one."""

    def __init__(self, chances: Mapping[V, Fraction]) -> None:
        self._chances = {value: chances[value] for value in sorted(chances) if chances[value]}  # type: ignore[type-var]

    def __getitem__(self, value: V) -> Fraction:
        return self._chances.get(value, Fraction(0))

    def __iter__(self) -> Iterator[V]:
        return iter(self._chances)

    def __len__(self) -> int:
        return len(self._chances)

    def __contains__(self, value: object) -> bool:
        return value in self._chances

    def __repr__(self) -> str:
        inside = ", ".join(f"{value}: {float(chance):.4f}" for value, chance in self._chances.items())
        return f"Distribution({{{inside}}})"


class Amount(Distribution[int]):
    """A distribution of whole numbers."""

    @cached_property
    def mean(self) -> Fraction:
        """What comes up on average."""
        return sum((value * chance for value, chance in self.items()), Fraction(0))

    @cached_property
    def deviation(self) -> float:
        """The standard deviation."""
        square = sum((value * value * chance for value, chance in self.items()), Fraction(0))
        return sqrt(square - self.mean * self.mean)

    def at_least(self, number: int) -> Fraction:
        """The chance of so much or more."""
        return sum((chance for value, chance in self.items() if value >= number), Fraction(0))

    def quantile(self, share: float) -> int:
        """The lowest value that is not exceeded with at least this chance."""
        below = Fraction(0)
        wanted = Fraction(share)
        last = 0
        for value, chance in self.items():
            last = value
            below += chance
            if below >= wanted:
                return value
        return last


class Branch(NamedTuple):
    """One way a line of play may end: the last state, what happened on the way, and the chance of it."""

    state: State
    tally: Tally
    chance: Fraction


class UnitOdds:
    """What a line of play may do to one unit."""

    def __init__(self, odds: Odds, unit: Unit) -> None:
        self.odds = odds
        self.unit = unit

    @cached_property
    def wounds(self) -> Amount:
        """Wounds suffered; models that rout or are knocked out suffer none by it."""
        return self.odds.amount(lambda branch: dict(branch.tally.wounds).get(self.unit.id, 0))

    @cached_property
    def lost(self) -> Amount:
        """Models lost, for whatever reason."""
        before = len(self.unit.models)
        return self.odds.amount(lambda branch: before - len(branch.state.units[self.unit.id].models))

    @cached_property
    def losses(self) -> dict[int, Fraction]:
        """The chance that each model is lost, by its id."""
        weights, total = self.odds.weights
        found = dict.fromkeys((model.id for model in self.unit.models), 0)
        alive: dict[frozenset[int], int] = {}  # many branches end with the same models
        for branch, weight in zip(self.odds.branches, weights, strict=True):
            there = _model_ids(branch.state.units[self.unit.id])
            alive[there] = alive.get(there, 0) + weight
        for there, weight in alive.items():
            for model in found:
                if model not in there:
                    found[model] += weight
        return {model: Fraction(weight, total) for model, weight in found.items()}

    @cached_property
    def broken(self) -> Fraction:
        """The chance to end Shaken or Wavering (and still there)."""
        return self.odds.chance(
            lambda branch: branch.state.units[self.unit.id].broken and self._there(branch)
        )

    @cached_property
    def stunned(self) -> Amount:
        """Models that end Stunned."""
        return self.odds.amount(lambda branch: _stunned(branch.state.units[self.unit.id]))

    @cached_property
    def routed(self) -> Fraction:
        """The chance to rout."""
        return self.odds.chance(lambda branch: dict(branch.tally.fates).get(self.unit.id) == "routed")

    @cached_property
    def destroyed(self) -> Fraction:
        """The chance that it is gone at the end, by wounds, rout or anything else."""
        return self.odds.chance(lambda branch: not self._there(branch))

    def _there(self, branch: Branch) -> bool:
        return bool(branch.state.units[self.unit.id].models)


class Odds:
    """Everything a line of play may come to.

    `exact` odds list every way with its exact chance. Otherwise the line was played `samples` times and each chance is
    off by about `error(chance)`; `why` says what stood in the way of exact odds: "memory", "time", "states", "loop"
    (the game may come back to where it was) or "asked".
    """

    def __init__(
        self,
        rules: Ruleset,
        start: State,
        branches: tuple[Branch, ...],
        samples: int,
        states: int,
        why: str = "",
    ) -> None:
        self.rules = rules
        self.start = start
        self.branches = branches
        self.samples = samples
        self.states = states
        self.why = why
        self.briefs: dict[int, Any] = {}  # summaries others made of these odds, by unit
        self._units: dict[int, UnitOdds] = {}

    @classmethod
    def of_nothing(cls, rules: Ruleset, state: State) -> Odds:
        """The odds of doing nothing: the state as it is."""
        return cls(rules, state, (Branch(state, NOTHING, Fraction(1)),), 0, 1)

    @property
    def exact(self) -> bool:
        """Whether every way was listed."""
        return not self.samples

    def error(self, chance: Fraction | float) -> float:
        """The standard error of a chance; 0 where the odds are exact."""
        if not self.samples:
            return 0.0
        p = float(chance)
        return sqrt(max(p * (1 - p), 1 / self.samples) / self.samples)

    def error_of_mean(self, amount: Amount) -> float:
        """The standard error of a mean; 0 where the odds are exact."""
        return amount.deviation / sqrt(self.samples) if self.samples else 0.0

    def chance(self, happens: Callable[[Branch], bool]) -> Fraction:
        """The chance that something holds at the end."""
        weights, total = self.weights
        held = zip(self.branches, weights, strict=True)
        return Fraction(sum([weight for branch, weight in held if happens(branch)]), total)

    @cached_property
    def weights(self) -> tuple[list[int], int]:
        """The chances of the branches as whole numbers, and what they add up to: quick to sum."""
        total = lcm(*(branch.chance.denominator for branch in self.branches))
        chances = [branch.chance for branch in self.branches]
        return [chance.numerator * (total // chance.denominator) for chance in chances], total

    def spread(self, value: Callable[[Branch], V]) -> Distribution[V]:
        """The distribution of anything that can be read from an end."""
        return Distribution(self._chances(value))

    def amount(self, value: Callable[[Branch], int]) -> Amount:
        """The distribution of a whole number."""
        return Amount(self._chances(value))

    def _chances(self, value: Callable[[Branch], V]) -> dict[V, Fraction]:
        weights, total = self.weights
        found: dict[V, int] = {}
        for branch, weight in zip(self.branches, weights, strict=True):
            here = value(branch)
            found[here] = found.get(here, 0) + weight
        return {here: Fraction(weight, total) for here, weight in found.items()}

    def unit(self, unit: int) -> UnitOdds:
        """What may become of one unit."""
        known = self._units.get(unit)
        if known is None:
            known = self._units[unit] = UnitOdds(self, self.start.units[unit])
        return known

    @cached_property
    def touched(self) -> tuple[int, ...]:
        """Units that may be hurt, shaken, stunned or lost, in order of their ids."""
        found: set[int] = set()
        for branch in self.branches:
            for before, after in zip(self.start.units, branch.state.units, strict=True):
                if before is not after and before.later is None and _differs(before, after):
                    found.add(before.id)
        return tuple(sorted(found))

    def side(self, side: int) -> Amount:
        """Models one side may lose."""
        units = [unit for unit in self.start.units if unit.side == side and unit.later is None]
        before = sum(len(unit.models) for unit in units)
        return self.amount(
            lambda branch: before - sum(len(branch.state.units[unit.id].models) for unit in units)
        )

    @cached_property
    def markers(self) -> Distribution[tuple[int, ...]]:
        """The side that would hold each marker if they were seized now, in order of the markers; -1 for neither."""
        return self.spread(lambda branch: holders(self.rules, branch.state))

    @cached_property
    def marks(self) -> dict[str, Fraction]:
        """Other facts that may come up: spells that work, charges that fail, models that fall."""
        names = sorted({mark for branch in self.branches for mark in branch.tally.marks})
        return {name: self.chance(lambda branch, name=name: name in branch.tally.marks) for name in names}  # type: ignore[misc]


def holders(rules: Ruleset, state: State) -> tuple[int, ...]:
    """The side that would hold each marker if they were seized now; with no unit near it does not change."""
    found = []
    for marker in state.markers:
        near = sides_near(rules, state, marker)
        found.append(near[0] if len(near) == 1 else -1 if near else marker.holder)
    return tuple(found)


def _model_ids(unit: Unit) -> frozenset[int]:
    """The ids of a unit's models; branches share units, so they are listed once."""
    makeup = unit.makeup
    known: frozenset[int] | None = makeup.get("model ids")
    if known is None:
        known = makeup["model ids"] = frozenset([model.id for model in unit.models])
    return known


def _stunned(unit: Unit) -> int:
    """How many of a unit's models are Stunned; counted once, as above."""
    makeup = unit.makeup
    known: int | None = makeup.get("stunned")
    if known is None:
        known = makeup["stunned"] = sum([model.stunned for model in unit.models])
    return known


def _differs(before: Unit, after: Unit) -> bool:
    return before.broken != after.broken or before.models != after.models
