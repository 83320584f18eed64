"""The numbers of an edition. Lengths are thousandths of an inch, angles hundredths of a degree."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shieldwall.core.values import CENTI, MILLI


def inches(value: float) -> int:
    """Inches as the engine's whole numbers."""
    return round(value * MILLI)


def degrees(value: float) -> int:
    """Degrees as the engine's whole numbers."""
    return round(value * CENTI)


class Constants(Struct, frozen=True, kw_only=True):
    """Every number two editions might disagree about."""

    table: tuple[int, int]
    rounds: int = 4
    deploy_depth: int = inches(12)
    army_separation: int = inches(24)
    marker_gap_over: int = inches(9)
    seize_within: int = inches(3)
    control_lasts: bool = True
    terrain_min: int = 10
    terrain_advised: int = 15
    points_starter: int = 750
    points_full: int = 1500
    advance: int = inches(6)
    rush: int = inches(12)
    charge: int = inches(12)
    spacing: int = inches(1)
    half_moves: bool = False
    pivot_hold: int = 0
    pivot_move: int = 0
    pivot_idle: int = 0
    pivot_survivor: int = 0
    survivor_move: int = inches(3)
    separate: int = inches(1)
    striking_rows: int = 0
    strike_reach: int = inches(2)
    react: int = inches(3)
    coherency_link: int = inches(1)
    coherency_spread: int = inches(6)
    coherency_shape: Literal["chain", "letter", "ranks"] = "chain"
    mates_obstruct: bool = True
    difficult_cap: int = inches(6)
    climb_free: int = 0
    climb_max: int = inches(3)
    gap_walk: int = inches(1)
    jump_max: int = inches(6)
    jump_target: int = 3
    fall_hurts_from: int = inches(2)
    fall_place_within: int = inches(2)
    push_target: int = 4
    push_within: int = inches(2)
    long_range_over: int = inches(9)
    split_targets: int = 2
    token_cap: int = 6
    cast_target: int = 4
    meddle_within: int = inches(18)
    aura_within: int = inches(12)
    ambush_from_round: int = 2
    ambush_enemy_over: int = inches(9)
    ambush_edge_within: int = 0
    scout_within: int = inches(12)
