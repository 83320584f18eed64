"""Charges of loose units: models move one by one, the charged unit reacts, models near enough strike."""

from __future__ import annotations

import math
from typing import ClassVar

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Walk
from shieldwall.core.frames import Activation, Melee, Movement
from shieldwall.core.grammar import unit_does
from shieldwall.core.pending import Numbers, Option, Pending, Refusal
from shieldwall.core.state import MILLI, State, Unit, while_nobody_moves
from shieldwall.geometry.tolerance import within
from shieldwall.rules.army.impulse import closest_charges
from shieldwall.rules.features.leap_charge import leaping_charges
from shieldwall.rules.features.leaps import leaping
from shieldwall.rules.features.loose import start_walk
from shieldwall.rules.features.loose_limits import walk_limits
from shieldwall.rules.features.loose_questions import Walking
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.rounds import unit_key
from shieldwall.table.loose_charge import LooseChargeOption, charge_reach, check_charge, solve_charge
from shieldwall.table.loose_react import check_react, solve_react
from shieldwall.table.measure import units_apart
from shieldwall.table.walk_context import WalkLimits

CONTACT = 0.02  # inches: bases this close touch


def charges(rules: Ruleset, state: State, unit: Unit) -> tuple[LooseChargeOption, ...]:
    """Every enemy the unit could charge now; cached on the state."""
    known: dict[int, tuple[LooseChargeOption, ...]] = state.memory.setdefault("loose_charges", {})
    if unit.id not in known:
        limits = walk_limits(rules, state, unit, "charge")
        most = rules.most_charge_bonus(state, unit)
        if most:
            longest = tuple(length + most / MILLI for length in limits.allowance)
            limits = replace(limits, allowance=longest)
        reached = while_nobody_moves(state, unit, "charges", limits, lambda: _reached(state, unit, limits))
        known[unit.id] = tuple(
            option for option in reached if _still_reached(rules, state, unit, option, most)
        )
    return known[unit.id]


def _reached(state: State, unit: Unit, limits: WalkLimits) -> tuple[LooseChargeOption, ...]:
    """Every enemy in reach on foot or by leaps, before its own rules apply."""
    on_foot = charge_reach(state, unit.id, limits)
    return (*on_foot, *leaping_charges(state, unit, limits, {option.target for option in on_foot}))


def _still_reached(rules: Ruleset, state: State, unit: Unit, option: LooseChargeOption, most: int) -> bool:
    """Whether a target is still in reach if rules shorten the charge at it, or do not lengthen it by the most."""
    if not most and rules.charge_lengths(state, unit, state.units[option.target]) is None:
        return True
    limits = walk_limits(rules, state, unit, "charge", option.target)
    return bool(solve_charge(state, unit.id, option.target, limits).is_legal)


def charge_choices(rules: Ruleset, state: State, unit: Unit) -> tuple[Option, ...]:
    """The enemies a loose unit can charge."""
    options = tuple(
        Option(
            unit_key(option.target),
            f"{state.units[option.target].name} ({option.used:.1f} inches)",
            option.target,
        )
        for option in charges(rules, state, unit)
    )
    return closest_charges(rules, state, unit, options)


class ChargeWay(TrunkStep):
    """The paths of the charging models, by default those found by the engine."""

    name = "charge.path"

    def ask(self, game: Play) -> Pending | None:
        frame: Melee = game.stack[-1]
        return LooseCharging(game, game.state.units[frame.charger], frame.target)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Walk)
        question = game.question(Walking)
        game.note_on(Activation, moved=True)
        game.push(Movement(procedure="move.charge", unit=question.unit.id, action="charge"))
        start_walk(game, question.unit, answer, question.limits)


class LooseCharging(Walking):
    """How the models of a loose unit charge."""

    __slots__ = ("target",)

    follows_drag: ClassVar[bool] = False

    def __init__(self, game: Play, unit: Unit, target: int) -> None:
        limits = walk_limits(game.rules, game.state, unit, "charge", target)
        prompt = f"{unit.name}: charge {game.state.units[target].name}"
        cite = game.rules.cite("move.charge")
        super().__init__(game.rules, game.state, unit, limits, "charge_path", prompt, cite)
        self.target = target

    @property
    def charges(self) -> int:
        return self.target

    def sentence(self) -> str:
        if not self.farthest or self.limits.close_to < 0:
            return super().sentence()
        target = self.state.units[self.limits.close_to].name
        return f"{unit_does(self.unit, 'charge')} {target}: confirm the path"

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Walk):
            return (Refusal("a charge needs one path for each model", self.cite),)
        against = self.against_leaps(answer)
        if against:
            return against
        limits = leaping(self.limits, self.unit, answer)
        checked = check_charge(self.state, self.unit.id, self.target, answer.paths, limits)
        refusals = self.rules.refusals(checked.reasons, self.limits.action)
        ends = self.rules.policies.refused_contacts(
            self.rules, self.state, self.unit, self.target, checked.poses
        )
        return refusals + ends

    def default(self) -> Walk:
        plan = solve_charge(self.state, self.unit.id, self.target, self.limits)
        if not plan.is_legal:
            options = charges(self.rules, self.state, self.unit)
            plan = next((option.plan for option in options if option.target == self.target), plan)
        return Walk(plan.paths, plan.leapers)

    def sample(self, numbers: Numbers) -> Walk:
        return self.default()


class Contact(TrunkStep):
    """Without contact there is no melee: the move stands and the activation ends.

    If being in `reach` is enough, the unit fights on even if the models that touched the enemy are gone.
    """

    name = "charge.contact"

    def __init__(self, reach: bool = False) -> None:
        self.reach = reach

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        activation = game.nearest(Activation)
        able = (
            bool(charger.models) and bool(target.models) and not (activation is not None and activation.over)
        )
        apart = units_apart(game.state, charger.id, target.id, heights=True) if able else math.inf
        if apart <= CONTACT or (self.reach and within(apart, strike_reach(game.rules))):
            game.note(contact=apart <= CONTACT)
            return
        cite = game.rules.cite("charge.failed")
        game.emit(ev.ChargeFailed(unit=charger.id, target=target.id, why="no model made contact", cite=cite))
        game.note_on(Activation, over=True)
        game.finish()


class React(TrunkStep):
    """Move charged models that touch no enemy up to 3 inches into contact, or as close as they can get."""

    name = "charge.close"

    def ask(self, game: Play) -> Pending | None:
        frame: Melee = game.stack[-1]
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        if not charger.models or not target.models:
            return None
        if len(target.models) == 1 and frame.contact:
            return None
        if not game.rules.policies.reacts(game.rules, game.state, target):
            return None
        return Reacting(game, target, charger.id)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Walk)
        question = game.question(Reacting)
        if answer.paths:
            game.push(Movement(procedure="move.react", unit=question.unit.id, action="react"))
            start_walk(game, question.unit, answer, question.limits)


class Reacting(Walking):
    """How charged models close up."""

    __slots__ = ("charger",)

    follows_drag: ClassVar[bool] = False

    def __init__(self, game: Play, unit: Unit, charger: int) -> None:
        limits = walk_limits(game.rules, game.state, unit, "react", charger)
        cite = game.rules.cite("charge.close")
        super().__init__(game.rules, game.state, unit, limits, "react", f"{unit.name}: close up", cite)
        self.charger = charger

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Walk):
            return (Refusal("moving into contact needs one path for each model", self.cite),)
        checked = check_react(self.state, self.unit.id, self.charger, answer.paths, self.limits)
        return self.rules.refusals(checked.reasons, self.limits.action)

    def default(self) -> Walk:
        return Walk(solve_react(self.state, self.unit.id, self.charger, self.limits).paths)

    def sample(self, numbers: Numbers) -> Walk:
        return self.default()

    def forced(self) -> Walk | None:
        """No walk, if all models are in contact already."""
        walk = self.default()
        return walk if not walk.paths else None


def strike_reach(rules: Ruleset) -> float:
    """How far a model strikes, in inches."""
    return rules.constants.strike_reach / MILLI
