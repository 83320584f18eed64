"""Where models that come back to their unit can stand: beside models that are there, or at the rear of a block."""

from __future__ import annotations

import math

from msgspec.structs import replace

from shieldwall.core.state import MILLI, Model, Pose, State, Unit, with_models_back
from shieldwall.table import loose_place, placing
from shieldwall.table.coherency import Coherency, is_coherent
from shieldwall.table.formations import figure_poses, pose_after_return
from shieldwall.table.ground import standing_level
from shieldwall.table.shapes import MM_PER_INCH
from shieldwall.table.walk_context import WalkLimits
from shieldwall.table.zones import table_region

GAP = 0.1  # inches between bases
COMPASS = 24  # directions in which places are tried


def room_in_block(state: State, unit: Unit, models: tuple[Model, ...], spacing: float) -> tuple[int, Pose]:
    """How many of these models, the first ones, can join the rear of a block, and where its centre then is."""
    assert unit.block is not None
    region, before = table_region(state.width, state.depth), set(figure_poses(unit, state.profiles))
    for count in range(len(models), 0, -1):
        grown = with_models_back(unit, models[:count])
        pose = pose_after_return(unit, grown.models, state.profiles)
        if pose is None:
            break
        standing = figure_poses(replace(grown, block=pose), state.profiles)
        new = [(one, at) for one, at in zip(grown.models, standing, strict=True) if at not in before]
        if not new or not placing.check_placement(state, _loose(unit, new), region, spacing):
            return count, pose
    return 0, unit.block


def _loose(unit: Unit, models: list[tuple[Model, Pose]]) -> Unit:
    """Some models at their poses, as a loose unit."""
    poses = tuple(pose for _, pose in models)
    return replace(unit, models=tuple(model for model, _ in models), poses=poses, block=None, width=0)


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
    before, base = (
        loose_place.check_placement(state, here, here.poses, limits),
        state.profiles[model.profile].base,
    )
    for mate, spot in _spots(state, old, model):
        pose = replace(spot, z=standing_level(state, spot, base))
        pair = replace(here, models=(old.models[mate], model), poses=(old.poses[mate], pose))
        if not is_coherent(pair, state.profiles, Coherency(limits.coherency.link)):
            continue
        alone = replace(here, models=(model,), poses=(pose,))
        there = replace(here, models=(*here.models, model), poses=(*here.poses, pose))
        if loose_place.check_placement(state, alone, alone.poses, limits):
            continue
        if set(loose_place.check_placement(state, there, there.poses, limits)) <= set(before):
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
