"""Rules about moving, and about units that enter the table late."""

from __future__ import annotations

from shieldwall.rules.hooks import Crossing, Scope, SpecialRule, UnitContext

MOVE_ACTIONS = {"advance": 2000, "rush": 4000, "charge": 4000}


class Fast(SpecialRule):
    """+2 inches on Advance, +4 on Rush and Charge."""

    def move(self, ctx: UnitContext, action: str) -> int:
        return MOVE_ACTIONS.get(action, 0)


class Slow(SpecialRule):
    """-2 inches on Advance, -4 on Rush and Charge."""

    def move(self, ctx: UnitContext, action: str) -> int:
        return -MOVE_ACTIONS.get(action, 0)


class Musician(SpecialRule):
    """+1 inch on move actions for the whole unit."""

    scope: Scope = "any"

    def move(self, ctx: UnitContext, action: str) -> int:
        return 1000 if action in MOVE_ACTIONS else 0


class Flying(SpecialRule):
    """Passes over units and terrain and ignores terrain while moving."""

    def crossing(self, ctx: UnitContext) -> Crossing:
        return Crossing(units=True, terrain=True, difficult=True, sure_jumps=True)


class Strider(SpecialRule):
    """Difficult terrain does not slow it."""

    def crossing(self, ctx: UnitContext) -> Crossing:
        return Crossing(difficult=True)


class StriderJumps(SpecialRule):
    """Difficult terrain does not slow it, and it jumps on 2 or more."""

    def crossing(self, ctx: UnitContext) -> Crossing:
        return Crossing(difficult=True, jump_target=2)


class Immobile(SpecialRule):
    """Hold only."""

    scope: Scope = "any"

    def actions(self, ctx: UnitContext) -> frozenset[str]:
        return frozenset({"hold"})


class AmbushRoundOfArrival(SpecialRule):
    """May stay off the table and arrive later; holds no markers in the round it arrives."""

    scope: Scope = "all"

    def keeps_back(self, ctx: UnitContext) -> str:
        return "ambush"

    def may_seize(self, ctx: UnitContext, last_round: int) -> bool:
        return ctx.unit.arrived != ctx.state.round


class Scout(SpecialRule):
    """May be deployed after all other units."""

    scope: Scope = "all"

    def keeps_back(self, ctx: UnitContext) -> str:
        return "scout"
