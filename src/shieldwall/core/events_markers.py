"""Events about missions, objective markers and their secrets."""

from __future__ import annotations

import math

from msgspec.structs import replace

from shieldwall.core.event import Event
from shieldwall.core.state import Marker, Piece, Pose, State, with_fields

ZONE_REACH = 3001  # thousandths of an inch: a base at exactly 3 inches reaches into it
ZONE_CORNERS = 96
ZONES: dict[int, tuple[str, ...]] = {3: ("dangerous",), 4: ("difficult",)}


class MissionChosen(Event, frozen=True, tag="mission_chosen"):
    """The mission was chosen, by agreement or by a die."""

    mission: str

    def apply(self, state: State) -> State:
        return with_fields(state, mission=self.mission)


class MarkerPlaced(Event, frozen=True, tag="marker_placed"):
    """An objective marker was placed; `owner` is the side it belongs to, if markers belong to sides."""

    marker: int
    x: int
    y: int
    side: int
    z: int = 0
    owner: int = -1

    def apply(self, state: State) -> State:
        marker = Marker(self.marker, self.x, self.y, self.z, owner=self.owner)
        return with_fields(state, markers=(*state.markers, marker))


class MarkerFlipped(Event, frozen=True, tag="marker_flipped"):
    """A marker changed hands; -1 is neutral."""

    marker: int
    holder: int
    before: int

    def apply(self, state: State) -> State:
        return with_marker(state, replace(state.markers[self.marker], holder=self.holder))


class MarkerTaken(Event, frozen=True, tag="marker_taken"):
    """A unit picked a marker up and carries it from now on."""

    marker: int
    unit: int

    def apply(self, state: State) -> State:
        marker = state.markers[self.marker]
        holder = state.units[self.unit].side
        state = with_marker(state, replace(marker, carrier=self.unit, holder=holder))
        bearer = state.units[self.unit]
        pose = bearer.block or (bearer.poses[0] if bearer.poses else None)
        return put_away(state, self.unit) if pose is None else carry_along(state, self.unit, pose)


class MarkerDropped(Event, frozen=True, tag="marker_dropped"):
    """A marker was dropped where the unit that carried it was destroyed."""

    marker: int
    x: int
    y: int
    z: int = 0

    def apply(self, state: State) -> State:
        marker = state.markers[self.marker]
        lying = replace(marker, x=self.x, y=self.y, z=self.z, carrier=-1, holder=-1)
        return with_zone(with_marker(state, lying), lying)


class MarkerGone(Event, frozen=True, tag="marker_gone"):
    """A marker was destroyed."""

    marker: int
    side: int

    def apply(self, state: State) -> State:
        marker = state.markers[self.marker]
        state = without_zone(state, marker)
        return with_marker(state, replace(marker, gone=True, holder=-1, carrier=-1, zone=-1))


class SecretFound(Event, frozen=True, tag="secret_found"):
    """The first unit to reach a piece of terrain, or an objective, learned its secret."""

    unit: int
    result: int
    piece: int = -1
    marker: int = -1

    def apply(self, state: State) -> State:
        if self.piece >= 0:
            pieces = tuple(
                replace(piece, secret=self.result) if piece.id == self.piece else piece
                for piece in state.pieces
            )
            return replace(state, pieces=pieces)
        marker = replace(state.markers[self.marker], secret=self.result)
        return with_zone(with_marker(state, marker), marker)


def with_marker(state: State, marker: Marker) -> State:
    """The state with one marker replaced."""
    markers = list(state.markers)
    markers[marker.id] = marker
    return with_fields(state, markers=tuple(markers))


def with_zone(state: State, marker: Marker) -> State:
    """The zone around a marker whose secret affects the ground; it moves with the marker."""
    types = ZONES.get(marker.secret)
    if types is None:
        return state
    outline = tuple((marker.x + x, marker.y + y) for x, y in map(_zone_corner, range(ZONE_CORNERS)))
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


def _zone_corner(corner: int) -> tuple[int, int]:
    angle = 2 * math.pi * corner / ZONE_CORNERS
    # the edges touch the circle, the corners are outside
    reach = ZONE_REACH / math.cos(math.pi / ZONE_CORNERS)
    return round(reach * math.sin(angle)), round(reach * math.cos(angle))


def carry_along(state: State, unit: int, pose: Pose) -> State:
    """Move the markers that a unit carries along with it."""
    for marker in state.markers:
        if marker.carrier == unit:
            moved = replace(marker, x=pose.x, y=pose.y, z=pose.z)
            state = with_zone(with_marker(state, moved), moved)
    return state


def put_away(state: State, unit: int) -> State:
    """Lift the zones of the markers carried by a unit that goes inside something, until it is out again."""
    for marker in state.markers:
        if marker.carrier == unit and marker.zone >= 0:
            state = with_marker(without_zone(state, marker), replace(marker, zone=-1))
    return state
