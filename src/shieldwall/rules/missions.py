"""What a game is about: how many markers there are, where they lie, what seizing one does, and who wins.

A game without a mission is played for D3+2 markers, the standard in every book. The six missions are values; any
edition can be played with any of them.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from shieldwall.core.errors import ShieldwallError
from shieldwall.core.frames import Wreck
from shieldwall.core.state import Marker, Pose, State, Unit

Placing = Literal["free", "quarters", "zones", "centre"]
Seizing = Literal["hold", "carry", "destroy"]

RANDOM = "random"  # a die picks one of the six before the first marker is placed
CHOOSE = "choose"  # the side that deploys first picks one, or asks for the die


class UnknownMissionError(ShieldwallError):
    """An unknown mission."""


class Mission(Struct, frozen=True):
    """One mission. `markers` 0 means D3+2; `placing` says where they go, `seizing` what seizing one does."""

    id: str
    name: str
    markers: int = 0
    placing: Placing = "free"
    seizing: Seizing = "hold"


SIX: tuple[Mission, ...] = (
    Mission("duel", "Duel"),
    Mission("seize-ground", "Seize Ground", 4, "quarters"),
    Mission("relic-hunt", "Relic Hunt", 3, seizing="carry"),
    Mission("sabotage", "Sabotage", 2, seizing="destroy"),
    Mission("breakthrough", "Breakthrough", 2, "zones"),
    Mission("king-of-the-hill", "King of the Hill", 1, "centre"),
)
MISSIONS: Mapping[str, Mission] = {mission.id: mission for mission in SIX}
STANDARD = Mission("", "Standard")


def mission_of(state: State) -> Mission:
    """The mission of a game."""
    return MISSIONS.get(state.mission, STANDARD)


def check_mission(name: str) -> str:
    """The id of a mission as stored in games; empty for the standard one."""
    known = (*MISSIONS, RANDOM, CHOOSE)
    word = name.strip().lower().replace(" ", "-").replace("_", "-")
    if word in ("", "standard"):
        return ""
    if word in known:
        return word
    near = difflib.get_close_matches(word, known, 1)
    tip = f"; did you mean {near[0]!r}?" if near else ""
    raise UnknownMissionError(f"there is no mission {name!r}; there are: {', '.join(known)}{tip}")


def quarter(state: State, x: int, y: int) -> tuple[bool, bool]:
    """The quarter of the table that a point lies in; the middle lines belong to the far and right quarters."""
    return 2 * x >= state.width, 2 * y >= state.depth


def fixed_spots(state: State, mission: Mission, zone_depth: int) -> tuple[tuple[int, int], ...]:
    """Markers with fixed positions."""
    middle = (state.width // 2, state.depth // 2)
    if mission.placing == "centre":
        return (middle,)
    if mission.placing == "zones":
        half = zone_depth // 2
        if state.axis == "x":
            return ((half, middle[1]), (state.width - half, middle[1]))
        return ((middle[0], half), (middle[0], state.depth - half))
    return ()


def on_ground(marker: Marker) -> bool:
    """Whether a marker lies on the table, where a unit can seize it."""
    return not marker.gone and marker.carrier < 0


def carried_by(state: State, unit: int) -> tuple[Marker, ...]:
    """The markers a unit carries."""
    return tuple(marker for marker in state.markers if marker.carrier == unit and not marker.gone)


def spot_of(state: State, unit: Unit, model: int) -> Pose:
    """Where a model stands; for a unit inside something, where that or its wreck is."""
    if unit.block is not None:
        return unit.block
    if unit.poses:
        return next(
            (pose for known, pose in zip(unit.models, unit.poses, strict=True) if known.id == model),
            unit.poses[-1],
        )
    if unit.place == "garrison":
        outline = next(piece.outline for piece in state.pieces if piece.id == unit.inside)
        return Pose(sum(x for x, _ in outline) // len(outline), sum(y for _, y in outline) // len(outline))
    if unit.place == "inside" and unit.inside >= 0:
        carrier = state.units[unit.inside]
        if carrier.models or carrier.block is not None:
            return spot_of(state, carrier, carrier.models[0].id if carrier.models else -1)
        wrecks = [one for one in state.stack if isinstance(one, Wreck) and one.unit == carrier.id]
        if wrecks:
            return wrecks[-1].poses[0]
    return Pose(state.width // 2, state.depth // 2)
