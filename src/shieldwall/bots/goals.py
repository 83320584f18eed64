"""What a unit could do: hold, go to a marker, get an enemy in range, charge, retreat. Goals instead of a grid.

Ends of moves are estimated along the straight line; the actual route is found once a goal is chosen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from shieldwall.bots.board_summary import BoardSummary, SeenUnit, apart, heading_of
from shieldwall.bots.evaluation import Standpoint
from shieldwall.bots.movement import STRAIGHT, MoveWish, heading_to, turn_between
from shieldwall.core.grammar import unit_does
from shieldwall.core.state import CENTI, MILLI, Marker
from shieldwall.table.formations import FULL_TURN

FOES_SOUGHT = 2  # how many of the nearest enemies a unit considers approaching
MARKERS_SOUGHT = 3  # how many of the nearest markers a unit considers
ROOM = 1.2  # inches left before an enemy that is not charged
QUARTER = 90 * CENTI
INSIDE = 1.2  # inches by which a unit tries to be nearer to a marker than it must


class Goal(NamedTuple):
    """A possible action, where it would end, and its description."""

    action: str
    what: str
    wish: MoveWish
    place: Standpoint
    target: int = -1


def goals_of(sketch: BoardSummary, seen: SeenUnit) -> Iterator[Goal]:
    """Every goal worth considering for a unit; charges by straight distance only."""
    actions = seen.card.actions
    foes = sorted(sketch.foes, key=lambda foe: (apart(seen, foe), foe.unit.id))
    look = heading_to(seen.x, seen.y, foes[0].x, foes[0].y) if foes else heading_of(seen.unit)
    if "hold" in actions:
        here = Standpoint(seen.x, seen.y, look)
        yield Goal("hold", unit_does(seen.unit, "hold"), MoveWish(seen.x, seen.y, look), here)
    if "charge" in actions and seen.card.blows:
        yield from _charges(seen, foes)
    open_to = [foe for foe in foes[:FOES_SOUGHT] if _is_free(sketch, seen, foe)]
    walks = [
        (action, length)
        for action, length in (("advance", seen.card.advance), ("rush", seen.card.rush))
        if action in actions and length > 0
    ]
    for action, length in walks:
        yield from _to_markers(sketch, seen, action, length, look)
        yield from _to_foes(seen, open_to, action, length, look)
    if walks and foes:
        yield from _away(sketch, seen, foes, walks[0], look)


def _is_free(sketch: BoardSummary, seen: SeenUnit, foe: SeenUnit) -> bool:
    """Whether nothing impassable lies between two units."""
    if seen.card.flies:
        return True
    return sketch.ways(seen).is_free(seen.x, seen.y, foe.x, foe.y)


def _charges(seen: SeenUnit, foes: list[SeenUnit]) -> Iterator[Goal]:
    for foe in foes:
        if apart(seen, foe) > seen.card.charge:
            return
        bearing = heading_to(seen.x, seen.y, foe.x, foe.y)
        if seen.unit.block is not None and abs(turn_between(seen.unit.block.heading, bearing)) > QUARTER:
            continue
        place = _along(seen, foe.x, foe.y, apart(seen, foe), bearing)
        words = f"{unit_does(seen.unit, 'charge')} {foe.unit.name}"
        yield Goal("charge", words, MoveWish(foe.x, foe.y), place, foe.unit.id)


def _to_markers(
    sketch: BoardSummary, seen: SeenUnit, action: str, length: float, look: int
) -> Iterator[Goal]:
    goes = unit_does(seen.unit, action)
    for gap, marker in _nearest(sketch, seen):
        x, y = marker.x / MILLI, marker.y / MILLI
        far = math.hypot(x - seen.x, y - seen.y)
        if (
            action == "rush"
            and gap - (sketch.seize - INSIDE) <= seen.card.advance
            and "advance" in seen.card.actions
        ):
            continue  # an advance gets there too, and may shoot
        words = f"{goes} to marker {marker.id + 1}"
        yield _goal(seen, action, words, (x, y), min(length, far), look, marker.id)
        edge = gap - (sketch.seize - INSIDE)
        if 0 < edge < length and far - edge > 1.0:
            words = f"{goes} to the edge of marker {marker.id + 1}"
            yield _goal(seen, action, words, _point(seen, x, y, edge), edge, look)


def _nearest(sketch: BoardSummary, seen: SeenUnit) -> list[tuple[float, Marker]]:
    """The nearest markers with their distances."""
    ways = list(zip(sketch.gaps_here(seen), sketch.markers, strict=True))
    return sorted(ways, key=lambda way: (way[0], way[1].id))[:MARKERS_SOUGHT]


def _to_foes(seen: SeenUnit, foes: list[SeenUnit], action: str, length: float, look: int) -> Iterator[Goal]:
    reach = seen.card.reach
    for foe in foes:
        distance = apart(seen, foe)
        if action == "advance" and reach and distance > reach - 0.5:
            way = distance - reach + 0.5
            if way <= length:
                words = f"{unit_does(seen.unit, 'advance')} until {unit_does(foe.unit, 'are')} in range"
                yield _goal(seen, action, words, _point(seen, foe.x, foe.y, way), way, look)
        elif action == "advance" and reach:
            face = heading_to(seen.x, seen.y, foe.x, foe.y)
            words = f"{unit_does(seen.unit, 'close')} on {foe.unit.name}"
            way = min(length, max(0.0, distance - ROOM))
            yield _goal(seen, action, words, _point(seen, foe.x, foe.y, way), way, face)
        if action == "rush" and seen.card.blows:
            way = min(length, max(0.0, distance - ROOM))
            words = f"{unit_does(seen.unit, 'rush')} at {foe.unit.name}"
            yield _goal(seen, action, words, _point(seen, foe.x, foe.y, way), way, look)


def _away(
    sketch: BoardSummary, seen: SeenUnit, foes: list[SeenUnit], walk: tuple[str, float], look: int
) -> Iterator[Goal]:
    """Retreats from the nearest enemy, facing it; only by an Advance, which may go backward."""
    action, length = walk
    foe = foes[0]
    if action != "advance" or apart(seen, foe) > foe.card.charge + foe.card.advance:
        return
    back = length / 2 if seen.unit.block is not None else length
    far = max(0.1, math.hypot(seen.x - foe.x, seen.y - foe.y))
    x = seen.x + (seen.x - foe.x) / far * back
    y = seen.y + (seen.y - foe.y) / far * back
    width, depth = sketch.state.width / MILLI, sketch.state.depth / MILLI
    if 1 < x < width - 1 and 1 < y < depth - 1:
        words = f"{unit_does(seen.unit, 'fall')} back from {foe.unit.name}"
        yield Goal(action, words, MoveWish(x, y, look), Standpoint(x, y, look))


def _goal(
    seen: SeenUnit, action: str, words: str, to: tuple[float, float], way: float, look: int, marker: int = -1
) -> Goal:
    x, y = to
    bearing = heading_to(seen.x, seen.y, x, y) if way > 0.05 else look
    return Goal(action, words, MoveWish(x, y, look, marker), _along(seen, x, y, way, bearing, look))


def _along(
    seen: SeenUnit, x: float, y: float, way: float, bearing: int, look: int | None = None
) -> Standpoint:
    """Where a unit ends if it goes this far towards a point; blocks have a limited turn and face where they go."""
    heading = bearing
    if seen.unit.block is not None:
        start = seen.unit.block.heading
        turn = turn_between(start, bearing)
        if abs(turn) > QUARTER:
            heading = (start + (QUARTER if turn > 0 else -QUARTER)) % FULL_TURN
            way *= max(0.0, math.cos(math.radians((abs(turn) - QUARTER) / CENTI)))
        elif abs(turn) <= STRAIGHT and look is not None:
            heading = look
    elif look is not None:
        heading = look
    px, py = _point(seen, x, y, way)
    return Standpoint(px, py, heading)


def _point(seen: SeenUnit, x: float, y: float, way: float) -> tuple[float, float]:
    """The point `way` inches from a unit's middle towards another point."""
    far = math.hypot(x - seen.x, y - seen.y)
    if far < 0.001:
        return seen.x, seen.y
    return seen.x + (x - seen.x) * way / far, seen.y + (y - seen.y) * way / far
