"""Decisions of Regiments 3.4 beyond numbers, steps and what all ranked regiments share."""

from __future__ import annotations

from shieldwall.core.frames import Wreck
from shieldwall.core.pending import Option
from shieldwall.core.state import State, Unit, option
from shieldwall.editions.regiments_3_4.boarding import boarding_options
from shieldwall.editions.regiments_3_4.carried_blocks import BlockExit, exit_charge_options
from shieldwall.rules.army.impulse import closest_charges, impulse_of
from shieldwall.rules.constants import inches
from shieldwall.rules.features.block import PartBlocks
from shieldwall.rules.features.carry import CarryRules, SeatRule
from shieldwall.rules.features.carry_wreck import wreck_of
from shieldwall.rules.features.regiments_policies import RankedPolicies
from shieldwall.rules.features.tokens import TokenRules
from shieldwall.rules.place_question import PlaceQuestion
from shieldwall.rules.placing import Ground, ambush_ground
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.exits import Exit

# Ordinary models and heroes up to Tough(6) take one space, others up to Tough(3) three (R34-SR-TRANSPORT-01).
CARRY = CarryRules(
    seats=(SeatRule(1, 1), SeatRule(1, 6, joiners_only=True), SeatRule(3, 3)), leave_within=inches(6)
)
AMBUSH_DISTANCE = inches(9)
FRONT_ONLY = TokenRules(any_direction=False)


class Regiments34Policies(RankedPolicies):
    """Casters look ahead; nothing keeps ambushers away from enemies; units ride inside others."""

    tokens = FRONT_ONLY

    def markers_must_be_reached(self) -> bool:
        return False

    def ambush_ground(self, rules: Ruleset, state: State, side: int) -> Ground:
        away = AMBUSH_DISTANCE if option(state, "ambush-distance") == "over-nine" else 0
        return ambush_ground(state, rules.constants.ambush_edge_within, away)

    def may_hold_markers(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        # passengers of an ambushing carrier have deployed via Ambush, too
        return unit.arrived != state.round and super().may_hold_markers(rules, state, unit)

    def charge_options(self, rules: Ruleset, state: State, unit: Unit) -> tuple[Option, ...]:
        if unit.place == "inside":
            options = exit_charge_options(rules, state, unit, CARRY)
            return closest_charges(rules, state, unit, options)
        charges = super().charge_options(rules, state, unit)
        if impulse_of(rules, state, unit) and (charges or self.can_shoot_on_hold(rules, state, unit)):
            return charges  # it attacks rather than get in
        return charges + boarding_options(rules, state, unit, CARRY)

    def models_in_danger(self, rules: Ruleset, state: State, unit: Unit) -> tuple[tuple[int, int], ...]:
        return super().models_in_danger(rules, state, unit) if unit.place == "table" else ()

    def exit_question(
        self, rules: Ruleset, state: State, unit: Unit, way_out: Exit, kind: str, prompt: str
    ) -> PlaceQuestion:
        return BlockExit(rules, state, unit, way_out, kind, prompt)

    def wreck_of(self, state: State, unit: Unit, cause: str) -> Wreck | None:
        return wreck_of(state, unit, cause)


class PartToGap(PartBlocks):
    """As usual, but the charger steps back only far enough to leave an inch between them."""

    to_gap = True
