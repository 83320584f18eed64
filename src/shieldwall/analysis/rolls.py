"""The least expected rolls of a game, each with its exact odds."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shieldwall.analysis.moments import Moment
from shieldwall.core.events import Rolled
from shieldwall.odds.luck import luck

SHOWN = 5
SELDOM = 0.1  # results at least this likely are not surprising


class SurprisingRoll(Struct, frozen=True):
    """Dice that fell better or worse than expected: how many were good, how many would be expected, and how often fair
    dice do as well or better (`lucky`), or as badly or worse.
    """

    step: int
    round: int
    side: int
    unit: int
    purpose: str
    dice: int
    good: int
    expected: float
    lucky: bool
    chance: float


def surprising_rolls(moments: Sequence[Moment]) -> tuple[SurprisingRoll, ...]:
    """The most surprising rolls first."""
    found = []
    for moment in moments:
        for event in moment.events:
            if isinstance(event, Rolled) and 0 <= event.seat < len(moment.state.seats):
                found += _surprise(moment, event)
    found.sort(key=lambda one: (one.chance, one.step))
    return tuple(one for one in found if one.chance < SELDOM)[:SHOWN]


def _surprise(moment: Moment, event: Rolled) -> list[SurprisingRoll]:
    rows = luck([event]).rows
    if not rows or not rows[0].dice:
        return []
    row = rows[0]
    no_better, lucky = float(row.chance), row.good > row.expected
    chance = float(row.no_worse) if lucky else no_better
    side = moment.state.seats[event.seat].side
    return [
        SurprisingRoll(
            moment.step, moment.state.round, side, moment.unit, event.purpose, row.dice, row.good,
            round(float(row.expected), 2), lucky, round(chance, 5),
        )
    ]  # fmt: skip
