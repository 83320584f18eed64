"""The solo bot: a short tree, objectives first, as one would play the other side at a kitchen table."""

from __future__ import annotations

import math
from typing import ClassVar

from shieldwall.bots.commander import Ask, Commander
from shieldwall.bots.plan import Plan
from shieldwall.bots.sketch import Seen, Sketch, apart, gap_to, roughly_apart
from shieldwall.bots.steer import Wish, heading_to
from shieldwall.core.grammar import unit_does
from shieldwall.core.state import MILLI, Marker, Unit

MAY_BE_REACHED = 2.0  # inches beyond its charge at which a look at the table still pays


class SoloBot(Commander):
    """Fighters charge the nearest enemy they reach; everybody else takes the nearest marker and shoots on the way."""

    name: ClassVar[str] = "solo"

    def choose_unit(self, ask: Ask, units: list[Unit]) -> Plan:
        """A die says who goes next."""
        return self.plan_for(ask, units[ask.numbers.below(len(units))])

    def plan_for(self, ask: Ask, unit: Unit) -> Plan:
        seen = ask.sketch.seen.get(unit.id)
        if seen is None:
            return Plan(unit.id, "advance", f"{unit_does(unit, 'get')} out")
        plans = [plan for plan in (self._charge(ask, seen), self._objective(ask, seen)) if plan is not None]
        self.explain(plans[0], plans)
        return plans[0]

    def _charge(self, ask: Ask, seen: Seen) -> Plan | None:
        """The charge that is worth it, if there is one."""
        if "charge" not in seen.card.actions or not seen.card.blows or seen.unit.broken:
            return None
        rules, view, unit = ask.rules, ask.view, seen.unit
        ways = [roughly_apart(seen.x, seen.y, seen.card, foe) for foe in ask.sketch.foes]
        if min(ways, default=99.0) > seen.card.charge + MAY_BE_REACHED or not self.may_charge(seen):
            return None
        options = [ask.sketch.seen[one.unit] for one in rules.policies.charge_options(rules, view, unit)]
        foe = self.worth_charging(ask, seen, options)
        if foe is None:
            return None
        return Plan(unit.id, "charge", f"{unit_does(unit, 'charge')} {foe.unit.name}", target=foe.unit.id)

    def may_charge(self, seen: Seen) -> bool:
        """Whether a unit charges at all: those who shoot more than they strike stay away."""
        return seen.card.blows >= seen.card.shots

    def worth_charging(self, ask: Ask, seen: Seen, foes: list[Seen]) -> Seen | None:
        """Of the enemies in reach, the nearest."""
        return min(foes, key=lambda foe: (apart(seen, foe), foe.unit.id), default=None)

    def wanted(self, sketch: Sketch, seen: Seen) -> Marker | None:
        """The marker to go to: the nearest that its side does not hold, else the nearest of all."""
        ways = [
            (
                marker.holder == sketch.side,
                gap_to(seen, marker.x / MILLI, marker.y / MILLI),
                marker.id,
                marker,
            )
            for marker in sketch.markers
        ]
        return min(ways, key=lambda way: way[:3])[3] if ways else None

    def _objective(self, ask: Ask, seen: Seen) -> Plan:
        sketch, unit = ask.sketch, seen.unit
        marker = self.wanted(sketch, seen)
        foe = min(
            sketch.foes,
            key=lambda f: (roughly_apart(seen.x, seen.y, seen.card, f), f.unit.id),
            default=None,
        )
        if marker is None and foe is None:
            return Plan(unit.id, "hold", unit_does(unit, "hold"))
        if marker is None:
            assert foe is not None
            x, y, where = foe.x, foe.y, foe.unit.name
            way = max(0.0, apart(seen, foe) - 1.1)
        else:
            x, y, where = marker.x / MILLI, marker.y / MILLI, f"marker {marker.id + 1}"
            way = max(0.0, gap_to(seen, x, y) - sketch.seize)
        facing = heading_to(seen.x, seen.y, foe.x, foe.y) if foe is not None else None
        action = pick_action(sketch, seen, foe, way)
        if action == "hold":
            return Plan(
                unit.id, action, f"{unit_does(unit, 'hold')} {where}", wish=Wish(seen.x, seen.y, facing)
            )
        return Plan(
            unit.id,
            action,
            f"{unit_does(unit, action)} to {where}",
            wish=Wish(x, y, facing, marker.id if marker is not None else -1),
        )


def pick_action(sketch: Sketch, seen: Seen, foe: Seen | None, way: float) -> str:
    """How to go so far: on foot while there is somebody to shoot at, else in haste."""
    card = seen.card
    able = [action for action in ("hold", "advance", "rush") if action in card.actions]
    shoots = foe is not None and card.shots > 0 and apart(seen, foe) <= card.reach + card.advance
    if way <= 0 and "hold" in able:
        return "hold"
    if way <= card.advance or (shoots and not _must_hurry(sketch, card.advance, card.rush, way)):
        wanted = "advance"
    else:
        wanted = "rush"
    return wanted if wanted in able else able[-1] if able else "hold"


def _must_hurry(sketch: Sketch, advance: float, rush: float, way: float) -> bool:
    """Whether walking would come too late for the marker."""
    turns = sketch.rounds_left + 1
    return math.ceil(way / max(advance, 0.1)) > turns and math.ceil(way / max(rush, 0.1)) <= turns
