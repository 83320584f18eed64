"""Units that carry others: who fits, and loading before the battle.

How big passengers may be, which actions let them get in and out, and how far from the carrier, are data, so that
editions differ by values. Getting in is in `carry_board`, getting out in `carry_leave` and, for ranked blocks, in
`carry_block`, wrecks in `carry_wreck`.
"""

from __future__ import annotations

from msgspec import Struct

from shieldwall.core.state import State, Unit
from shieldwall.rules.hooks import UnitContext
from shieldwall.rules.ruleset import Ruleset

MOVE_ACTIONS = ("advance", "rush", "charge")


class SeatRule(Struct, frozen=True):
    """How many spaces some models take up: those up to a toughness, of some kinds, or only those that join units."""

    spaces: int
    tough_max: int
    joiners_only: bool = False
    kinds: tuple[str, ...] = ()


class CarryRules(Struct, frozen=True):
    """Where editions with carriers differ. The first seat that fits a model counts; without one it cannot ride."""

    seats: tuple[SeatRule, ...]
    leave_within: int
    board_by: tuple[str, ...] = MOVE_ACTIONS
    leave_by: tuple[str, ...] = MOVE_ACTIONS


def capacity(rules: Ruleset, state: State, carrier: Unit) -> int:
    """The spaces of all living models of a carrier."""
    carrying = rules.hooks.by_hook("carries", state.profiles)
    if not carrying:
        return 0
    ctx = UnitContext(state, carrier)
    kinds = [model.profile for model in carrier.models if model.profile in carrying]
    return sum(rule.carries(ctx) for kind in kinds for rule in carrying[kind])


def passengers(state: State, carrier: int) -> tuple[Unit, ...]:
    """Units that ride in a carrier."""
    return tuple(
        unit for unit in state.units if unit.inside == carrier and unit.place == "inside" and unit.models
    )
