"""Moves that rules allow besides those of an action: before the first round, and when an enemy has come near."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.frames import Activation, Movement
from shieldwall.core.state import MILLI, Unit
from shieldwall.geometry.tolerance import within
from shieldwall.rules.army.conditions import is_shaken
from shieldwall.rules.army.feats import is_used
from shieldwall.rules.army.fighting import MovesAfter
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.table.measure import units_apart

EARLY, NEARED = "all deployed", "enemy moved"


class MoveBeforeFirstRound(TrunkStep):
    """Once everybody is deployed, units whose rules allow it may move."""

    name = "deploy.rule_moves"
    needs = ("moves_after",)

    def go(self, game: Play) -> None:
        for unit in game.state.units:
            rule = _unused(game, unit, EARLY)
            if rule is not None:
                _move(game, unit, rule)
                return


class MoveWhenEnemyNears(TrunkStep):
    """When a unit has ended an Advance or a Rush, enemies near it may move if their rules allow it."""

    name = "act.reactions"
    needs = ("moves_after",)

    def go(self, game: Play) -> None:
        frame = game.top(Activation)
        mover = game.state.units[frame.unit]
        if frame.action not in ("advance", "rush") or not frame.moved or mover.place != "table":
            return
        for unit in game.state.units:
            rule = _unused(game, unit, NEARED) if unit.side != mover.side else None
            if rule is None or is_shaken(unit):
                continue
            if within(units_apart(game.state, mover.id, unit.id), rule.block.near / MILLI):
                _move(game, unit, rule)
                return


def _unused(game: Play, unit: Unit, moment: str) -> MovesAfter | None:
    """A rule by which a unit on the table may move at a moment, if it has not done so as often as it may."""
    if unit.place != "table" or not unit.models:
        return None
    for rule in game.rules.hooks.of_unit(unit, game.state.profiles).get("moves_after", ()):
        assert isinstance(rule, MovesAfter)
        if rule.block.at == moment and not is_used(game.state, unit, rule):
            return rule
    return None


def _move(game: Play, unit: Unit, rule: MovesAfter) -> None:
    game.emit(ev.WeaponUsed(unit=unit.id, model=-1, key=rule.name))
    reach = rule.amount(rule.block.reach)
    game.push(Movement(procedure="move.spell", unit=unit.id, action="rule", allowance=reach), again=True)
