"""Decisions before the first turn and when units arrive later: markers, joining, where to place units."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from shieldwall.bots.board_summary import UnitSummary, card_of, spot_of
from shieldwall.bots.distance_field import ways_of
from shieldwall.bots.simulation.ways import nearest_ways
from shieldwall.core.answers import AnyAnswer, Pick, Spot
from shieldwall.core.pending import Choice
from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.rules.place_question import PlaceQuestion
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.markers import MarkerSpot

LONG_REACH = 18.0  # the range in inches from which a weapon lets its unit stand back
IN_THE_WAY = 10.0  # the cost in inches of a friend straight ahead or behind
CROWD = 7.0  # inches that each friend heading for the same marker adds to the distance


def marker_spot(view: State, decision: MarkerSpot) -> Spot:
    """The middle of the table first, then far from the other markers; the table is not known to favour anybody yet."""
    middle = view.width / 2, view.depth / 2
    if not view.markers:
        best = min(decision.spots, key=lambda s: (math.hypot(s[0] - middle[0], s[1] - middle[1]), s))
        return Spot(*best)
    return Spot(*decision.spots[0])


def join_unit(rules: Ruleset, view: State, decision: Choice) -> Pick:
    """A lone hero joins the biggest fighting unit; alone it would be shot to pieces."""
    hosts = [option for option in decision.options if option.unit >= 0]
    if not hosts:
        return decision.default()
    best = max(hosts, key=lambda option: (_host_worth(rules, view, view.units[option.unit]), -option.unit))
    return Pick(best.key)


def _host_worth(rules: Ruleset, view: State, unit: Unit) -> float:
    card = card_of(rules, view, unit)
    return card.value * (1.0 if card.blows >= card.shots else 0.6)


def first_to_place(rules: Ruleset, view: State, decision: Choice) -> Pick:
    """Slow and simple units first; last those that profit from seeing where the enemy deploys."""

    def order(unit: Unit) -> tuple[float, float, int]:
        card = card_of(rules, view, unit)
        return card.advance + (6 if card.reach else 0), card.value, unit.id

    best = min(decision.options, key=lambda option: order(view.units[option.unit]))
    return Pick(best.key)


def hold_back(view: State, decision: Choice) -> Pick:
    """Hold back every unit that may arrive later, when it is clearer where it is needed."""
    first = decision.options[0]
    return Pick(first.key)


def place_unit(rules: Ruleset, view: State, unit: Unit, decision: PlaceQuestion) -> AnyAnswer:
    """The spot with the shortest free path to a marker that not all other units are heading for."""
    spots = decision.spots()
    if not spots:
        return decision.default()
    card = card_of(rules, view, unit)
    placed = [
        (other, *spot_of(other))
        for other in view.units
        if other.side == unit.side and other.place == "table" and other.models
    ]
    crowds = _crowds(view, placed)
    width = card.half_width if unit.width else 0.0
    lanes = [(x, y, card_of(rules, view, other)) for other, x, y in placed]
    ways = _ways(view, card, width, crowds, spots)
    bad = [
        (way + _in_the_way(view, card, lanes, spot.x / MILLI, spot.y / MILLI), spot.x, spot.y)
        for way, spot in zip(ways, spots, strict=True)
    ]
    for at in sorted(range(len(spots)), key=bad.__getitem__)[:4]:
        put = decision.put(spots[at])
        if put is not None:
            return put
    return decision.default()


def _crowds(view: State, placed: list[tuple[Unit, float, float]]) -> dict[int, float]:
    """What friends heading for each marker add to the distance."""
    ways = ways_of(view)
    crowds = {marker.id: 0.0 for marker in view.markers}
    for _, x, y in placed:
        if crowds:
            crowds[min(crowds, key=lambda marker: (ways.distance(marker, x, y), marker))] += CROWD
    return crowds


def _ways(
    view: State, card: UnitSummary, width: float, crowds: dict[int, float], spots: Sequence[Pose]
) -> list[float]:
    """Inches from each spot to the marker this unit would make for; shooters only need to have it in range."""
    places = np.array([(spot.x, spot.y) for spot in spots]) / MILLI
    ways = np.empty(len(spots))
    if crowds:
        field = ways_of(view, width)
        markers = np.array([field.index[marker] for marker in crowds], dtype=np.int64)
        nearest_ways(field.grid, markers, np.array(list(crowds.values())), places, ways)
    else:
        middle = view.width / 2 / MILLI, view.depth / 2 / MILLI
        ways[:] = [math.dist(middle, place) for place in places.tolist()]
    if card.reach >= LONG_REACH and card.shots >= card.blows:
        ways = np.maximum(ways, card.reach * 0.6)
    found: list[float] = ways.tolist()
    return found


def _in_the_way(
    view: State, card: UnitSummary, lanes: list[tuple[float, float, UnitSummary]], x: float, y: float
) -> float:
    """The cost in inches of friends in front or behind, where one would have to wait for the other."""
    along_x = view.axis == "x"
    cost = 0.0
    for other_x, other_y, other in lanes:
        aside = abs(other_y - y) if along_x else abs(other_x - x)
        if aside < card.half_width + other.half_width + 1.0:
            cost += IN_THE_WAY * (1 - aside / (card.half_width + other.half_width + 1.0))
    return cost


def arriving(rules: Ruleset, view: State, decision: Choice) -> Pick:
    """Bring in the most valuable unit as soon as it may come: a unit off the table holds no marker."""
    open_to = [option for option in decision.options if option.unit >= 0]
    best = max(open_to, key=lambda option: card_of(rules, view, view.units[option.unit]).value)
    return Pick(best.key)
