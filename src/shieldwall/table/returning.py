"""Where models that come back to their unit can stand: beside models that are there, or at the rear of a block."""

from __future__ import annotations

import math

from msgspec.structs import replace

from shieldwall.core.state import MILLI, Model, Pose, State, Unit, with_models_back
from shieldwall.table import loose_place, placing
from shieldwall.table.coherency import Coherency, is_coherent
from shieldwall.table.formations import pose_after_return
from shieldwall.table.ground import standing_level
from shieldwall.table.shapes import MM_PER_INCH
from shieldwall.table.walk_context import WalkLimits
from shieldwall.table.zones import table_region

GAP = 0.1  # inches between bases
COMPASS = 24  # directions in which places are tried


def room_in_block(state: State, unit: Unit, models: tuple[Model, ...], spacing: float) -> tuple[int, Pose]:
    """How many of these models, the first ones, can join the rear of a block, and where its centre then is."""
    assert unit.block is not None
    region = table_region(state.width, state.depth)
    before = placing.check_placement(state, unit, region, spacing)
    for count in range(len(models), 0, -1):
        grown = with_models_back(unit, models[:count])
        pose = pose_after_return(unit, grown.models, state.profiles)
        if pose is None:
            break
        there = replace(grown, block=pose)
        if set(placing.check_placement(state, there, region, spacing)) <= set(before):
            return count, pose
    return 0, unit.block


def room_beside(state: State, unit: Unit, models: tuple[Model, ...], limits: WalkLimits) -> tuple[Pose, ...]:
    """Poses for as many of these models, the first ones, as find a place in coherency with those already there."""
    here, found = unit, list[Pose]()
    for model in models:
        pose = _place_beside(state, unit, here, model, limits)
        if pose is None:
            break
        found.append(pose)
        here = replace(here, models=(*here.models, model), poses=(*here.poses, pose))
    return tuple(found)


def _place_beside(state: State, old: Unit, here: Unit, model: Model, limits: WalkLimits) -> Pose | None:
    """A legal place next to a model of the `old` unit, the nearest to the unit's middle; `here` has also those that
    came back just before."""
    before = set(loose_place.check_placement(state, here, here.poses, limits))
    for mate, spot in _spots(state, old, model):
        pose = replace(spot, z=standing_level(state, spot, state.profiles[model.profile].base))
        there = replace(here, models=(*here.models, model), poses=(*here.poses, pose))
        pair = replace(there, models=(old.models[mate], model), poses=(old.poses[mate], pose))
        if is_coherent(pair, state.profiles, Coherency(limits.coherency.link)):
            reasons = loose_place.check_placement(state, there, there.poses, limits)
            if before.issuperset(reasons):
                return pose
    return None


def _spots(state: State, unit: Unit, model: Model) -> list[tuple[int, Pose]]:
    """Places close to each model of a unit in all directions, those near the middle first."""
    x, y = (sum(at) / len(unit.poses) for at in zip(*((pose.x, pose.y) for pose in unit.poses), strict=True))
    own = state.profiles[model.profile].base
    spots: dict[tuple[int, int], tuple[int, Pose]] = {}
    for mate, pose in enumerate(unit.poses):
        base = state.profiles[unit.models[mate].profile].base
        narrow = min(own.width, own.depth) / 2 + min(base.width, base.depth) / 2
        wide = math.hypot(own.width, own.depth) / 2 + math.hypot(base.width, base.depth) / 2
        for far in dict.fromkeys(
            (narrow, max(own.width, own.depth) / 2 + max(base.width, base.depth) / 2, wide)
        ):
            away = (far / MM_PER_INCH + GAP) * MILLI
            for turn in range(COMPASS):
                angle = math.tau * turn / COMPASS
                spot = Pose(
                    round(pose.x + away * math.sin(angle)),
                    round(pose.y + away * math.cos(angle)),
                    pose.heading,
                )
                spots.setdefault((spot.x, spot.y), (mate, spot))
    return sorted(spots.values(), key=lambda one: (one[1].x - x) ** 2 + (one[1].y - y) ** 2)
