"""What must be settled about the table before a game can begin, where a book insists on it."""

from __future__ import annotations

from shieldwall.core.errors import RefusedError
from shieldwall.core.pending import Pending
from shieldwall.core.values import MILLI
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.rules.steps.markers import CountToPlace
from shieldwall.table.terrain import untyped_pieces
from shieldwall.table.zones import ZoneRule, check_zones


class RefuseUntyped(TrunkStep):
    """A game with pieces of terrain about which nothing was agreed does not start; "open" is an agreement, too."""

    name = "setup.types"

    def go(self, game: Play) -> None:
        cite = game.rules.cite("setup.types")
        unsettled = untyped_pieces(game.state)
        if unsettled:
            raise RefusedError(
                tuple(
                    (f"nobody agreed what {piece.name} (piece {piece.id}) does", cite) for piece in unsettled
                )
            )


class CountOnRoomyTable(CountToPlace):
    """Markers as usual; a table on which the armies would deploy too close to each other is refused before."""

    def ask(self, game: Play) -> Pending | None:
        rules, state = game.rules, game.state
        rule = ZoneRule(rules.constants.deploy_depth / MILLI, rules.constants.army_separation / MILLI)
        depth = rules.policies.deploy_depth(rules, state)
        reasons = check_zones(state.width, state.depth, state.axis, depth, rule)
        if reasons:
            raise RefusedError(tuple((reason.text, rules.cites[reason.cite]) for reason in reasons))
        return super().ask(game)
