"""The greedy bot: the tactician's best ideas, checked on the real table and evaluated by exact odds.

For every promising (unit, goal) it finds the route and the targets that can be shot at from its end, computes exact
odds, counts what the enemy can do in return, and plays out the rest of the battle in a simplified model.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from shieldwall.bots.board_summary import SeenUnit
from shieldwall.bots.commander import BotTurn
from shieldwall.bots.evaluation import Evaluation, EvaluationWeights, Standpoint
from shieldwall.bots.movement import Route, route
from shieldwall.bots.outcome_estimates import OutcomeEstimate
from shieldwall.bots.plan import ActivationPlan, ExpectedHarm
from shieldwall.bots.playouts import Playouts
from shieldwall.bots.successive_halving import Idea, play_off, rank, told
from shieldwall.bots.tactician import NOBODY_HARMED, TacticianBot
from shieldwall.bots.targeting import Reward, best_aims
from shieldwall.core.answers import Aims, March
from shieldwall.core.state import Pose, State, Unit
from shieldwall.odds import AttackPreview, Brief, preview
from shieldwall.odds.preview import moved_to
from shieldwall.rules.features.block_limits import march_limits
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.targets import Targets
from shieldwall.table.block_moves import check_march

GLANCES = 16  # playouts after each goal of each unit
IDEAS = 10  # ideas that are examined closely
IDEAS_EACH = 2  # of these, the most for one unit
BATTLES = 96  # playouts after each idea that is examined closely, before half of them drop out
FINALISTS = 2  # of these, charges evaluated by exact odds even if expensive
EXPENSIVE = 10  # models in a melee from which its odds take long
PLANS_TOLD = 8  # plans that are reported, the chosen one first


class GreedyBot(TacticianBot):
    """Scores every promising unit and goal by exact odds and risk, in points."""

    name: ClassVar[str] = "greedy"
    weights: ClassVar[EvaluationWeights] = EvaluationWeights()
    glances: ClassVar[int] = GLANCES
    ideas_looked_at: ClassVar[int] = IDEAS
    ideas_each: ClassVar[int] = IDEAS_EACH

    def __init__(self, seed: int = 0, battles: int = BATTLES) -> None:
        super().__init__(seed)
        self.battles = battles

    def choose_unit(self, ask: BotTurn, units: list[Unit]) -> ActivationPlan:
        ideas = self.foreseen(ask, units)
        if not ideas:
            return super().choose_unit(ask, units)
        plans = told(ideas[:PLANS_TOLD])
        self.explain(plans[0], plans)
        return ideas[0].plan

    def foreseen(self, ask: BotTurn, units: list[Unit]) -> list[Idea]:
        """Ideas that were examined closely and then evaluated by playouts, the best first."""
        worth = Evaluation(ask.sketch, self.weights)
        rough = self._rough(ask, worth, units)
        if not rough:
            return []
        foresight = Playouts(ask.sketch, ask.numbers)
        for idea in rough:
            idea.play(foresight, 0, self.glances)
        close = self._looked_at(ask, worth, sorted(rough, key=rank))
        order = play_off(close, foresight, self.battles, self.is_over)
        return self._by_odds(ask, worth, foresight, order)

    def _by_odds(self, ask: BotTurn, worth: Evaluation, foresight: Playouts, order: list[Idea]) -> list[Idea]:
        """Re-evaluate the top candidates with exact odds and as many playouts as the leader had."""
        best = []
        for idea in order[:FINALISTS]:
            found = idea
            if _is_expensive(ask, idea.plan):
                plan = self._charge(ask, worth, idea.plan)
                found = Idea(ask.sketch, idea.prior + plan.score - idea.plan.score, plan)
                found.play(foresight, 0, order[0].battles or self.battles)
            best.append(found)
        return [*sorted(best, key=rank), *order[FINALISTS:]]

    def is_over(self) -> bool:
        """Whether to stop the playouts early; here they end by themselves."""
        return False

    def _rough(self, ask: BotTurn, worth: Evaluation, units: list[Unit]) -> list[Idea]:
        """All goals of all units with the tactician's scores: the best by urgency, others by their distance to it."""
        ideas = []
        for unit in units:
            seen = ask.sketch.seen.get(unit.id)
            if seen is not None:
                plans = self.weigh(ask, worth, seen)
                ahead = self._urgency(worth, seen, plans[0]) - plans[0].score
                ideas += [Idea(ask.sketch, ahead + plan.score, plan) for plan in plans]
        return ideas

    def _looked_at(self, ask: BotTurn, worth: Evaluation, rough: list[Idea]) -> list[Idea]:
        """The best few ideas, limited per unit, with their real ends, and exact odds if these are cheap."""
        found: list[Idea] = []
        charges: dict[int, set[int]] = {}
        kinds: set[tuple[int, str, int]] = set()
        for idea in rough:
            unit = idea.plan.unit
            if len(found) >= self.ideas_looked_at:
                break
            if sum(other.plan.unit == unit for other in found) >= self.ideas_each:
                continue
            plan = self._look(ask, worth, idea.plan, charges)
            if plan is not None and (unit, plan.action, round(plan.score)) not in kinds:
                kinds.add((unit, plan.action, round(plan.score)))
                found.append(Idea(ask.sketch, idea.prior + plan.score - idea.plan.score, plan))
        return found or rough[-1:]

    def plan_for(self, ask: BotTurn, unit: Unit) -> ActivationPlan:
        seen = ask.sketch.seen.get(unit.id)
        if seen is None:
            return super().plan_for(ask, unit)
        worth = Evaluation(ask.sketch, self.weights)
        ideas = [Idea(ask.sketch, plan.score, plan) for plan in self.weigh(ask, worth, seen)]
        close = sorted((idea.plan for idea in self._looked_at(ask, worth, ideas)), key=lambda one: -one.score)
        best = [
            self._charge(ask, worth, plan) if _is_expensive(ask, plan) else plan for plan in close[:FINALISTS]
        ]
        best.sort(key=lambda one: -one.score)
        self.explain(best[0], [*best, *close[FINALISTS:]])
        return best[0]

    def _look(
        self, ask: BotTurn, worth: Evaluation, plan: ActivationPlan, charges: dict[int, set[int]]
    ) -> ActivationPlan | None:
        """A plan with its real end, and exact odds unless they are expensive; None for a charge out of reach."""
        seen = ask.sketch.seen[plan.unit]
        if plan.action == "charge":
            if plan.unit not in charges:
                options = ask.rules.policies.charge_options(ask.rules, ask.view, seen.unit)
                charges[plan.unit] = {option.unit for option in options}
            if plan.target not in charges[plan.unit]:
                return None
            return plan if _is_expensive(ask, plan) else self._charge(ask, worth, plan)
        if plan.action == "idle" or plan.wish is None:
            return plan
        return self._walk(ask, worth, seen, plan)

    def _charge(self, ask: BotTurn, worth: Evaluation, plan: ActivationPlan) -> ActivationPlan:
        """A charge scored by exact odds."""
        seen = ask.sketch.seen[plan.unit]
        odds = preview(ask.rules, ask.view, seen.unit.id, "charge", target=plan.target)
        parts = {name: amount for name, amount in plan.parts if name in ("markers", "risk")}
        parts |= self._odds_parts(ask, worth, seen, odds)
        return replace(_with(plan, parts), harms=harms_of(odds, seen))

    def _walk(self, ask: BotTurn, worth: Evaluation, seen: SeenUnit, plan: ActivationPlan) -> ActivationPlan:
        """A hold or a move scored by its real end, and by the exact odds of the shots from there."""
        assert plan.wish is not None
        way = route(ask.rules, ask.view, seen.unit, plan.action, plan.wish)
        place = Standpoint(way.x, way.y, way.heading)
        parts = self._at(worth, seen, place)
        target, harms = plan.target, NOBODY_HARMED
        if plan.action in ("hold", "advance") and seen.card.shots:
            ends = ends_of(ask.rules, ask.view, seen.unit, plan.action, way)
            there = moved_to(ask.rules, ask.view, seen.unit.id, ends)
            aims = _aims(
                ask.rules,
                there,
                seen.unit.id,
                lambda foe, wounds: self.reward(worth, ask.sketch.target(foe), wounds),
            )
            if aims.aims:
                odds = preview(ask.rules, there, seen.unit.id, plan.action, aims=aims.aims)
                parts |= self._odds_parts(ask, worth, seen, odds)
                target, harms = aims.aims[0].target, harms_of(odds, seen)
        return replace(_with(plan, parts), route=way, target=target, harms=harms)

    def _odds_parts(
        self, ask: BotTurn, worth: Evaluation, seen: SeenUnit, odds: AttackPreview
    ) -> dict[str, float]:
        """The expected results of the dice, in points."""
        dealt = off = 0.0
        for brief in odds.targets:
            foe = ask.sketch.seen.get(brief.unit)
            if foe is None or foe.unit.side == seen.unit.side:
                continue
            dealt += self._toll(worth, foe, brief)
            off += worth.by_fate(foe, _fate(brief))
        parts = {"dice": dealt, "driving the enemy off": off}
        taken = self._toll(worth, seen, odds.own)
        if taken:
            parts["losses"] = -taken + worth.by_fate(seen, _fate(odds.own))
        return parts

    def _toll(self, worth: Evaluation, seen: SeenUnit, brief: Brief) -> float:
        """The expected losses of a unit, in points."""
        return worth.toll(seen, brief.wounds, _fate(brief))


def _is_expensive(ask: BotTurn, plan: ActivationPlan) -> bool:
    """Whether the odds of a plan take long, as those of a charge of many models do."""
    units = ask.view.units
    return (
        plan.action == "charge" and len(units[plan.unit].models) + len(units[plan.target].models) >= EXPENSIVE
    )


def harms_of(odds: AttackPreview, seen: SeenUnit) -> tuple[ExpectedHarm, ...]:
    """What the dice may do to enemies, and to the unit itself."""
    struck = [brief for brief in odds.targets if brief.unit != seen.unit.id]
    return tuple(ExpectedHarm(brief.unit, *_fate(brief), brief.wounds) for brief in (*struck, odds.own))


def _fate(brief: Brief) -> OutcomeEstimate:
    """The chances that a unit is gone or down, by exact odds."""
    gone = min(1.0, brief.destroyed + brief.routs)
    return OutcomeEstimate(gone, min(1.0 - gone, brief.breaks + brief.stunned))


def _with(plan: ActivationPlan, parts: dict[str, float]) -> ActivationPlan:
    """A plan with other parts of its score."""
    rounded = tuple((name, round(amount, 1)) for name, amount in parts.items())
    return replace(plan, score=sum(parts.values()), parts=rounded)


def _aims(rules: Ruleset, there: State, unit: int, reward: Reward) -> Aims:
    """The targets the unit would shoot at from where it stands."""
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
