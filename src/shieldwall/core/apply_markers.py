"""How events about missions, markers and secrets change the state."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.state import Marker, Piece, Pose, State


def mission_chosen(state: State, event: ev.MissionChosen) -> State:
    """What the game is about."""
    return replace(state, mission=event.mission)


def marker_placed(state: State, event: ev.MarkerPlaced) -> State:
    """A marker lies on the table."""
    marker = Marker(event.marker, event.x, event.y, event.z, owner=event.owner)
    return replace(state, markers=(*state.markers, marker))


def marker_flipped(state: State, event: ev.MarkerFlipped) -> State:
    """A marker changes hands."""
    return with_marker(state, replace(state.markers[event.marker], holder=event.holder))


def with_marker(state: State, marker: Marker) -> State:
    """The state with one marker replaced."""
    markers = list(state.markers)
    markers[marker.id] = marker
    return replace(state, markers=tuple(markers))


def marker_taken(state: State, event: ev.MarkerTaken) -> State:
    """A unit carries a marker from now on."""
    marker = state.markers[event.marker]
    holder = state.units[event.unit].side
    state = with_marker(state, replace(marker, carrier=event.unit, holder=holder))
    bearer = state.units[event.unit]
    pose = bearer.block or (bearer.poses[0] if bearer.poses else None)
    return put_away(state, event.unit) if pose is None else carry_along(state, event.unit, pose)


def marker_dropped(state: State, event: ev.MarkerDropped) -> State:
    """A marker lies on the ground again."""
    marker = state.markers[event.marker]
    lying = replace(marker, x=event.x, y=event.y, z=event.z, carrier=-1, holder=-1)
    return with_zone(with_marker(state, lying), lying)


def marker_gone(state: State, event: ev.MarkerGone) -> State:
    """A marker exists no longer."""
    marker = state.markers[event.marker]
    state = without_zone(state, marker)
    return with_marker(state, replace(marker, gone=True, holder=-1, carrier=-1, zone=-1))


def secret_found(state: State, event: ev.SecretFound) -> State:
    """What a piece or a marker is about is known."""
    if event.piece >= 0:
        pieces = tuple(
            replace(piece, secret=event.result) if piece.id == event.piece else piece
            for piece in state.pieces
        )
        return replace(state, pieces=pieces)
    marker = replace(state.markers[event.marker], secret=event.result)
    return with_zone(with_marker(state, marker), marker)


def with_zone(state: State, marker: Marker) -> State:
    """The zone around a marker whose secret affects the ground; it moves with the marker."""
    types = ZONES.get(marker.secret)
    if types is None:
        return state
    ring = [marker_ring(corner) for corner in range(ZONE_CORNERS)]
    outline = tuple((marker.x + x, marker.y + y) for x, y in ring)
    if marker.zone >= 0:
        pieces = (replace(one, outline=outline) if one.id == marker.zone else one for one in state.pieces)
        return replace(state, pieces=tuple(pieces))
    # Tables number their pieces from 0 or from 1.
    number = max((piece.id for piece in state.pieces), default=-1) + 1
    zone = Piece(number, f"round objective {marker.id}", "zone", outline, types=types)
    state = replace(state, pieces=(*state.pieces, zone))
    return with_marker(state, replace(marker, zone=zone.id))


def without_zone(state: State, marker: Marker) -> State:
    """Remove the effect of the zone around a marker; the piece stays, because pieces are identified by number."""
    if marker.zone < 0:
        return state
    pieces = tuple(replace(one, types=()) if one.id == marker.zone else one for one in state.pieces)
    return replace(state, pieces=pieces)


def marker_ring(corner: int) -> tuple[int, int]:
    """One corner of the zone round a marker."""
    angle = 2 * math.pi * corner / ZONE_CORNERS
    reach = ZONE_REACH / math.cos(
        math.pi / ZONE_CORNERS
    )  # the edges touch the circle, the corners are outside
    return round(reach * math.sin(angle)), round(reach * math.cos(angle))


ZONE_REACH = 3001  # thousandths of an inch: a base at exactly 3 inches reaches into it
ZONE_CORNERS = 96
ZONES: dict[int, tuple[str, ...]] = {3: ("dangerous",), 4: ("difficult",)}


def carry_along(state: State, unit: int, pose: Pose) -> State:
    """Markers lie wherever the unit is that carries them."""
    for marker in state.markers:
        if marker.carrier == unit:
            moved = replace(marker, x=pose.x, y=pose.y, z=pose.z)
            state = with_zone(with_marker(state, moved), moved)
    return state


def put_away(state: State, unit: int) -> State:
    """Markers of a unit that goes into something do nothing to the ground until it is out again."""
    for marker in state.markers:
        if marker.carrier == unit and marker.zone >= 0:
            state = with_marker(without_zone(state, marker), replace(marker, zone=-1))
    return state


# The value type differs from entry to entry, which a dictionary cannot say.
MARKER_WRITERS: dict[type[Any], Callable[[State, Any], State]] = {
    ev.MissionChosen: mission_chosen,
    ev.MarkerPlaced: marker_placed,
    ev.MarkerFlipped: marker_flipped,
    ev.MarkerTaken: marker_taken,
    ev.MarkerDropped: marker_dropped,
    ev.MarkerGone: marker_gone,
    ev.SecretFound: secret_found,
}
