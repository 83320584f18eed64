"""The tactician: scores every goal of every fresh unit by means, picks the most urgent one, then finds its route.

It considers markers it can still reach, fire on the enemy that matters most, the risk where it would stand, and the
worth of staying. It makes no table calls until a unit is chosen.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from shieldwall.bots.board_summary import SeenUnit, roughly_apart
from shieldwall.bots.commander import BotTurn, Commander
from shieldwall.bots.evaluation import Evaluation, EvaluationWeights, Standpoint
from shieldwall.bots.explanation import Explanation
from shieldwall.bots.goals import Goal, goals_of
from shieldwall.bots.matchups import pair_of
from shieldwall.bots.movement import MoveWish, heading_to, route, turn_between
from shieldwall.bots.outcome_estimates import by_blows, by_shots, footing
from shieldwall.bots.plan import ActivationPlan, ExpectedHarm
from shieldwall.bots.targeting import best_aims
from shieldwall.core.answers import Aims
from shieldwall.core.grammar import unit_does
from shieldwall.core.state import CENTI, Unit
from shieldwall.rules.steps.targets import Targets, targets_of
from shieldwall.table.block_charge import charged_sides

FRONT = 48 * CENTI  # half the width of a block's front arc, seen from its middle
UNITS_LOOKED_AT = 3  # how many of the most urgent units have their plans checked on the real table
LOOKED_AT = 5  # plans of the chosen unit whose route is found before one is chosen
OTHERS_TOLD = 4  # alternative plans of the chosen unit that are reported
WAITING = "compared with waiting"  # the part of a score that makes plans of different units comparable
NOBODY_HARMED: tuple[ExpectedHarm, ...] = ()
UNSEEN = 0.5  # value of a shot at a unit that is not visible yet


class TacticianBot(Commander):
    """Focus fire, threat ranges, markers in reach, denial at the end, and when to stay."""

    name: ClassVar[str] = "tactician"
    weights: ClassVar[EvaluationWeights] = EvaluationWeights()

    def choose_unit(self, ask: BotTurn, units: list[Unit]) -> ActivationPlan:
        worth = Evaluation(ask.sketch, self.weights)
        ranked: list[tuple[float, SeenUnit, list[ActivationPlan]]] = []
        for unit in units:
            seen = ask.sketch.seen.get(unit.id)
            if seen is not None:
                plans = self.weigh(ask, worth, seen)
                ranked.append((self._urgency(worth, seen, plans[0]), seen, plans))
        if not ranked:
            return ActivationPlan(units[0].id, "advance", f"{unit_does(units[0], 'get')} out")
        ranked.sort(key=lambda one: (-one[0], one[1].unit.id))
        settled: list[tuple[float, list[ActivationPlan]]] = []
        for _, seen, plans in ranked[:UNITS_LOOKED_AT]:
            looked = self.settle(ask, worth, plans)
            settled.append((self._urgency(worth, seen, looked[0]), looked))
        urgency, (best, *others) = max(settled, key=lambda one: (one[0], -one[1][0].unit))
        rivals = [in_turn(plans[0], urgent) for urgent, plans in settled if plans[0] is not best]
        own = [in_turn(plan, urgency + plan.score - best.score) for plan in others[:OTHERS_TOLD]]
        first = in_turn(best, urgency)
        self.explain(first, [first, *rivals, *own])
        return best

    def plan_for(self, ask: BotTurn, unit: Unit) -> ActivationPlan:
        seen = ask.sketch.seen.get(unit.id)
        if seen is None:
            return ActivationPlan(unit.id, "advance", f"{unit_does(unit, 'get')} out")
        worth = Evaluation(ask.sketch, self.weights)
        best, *others = self.settle(ask, worth, self.weigh(ask, worth, seen))
        self.explain(best, [best, *others[:OTHERS_TOLD]])
        return best

    def weigh(self, ask: BotTurn, worth: Evaluation, seen: SeenUnit) -> list[ActivationPlan]:
        """All goals of a unit with their scores, the best first."""
        if ask.rules.policies.idles(seen.unit):
            return [ActivationPlan(seen.unit.id, "idle", unit_does(seen.unit, "rally"))]
        goals = list(goals_of(ask.sketch, seen))
        at = worth.at_and_here(seen, [goal.place for goal in goals])
        plans = [self._scored(ask, worth, seen, goal, *one) for goal, one in zip(goals, at, strict=True)]
        plans.sort(key=lambda plan: (-plan.score, plan.action, plan.what))
        return plans or [ActivationPlan(seen.unit.id, "hold", unit_does(seen.unit, "hold"))]

    def _scored(
        self, ask: BotTurn, worth: Evaluation, seen: SeenUnit, goal: Goal, markers: float, exposure: float
    ) -> ActivationPlan:
        parts = [("markers", markers), ("risk", -worth.danger(seen, exposure))]
        target, harms = goal.target, NOBODY_HARMED
        if goal.action == "charge":
            blows, harms = self._melee(ask, worth, seen, ask.sketch.seen[goal.target])
            parts += blows
        elif goal.action in ("hold", "advance") and seen.card.shots:
            shots, harms = self._shots(ask, worth, seen, goal)
            parts.append(("shooting", shots))
            target = harms[0].unit if harms else -1
        score = sum(part[1] for part in parts)
        rounded = tuple((name, round(amount, 1)) for name, amount in parts)
        end = goal.place.x, goal.place.y
        return ActivationPlan(
            seen.unit.id, goal.action, goal.what, score, goal.wish, None, target, rounded, harms, end
        )

    def _at(self, worth: Evaluation, seen: SeenUnit, place: Standpoint) -> dict[str, float]:
        """The worth of having a unit at a place, and its risk there."""
        ((markers, exposure),) = worth.at(seen, (place,))
        return {"markers": markers, "risk": -worth.danger(seen, exposure)}

    def _shots(
        self, ask: BotTurn, worth: Evaluation, seen: SeenUnit, goal: Goal
    ) -> tuple[float, tuple[ExpectedHarm, ...]]:
        """The worth of shooting from the end of a move, and the harm it does."""
        best, harms = 0.0, NOBODY_HARMED
        held = goal.action == "hold"
        for foe in ask.sketch.foes:
            distance = roughly_apart(goal.place.x, goal.place.y, seen.card, foe)
            if distance > seen.card.reach or not self._in_front(seen, goal, foe):
                continue
            pair = pair_of(ask.rules, ask.view, seen.unit, foe.unit)
            wounds = pair.shooting(distance, worth.far_over, held)
            fate = by_shots(ask.rules, ask.view, foe.unit, foe.card, wounds)
            points = worth.paid(foe, wounds, fate)
            if points > best:
                best, harms = points, (ExpectedHarm(foe.unit.id, *fate, wounds),)
        return best, harms

    def _in_front(self, seen: SeenUnit, goal: Goal, foe: SeenUnit) -> bool:
        """Whether a block would have an enemy in its front arc; on a Hold it may turn first. Loose units see all."""
        if seen.unit.block is None or goal.action == "hold":
            return True
        place = goal.place
        return abs(turn_between(place.heading, heading_to(place.x, place.y, foe.x, foe.y))) <= FRONT

    def reward(self, worth: Evaluation, foe: SeenUnit, wounds: float) -> float:
        """The worth of this many wounds on an enemy by shooting, in points."""
        sketch = worth.sketch
        fate = by_shots(sketch.rules, sketch.state, foe.unit, foe.card, wounds)
        return worth.paid(foe, wounds, fate)

    def aims(self, ask: BotTurn, decision: Targets) -> tuple[Aims, Explanation]:
        worth = Evaluation(ask.sketch, self.weights)

        def reward(target: int, wounds: float) -> float:
            return self.reward(worth, ask.sketch.target(target), wounds)

        return best_aims(ask.view, decision, reward)

    def _melee(
        self, ask: BotTurn, worth: Evaluation, seen: SeenUnit, foe: SeenUnit
    ) -> tuple[list[tuple[str, float]], tuple[ExpectedHarm, ...]]:
        """The value of a charge (damage dealt and taken, units driven off a marker), and its effect on both units."""
        rules, view = ask.rules, ask.view
        dealt = min(pair_of(rules, view, seen.unit, foe.unit).charge, foe.card.wounds)
        answers = not rules.policies.uses_blocks() or "front" in charged_sides(
            view, seen.unit.id, foe.unit.id
        )
        left = 1 - dealt / foe.card.wounds
        taken = (
            pair_of(rules, view, foe.unit, seen.unit).blow * left if answers and not foe.unit.broken else 0
        )
        taken = min(taken, seen.card.wounds)
        if rules.last_model_stands and rules.policies.idles(foe.unit):
            dealt, taken = foe.card.wounds, 0.0  # any charge destroys stunned models
        lead = dealt - taken + footing(seen.card, taken) - footing(foe.card, dealt)
        theirs = by_blows(rules, view, foe.unit, foe.card, dealt, lead)
        own = by_blows(rules, view, seen.unit, seen.card, taken, -lead)
        parts = [
            ("blows", worth.toll(foe, dealt, theirs)),
            ("blows taken", -worth.toll(seen, taken, own)),
            ("driving the enemy off", worth.by_fate(foe, theirs)),
            ("being driven off", worth.by_fate(seen, own)),
        ]
        return parts, (ExpectedHarm(foe.unit.id, *theirs, dealt), ExpectedHarm(seen.unit.id, *own, taken))

    def _urgency(self, worth: Evaluation, seen: SeenUnit, plan: ActivationPlan) -> float:
        """How much is lost if the unit does not act now: blows and shots first, markers can wait a little."""
        parts, (held, exposure) = dict(plan.parts), worth.here(seen)
        markers = parts.pop("markers", 0.0) - held
        risk = parts.pop("risk", 0.0) + worth.danger(seen, exposure)
        patience = self.weights.late if worth.last else self.weights.patience
        return sum(parts.values()) + risk + markers * patience

    def settle(self, ask: BotTurn, worth: Evaluation, plans: list[ActivationPlan]) -> list[ActivationPlan]:
        """The plans that hold on the real table (charges in reach, targets in sight), the best first."""
        unit = ask.view.units[plans[0].unit]
        rules, view = ask.rules, ask.view
        in_sight: set[int] | None = None
        open_to: set[int] | None = None
        best: ActivationPlan | None = None
        looked: list[ActivationPlan] = []
        for weighed in plans:
            if len(looked) >= LOOKED_AT or (best is not None and weighed.score <= best.score):
                break
            if weighed.action == "charge":
                if open_to is None:
                    open_to = {option.unit for option in rules.policies.charge_options(rules, view, unit)}
                if weighed.target not in open_to:
                    continue
            plan, shots = self._led(ask, worth, weighed), dict(weighed.parts).get("shooting", 0.0)
            if shots > 0 and plan.target >= 0:
                if in_sight is None:
                    in_sight = {target for _, target in targets_of(rules, view, unit).legal}
                if plan.action == "hold":
                    plan = self._hold(ask, plan, shots, in_sight)
                elif plan.target not in in_sight:
                    plan = _less(plan, shots * (1 - UNSEEN))
            looked.append(plan)
            if best is None or plan.score > best.score:
                best = plan
        if best is None:
            return plans[-1:]
        return [best, *(plan for plan in looked if plan is not best)]

    def _led(self, ask: BotTurn, worth: Evaluation, plan: ActivationPlan) -> ActivationPlan:
        """A move with its real route and end; markers and risk are those of the end, not of the wish."""
        seen = ask.sketch.seen[plan.unit]
        if plan.action not in ("advance", "rush") or plan.wish is None:
            return plan
        way = route(ask.rules, ask.view, seen.unit, plan.action, plan.wish)
        place = Standpoint(way.x, way.y, way.heading)
        parts = dict(plan.parts)
        parts |= self._at(worth, seen, place)
        rounded = tuple((name, round(amount, 1)) for name, amount in parts.items())
        return replace(plan, score=sum(parts.values()), parts=rounded, route=way)

    def _hold(self, ask: BotTurn, plan: ActivationPlan, shots: float, in_sight: set[int]) -> ActivationPlan:
        """A hold that turns to the enemy it wants to shoot at."""
        seen, foe = ask.sketch.seen[plan.unit], ask.sketch.seen[plan.target]
        facing = heading_to(seen.x, seen.y, foe.x, foe.y)
        turned = MoveWish(seen.x, seen.y, facing)
        sees = plan.target in in_sight
        if not sees and seen.unit.block is not None:
            sees = abs(turn_between(seen.unit.block.heading, facing)) > FRONT
        what = f"{unit_does(seen.unit, 'hold and shoot')} at {foe.unit.name}"
        found = _less(plan, 0.0 if sees else shots)
        return ActivationPlan(plan.unit, "hold", what, found.score, turned, None, plan.target, found.parts)


def _less(plan: ActivationPlan, points: float) -> ActivationPlan:
    parts = tuple((n, round(a - points, 1) if n == "shooting" else a) for n, a in plan.parts)
    score = plan.score - points
    return ActivationPlan(plan.unit, plan.action, plan.what, score, plan.wish, plan.route, plan.target, parts)


def in_turn(plan: ActivationPlan, urgency: float) -> ActivationPlan:
    """A plan in comparison with those of other units: scored by what is lost if it waits for another turn."""
    return replace(plan, score=urgency, parts=(*plan.parts, (WAITING, round(urgency - plan.score, 1))))
