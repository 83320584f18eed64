"""Markers: seized at the end of a round, counted at the end of the game."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.state import MILLI, Marker, State, Unit
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.table.measure import point_to_unit
from shieldwall.table.tolerance import within


class SeizeMarkers(TrunkStep):
    """One side near: its marker. Both near: nobody's. Nobody near: unchanged."""

    name = "close.markers"

    def go(self, game: Play) -> None:
        for marker in game.state.markers:
            sides = sides_near(game.rules, game.state, marker)
            if len(sides) == 1:
                holder, key = sides[0], "marker.seize"
            elif sides:
                holder, key = -1, "marker.contest"
            else:
                continue
            if holder != marker.holder:
                game.emit(
                    ev.MarkerFlipped(
                        marker=marker.id, holder=holder, before=marker.holder, cite=game.rules.cite(key)
                    )
                )


class CountMarkers(TrunkStep):
    """The side with more markers wins; equal numbers are a draw."""

    name = "end.winner"

    def go(self, game: Play) -> None:
        held = markers_held(game.state)
        best = max(held)
        leaders = [side for side, count in enumerate(held) if count == best]
        winner = leaders[0] if len(leaders) == 1 else -1
        game.emit(ev.GameEnded(winner=winner, markers=held, cite=game.rules.cite("end.winner")))


def markers_held(state: State) -> tuple[int, ...]:
    """How many markers each side controls."""
    return tuple(sum(1 for m in state.markers if m.holder == side) for side in range(len(state.sides)))


def sides_near(rules: Ruleset, state: State, marker: Marker) -> list[int]:
    """Sides with a unit close enough to a marker that may hold it."""
    limit = rules.constants.seize_within
    near: set[int] = set()
    for unit in state.units:
        if unit.side in near or unit.place != "table" or not unit.models:
            continue
        if _close(rules, state, unit, marker, limit) and rules.policies.may_hold_markers(rules, state, unit):
            near.add(unit.side)
    return sorted(near)


def _close(rules: Ruleset, state: State, unit: Unit, marker: Marker, limit: int) -> bool:
    heights = rules.policies.measures_heights()
    distance = point_to_unit(state, unit.id, marker.x / MILLI, marker.y / MILLI, marker.z / MILLI, heights)
    return within(distance, limit / MILLI)
