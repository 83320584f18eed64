"""Rules by which friendly units are taken up and deployed again once all others are on the table."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick, Placed
from shieldwall.core.frames import Preparation
from shieldwall.core.pending import Option, Pending
from shieldwall.core.state import State, Unit
from shieldwall.rules.army.fighting import DeploysAgain
from shieldwall.rules.army.picking import RuleChoice
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep

DEPLOY_AGAIN = "rule.deploy_again"  # the procedure
NOBODY = "none"


class DeployAgain(TrunkStep):
    """Sides take turns, the one that goes first begins: pick a friendly unit, then place it in the zone again."""

    name = "deploy.again"

    def ask(self, game: Play) -> Pending | None:
        picked = game.top(Preparation).unit
        if picked >= 0:
            return self._place(game, game.state.units[picked])
        found = next_to_pick(game.rules, game.state)
        if found is None:
            return None
        unit, rule = found
        options = tuple(Option(f"u{one.id}", one.name, one.id) for one in movable(game.state, unit, rule))
        words = f"{unit.name}: which unit is deployed again?"
        return RuleChoice(
            "rule_pick", unit, rule.name, words, (*options, Option(NOBODY, "no more units")), NOBODY
        )

    def _place(self, game: Play, unit: Unit) -> Pending:
        ground = game.rules.policies.deploy_ground(game.rules, game.state, unit.side)
        prompt = f"Place {unit.name} in your deployment zone again"
        return game.rules.policies.place_question(
            game.rules, game.state, unit, ground, "deploy_place", prompt
        )

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        if isinstance(answer, Placed):
            unit = game.top(Preparation).unit
            cite = game.rules.cite("deploy.zone")
            game.emit(ev.UnitPlaced(unit=unit, poses=answer.poses, how="deploy", cite=cite))
            game.note(unit=-1)
        else:
            assert isinstance(answer, Pick)
            asked = game.question(RuleChoice)
            game.emit(ev.PickMade(unit=asked.unit.id, what=asked.rule, value=answer.option))
            if answer.option != NOBODY:
                game.note(unit=int(answer.option[1:]))
        game.stay()


DEPLOYED_AGAIN: tuple[TrunkStep, ...] = (DeployAgain(),)


def next_to_pick(rules: Ruleset, state: State) -> tuple[Unit, DeploysAgain] | None:
    """The unit whose rule may be used next: the sides by turns, those that made fewest picks first."""
    bearers = rules.hooks.by_hook("deploys_again", state.profiles)
    if not bearers:
        return None
    found = [
        (unit, rule)
        for unit in state.units
        if unit.place == "table"
        for model in unit.models
        for rule in bearers.get(model.profile, ())
        if isinstance(rule, DeploysAgain) and _may_pick(state, unit, rule)
    ]
    count = len(state.sides)
    names = {rule.name for printed in bearers.values() for rule in printed}

    def turn(one: tuple[Unit, DeploysAgain]) -> tuple[int, int, int]:
        side = one[0].side
        return _picks_of(state, side, names), (side - state.first_side) % count, one[0].id

    return min(found, key=turn, default=None)


def _picks_of(state: State, side: int, names: set[str]) -> int:
    """How many picks for units that are deployed again a side has made."""
    return sum(what in names for unit in state.units if unit.side == side for what, _ in unit.picks)


def _may_pick(state: State, unit: Unit, rule: DeploysAgain) -> bool:
    made = [value for what, value in unit.picks if what == rule.name]
    return (
        NOBODY not in made and len(made) < rule.amount(rule.block.count) and bool(movable(state, unit, rule))
    )


def movable(state: State, unit: Unit, rule: DeploysAgain) -> tuple[Unit, ...]:
    """Friendly units on the table that were not deployed again by the same rule."""
    made = {value for what, value in unit.picks if what == rule.name}
    return tuple(
        other
        for other in state.units
        if other.side == unit.side and other.place == "table" and other.models and f"u{other.id}" not in made
    )
