"""Footprints of single units: one for each model, or the fewest that cover the whole unit; made once.

Versions of a unit with the same poses share them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from shieldwall.core.state import MILLI, Base, Pose, Profile, Unit, shared_facts
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.distance import COUNT, FIRST, RADIUS, REACH, X, Y
from shieldwall.geometry.sweep import passes_through
from shieldwall.table.formations import figure_poses as block_figure_poses
from shieldwall.table.formations import formation_of
from shieldwall.table.shapes import Shapes, body_pose, form_of, placed, placed_together, rect_form


def figure_poses(unit: Unit, profiles: tuple[Profile, ...]) -> tuple[Pose, ...]:
    """Where each model stands, in the order of `unit.models`, rounded to the grid."""
    return unit.poses if unit.block is None else block_figure_poses(unit, profiles)


def unit_shapes(unit: Unit, profiles: tuple[Profile, ...]) -> Shapes:
    """One footprint for each model; remembered by the unit."""
    memory = unit.memory
    known: Shapes | None = memory.get("shapes")
    if known is None:
        if unit.block is None:
            known = placed(loose_form(unit, profiles), unit.poses)
        else:
            known = _placed_block(block_forms(unit, profiles)[0], unit.block)
        memory["shapes"] = known
    return known


def lend_footprints(unit: Unit, shapes: Shapes) -> None:
    """Give a stand-in unit these footprints, whatever its bases are."""
    unit.memory["shapes"] = shapes


def unit_outline(unit: Unit, profiles: tuple[Profile, ...]) -> Shapes:
    """The fewest footprints that cover the union of the places of all models: 1 to 3 rectangles for a block.

    It is what a block moves as, keeps its distance and makes contact with; on square bases it is their union.
    Loose units have no outline of their own: it is their bases.
    """
    if unit.block is None:
        return unit_shapes(unit, profiles)
    memory = unit.memory
    known: Shapes | None = memory.get("outline")
    if known is None:
        known = memory["outline"] = _placed_block(block_forms(unit, profiles)[1], unit.block)
    return known


def loose_form(unit: Unit, profiles: tuple[Profile, ...]) -> Shapes:
    """The bases of a loose unit about the origin; shared by all units with the same profiles in the same order."""
    forms: dict[tuple[int, ...], Shapes] = shared_facts(profiles).setdefault("loose forms", {})
    key = tuple([model.profile for model in unit.models])
    known = forms.get(key)
    if known is None:
        kinds = [profiles[index] for index in key]
        known = form_of([kind.base for kind in kinds], [kind.height / MILLI for kind in kinds])
        forms[key] = known
    return known


def block_forms(unit: Unit, profiles: tuple[Profile, ...]) -> tuple[Shapes, Shapes]:
    """The models and the outline of a block about the centre of its rectangle; cached."""
    formation = formation_of(unit, profiles)
    if formation.forms is None:
        kinds = [profiles[model.profile] for model in unit.models]
        heights, bases = [kind.height / MILLI for kind in kinds], [kind.base for kind in kinds]
        outline = rect_form(formation.rects, [max(heights)] * len(formation.rects))
        form = rect_form(formation.bases, heights)
        if any(map(is_curved, bases)):
            form = _form_with_curves(form, bases, heights)
        formation.forms = (form, outline)
    return formation.forms


def is_curved(base: Base) -> bool:
    """Whether a base has no corners."""
    return base.shape in ("round", "oval")


def has_curves(unit: Unit, profiles: tuple[Profile, ...]) -> bool:
    """Whether some model of a unit stands on a round or oval base; remembered by the unit."""
    card = unit.card
    known: bool | None = card.get("curves")
    if known is None:
        kinds = {model.profile for model in unit.models}
        known = card["curves"] = any(is_curved(profiles[kind].base) for kind in kinds)
    return known


def _form_with_curves(places: Shapes, bases: list[Base], heights: list[float]) -> Shapes:
    """The models of a block on their own bases: the rectangle of the place, or a round or oval base in it."""
    points: list[Floats] = []
    rows = places.rows.copy()
    first = 0
    for row, base, height in zip(rows, bases, heights, strict=True):
        start = int(row[FIRST])
        corners = places.points[start : start + int(row[COUNT])]
        if is_curved(base):
            curve = form_of((base,), (height,))
            corners = curve.points + row[[X, Y]]
            row[[REACH, RADIUS, COUNT]] = curve.rows[0][[REACH, RADIUS, COUNT]]
        row[FIRST] = first
        points.append(corners)
        first += len(corners)
    return Shapes(np.concatenate(points), rows)


def _placed_block(form: Shapes, pose: Pose) -> Shapes:
    return placed_together(form, body_pose(pose))


def is_swept(stands: Sequence[Shapes], other: Shapes) -> bool:
    """Whether footprints that move straight from each position to the next pass through others that stand still."""
    return any(
        passes_through(before.span(), after.span(), other.span()) for before, after in pairwise(stands)
    )
