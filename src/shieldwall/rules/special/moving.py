"""Rules about moving, and about coming to the table late."""

from __future__ import annotations

from typing import ClassVar

from shieldwall.rules.hooks import Crossing, Scope, SpecialRule

_STEP = {"advance": 2000, "rush": 4000, "charge": 4000}


class Fast(SpecialRule):
    """+2 inches on Advance, +4 on Rush and Charge."""

    def move(self, action: str) -> int:
        return _STEP.get(action, 0)


class Slow(SpecialRule):
    """-2 inches on Advance, -4 on Rush and Charge."""

    def move(self, action: str) -> int:
        return -_STEP.get(action, 0)


class Musician(SpecialRule):
    """+1 inch on move actions for the whole unit."""

    scope: ClassVar[Scope] = "any"

    def move(self, action: str) -> int:
        return 1000 if action in _STEP else 0


class MusicianAura(SpecialRule):
    """+1 inch on move actions for the bearer's unit and friends within 12 inches."""

    scope: ClassVar[Scope] = "aura"

    def move(self, action: str) -> int:
        return 1000 if action in _STEP else 0


class Flying(SpecialRule):
    """Passes over units and terrain and ignores terrain while moving."""

    def crossing(self) -> Crossing:
        return Crossing(units=True, terrain=True, difficult=True, sure_jumps=True)


class Strider(SpecialRule):
    """Difficult terrain does not slow it."""

    def crossing(self) -> Crossing:
        return Crossing(difficult=True)


class StriderJumps(SpecialRule):
    """Difficult terrain does not slow it, and it jumps on 2 or more."""

    def crossing(self) -> Crossing:
        return Crossing(difficult=True, jump_target=2)


class Immobile(SpecialRule):
    """Hold only."""

    scope: ClassVar[Scope] = "any"

    def actions(self) -> frozenset[str]:
        return frozenset({"hold"})


class AmbushRoundOfArrival(SpecialRule):
    """May stay off the table and come in later; holds no markers in the round it arrives."""

    scope: ClassVar[Scope] = "all"

    def keeps_back(self) -> str:
        return "ambush"

    def may_seize(self, arrived: int, round_number: int, last_round: int) -> bool:
        return arrived != round_number


class AmbushLastRound(SpecialRule):
    """May stay off the table and come in later; holds no markers if it arrives in the last round."""

    scope: ClassVar[Scope] = "all"

    def keeps_back(self) -> str:
        return "ambush"

    def may_seize(self, arrived: int, round_number: int, last_round: int) -> bool:
        return arrived != last_round


class Scout(SpecialRule):
    """May be set up after all other units."""

    scope: ClassVar[Scope] = "all"

    def keeps_back(self) -> str:
        return "scout"
