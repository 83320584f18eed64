"""The policy that plays games on for the search: a solo bot that weighs charges and shares out the markers."""

from __future__ import annotations

from typing import ClassVar

from shieldwall.bots.board_summary import BoardSummary, SeenUnit, roughly_apart
from shieldwall.bots.commander import BotTurn
from shieldwall.bots.expected_damage import BLOW, CHARGE, melee_wounds
from shieldwall.bots.plan import ActivationPlan
from shieldwall.bots.solo import SoloBot
from shieldwall.core.state import Marker, State, Unit
from shieldwall.table.block_charge import charged_sides

FRIEND_THERE = 9.0  # inches that each friend nearer to a marker adds to the distance


class PlayoutBot(SoloBot):
    """Charges enemies it beats and goes to the nearest marker that needs taking; its first plan may be given."""

    name: ClassVar[str] = "follower"

    def begin_with(self, view: State, plan: ActivationPlan) -> None:
        """Use this plan for the activation that is about to begin."""
        self._keep(view, plan)

    def choose_unit(self, ask: BotTurn, units: list[Unit]) -> ActivationPlan:
        """The unit nearest to the enemy acts first; ties are random."""
        sketch = ask.sketch

        def order(unit: Unit) -> tuple[float, int]:
            seen = sketch.seen.get(unit.id)
            if seen is None:
                return 99.0, ask.numbers.below(1 << 30)
            ways = [roughly_apart(seen.x, seen.y, seen.card, foe) for foe in sketch.foes]
            return round(min(ways, default=99.0)), ask.numbers.below(1 << 30)

        return self.plan_for(ask, min(units, key=order))

    def may_charge(self, seen: SeenUnit) -> bool:
        """Every unit may charge: the gain decides."""
        return True

    def worth_charging(self, ask: BotTurn, seen: SeenUnit, foes: list[SeenUnit]) -> SeenUnit | None:
        """The enemy that is most rewarding to charge, if any is."""
        gains = [(charge_gain(ask, seen, foe), foe) for foe in foes]
        gain, best = max(gains, key=lambda one: one[0], default=(0.0, None))
        return best if gain > 0 else None

    def wanted(self, sketch: BoardSummary, seen: SeenUnit) -> Marker | None:
        """The marker this unit should be at: the nearest that friends do not hold already."""
        return wanted_marker(sketch, seen)


def charge_gain(ask: BotTurn, seen: SeenUnit, foe: SeenUnit) -> float:
    """The mean points that a charge takes from the enemy minus those it costs."""
    rules, view = ask.rules, ask.view
    dealt = min(melee_wounds(rules, view, seen.unit, foe.unit, CHARGE), foe.card.wounds)
    left = 1 - dealt / foe.card.wounds
    strikes = not rules.policies.uses_blocks() or "front" in charged_sides(view, seen.unit.id, foe.unit.id)
    back = melee_wounds(rules, view, foe.unit, seen.unit, BLOW) * left if strikes else 0.0
    suffered = min(back, seen.card.wounds)
    gain = dealt * foe.card.per_wound - suffered * seen.card.per_wound
    if dealt > suffered:
        gain += 0.3 * (dealt - suffered) / foe.card.wounds * foe.card.value
    return gain


def wanted_marker(sketch: BoardSummary, seen: SeenUnit) -> Marker | None:
    """The marker this unit should be at: the nearest that friends do not hold already."""
    best: tuple[float, int] | None = None
    found: Marker | None = None
    for marker in sketch.markers:
        near = sketch.near(marker)
        mine = next(distance for distance, other in near if other.unit.id == seen.unit.id)
        held = [other for distance, other in near if distance <= sketch.seize]
        foes = sum(1 for other in held if other.unit.side != sketch.side)
        friends = [o for o in held if o.unit.side == sketch.side and o.unit.id != seen.unit.id]
        if friends and not foes:
            continue
        ahead = sum(
            1 for distance, o in near if o.unit.side == sketch.side and distance < mine and not o.unit.broken
        )
        safe = marker.holder == sketch.side and not foes and not _threatened(sketch, marker)
        rank = (mine + FRIEND_THERE * ahead + (12.0 if safe and mine > sketch.seize else 0.0), marker.id)
        if best is None or rank < best:
            best, found = rank, marker
    return found


def _threatened(sketch: BoardSummary, marker: Marker) -> bool:
    """Whether an enemy could be at a marker by the end of the next round."""
    return any(
        other.unit.side != sketch.side and distance <= 2 * other.card.rush
        for distance, other in sketch.near(marker)
    )
