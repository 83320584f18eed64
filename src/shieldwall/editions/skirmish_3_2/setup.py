"""What must be settled about the table before a game of Skirmish 3.2 can begin."""

from __future__ import annotations

from shieldwall.core.errors import RefusedError
from shieldwall.core.state import MILLI, State, option
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.table.reasons import Reason
from shieldwall.table.sight_topdown import missing_values
from shieldwall.table.zones import ZoneRule, check_zones, zone_depth


class OrderOnTurn(TrunkStep):
    """Special rules that contradict each other or come at one moment: the side on turn orders them."""

    name = "ordering.turn"

    def go(self, game: Play) -> None:
        game.note(winner=game.rules.policies.dispute_sides(game.state)[0])


class CheckTable(TrunkStep):
    """A table that is too small, or whose pieces lack heights that the way of sight needs, is refused."""

    name = "setup.table"

    def go(self, game: Play) -> None:
        reasons = table_problems(game.rules, game.state)
        if reasons:
            cites = game.rules.cites
            raise RefusedError(tuple((reason.text, cites[reason.cite]) for reason in reasons))


def table_problems(rules: Ruleset, state: State) -> list[Reason]:
    """Everything that keeps a game from starting on this table."""
    constants = rules.constants
    rule = ZoneRule(constants.deploy_depth / MILLI, constants.army_separation / MILLI)
    free = option(state, "free-deployment-axis") == "on"
    problems: list[Reason] = []
    for axis in ("y", "x") if free else (state.axis,):
        depth = zone_depth(state.width, state.depth, axis, rule)
        problems += check_zones(state.width, state.depth, axis, depth, rule)
    if option(state, "sight-method") == "top-down":
        problems += missing_values(state.pieces)
    return list(dict.fromkeys(problems))
