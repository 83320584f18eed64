"""Cover from shooting: how many models of a target are in cover terrain or behind something, by a policy.

A policy is plain data: what counts as being in terrain, from where "behind" is judged and what gives cover to
models behind it. Cover from being in terrain and from being behind something are kept apart, because some weapons
ignore only the second.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np
from msgspec import Struct

from shieldwall.core.state import MILLI, State, Unit
from shieldwall.geometry.arrays import Ints
from shieldwall.geometry.cover import (
    FRONT_EDGE,
    MOST_SHOOTERS,
    NEAREST_SHOOTER,
    CoverTerms,
    Shooters,
    ViewedFrom,
    is_open,
    judge_area,
    judge_models,
    nearest_shooter,
    tallest,
)
from shieldwall.geometry.distance import X, Y
from shieldwall.geometry.sight_lines import FIGURE_COUNT, FIRST_FIGURE, HALF_DEPTH
from shieldwall.geometry.tolerance import AREA_EPS
from shieldwall.table.formations import enclosing_rect, heading_vector
from shieldwall.table.sight import OVER, method_named, row_on_table
from shieldwall.table.sight_layer import SightLayer, any_layer_for, layer_for

ModelTest = Literal["wholly in or hidden", "half base in or line crosses"]
Viewpoint = Literal["middle of the front edge", "centre of nearest shooter", "bases of most shooters"]

RAYS, FINE_RAYS = 48, 960  # across a base; the fine ones where the coarse ones cannot tell which side is more
NEARLY_HALF = 0.04  # of a base: more than coarse rays may be wrong
_INSIDE_SHARE: Mapping[ModelTest, float] = {"wholly in or hidden": 1.0, "half base in or line crosses": 0.5}
_VIEWPOINT: Mapping[Viewpoint, int] = {
    "middle of the front edge": FRONT_EDGE,
    "centre of nearest shooter": NEAREST_SHOOTER,
    "bases of most shooters": MOST_SHOOTERS,
}


class CoverPolicy(Struct, frozen=True):
    """How cover is determined.

    `model_test`: a model is in cover when all of its base, or at least half, lies in one cover piece.
    `viewpoint`: a model is behind whatever the line from here to its centre crosses. From a base that line is the
    shortest one to the model's base (the middle one if several are equally short), continued to the centre. A cover
    piece that the shooters at this viewpoint stand in or touch does not count; where all of a base must lie in a
    piece, neither does a piece that the line only enters under the base.
    `blockers_give_cover`, `units_give_cover`: whether sight-blocking pieces and third units count as well as cover
    pieces.
    `lone_model_by_area`: a single model has cover when more than half of its base area is inside or hidden.
    `method`: the sight method whose perimeters and heights are used; empty where neither matters.
    """

    name: str
    model_test: ModelTest
    viewpoint: Viewpoint
    blockers_give_cover: bool = False
    units_give_cover: bool = False
    lone_model_by_area: bool = False
    method: str = ""


POLICIES: Mapping[str, CoverPolicy] = {
    policy.name: policy
    for policy in (
        CoverPolicy(
            name="ranks",
            model_test="wholly in or hidden",
            viewpoint="middle of the front edge",
            blockers_give_cover=True,
            units_give_cover=True,
            lone_model_by_area=True,
            method="outline",
        ),
        CoverPolicy("loose", "half base in or line crosses", "centre of nearest shooter"),
        CoverPolicy("crowd", "half base in or line crosses", "bases of most shooters"),
    )
}


class Cover(Struct, frozen=True, gc=False):
    """The cover of a target: `covered` of its `of` models have it, `inside` of them by standing in terrain.

    `kind` is "in" when the models inside are enough by themselves, "behind" when those behind something are needed.
    """

    kind: Literal["none", "in", "behind"]
    covered: int
    of: int
    inside: int = 0


class CoveredShare(NamedTuple):
    """Shares, 0 to 1, of one base's area: inside cover terrain, and inside or hidden."""

    inside: float
    covered: float


def cover_of(
    state: State,
    policy: str | CoverPolicy,
    shooter_unit: int,
    shooter_models: tuple[int, ...],
    target_unit: int,
    target_models: tuple[int, ...] | None = None,
) -> Cover:
    """The cover that a unit, or only some of its models, has from these shooters.

    More than half of the models must be covered. A single model that is picked out counts as a lone model: its own
    unit gives it no cover, and `lone_model_by_area` applies to it.
    """
    rule = policy_named(policy)
    layer = _layer(state, rule)
    me, target = row_on_table(layer, shooter_unit), row_on_table(layer, target_unit)
    models = _figures(layer, target, target_models)
    if rule.lone_model_by_area and len(models) == 1:
        share = _share(layer, rule, me, target, shooter_models, int(models[0]))
        return _of_lone(share)
    inside_share = _INSIDE_SHARE[rule.model_test]
    view = ViewedFrom(*_viewpoint(layer, rule, me), _figures(layer, me, shooter_models or None))
    terms = _terms(rule, me, target, inside_share == 1.0)
    inside, behind = judge_models(layer.flat, terms, view, models, inside_share)
    of = len(models)
    kind: Literal["none", "in", "behind"] = "none"
    if 2 * inside > of:
        kind = "in"
    elif 2 * (inside + behind) > of:
        kind = "behind"
    return Cover(kind, inside + behind, of, inside)


def covered_share(
    state: State,
    policy: str | CoverPolicy,
    shooter_unit: int,
    shooter_models: tuple[int, ...],
    target_unit: int,
    target_model: int,
) -> CoveredShare:
    """How much of one base lies in cover terrain, and how much in it or hidden."""
    rule = policy_named(policy)
    layer = _layer(state, rule)
    me, target = row_on_table(layer, shooter_unit), row_on_table(layer, target_unit)
    figure = int(layer.arrays[4][target, FIRST_FIGURE]) + target_model
    return _share(layer, rule, me, target, shooter_models, figure)


def policy_named(policy: str | CoverPolicy) -> CoverPolicy:
    """The policy with this name, or the policy itself."""
    if isinstance(policy, CoverPolicy):
        return policy
    known = POLICIES.get(policy)
    if known is None:
        raise ValueError(f"there is no cover policy {policy!r}; there are {', '.join(POLICIES)}")
    return known


def _layer(state: State, rule: CoverPolicy) -> SightLayer:
    return layer_for(state, method_named(rule.method)) if rule.method else any_layer_for(state)


def _terms(rule: CoverPolicy, me: int, target: int, wholly: bool) -> CoverTerms:
    over = OVER[method_named(rule.method).seen_over] if rule.method else 0
    return CoverTerms(over, rule.blockers_give_cover, rule.units_give_cover, me, target, wholly)


def _figures(layer: SightLayer, row: int, models: tuple[int, ...] | None) -> Ints:
    """Rows of models in the layer; all of the unit's when none are named."""
    first = int(layer.arrays[4][row, FIRST_FIGURE])
    if models is None:
        return np.arange(first, first + int(layer.arrays[4][row, FIGURE_COUNT]))
    return np.array([first + index for index in models], dtype=np.int64)


def _viewpoint(layer: SightLayer, rule: CoverPolicy, me: int) -> tuple[int, float, float]:
    """The viewpoint's kind and, for a front edge, its place. For a loose unit it is the nearest shooter instead."""
    kind = _VIEWPOINT[rule.viewpoint]
    if kind != FRONT_EDGE:
        return kind, 0.0, 0.0
    unit = layer.units[me]
    if unit.block is None and len(unit.models) > 1:
        return NEAREST_SHOOTER, 0.0, 0.0
    return FRONT_EDGE, *_front_edge(layer, unit, me)


def _front_edge(layer: SightLayer, unit: Unit, me: int) -> tuple[float, float]:
    """The middle of the front edge of a block's rectangle or of a single model's base."""
    if unit.block is None:
        row = layer.arrays[0][int(layer.arrays[4][me, FIRST_FIGURE])]
        sine, cosine = heading_vector(unit.poses[0].heading)
        return float(row[X] + row[HALF_DEPTH] * sine), float(row[Y] + row[HALF_DEPTH] * cosine)
    rect = enclosing_rect(unit, layer.profiles)
    sine, cosine = heading_vector(rect.centre.heading)
    return rect.centre.x / MILLI + rect.half_depth * sine, rect.centre.y / MILLI + rect.half_depth * cosine


def _share(
    layer: SightLayer, rule: CoverPolicy, me: int, target: int, shooter_models: tuple[int, ...], figure: int
) -> CoveredShare:
    kind, x, y = _viewpoint(layer, rule, me)
    first = int(layer.arrays[4][me, FIRST_FIGURE])
    stop = first + int(layer.arrays[4][me, FIGURE_COUNT])
    if kind != FRONT_EDGE:
        first = nearest_shooter(layer.flat, _figures(layer, me, shooter_models or None), figure)
        stop = first + 1
        x, y = layer.arrays[0][first, X], layer.arrays[0][first, Y]
    if is_open(layer.flat, me, target, x, y, figure):
        return CoveredShare(0.0, 0.0)
    terms = _terms(rule, me, target, True)
    shooters = Shooters(first, stop, x, y, tallest(layer.arrays[0], first, stop))
    share = CoveredShare(*judge_area(layer.flat, terms, shooters, figure, RAYS))
    if abs(share.inside - 0.5) <= NEARLY_HALF or abs(share.covered - 0.5) <= NEARLY_HALF:
        share = CoveredShare(*judge_area(layer.flat, terms, shooters, figure, FINE_RAYS))
    return share


def _of_lone(share: CoveredShare) -> Cover:
    """A lone model is covered when more than half of it is."""
    if share.inside > 0.5 + AREA_EPS:
        return Cover("in", 1, 1, 1)
    return Cover("behind", 1, 1) if share.covered > 0.5 + AREA_EPS else Cover("none", 0, 1)
