"""Line of sight, for the engine, the page, bots and odds alike, with the names of what is in the way.

`sees` answers for one pair of models and says why not; `shooting_scan` answers for all models of a unit and
all their possible targets in one compiled call. Both use the same lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Literal

import numpy as np
from msgspec import Struct

from shieldwall.core.state import State
from shieldwall.geometry.arrays import Floats, Ints
from shieldwall.geometry.sight_lines import (
    EYE,
    FIRST_FIGURE,
    FLAT,
    ON_HILL,
    OUT_OF_ARC,
    OVER_IN_SPACE,
    OVER_LOWER_THAN_BOTH,
    OVER_LOWER_THAN_ONE,
    VOLUME,
    SightTerms,
)
from shieldwall.geometry.sight_pairs import (
    ANY,
    IN_ARC,
    IN_SIGHT,
    STOPS,
    STOPS_ALONE,
    STOPS_FIRST_AT,
    explain_pair,
    scan_sight,
)
from shieldwall.table.sight_layer import SightLayer, layer_for
from shieldwall.table.sight_methods import (
    OPEN,
    OUTLINE,
    TOP_DOWN,
    TRUE,
    TRUE_ANY_PART,
    VOLUMETRIC,
    Lines,
    SeenOver,
    SightMethod,
    samples_needed,
)

METHODS: Mapping[str, SightMethod] = {
    method.name: method for method in (OUTLINE, OPEN, TRUE, TRUE_ANY_PART, TOP_DOWN, VOLUMETRIC)
}
LINES: Mapping[Lines, int] = {"flat": FLAT, "volume": VOLUME, "eye": EYE}
OVER: Mapping[SeenOver, int] = {
    "lower than both": OVER_LOWER_THAN_BOTH,
    "lower than one": OVER_LOWER_THAN_ONE,
    "in space": OVER_IN_SPACE,
}

Whom = Literal["enemies", "friends", "all"]


class Blocker(Struct, frozen=True, array_like=True, gc=False):
    """Something that stops sight: a piece or a unit by its id, or the arc of the looking unit."""

    kind: Literal["piece", "unit", "arc"]
    id: int


class Sight(Struct, frozen=True):
    """Whether one model sees another.

    `share` is the share of the sample lines that are free, 0 to 1; a gap between them counts as one line. `blockers`
    is empty if the target is seen; otherwise it names what stops the middle line, nearest first, or, if that one is
    free, whatever stops the others. `disregarded` is what a model on a hilltop ignores.
    """

    visible: bool
    share: float
    blockers: tuple[Blocker, ...] = ()
    disregarded: Blocker | None = None


def method_named(method: str | SightMethod) -> SightMethod:
    """The method with this name, or the method itself if the players agreed on one of their own."""
    if isinstance(method, SightMethod):
        return method
    known = METHODS.get(method)
    if known is None:
        raise ValueError(f"there is no sight method {method!r}; there are {', '.join(METHODS)}")
    return known


def row_on_table(layer: SightLayer, unit_id: int) -> int:
    """The row of a unit in a layer; it must be on the table."""
    row = layer.row_of.get(unit_id)
    if row is None or not layer.is_there[row]:
        raise ValueError(f"unit {unit_id} is not on the table, so it neither sees nor is seen")
    return row


def sees(
    state: State,
    method: str | SightMethod,
    unit_id: int,
    model_index: int,
    target_unit: int,
    target_model: int,
    *,
    any_direction: bool = False,
) -> Sight:
    """Whether a model sees another one, and if not, what is in the way. A model always sees itself.

    `any_direction` removes the limit to the front arc from methods that have one.
    """
    if unit_id == target_unit and model_index == target_model:
        return Sight(True, 1.0)
    rule = method_named(method)
    layer = layer_for(state, rule)
    me, target = row_on_table(layer, unit_id), row_on_table(layer, target_unit)
    figures, owners = layer.arrays[0], layer.arrays[4]
    i = int(owners[me, FIRST_FIGURE]) + model_index
    j = int(owners[target, FIRST_FIGURE]) + target_model
    notes = np.zeros((len(owners), 3))
    notes[:, STOPS_FIRST_AT] = -1.0
    front_only = rule.front_arc and not any_direction
    terms = SightTerms(LINES[rule.lines], OVER[rule.seen_over], front_only, 1)
    found, free, total = explain_pair(layer.flat, terms, i, j, me, target, notes)
    if found == OUT_OF_ARC:
        return Sight(False, 0.0, (Blocker("arc", unit_id),))
    needed = samples_needed(rule)
    if free >= needed:
        return Sight(True, free / total)
    if figures[i, ON_HILL]:
        best = int(np.argmax(notes[:, STOPS_ALONE]))
        if free + notes[best, STOPS_ALONE] >= needed:
            return Sight(True, (free + notes[best, STOPS_ALONE]) / total, (), _blocker(layer, best))
    return Sight(False, free / total, _blockers(layer, notes))


def _blocker(layer: SightLayer, owner: int) -> Blocker:
    units = len(layer.ids)
    return (
        Blocker("unit", layer.ids[owner])
        if owner < units
        else Blocker("piece", layer.pieces[owner - units].id)
    )


def _blockers(layer: SightLayer, notes: Floats) -> tuple[Blocker, ...]:
    """What blocks the first line, nearest first; if nothing does, what blocks most of the others first."""
    on_first = [(at, owner) for owner, at in enumerate(notes[:, STOPS_FIRST_AT].tolist()) if at >= 0.0]
    on_others = [(-count, owner) for owner, count in enumerate(notes[:, STOPS].tolist()) if count > 0.0]
    return tuple(_blocker(layer, owner) for _, owner in sorted(on_first or on_others))


class ShootingScan:
    """What every model of a unit sees of every target unit. Frozen by convention.

    The three tables are float64[model, target unit] in inches: the nearest model at all, the nearest in the
    front arc whatever is in the way, and the nearest that is seen. Infinity if there is none within the
    reach that was asked for. Columns are in the order of `targets`.
    """

    __slots__ = ("_answer", "_ignored", "_layer", "targets", "unit")

    def __init__(
        self, unit: int, targets: tuple[int, ...], answer: Floats, ignored: Ints, layer: SightLayer
    ) -> None:
        self.unit = unit
        self.targets = targets
        self._answer = answer
        self._ignored = ignored
        self._layer = layer

    @property
    def nearest(self) -> Floats:
        return self._answer[:, :, ANY].T

    @property
    def nearest_in_arc(self) -> Floats:
        return self._answer[:, :, IN_ARC].T

    @property
    def nearest_seen(self) -> Floats:
        return self._answer[:, :, IN_SIGHT].T

    def by_target(self) -> Iterator[tuple[int, list[list[float]]]]:
        """Every unit that some model has within reach, with the three distances of each model as plain numbers."""
        reached = (self._answer[:, :, ANY].min(axis=1) < math.inf).tolist()
        for column, is_reached in enumerate(reached):
            if is_reached:
                yield self.targets[column], self._answer[column].tolist()

    def disregarded(self, target: int) -> Blocker | None:
        """What the models on a hilltop ignore when they look at this unit."""
        owner = int(self._ignored[self.targets.index(target)])
        return _blocker(self._layer, owner) if owner >= 0 else None


def shooting_scan(
    state: State,
    method: str | SightMethod,
    unit_id: int,
    *,
    reach: float = math.inf,
    at: Whom = "enemies",
    only: int = -1,
    any_direction: bool = False,
) -> ShootingScan:
    """Distances from every model of a unit to every possible target unit, seen or not; or to `only` one.

    Nothing farther than `reach` inches is considered; pass the longest range of the unit's weapons.
    """
    rule = method_named(method)
    layer = layer_for(state, rule)
    me = row_on_table(layer, unit_id)
    unit = layer.units[me]
    rows, ids = layer.targets(unit.side, at) if only < 0 else layer.single(row_on_table(layer, only))
    answer = np.empty((len(ids), len(unit.models), 3))
    ignored = np.empty(len(ids), np.int64)
    front_only = rule.front_arc and not any_direction
    terms = SightTerms(LINES[rule.lines], OVER[rule.seen_over], front_only, samples_needed(rule))
    scan_sight(layer.flat, terms, me, reach, rule.ruler_in_space, rows, answer, ignored)
    return ShootingScan(unit_id, ids, answer, ignored, layer)
