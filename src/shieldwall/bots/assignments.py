"""Assigns units to markers: each unit gets one, the nearest first."""

from __future__ import annotations

import math
from typing import NamedTuple

from shieldwall.bots.board_summary import BoardSummary, SeenUnit
from shieldwall.bots.simulation.places import NEVER
from shieldwall.core.state import Marker

SOON = 1.3  # turns within which an enemy is a threat to a marker
CROWD = 0.8  # turns that each friend assigned to the same marker adds to the distance
FIGHT = 0.5  # turns by which an enemy at a marker shortens the distance for units that come to help


class Assignment(NamedTuple):
    """The index of the marker that a unit is assigned to, and how much it is needed there, 0 to 1."""

    at: int
    need: float


def turns_to(sketch: BoardSummary, seen: SeenUnit, gap: float) -> float:
    """Turns a unit needs to get near enough to a marker at this distance."""
    way = gap - sketch.seize
    if way <= 0:
        return 0.0
    pace = pace_of(seen)
    return way / pace if pace > 0 else NEVER


def pace_of(seen: SeenUnit) -> float:
    """Inches that a unit gets nearer to a marker each turn; 0 for one that does not move."""
    card = seen.card
    speed = card.rush if "rush" in card.actions else card.advance
    return speed * 0.92 if speed > 0 and len(card.actions) >= 2 else 0.0


def duties_of(sketch: BoardSummary) -> dict[int, Assignment]:
    """The assignment of every friend that can still reach a marker in time."""
    ways: list[tuple[float, int, int]] = []
    for seen in sketch.friends:
        if _is_out(sketch, seen):
            continue
        left = sketch.rounds_left + (0 if seen.unit.activated else 1)
        for at, way in enumerate(sketch.ways_here(seen)):
            turns = turns_to(sketch, seen, way)
            if math.ceil(turns) <= left:
                ways.append((turns, seen.unit.id, at))
    ways.sort()
    found: dict[int, Assignment] = {}
    helpers = [0] * len(sketch.markers)
    for _, unit, at in ways:
        if unit not in found and not helpers[at]:
            helpers[at] = 1
            found[unit] = Assignment(at, _need(sketch, sketch.markers[at]))
    _send_the_rest(sketch, ways, helpers, found)
    return found


def _send_the_rest(
    sketch: BoardSummary, ways: list[tuple[float, int, int]], helpers: list[int], found: dict[int, Assignment]
) -> None:
    """Send units that are not the first at any marker where they are needed most."""
    foes = [_foes_soon(sketch, marker) for marker in sketch.markers]
    left: dict[int, list[tuple[float, int]]] = {}
    for turns, unit, at in ways:
        if unit not in found:
            left.setdefault(unit, []).append((turns, at))
    for unit, open_to in left.items():
        _, at = min((turns + CROWD * helpers[at] - FIGHT * foes[at], at) for turns, at in open_to)
        helpers[at] += 1
        need = 0.6 if foes[at] >= helpers[at] else 0.25
        found[unit] = Assignment(at, need)


def _is_out(sketch: BoardSummary, seen: SeenUnit) -> bool:
    """Whether a unit can no longer hold anything."""
    return seen.unit.broken and sketch.rounds_left == 0


def _need(sketch: BoardSummary, marker: Marker) -> float:
    """How much the first unit at a marker is needed: less if the marker is ours and no enemy comes for it."""
    if marker.holder != sketch.side:
        return 1.0
    return 0.9 if _foes_soon(sketch, marker) else 0.35


def _foes_soon(sketch: BoardSummary, marker: Marker) -> int:
    """Enemies that are at a marker or will be there soon."""
    return sum(
        1
        for gap, seen in sketch.near(marker)
        if seen.unit.side != sketch.side and not seen.unit.broken and turns_to(sketch, seen, gap) <= SOON
    )
