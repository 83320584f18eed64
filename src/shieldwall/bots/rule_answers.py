"""How thinking bots answer questions of army rules: by the effect of each answer on expected wounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from shieldwall.bots.board_summary import card_of
from shieldwall.bots.expected_damage import BLOW, CHARGE, melee_wounds, shooting_wounds
from shieldwall.bots.plan import ActivationPlan
from shieldwall.core import blocks as b
from shieldwall.core.answers import Pick
from shieldwall.core.state import Effect, RuleRef, State, Unit, with_unit
from shieldwall.rules.army.fighting import ChoosesEffect, PicksUnits, UsesFeat
from shieldwall.rules.army.picking import RuleChoice
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.measure import units_apart

RuleAnswer = Callable[[Ruleset, State, RuleChoice, ActivationPlan | None], Pick | None]
WORTH_IT = 0.5  # wounds by which a feat must improve an attack to be used before the last rounds
INCH = 0.02  # the worth of an inch of movement, in wounds
NEAREST = 3  # how many of the nearest enemies are considered


def pick_effect(
    rules: Ruleset, view: State, decision: RuleChoice, plan: ActivationPlan | None
) -> Pick | None:
    """The effect that helps most against the enemies nearby, or against the target of the plan."""
    unit = view.units[decision.about]
    rule = _rule(rules, view, unit, "chooses_effect", decision.rule)
    if not isinstance(rule, ChoosesEffect):
        return None
    values = [_worth(rules, view, unit, rule.name, blocks, plan) for blocks in rule.block.effects]
    return Pick(str(values.index(max(values)) + 1))


def use_feat(rules: Ruleset, view: State, decision: RuleChoice, plan: ActivationPlan | None) -> Pick | None:
    """Whether to use a once-per-game rule: if it helps enough, or few rounds are left."""
    unit = view.units[decision.about]
    rule = _rule(rules, view, unit, "uses_feat", decision.rule)
    if not isinstance(rule, UsesFeat):
        return None
    if rule.block.at == "moves":
        return Pick("yes" if plan is not None and plan.action in ("rush", "charge") else "no")
    if rule.block.at not in ("attacks", "shoots", "fights"):
        return None
    gain = _worth(rules, view, unit, rule.name, rule.block.blocks, plan)
    return Pick("yes" if gain >= WORTH_IT or view.round + 1 >= rules.constants.rounds else "no")


def pick_unit(rules: Ruleset, view: State, decision: RuleChoice, plan: ActivationPlan | None) -> Pick | None:
    """The unit to use a rule on: the enemy about to be attacked, or the friend that gains most."""
    unit = view.units[decision.about]
    rule = _rule(rules, view, unit, "picks_units", decision.rule)
    options = [option for option in decision.options if option.unit >= 0]
    if not isinstance(rule, PicksUnits) or not options:
        return None

    def worth(other: Unit) -> float:
        card = card_of(rules, view, other)
        if any(isinstance(block, b.Heal) for block in rule.block.then):
            return card.per_wound * max(model.wounds for model in other.models)
        if rule.block.on == "friend":
            return card.value * (1.0 if other.id == unit.id or not other.activated else 0.3)
        is_meant = plan is not None and plan.unit == unit.id and plan.target == other.id
        return card.value * (4.0 if is_meant else 1.0)

    best = max(options, key=lambda option: (worth(view.units[option.unit]), -option.unit))
    return Pick(best.key)


def _rule(rules: Ruleset, view: State, unit: Unit, hook: str, name: str) -> object:
    found = rules.hooks.of_unit(unit, view.profiles).get(hook, ())
    return next((rule for rule in found if rule.name == name), None)


def _worth(
    rules: Ruleset, view: State, unit: Unit, name: str, blocks: b.Blocks, plan: ActivationPlan | None
) -> float:
    """Extra wounds that a unit deals, and wounds that it is spared, with an effect; inches count a little."""
    if unit.place != "table":
        return 0.0
    given = (RuleRef(name, 0, False, blocks),)
    lent = replace(unit, effects=(*unit.effects, Effect(name, unit.models[0].id, "activation", given)))
    there = with_unit(view, lent)
    foes = list(_foes(view, unit, plan))
    dealt = max(
        (_dealt(rules, there, lent, foe) - _dealt(rules, view, unit, foe) for foe in foes), default=0.0
    )
    taken = max(
        (_dealt(rules, view, foe, unit) - _dealt(rules, there, foe, lent) for foe in foes), default=0.0
    )
    before, after = card_of(rules, view, unit), card_of(rules, there, lent)
    return dealt + taken + INCH * (after.advance - before.advance + after.charge - before.charge)


def _foes(view: State, unit: Unit, plan: ActivationPlan | None) -> Iterable[Unit]:
    """The enemy targeted by the plan, or the nearest ones."""
    if plan is not None and plan.unit == unit.id and plan.target >= 0 and view.units[plan.target].models:
        return (view.units[plan.target],)
    enemies = [
        other for other in view.units if other.side != unit.side and other.place == "table" and other.models
    ]
    return sorted(enemies, key=lambda other: (units_apart(view, unit.id, other.id), other.id))[:NEAREST]


def _dealt(rules: Ruleset, view: State, unit: Unit, foe: Unit) -> float:
    """The larger of the wounds a unit would deal to another by shooting, or in melee if it can get there."""
    apart = units_apart(view, unit.id, foe.id)
    shots = shooting_wounds(rules, view, unit, foe, apart)
    card = card_of(rules, view, unit)
    blows = melee_wounds(rules, view, unit, foe, CHARGE if apart else BLOW) if apart <= card.charge else 0.0
    return max(shots, blows)
