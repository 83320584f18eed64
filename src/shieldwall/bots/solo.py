"""The solo bot: a short decision tree, objectives first, as in solo play at the kitchen table."""

from __future__ import annotations

import math
from typing import ClassVar

from shieldwall.bots.board_summary import BoardSummary, SeenUnit, apart, roughly_apart
from shieldwall.bots.commander import BotTurn, Commander
from shieldwall.bots.movement import MoveWish, heading_to
from shieldwall.bots.plan import ActivationPlan
from shieldwall.core.grammar import unit_does
from shieldwall.core.state import MILLI, Marker, Unit

MAY_BE_REACHED = 2.0  # inches beyond its charge within which a target is still checked on the table


class SoloBot(Commander):
    """Melee units charge the nearest enemy in reach; all others head for the nearest marker and shoot on the way."""

    name: ClassVar[str] = "solo"

    def choose_unit(self, ask: BotTurn, units: list[Unit]) -> ActivationPlan:
        """A die decides which unit acts next."""
        return self.plan_for(ask, units[ask.numbers.below(len(units))])

    def plan_for(self, ask: BotTurn, unit: Unit) -> ActivationPlan:
        seen = ask.sketch.seen.get(unit.id)
        if seen is None:
            return ActivationPlan(unit.id, "advance", f"{unit_does(unit, 'get')} out")
        plans = [plan for plan in (self._charge(ask, seen), self._objective(ask, seen)) if plan is not None]
        self.explain(plans[0], plans)
        return plans[0]

    def _charge(self, ask: BotTurn, seen: SeenUnit) -> ActivationPlan | None:
        """The charge worth making, if there is one."""
        if "charge" not in seen.card.actions or not seen.card.blows or seen.unit.broken:
            return None
        rules, view, unit = ask.rules, ask.view, seen.unit
        ways = [roughly_apart(seen.x, seen.y, seen.card, foe) for foe in ask.sketch.foes]
        if min(ways, default=99.0) > seen.card.charge + MAY_BE_REACHED or not self.may_charge(seen):
            return None
        known = ask.sketch.seen  # a building with enemies inside is no unit
        charges = rules.policies.charge_options(rules, view, unit)
        options = [known[one.unit] for one in charges if one.unit in known]
        foe = self.worth_charging(ask, seen, options)
        if foe is None:
            return None
        return ActivationPlan(
            unit.id, "charge", f"{unit_does(unit, 'charge')} {foe.unit.name}", target=foe.unit.id
        )

    def may_charge(self, seen: SeenUnit) -> bool:
        """Whether a unit charges at all: those that shoot more than they strike stay away."""
        return seen.card.blows >= seen.card.shots

    def worth_charging(self, ask: BotTurn, seen: SeenUnit, foes: list[SeenUnit]) -> SeenUnit | None:
        """The nearest of the enemies in reach."""
        return min(foes, key=lambda foe: (apart(seen, foe), foe.unit.id), default=None)

    def wanted(self, sketch: BoardSummary, seen: SeenUnit) -> Marker | None:
        """The marker to go to: the nearest that its side does not hold, else the nearest of all."""
        ways = [
            (marker.holder == sketch.side, gap, marker.id, marker)
            for marker, gap in zip(sketch.markers, sketch.gaps_here(seen), strict=True)
        ]
        return min(ways, key=lambda way: way[:3])[3] if ways else None

    def _objective(self, ask: BotTurn, seen: SeenUnit) -> ActivationPlan:
        sketch, unit = ask.sketch, seen.unit
        marker = self.wanted(sketch, seen)
        foe = min(
            sketch.foes,
            key=lambda f: (roughly_apart(seen.x, seen.y, seen.card, f), f.unit.id),
            default=None,
        )
        if marker is None and foe is None:
            return ActivationPlan(unit.id, "hold", unit_does(unit, "hold"))
        if marker is None:
            assert foe is not None
            x, y, where = foe.x, foe.y, foe.unit.name
            way = max(0.0, apart(seen, foe) - 1.1)
        else:
            x, y, where = marker.x / MILLI, marker.y / MILLI, f"marker {marker.id + 1}"
            way = max(0.0, sketch.gap_to(seen, marker) - sketch.seize)
        facing = heading_to(seen.x, seen.y, foe.x, foe.y) if foe is not None else None
        action = pick_action(sketch, seen, foe, way)
        if action == "hold":
            return ActivationPlan(
                unit.id, action, f"{unit_does(unit, 'hold')} {where}", wish=MoveWish(seen.x, seen.y, facing)
            )
        return ActivationPlan(
            unit.id,
            action,
            f"{unit_does(unit, action)} to {where}",
            wish=MoveWish(x, y, facing, marker.id if marker is not None else -1),
        )


def pick_action(sketch: BoardSummary, seen: SeenUnit, foe: SeenUnit | None, way: float) -> str:
    """The action for a distance: Advance if there is a target to shoot at, otherwise Rush."""
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


def _must_hurry(sketch: BoardSummary, advance: float, rush: float, way: float) -> bool:
    """Whether walking would come too late for the marker."""
    turns = sketch.rounds_left + 1
    return math.ceil(way / max(advance, 0.1)) > turns and math.ceil(way / max(rush, 0.1)) <= turns
