"""Before the first turn, and when units come in later: markers, edges, who joins whom, where units are put down."""

from __future__ import annotations

import math

from shieldwall.bots.sketch import Card, card_of, spot_of
from shieldwall.core.answers import AnyAnswer, Pick, Spot
from shieldwall.core.pending import Choice
from shieldwall.core.state import MILLI, State, Unit
from shieldwall.rules.ruleset import PlaceQuestion, Ruleset
from shieldwall.rules.steps.markers import MarkerSpot

LONG_REACH = 18.0  # inches from which on a weapon lets its unit stand back
CROWD = 7.0  # inches that each friend bound for the same marker adds to the way there


def marker_spot(view: State, decision: MarkerSpot) -> Spot:
    """The middle first, then wherever the others are not; the table is not known to favour anybody yet."""
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
    """Slow and dull units first, those that profit from seeing the enemy's line last."""

    def order(unit: Unit) -> tuple[float, float, int]:
        card = card_of(rules, view, unit)
        return card.advance + (6 if card.reach else 0), card.value, unit.id

    best = min(decision.options, key=lambda option: order(view.units[option.unit]))
    return Pick(best.key)


def hold_back(view: State, decision: Choice) -> Pick:
    """Whoever may come later does so: it will know better where to be."""
    first = decision.options[0]
    return Pick(first.key)


def place_unit(rules: Ruleset, view: State, unit: Unit, decision: PlaceQuestion) -> AnyAnswer:
    """The spot from which the unit has the shortest way to a marker that not everybody else is bound for."""
    spots = decision.spots()
    if not spots:
        return decision.default()
    card = card_of(rules, view, unit)
    goals = _goals(view, unit)
    ranked = sorted(spots, key=lambda s: (_badness(view, unit, card, goals, s.x, s.y), s.x, s.y))
    for spot in ranked[:4]:
        placed = decision.put(spot)
        if placed is not None:
            return placed
    return decision.default()


def _goals(view: State, unit: Unit) -> list[tuple[float, float, float]]:
    """Markers with what friends on their way there add to the distance."""
    goals = []
    friends = [u for u in view.units if u.side == unit.side and u.place == "table" and u.models]
    spots = [spot_of(friend) for friend in friends]
    for marker in view.markers:
        x, y = marker.x / MILLI, marker.y / MILLI
        bound = sum(1 for fx, fy in spots if _nearest_marker(view, fx, fy) == marker.id)
        goals.append((x, y, CROWD * bound))
    return goals


def _nearest_marker(view: State, x: float, y: float) -> int:
    return min(view.markers, key=lambda m: (math.hypot(m.x / MILLI - x, m.y / MILLI - y), m.id)).id


def _badness(
    view: State, unit: Unit, card: Card, goals: list[tuple[float, float, float]], x: int, y: int
) -> float:
    way = min(
        (math.hypot(gx - x / MILLI, gy - y / MILLI) + crowd for gx, gy, crowd in goals),
        default=math.hypot(view.width / 2 - x, view.depth / 2 - y) / MILLI,
    )
    if card.reach >= LONG_REACH and card.shots >= card.blows:
        return abs(way - card.reach * 0.6)
    return way


def arriving(rules: Ruleset, view: State, decision: Choice) -> Pick:
    """Bring in the most valuable unit as soon as it may come: a unit off the table holds no marker."""
    open_to = [option for option in decision.options if option.unit >= 0]
    best = max(open_to, key=lambda option: card_of(rules, view, view.units[option.unit]).value)
    return Pick(best.key)
