"""Where units may be put down: zones as plain data, questions answered by the features."""

from __future__ import annotations

from msgspec import Struct

from shieldwall.core.state import State

OPPOSITE = {"south": "north", "north": "south", "west": "east", "east": "west"}


class Zone(Struct, frozen=True):
    """A rectangle units must lie wholly inside, in thousandths of an inch.

    `edge_within` asks for a strip along any table edge instead; `enemy_over` for a distance to all enemies.
    """

    x0: int
    y0: int
    x1: int
    y1: int
    cite: str
    edge_within: int = 0
    enemy_over: int = 0


def edges_of(state: State) -> tuple[str, str]:
    """The two table edges that are deployed on."""
    return ("south", "north") if state.axis == "y" else ("west", "east")


def edge_strip(state: State, edge: str, depth: int, cite: str) -> Zone:
    """The strip of a given depth along an edge."""
    width, height = state.width, state.depth
    if edge == "south":
        return Zone(0, 0, width, min(depth, height), cite)
    if edge == "north":
        return Zone(0, max(0, height - depth), width, height, cite)
    if edge == "west":
        return Zone(0, 0, min(depth, width), height, cite)
    return Zone(max(0, width - depth), 0, width, height, cite)


def whole_table(state: State, cite: str, edge_within: int = 0, enemy_over: int = 0) -> Zone:
    """Anywhere on the table, with the distances a rule asks for."""
    return Zone(0, 0, state.width, state.depth, cite, edge_within, enemy_over)
