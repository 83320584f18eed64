"""Decisions of Regiments 3.5 beyond numbers, steps and what all ranked regiments share."""

from __future__ import annotations

from shieldwall.core.state import State, option
from shieldwall.rules.features.regiments_policies import RankedPolicies
from shieldwall.rules.placing import Ground, near_zone_ground
from shieldwall.rules.ruleset import Ruleset


class RegimentsPolicies(RankedPolicies):
    """Scouts appear near their own zone; a switch leaves fighters in contact."""

    def late_ground(self, rules: Ruleset, state: State, side: int) -> Ground:
        constants = rules.constants
        edge = state.sides[side].edge
        return near_zone_ground(state, edge, self.deploy_depth(rules, state), constants.scout_within)

    def stays_in_contact(self, state: State) -> bool:
        return option(state, "stay-in-contact") == "on"
