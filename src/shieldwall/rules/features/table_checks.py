"""Requirements on the table before a game can begin, in editions that have any."""

from __future__ import annotations

from shieldwall.core.errors import RefusedError
from shieldwall.core.pending import Pending
from shieldwall.core.values import MILLI
from shieldwall.rules.ruleset import Play
from shieldwall.rules.steps.markers import CountToPlace
from shieldwall.table.zones import ZoneRule, check_zones


class CountOnRoomyTable(CountToPlace):
    """Markers as usual, but a table on which the armies would deploy too close to each other is refused first."""

    def ask(self, game: Play) -> Pending | None:
        rules, state = game.rules, game.state
        rule = ZoneRule(rules.constants.deploy_depth / MILLI, rules.constants.army_separation / MILLI)
        depth = rules.policies.deploy_depth(rules, state)
        reasons = check_zones(state.width, state.depth, state.axis, depth, rule)
        if reasons:
            raise RefusedError(tuple((reason.text, rules.cites[reason.cite]) for reason in reasons))
        return super().ask(game)
