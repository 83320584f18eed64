"""Odds as plain data: for tables, JSON and charts. Exact fractions and floats side by side."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from shieldwall.odds.result import Amount, Odds, UnitOdds

LOW, MIDDLE, HIGH = 0.1, 0.5, 0.9


class Chance(Struct, frozen=True):
    """A chance: exact as a fraction, as a number from 0 to 1, and its standard error where it was sampled."""

    fraction: str
    value: float
    error: float = 0.0


class Bar(Struct, frozen=True):
    """One value of a distribution: its chance, and the chance of so much or more."""

    value: int
    chance: Chance
    at_least: Chance


class AmountReport(Struct, frozen=True):
    """A distribution of whole numbers: mean, spread, the 10th, 50th and 90th of a hundred cases, and every value."""

    mean: Chance
    deviation: float
    low: int
    middle: int
    high: int
    bars: tuple[Bar, ...]


class UnitReport(Struct, frozen=True):
    """What may become of one unit. `models` are the chances that each of its models is lost, by their ids."""

    unit: int
    name: str
    side: int
    wounds: AmountReport
    lost: AmountReport
    stunned: AmountReport
    broken: Chance
    routed: Chance
    destroyed: Chance
    models: dict[int, Chance]

    @property
    def is_touched(self) -> bool:
        """Whether anything may happen to it at all."""
        return bool(
            self.wounds.mean.value or self.lost.mean.value or self.broken.value or self.stunned.mean.value
        )


class MarkerReport(Struct, frozen=True):
    """The side that would hold each marker, in order (-1: neither), and the chance of it."""

    holders: tuple[int, ...]
    chance: Chance


class OddsReport(Struct, frozen=True):
    """Everything about one question. A duel also names who attacks whom.

    `terms` says how they meet where that is not the usual way (in the flank, into cover).
    `why` is empty where the odds are exact, otherwise what stood in the way: memory, time, states, loop or asked.
    """

    edition: str
    title: str
    exact: bool
    samples: int
    units: tuple[UnitReport, ...]
    markers: tuple[MarkerReport, ...] = ()
    facts: dict[str, Chance] = {}
    attacker: str = ""
    target: str = ""
    why: str = ""
    terms: str = ""


def report(odds: Odds, title: str = "", units: tuple[int, ...] = ()) -> OddsReport:
    """Odds as data, about the units named or all that may be touched."""
    about = units or odds.touched
    markers = odds.markers.items() if odds.start.markers else ()
    return OddsReport(
        edition=odds.rules.id,
        title=title,
        exact=odds.exact,
        samples=odds.samples,
        units=tuple(_unit(odds, odds.unit(unit)) for unit in about),
        markers=tuple(MarkerReport(holders, _chance(odds, chance)) for holders, chance in markers),
        facts={name: _chance(odds, chance) for name, chance in odds.marks.items()},
        why=odds.why,
    )


def _unit(odds: Odds, about: UnitOdds) -> UnitReport:
    unit = about.unit
    return UnitReport(
        unit=unit.id,
        name=unit.name,
        side=unit.side,
        wounds=_amount(odds, about.wounds),
        lost=_amount(odds, about.lost),
        stunned=_amount(odds, about.stunned),
        broken=_chance(odds, about.broken),
        routed=_chance(odds, about.routed),
        destroyed=_chance(odds, about.destroyed),
        models={model: _chance(odds, chance) for model, chance in about.losses.items()},
    )


def _amount(odds: Odds, amount: Amount) -> AmountReport:
    bars = []
    above = Fraction(1)
    for value, chance in amount.items():
        bars.append(Bar(value, _chance(odds, chance), _chance(odds, above)))
        above -= chance
    return AmountReport(
        mean=Chance(str(amount.mean), float(amount.mean), odds.error_of_mean(amount)),
        deviation=amount.deviation,
        low=amount.quantile(LOW),
        middle=amount.quantile(MIDDLE),
        high=amount.quantile(HIGH),
        bars=tuple(bars),
    )


def _chance(odds: Odds, chance: Fraction) -> Chance:
    return Chance(str(chance), float(chance), odds.error(chance))
