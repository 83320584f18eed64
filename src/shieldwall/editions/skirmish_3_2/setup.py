"""What must be settled about the table before a game of Skirmish 3.2 can begin."""

from __future__ import annotations

from shieldwall.core.errors import RefusedError
from shieldwall.core.state import MILLI, State, Unit, option
from shieldwall.geometry.tolerance import over
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.deployment import reserve_kinds
from shieldwall.table.reasons import TableReason
from shieldwall.table.shapes import MM_PER_INCH
from shieldwall.table.sight_methods import missing_values
from shieldwall.table.zones import ZoneRule, check_zones, zone_depth


class OrderOnTurn(TrunkStep):
    """Special rules that contradict each other or come at one moment: the side on turn orders them."""

    name = "ordering.turn"

    def go(self, game: Play) -> None:
        game.note(winner=game.rules.policies.dispute_sides(game.state)[0])


class CheckTable(TrunkStep):
    """A table is refused if it is too small, or if its pieces lack heights that the sight method needs."""

    name = "setup.table"

    def go(self, game: Play) -> None:
        reasons = table_problems(game.rules, game.state)
        if reasons:
            cites = game.rules.cites
            raise RefusedError(tuple((reason.text, cites[reason.cite]) for reason in reasons))


def table_problems(rules: Ruleset, state: State) -> list[TableReason]:
    """Everything that keeps a game from starting on this table."""
    constants = rules.constants
    rule = ZoneRule(constants.deploy_depth / MILLI, constants.army_separation / MILLI)
    free = option(state, "free-deployment-axis") == "on"
    problems: list[TableReason] = []
    for axis in ("y", "x") if free else (state.axis,):
        depth = zone_depth(state.width, state.depth, axis, rule)
        problems += check_zones(state.width, state.depth, axis, depth, rule) or too_large(
            rules, state, depth / MILLI
        )
    if option(state, "sight-method") == "top-down":
        problems += missing_values(state.pieces)
    return list(dict.fromkeys(problems))


def too_large(rules: Ruleset, state: State, depth: float) -> tuple[TableReason, ...]:
    """Units with a base that finds no room in zones of this depth, unless they can stay away from them."""
    return tuple(
        TableReason(
            f"the deployment zones are {depth:g} inches deep; {unit.name} needs {needed:.2f}", "setup.table"
        )
        for unit in state.units
        if over(needed := narrowest_zone(state, unit), depth)
        and "ambush" not in reserve_kinds(rules, state, unit)
    )


def narrowest_zone(state: State, unit: Unit) -> float:
    """How deep, in inches, a zone must be for every base of the unit, however it is turned."""
    bases = [state.profiles[model.profile].base for model in unit.models]
    return max((min(base.width, base.depth) for base in bases), default=0.0) / MM_PER_INCH
