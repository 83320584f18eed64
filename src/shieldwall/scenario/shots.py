"""Whom a unit could shoot at if it held now, by the edition's own question: guns on Hold, buildings and all."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.engine import Game
from shieldwall.core.frames import Activation
from shieldwall.core.state import State, Unit
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.shoot import ChooseTargets
from shieldwall.rules.steps.targets import Targets


def shots_on_hold(rules: Ruleset, state: State, unit: Unit, action: str = "hold") -> Targets:
    """The question that a Hold of a unit, or another action, would lead to; nothing is played for it."""
    step = next(
        step for steps in rules.procedures.values() for step in steps if isinstance(step, ChooseTargets)
    )
    holding = Activation(procedure="activation", unit=unit.id, action=action)
    return step.targets(Game(rules, replace(state, stack=(*state.stack, holding))), unit)
