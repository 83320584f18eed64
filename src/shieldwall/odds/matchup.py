"""Exact odds of one attack, in one call: `shieldwall.odds(attacker, target)`."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from shieldwall.editions import ruleset
from shieldwall.odds.duel import Terms, duel
from shieldwall.odds.result import Amount


class AttackOdds(NamedTuple):
    """What an attack may come to. Amounts are distributions with a `mean` and `at_least(number)`; chances are exact.

    `lost` are models of the target, `lost_back` models that the attacker loses when it is struck back at. `exact` is
    False where the situation was so large that it was played many times instead of counted.
    """

    attacker: str
    target: str
    edition: str
    wounds: Amount
    lost: Amount
    broken: Fraction
    routed: Fraction
    destroyed: Fraction
    wounds_back: Amount
    lost_back: Amount
    exact: bool

    @property
    def mean(self) -> float:
        """Wounds on average."""
        return float(self.wounds.mean)


def odds(
    attacker: str,
    target: str,
    edition: str = "regiments-3.5",
    *,
    charging: bool | None = None,
    distance: float = 0.0,
    arc: str = "front",
    cover: bool = False,
    moved: bool = False,
    strike_back: bool = True,
) -> AttackOdds:
    """What a unit may do to another: both in short lines such as `"10x Q4 A1 AP(1)"` (see docs/odds.md).

    A unit with a ranged weapon shoots, others charge, unless `charging` is given. `distance` is that of shots in
    inches, `arc` the side that is charged (`"front"`, `"flank"`, `"rear"`), `moved` and `cover` are about shots.

    >>> import shieldwall as sw
    >>> found = sw.odds("5x Q4 A2", "5x D4 A1", edition="regiments-3.5")
    >>> round(found.mean, 2), round(float(found.wounds.at_least(3)), 2)
    (2.48, 0.47)
    >>> found.exact
    True
    """
    terms = Terms(charging, distance, arc, cover, moved, strike_back)
    found = duel(ruleset(edition), attacker, target, terms).odds()
    hit, back = found.unit(1), found.unit(0)
    return AttackOdds(
        attacker, target, edition, hit.wounds, hit.lost, hit.broken, hit.routed, hit.destroyed,
        back.wounds, back.lost, found.exact,
    )  # fmt: skip
