"""What all thinking bots share: a method for each question, sensible minor choices, a plan for each activation.

A commander answers from the view, the question and its own numbers. The plan it keeps is only a cache: if it is
missing, it is made again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

from shieldwall.bots import deployment, rule_answers
from shieldwall.bots.board_summary import BoardSummary
from shieldwall.bots.explanation import Explanation
from shieldwall.bots.magic import best_cast, bid
from shieldwall.bots.movement import MoveWish, heading_to, march_route, walk_route
from shieldwall.bots.plan import ActivationPlan, thought_about
from shieldwall.bots.targeting import best_aims
from shieldwall.core.answers import Aims, AnyAnswer, Pick
from shieldwall.core.frames import Activation, Melee
from shieldwall.core.pending import Choice, Decision, Numbers
from shieldwall.core.state import MILLI, State, Unit
from shieldwall.editions import ruleset
from shieldwall.rules.army.coordinating import FriendChoice
from shieldwall.rules.army.picking import RuleChoice
from shieldwall.rules.features.block_questions import Charging, Marching
from shieldwall.rules.features.loose_melee import LooseCharging, Reacting
from shieldwall.rules.features.loose_questions import Walking
from shieldwall.rules.features.tokens_bids import BidTokens
from shieldwall.rules.features.tokens_legal import CastSpell
from shieldwall.rules.place_question import PlaceQuestion
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.activation import ActionChoice
from shieldwall.rules.steps.markers import MarkerSpot
from shieldwall.rules.steps.targets import Targets

SIDES = ("rear", "left", "right", "front")  # where a charge hurts most


class BotTurn:
    """One question with everything that may be used to answer it."""

    __slots__ = ("_sketch", "decision", "numbers", "rules", "view")

    def __init__(self, rules: Ruleset, view: State, decision: Decision, numbers: Numbers) -> None:
        self.rules = rules
        self.view = view
        self.decision = decision
        self.numbers = numbers
        self._sketch: BoardSummary | None = None

    @property
    def sketch(self) -> BoardSummary:
        """The table from the viewpoint of the seat that is asked."""
        if self._sketch is None:
            self._sketch = BoardSummary(self.rules, self.view, self.view.seats[self.decision.seat].side)
        return self._sketch


class Commander(ABC):
    """Base of the thinking bots. Subclasses say which unit acts and what it does."""

    name: ClassVar[str]
    samples_only = True  # every answer is the decision's own or has passed its check

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.thought: Explanation | None = None
        self._kept: tuple[object, int, int, ActivationPlan] | None = None
        self._rules: Ruleset | None = None

    def play_by(self, rules: Ruleset) -> None:
        """Use these rules for games of their edition; otherwise those that the view names."""
        self._rules = rules

    @abstractmethod
    def choose_unit(self, ask: BotTurn, units: list[Unit]) -> ActivationPlan:
        """Which of the fresh units acts now, and what it is going to do."""

    @abstractmethod
    def plan_for(self, ask: BotTurn, unit: Unit) -> ActivationPlan:
        """What this unit does in its activation."""

    def decide(self, view: State, decision: Decision, numbers: Numbers) -> AnyAnswer:
        """A legal answer; `thought` explains it afterwards."""
        self.thought = None
        rules = self._rules
        if rules is None or rules.id != view.ruleset:
            rules = ruleset(view.ruleset)
        ask = BotTurn(rules, view, decision, numbers)
        answer = self._answer(ask)
        if answer is None:
            return decision.default()
        if isinstance(decision, ActionChoice) and isinstance(answer, Pick) and answer.option in decision.sure:
            return answer  # checking it would mean computing every charge
        return decision.default() if decision.check(answer) else answer

    def _answer(self, ask: BotTurn) -> AnyAnswer | None:
        """The considered answer to the question; None for its default."""
        decision = ask.decision
        if isinstance(decision, Charging | LooseCharging | Reacting):
            return None  # the question itself computes what has to be done
        if isinstance(decision, Marching | Walking):
            return self._move(ask, decision)
        if isinstance(decision, Targets):
            answer, self.thought = self.aims(ask, decision)
            return answer
        if isinstance(decision, CastSpell):
            cast, self.thought = best_cast(ask.view, decision)
            return cast
        if isinstance(decision, BidTokens):
            return bid(ask.view, decision)
        if isinstance(decision, PlaceQuestion):
            return self._place(ask, decision)
        if isinstance(decision, MarkerSpot):
            return deployment.marker_spot(ask.view, decision)
        if isinstance(decision, Choice):
            handler = self._CHOICES.get(decision.kind)
            return None if handler is None else handler(self, ask, decision)
        return None

    def aims(self, ask: BotTurn, decision: Targets) -> tuple[Aims, Explanation]:
        """Targets to shoot at, and why."""
        return best_aims(ask.view, decision)

    # --- choices ---

    def _activate(self, ask: BotTurn, decision: Choice) -> AnyAnswer:
        units = [ask.view.units[option.unit] for option in decision.options if option.unit >= 0]
        plan = self.choose_unit(ask, units)
        self._keep(ask.view, plan)
        return Pick(next(option.key for option in decision.options if option.unit == plan.unit))

    def _action(self, ask: BotTurn, decision: Choice) -> AnyAnswer | None:
        sure = decision.sure if isinstance(decision, ActionChoice) else ()
        if "cast" in sure:
            return Pick("cast")
        plan = self._plan(ask)
        if plan.action in sure:
            return Pick(plan.action)
        keys = [option.key for option in decision.options]
        if "cast" in keys or len(keys) == 1:
            return Pick("cast" if "cast" in keys else keys[0])
        if plan.action not in keys and isinstance(decision, ActionChoice) and decision.forced_to:
            return self._forced_attack(ask, decision, keys)
        if plan.action not in keys:
            plan = self._plan(ask, anew=True)
        return Pick(plan.action) if plan.action in keys else None

    def _forced_attack(self, ask: BotTurn, decision: ActionChoice, keys: list[str]) -> AnyAnswer | None:
        """How a unit attacks that has to: a charge if it fights better than it shoots."""
        seen = ask.sketch.seen.get(decision.unit.id)
        prefers_melee = seen is not None and seen.card.blows >= seen.card.shots
        return Pick("charge") if prefers_melee and "charge" in keys else None

    def _cast_or_go(self, ask: BotTurn, decision: Choice) -> AnyAnswer | None:
        return Pick("cast")

    def _charge_target(self, ask: BotTurn, decision: Choice) -> AnyAnswer | None:
        target = self._plan(ask).target
        return next((Pick(option.key) for option in decision.options if option.unit == target), None)

    def _charge_side(self, ask: BotTurn, decision: Choice) -> AnyAnswer | None:
        keys = [option.key for option in decision.options]
        return next((Pick(side) for side in SIDES if side in keys), None)

    def _rule_effect(self, ask: BotTurn, decision: Choice) -> AnyAnswer | None:
        return self._of_rule(ask, decision, rule_answers.pick_effect)

    def _rule_use(self, ask: BotTurn, decision: Choice) -> AnyAnswer | None:
        return self._of_rule(ask, decision, rule_answers.use_feat)

    def _rule_pick(self, ask: BotTurn, decision: Choice) -> AnyAnswer | None:
        if isinstance(decision, FriendChoice):
            return self._activate(ask, decision)
        return self._of_rule(ask, decision, rule_answers.pick_unit)

    def _of_rule(self, ask: BotTurn, decision: Choice, answer: rule_answers.RuleAnswer) -> AnyAnswer | None:
        """The answer to a question of an army rule, given the plan of the acting unit."""
        if not isinstance(decision, RuleChoice):
            return None
        plan = self._kept[3] if self._kept is not None and self._kept[3].unit == decision.about else None
        return answer(ask.rules, ask.view, decision, plan)

    def _attach(self, ask: BotTurn, decision: Choice) -> AnyAnswer | None:
        return deployment.join_unit(ask.rules, ask.view, decision)

    def _deploy(self, ask: BotTurn, decision: Choice) -> AnyAnswer | None:
        return deployment.first_to_place(ask.rules, ask.view, decision)

    def _hold_back(self, ask: BotTurn, decision: Choice) -> AnyAnswer | None:
        return deployment.hold_back(ask.view, decision)

    def _arrive(self, ask: BotTurn, decision: Choice) -> AnyAnswer | None:
        return deployment.arriving(ask.rules, ask.view, decision)

    _CHOICES: ClassVar[dict[str, Callable[[Commander, BotTurn, Choice], AnyAnswer | None]]] = {
        "activate": _activate,
        "action": _action,
        "cast_or_go": _cast_or_go,
        "charge_target": _charge_target,
        "charge_side": _charge_side,
        "attach": _attach,
        "deploy": _deploy,
        "rule_effect": _rule_effect,
        "rule_use": _rule_use,
        "rule_pick": _rule_pick,
        "hold_back": _hold_back,
        "arrive": _arrive,
    }

    # --- places and ways ---

    def _place(self, ask: BotTurn, decision: PlaceQuestion) -> AnyAnswer | None:
        unit = getattr(decision, "unit", None)
        if not isinstance(unit, Unit):
            return None
        return deployment.place_unit(ask.rules, ask.view, unit, decision)

    def _move(self, ask: BotTurn, decision: Marching | Walking) -> AnyAnswer | None:
        unit = decision.unit
        if decision.kind == "path":
            plan = self._plan(ask)
            if plan.unit == unit.id and plan.route is not None and not decision.check(plan.route.answer):
                return plan.route.answer
        wish = self._wish(ask, decision)
        if wish is None:
            return None
        if isinstance(decision, Marching):
            return march_route(ask.view, unit, decision.limits, wish).answer
        return walk_route(ask.view, unit, decision.limits, wish).answer

    def _wish(self, ask: BotTurn, decision: Marching | Walking) -> MoveWish | None:
        """Where the move of a question should lead."""
        if decision.kind in ("path", "pivot"):
            plan = self._plan(ask)
            if plan.unit == decision.unit.id:
                return plan.wish
            return None
        return self.small_move(ask, decision.unit)

    def small_move(self, ask: BotTurn, unit: Unit) -> MoveWish | None:
        """Where a unit goes when it may make a short extra move: towards the nearest marker."""
        seen = ask.sketch.seen.get(unit.id)
        if seen is None or not ask.sketch.markers:
            return None
        marker = min(
            ask.sketch.markers,
            key=lambda m: ((m.x / MILLI - seen.x) ** 2 + (m.y / MILLI - seen.y) ** 2, m.id),
        )
        x, y = marker.x / MILLI, marker.y / MILLI
        foe = min(ask.sketch.foes, key=lambda f: ((f.x - x) ** 2 + (f.y - y) ** 2, f.unit.id), default=None)
        facing = heading_to(seen.x, seen.y, foe.x, foe.y) if foe is not None else None
        return MoveWish(x, y, facing, marker.id)

    # --- the plan of the running activation ---

    def _keep(self, view: State, plan: ActivationPlan) -> None:
        self._kept = (view.pieces, view.round, view.turns_taken, plan)

    def _plan(self, ask: BotTurn, anew: bool = False) -> ActivationPlan:
        """The plan of the acting unit; made again if there is none or it is for another unit."""
        view, unit = ask.view, acting_unit(ask.view)
        kept = self._kept
        if kept is not None and not anew and kept[0] is view.pieces and kept[3].unit == unit:
            started = kept[1] == view.round and kept[2] <= view.turns_taken <= kept[2] + 1
            if started:
                return kept[3]
        plan = self.plan_for(ask, view.units[unit])
        self._keep(view, plan)
        return plan

    def explain(self, best: ActivationPlan, plans: list[ActivationPlan]) -> None:
        """Record why the best plan was chosen."""
        self.thought = thought_about(best, plans)


def acting_unit(view: State) -> int:
    """The unit whose activation or charge is running."""
    for frame in reversed(view.stack):
        if isinstance(frame, Melee):
            return frame.charger
        if isinstance(frame, Activation):
            return frame.unit
    raise LookupError("no unit is acting now")
