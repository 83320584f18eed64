"""The solo bot: a short tree, objectives first, as one would play the other side at a kitchen table."""

from __future__ import annotations

import math
from typing import ClassVar

from shieldwall.bots.commander import Ask, Commander
from shieldwall.bots.guess import BLOW, CHARGE, melee_wounds
from shieldwall.bots.plan import Plan
from shieldwall.bots.sketch import Seen, Sketch, apart, gap_to, roughly_apart
from shieldwall.bots.steer import Wish, heading_to
from shieldwall.core.state import MILLI, Marker, Unit
from shieldwall.table.block_charge import charged_sides

FRIEND_THERE = 9.0  # inches that each friend nearer to a marker adds to the way there


class SoloBot(Commander):
    """Charges what it beats, takes the nearest marker that needs taking, shoots on the way."""

    name: ClassVar[str] = "solo"

    def choose_unit(self, ask: Ask, units: list[Unit]) -> Plan:
        """Whoever is nearest to the enemy goes first; a die decides ties."""
        sketch = ask.sketch

        def order(unit: Unit) -> tuple[float, int]:
            seen = sketch.seen.get(unit.id)
            if seen is None:
                return 99.0, ask.numbers.below(1 << 30)
            ways = [roughly_apart(seen.x, seen.y, seen.card, foe) for foe in sketch.foes]
            return round(min(ways, default=99.0)), ask.numbers.below(1 << 30)

        return self.plan_for(ask, min(units, key=order))

    def plan_for(self, ask: Ask, unit: Unit) -> Plan:
        seen = ask.sketch.seen.get(unit.id)
        if seen is None:
            return Plan(unit.id, "advance", f"{unit.name} gets out")
        plans = [plan for plan in (self._charge(ask, seen), self._objective(ask, seen)) if plan is not None]
        self.explain(plans[0], plans)
        return plans[0]

    def _charge(self, ask: Ask, seen: Seen) -> Plan | None:
        """The most rewarding charge, if there is one."""
        if "charge" not in seen.card.actions or not seen.card.blows or seen.unit.broken:
            return None
        rules, view, unit = ask.rules, ask.view, seen.unit
        ways = [roughly_apart(seen.x, seen.y, seen.card, foe) for foe in ask.sketch.foes]
        if min(ways, default=99.0) > seen.card.charge + 2.0:
            return None
        best: Plan | None = None
        for option in rules.policies.charge_options(rules, view, unit):
            foe = ask.sketch.seen[option.unit]
            gain = charge_gain(ask, seen, foe)
            if gain > 0 and (best is None or gain > best.score):
                best = Plan(
                    unit.id, "charge", f"{unit.name} charges {foe.unit.name}", gain, target=foe.unit.id
                )
        return best

    def _objective(self, ask: Ask, seen: Seen) -> Plan:
        sketch, unit = ask.sketch, seen.unit
        marker = wanted_marker(sketch, seen)
        foe = min(
            sketch.foes,
            key=lambda f: (roughly_apart(seen.x, seen.y, seen.card, f), f.unit.id),
            default=None,
        )
        if marker is None and foe is None:
            return Plan(unit.id, "hold", f"{unit.name} holds")
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
            return Plan(unit.id, action, f"{unit.name} holds {where}", wish=Wish(seen.x, seen.y, facing))
        verb = "advances" if action == "advance" else "rushes"
        return Plan(
            unit.id,
            action,
            f"{unit.name} {verb} to {where}",
            wish=Wish(x, y, facing, marker.id if marker is not None else -1),
        )


def charge_gain(ask: Ask, seen: Seen, foe: Seen) -> float:
    """Points that a charge takes from the enemy less those it costs, by means."""
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


def wanted_marker(sketch: Sketch, seen: Seen) -> Marker | None:
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


def _threatened(sketch: Sketch, marker: Marker) -> bool:
    """Whether an enemy could be at a marker by the end of the next round."""
    return any(
        other.unit.side != sketch.side and distance <= 2 * other.card.rush
        for distance, other in sketch.near(marker)
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
