"""The greedy bot: the tactician's best ideas, each looked at on the real table and weighed by exact odds.

For every promising (unit, goal) it finds the way, sees what could be shot at from its end, asks the odds what the
dice may bring, and counts what the enemy can do in return. It looks one activation ahead and no farther.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from shieldwall.bots.aims import Reward, best_aims
from shieldwall.bots.commander import Ask
from shieldwall.bots.fates import Fate
from shieldwall.bots.plan import Plan
from shieldwall.bots.sketch import Seen
from shieldwall.bots.steer import Route, route
from shieldwall.bots.tactician import TacticianBot, in_turn
from shieldwall.bots.worth import Place, Weights, Worth
from shieldwall.core.answers import Aims, March
from shieldwall.core.state import Pose, State, Unit
from shieldwall.odds import Brief, Preview, preview
from shieldwall.odds.preview import moved_to
from shieldwall.rules.features.block_limits import march_limits
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.targets import Targets
from shieldwall.table.block_moves import check_march

UNITS = 4  # units, the most urgent first, that are looked at closely
IDEAS = 3  # ideas of each of them
PLANS_TOLD = 8  # plans that are told, the one taken first


class GreedyBot(TacticianBot):
    """Every promising unit and goal by exact odds and the risk it runs, in points."""

    name: ClassVar[str] = "greedy"
    weights: ClassVar[Weights] = Weights()
    units_looked_at: ClassVar[int] = UNITS
    ideas_looked_at: ClassVar[int] = IDEAS

    def choose_unit(self, ask: Ask, units: list[Unit]) -> Plan:
        plans = self.shortlist(ask, units)
        if not plans:
            return super().choose_unit(ask, units)
        told = [in_turn(plan, urgency) for urgency, plan in with_priors(plans)[:PLANS_TOLD]]
        self.explain(told[0], told)
        return plans[0][1]

    def shortlist(self, ask: Ask, units: list[Unit]) -> list[tuple[float, Plan]]:
        """Plans that were looked at closely with their urgency, the most urgent unit's best plan first.

        Every unit that was looked at is in the list with its own best plan before any unit's second one.
        """
        worth = Worth(ask.sketch, self.weights)
        rough: list[tuple[float, Seen, list[Plan]]] = []
        for unit in units:
            seen = ask.sketch.seen.get(unit.id)
            if seen is not None:
                plans = self.weigh(ask, worth, seen)
                rough.append((self._urgency(worth, seen, plans[0]), seen, plans))
        rough.sort(key=lambda one: (-one[0], one[1].unit.id))
        best: list[tuple[float, Plan]] = []
        rest: list[tuple[float, Plan]] = []
        for _, seen, plans in rough[: self.units_looked_at]:
            close = self.look_closely(ask, worth, seen, plans)
            ranked = [(self._urgency(worth, seen, plan), plan) for plan in close]
            best.append(ranked[0])
            rest += ranked[1:]
        best.sort(key=lambda one: (-one[0], one[1].unit))
        return best + sorted(rest, key=lambda one: (-one[1].score, one[1].unit, one[1].what))

    def plan_for(self, ask: Ask, unit: Unit) -> Plan:
        seen = ask.sketch.seen.get(unit.id)
        if seen is None:
            return super().plan_for(ask, unit)
        worth = Worth(ask.sketch, self.weights)
        close = self.look_closely(ask, worth, seen, self.weigh(ask, worth, seen))
        self.explain(close[0], close)
        return close[0]

    def look_closely(self, ask: Ask, worth: Worth, seen: Seen, plans: list[Plan]) -> list[Plan]:
        """The best few plans of a unit with their real ends and exact odds, the best first."""
        open_to: set[int] | None = None
        found: list[Plan] = []
        kinds: set[tuple[str, int]] = set()
        for plan in plans:
            if len(found) >= self.ideas_looked_at:
                break
            if plan.action == "charge":
                if open_to is None:
                    options = ask.rules.policies.charge_options(ask.rules, ask.view, seen.unit)
                    open_to = {option.unit for option in options}
                if plan.target in open_to:
                    found.append(self._charge(ask, worth, seen, plan))
            elif plan.action == "idle" or plan.wish is None:
                found.append(plan)
            else:
                looked = self._walk(ask, worth, seen, plan)
                key = (plan.action, round(looked.score))
                if key not in kinds:
                    kinds.add(key)
                    found.append(looked)
        found = found or [plans[-1]]
        return sorted(found, key=lambda plan: (-plan.score, plan.what))

    def _charge(self, ask: Ask, worth: Worth, seen: Seen, plan: Plan) -> Plan:
        """A charge by its exact odds."""
        odds = preview(ask.rules, ask.view, seen.unit.id, "charge", target=plan.target)
        parts = {name: amount for name, amount in plan.parts if name in ("markers", "risk")}
        parts |= self._odds_parts(ask, worth, seen, odds)
        return _with(plan, parts)

    def _walk(self, ask: Ask, worth: Worth, seen: Seen, plan: Plan) -> Plan:
        """A hold or a move by its real end, and the shots from there by exact odds."""
        assert plan.wish is not None
        way = route(ask.rules, ask.view, seen.unit, plan.action, plan.wish)
        place = Place(way.x, way.y, way.heading)
        parts = self._at(worth, seen, place)
        target = plan.target
        if plan.action in ("hold", "advance") and seen.card.shots:
            there = moved_to(
                ask.view, seen.unit.id, ends_of(ask.rules, ask.view, seen.unit, plan.action, way)
            )
            aims = _aims(
                ask.rules,
                there,
                seen.unit.id,
                lambda foe, wounds: self.reward(worth, ask.sketch.seen[foe], wounds),
            )
            if aims.aims:
                odds = preview(ask.rules, there, seen.unit.id, plan.action, aims=aims.aims)
                parts |= self._odds_parts(ask, worth, seen, odds)
                target = aims.aims[0].target
        return replace(_with(plan, parts), route=way, target=target)

    def _odds_parts(self, ask: Ask, worth: Worth, seen: Seen, odds: Preview) -> dict[str, float]:
        """What the dice bring, in points."""
        dealt = off = 0.0
        for brief in odds.targets:
            foe = ask.sketch.seen.get(brief.unit)
            if foe is None or foe.unit.side == seen.unit.side:
                continue
            dealt += self._toll(worth, foe, brief)
            off += worth.by_fate(foe, _fate(brief))
        parts = {"dice": dealt, "driving it off": off}
        taken = self._toll(worth, seen, odds.own)
        if taken:
            parts["losses"] = -taken + worth.by_fate(seen, _fate(odds.own))
        return parts

    def _toll(self, worth: Worth, seen: Seen, brief: Brief) -> float:
        """What a unit loses by what the dice may bring."""
        return worth.toll(seen, brief.wounds, _fate(brief))


def with_priors(ranked: list[tuple[float, Plan]]) -> list[tuple[float, Plan]]:
    """The plans of a short list with one scale for all: a unit's best by its urgency, its others by what they lack."""
    firsts: dict[int, tuple[float, float]] = {}
    found = []
    for urgency, plan in ranked:
        first = firsts.setdefault(plan.unit, (urgency, plan.score))
        found.append((first[0] + plan.score - first[1], plan))
    return found[:1] + sorted(found[1:], key=lambda one: (-one[0], one[1].unit, one[1].what))


def _fate(brief: Brief) -> Fate:
    """What becomes of a unit, by exact odds."""
    gone = min(1.0, brief.destroyed + brief.routs)
    return Fate(gone, min(1.0 - gone, brief.breaks + brief.stunned))


def _with(plan: Plan, parts: dict[str, float]) -> Plan:
    """A plan with other reasons."""
    rounded = tuple((name, round(amount, 1)) for name, amount in parts.items())
    return replace(plan, score=sum(parts.values()), parts=rounded)


def _aims(rules: Ruleset, there: State, unit: int, reward: Reward) -> Aims:
    """What the unit would shoot at from where it stands."""
    question = Targets(rules, there, there.units[unit])
    return best_aims(there, question, reward)[0] if question.has_any else Aims()


def ends_of(rules: Ruleset, view: State, unit: Unit, action: str, way: Route) -> tuple[Pose, ...]:
    """The poses of a unit at the end of a route."""
    if isinstance(way.answer, March):
        if not way.answer.legs:
            return ()
        limits = march_limits(rules, view, unit, action)
        return (check_march(view, unit.id, way.answer.legs, limits).pose,)
    ends = {path.model: path.points[-1] for path in way.answer.paths if path.points}
    if not ends:
        return ()
    return tuple(ends.get(model.id, pose) for model, pose in zip(unit.models, unit.poses, strict=True))
