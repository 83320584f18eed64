"""What the movement of loose units needs: the limits of a move as plain data, and the arrays for the kernels.

Limits come from an edition (allowances, spacing, what a model may disregard); they name no rule. Limits are cheap to
create: equal limits share a cache.
"""

from __future__ import annotations

from operator import is_
from typing import NamedTuple, TypeVar

import numpy as np
from msgspec import Struct

from shieldwall.core.state import Pose, Profile, State, Unit
from shieldwall.geometry.arrays import Floats, Ints
from shieldwall.geometry.sweep import FAULT_COLUMNS, Movers
from shieldwall.geometry.walk import (
    ENTRY_COLUMNS,
    IGNORES_DIFFICULT,
    IGNORES_TERRAIN,
    IGNORES_UNITS,
    LEAP_COLUMNS,
    LEAPS_LOW_GROUND,
    ROOM,
    RULE_COLUMNS,
    Found,
    World,
)
from shieldwall.table.coherency import Coherency, spread_limit
from shieldwall.table.footprints import loose_form
from shieldwall.table.ground import Climb, climb_array
from shieldwall.table.scene import Scene, scene_of
from shieldwall.table.shapes import Shapes, placed, pose_array

LIMITS_KEPT = 4096
Value = TypeVar("Value")


class WalkLimits(Struct, frozen=True, dict=True):
    """What a move of a loose unit may do; lengths in inches.

    Tuples hold one entry for each model, in the order of `Unit.models`; a single entry applies to all of them, an empty
    tuple means no. `spacing` is kept from all units except `close_to` along the whole path (0: no overlap), and
    `end_spacing` where a charge ends, if possible. `difficult_cap` limits all models as soon as one is slowed.
    `free_jumps` makes every possible leap succeed at no cost (for models that ignore terrain). Models that `leap`
    cross low ground between two ledges that way even where they could climb.
    """

    allowance: tuple[float, ...]
    action: str = "advance"
    spacing: float = 1.0
    close_to: int = -1
    end_spacing: float = 1.0
    ignores_units: tuple[bool, ...] = ()
    ignores_terrain: tuple[bool, ...] = ()
    ignores_difficult: tuple[bool, ...] = ()
    difficult_cap: float = 6.0
    climb: Climb = Climb()
    coherency: Coherency = Coherency()
    mates_obstruct: bool = True
    free_turning: bool = False
    free_jumps: bool = False
    leaps: tuple[bool, ...] = ()


class WalkContext(NamedTuple):
    """A unit about to move and its surroundings, in the form the kernels take."""

    state: State
    unit: Unit
    limits: WalkLimits
    scene: Scene
    me: int
    movers: Movers
    world: World


def context_of(state: State, unit: Unit, limits: WalkLimits, brief: bool = False) -> WalkContext:
    """Gather the arrays of a move. The unit need not be on the table yet; `brief` stops at the first fault."""
    scene = scene_of(state)
    terms = (unit, scene, limits, brief)
    known: tuple[tuple[object, ...], Movers, World] | None = state.memory.get("walker")
    if known is None or not all(
        map(is_, known[0], terms)
    ):  # several goals of one unit are often tried in turn
        known = state.memory["walker"] = (terms, *_walker(scene, unit, limits, state.profiles, brief))
    _, movers, world = known
    return WalkContext(state, unit, limits, scene, world.me, movers, world)


def _walker(
    scene: Scene, unit: Unit, limits: WalkLimits, profiles: tuple[Profile, ...], brief: bool
) -> tuple[Movers, World]:
    """The unit and the table in the form compiled functions take."""
    mould = mould_of(unit, profiles)
    allowance, abilities = _model_arrays(limits, len(unit.models))
    movers = Movers(mould.points, mould.rows, start_of(unit), allowance, abilities)
    me = scene.row_of.get(unit.id, -1)
    exempt = scene.row_of.get(limits.close_to, -1) if limits.close_to >= 0 else -1
    rule = _rule_array(limits, mould, brief)
    return movers, World(me, exempt, scene.flat(), rule, climb_array(limits.climb))


def mould_of(unit: Unit, profiles: tuple[Profile, ...]) -> Shapes:
    """The unit's bases as if all stood at the origin; cached."""
    memory = unit.memory
    known: Shapes | None = memory.get("mould")
    if known is None:
        known = memory["mould"] = loose_form(unit, profiles)
    return known


def start_of(unit: Unit) -> Floats:
    """The unit's poses as numbers; zeros for a unit that is not on the table yet."""
    memory = unit.memory
    known: Floats | None = memory.get("start")
    if known is None:
        known = (
            pose_array(unit.poses) if len(unit.poses) == len(unit.models) else np.zeros((len(unit.models), 4))
        )
        memory["start"] = known
    return known


class Memory:
    """The cache that equal limits share: arrays by number of models, rules by mould, related limits."""

    __slots__ = ("models", "related", "rules")

    def __init__(self) -> None:
        self.models: dict[int, tuple[Floats, Ints]] = {}
        self.rules: dict[tuple[Shapes, bool], Floats] = {}
        self.related: dict[tuple[str, float], WalkLimits] = {}


_memories: dict[WalkLimits, Memory] = {}


def memory_of(limits: WalkLimits) -> Memory:
    """Equal limits share a cache, so that creating them for every question costs little."""
    known: Memory | None = limits.__dict__.get("memory")
    if known is None:
        if len(_memories) >= LIMITS_KEPT:
            _memories.clear()
        known = limits.__dict__["memory"] = _memories.setdefault(limits, Memory())
    return known


def _model_arrays(limits: WalkLimits, count: int) -> tuple[Floats, Ints]:
    memory = memory_of(limits)
    known = memory.models.get(count)
    if known is None:
        allowance = np.array(per_model(limits.allowance, count, 0.0), dtype=np.float64)
        abilities = np.zeros(count, dtype=np.int64)
        for flags, bit in (
            (limits.ignores_units, IGNORES_UNITS),
            (limits.ignores_terrain, IGNORES_TERRAIN),
            (limits.ignores_difficult, IGNORES_DIFFICULT),
            (limits.leaps, LEAPS_LOW_GROUND),
        ):
            abilities |= bit * np.array(per_model(flags, count, False), dtype=np.int64)
        known = memory.models[count] = (allowance, abilities)
    return known


def per_model(values: tuple[Value, ...], count: int, default: Value) -> tuple[Value, ...]:
    """The values of a limit, one for each model."""
    if len(values) == count:
        return values
    if len(values) > 1:
        raise ValueError(f"{len(values)} values given for {count} models; give one for each, or a single one")
    return (values[0] if values else default,) * count


def _rule_array(limits: WalkLimits, mould: Shapes, brief: bool) -> Floats:
    known = memory_of(limits).rules
    key = (mould, brief)
    entry = known.get(key)
    if entry is None:
        rule = limits.coherency
        values = (
            limits.spacing,
            limits.difficult_cap,
            limits.mates_obstruct,
            limits.free_jumps,
            rule.link,
            spread_limit(mould, rule),
            rule.shape == "chain",
            limits.free_turning,
            brief,
        )
        entry = known[key] = np.array(values, dtype=np.float64)
    return entry


def room_for(count: int) -> Found:
    """Arrays for the results of a walk of so many models."""
    return Found(
        np.empty((count, 4)),
        np.empty(count),
        np.empty((ROOM, FAULT_COLUMNS)),
        np.empty((ROOM, ENTRY_COLUMNS)),
        np.empty((ROOM, LEAP_COLUMNS)),
        np.zeros(4, dtype=np.int64),
    )


def model_names(state: State, unit: Unit) -> list[str]:
    """The names of a unit's models for use in sentences."""
    if len(unit.models) == 1:
        return [unit.name]
    return [
        f"{state.profiles[model.profile].name} {index + 1} of {unit.name}"
        for index, model in enumerate(unit.models)
    ]


def shapes_at(unit: Unit, profiles: tuple[Profile, ...], poses: tuple[Pose, ...]) -> Shapes:
    """The unit's bases at other poses."""
    return placed(mould_of(unit, profiles), poses)


assert RULE_COLUMNS == 9  # one value for each column above
