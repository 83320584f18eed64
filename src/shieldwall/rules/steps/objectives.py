"""Markers: seized at the end of a round, counted at the end of the game."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Closing
from shieldwall.core.pending import Choice, Option, Pending
from shieldwall.core.state import MILLI, Marker, State, Unit
from shieldwall.rules.missions import mission_of, on_ground
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep, seat_to_ask
from shieldwall.rules.steps.markers import mission_cite
from shieldwall.table.measure import units_near_point


class SeizeMarkers(TrunkStep):
    """A marker goes to the only side near it. With both near it is neutral; with neither near it is unchanged, or
    neutral if control does not last.

    In some missions seized markers are then carried away or destroyed.
    """

    name = "close.markers"

    def go(self, game: Play) -> None:
        lasts = game.rules.policies.control_lasts(game.rules, game.state)
        for marker in game.state.markers:
            if not on_ground(marker):
                continue
            sides = sides_near(game.rules, game.state, marker)
            if len(sides) == 1:
                holder, key = sides[0], "marker.seize"
            elif sides:
                holder, key = -1, "marker.contest"
            elif lasts:
                continue
            else:
                holder, key = -1, "marker.seize"
            if holder != marker.holder:
                game.emit(
                    ev.MarkerFlipped(
                        marker=marker.id, holder=holder, before=marker.holder, cite=game.rules.cite(key)
                    )
                )
        seizing = mission_of(game.state).seizing
        if seizing == "carry":
            game.push(Closing(procedure="relics"))
        elif seizing == "destroy":
            self._destroy(game)

    def _destroy(self, game: Play) -> None:
        """Destroy the markers of a side that the other one has seized."""
        cite = mission_cite(game.rules, "sabotage.destroy", "marker.seize")
        for marker in game.state.markers:
            if on_ground(marker) and marker.holder >= 0 and marker.owner not in (-1, marker.holder):
                game.emit(ev.MarkerGone(marker=marker.id, side=marker.holder, cite=cite))


class TakeRelics(TrunkStep):
    """The unit that seized a marker picks it up; if several are near enough, their side chooses."""

    name = "close.relics"

    def ask(self, game: Play) -> Pending | None:
        marker = self._next(game)
        if marker is None:
            return None
        units = bearers(game.rules, game.state, marker)
        options = tuple(Option(f"u{unit.id}", unit.name, unit.id) for unit in units)
        cite = mission_cite(game.rules, "relic-hunt.take", "marker.seize")
        prompt = f"Who picks up marker {marker.id + 1}?"
        seat = seat_to_ask(game.state, units[0].side, units)
        return Choice("relic_bearer", seat, prompt, cite, options)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        marker = self._next(game)
        assert marker is not None
        cite = mission_cite(game.rules, "relic-hunt.take", "marker.seize")
        game.emit(ev.MarkerTaken(marker=marker.id, unit=int(answer.option[1:]), cite=cite))
        game.stay()

    def _next(self, game: Play) -> Marker | None:
        """The next marker on the ground that has been seized and can be picked up."""
        for marker in game.state.markers:
            if on_ground(marker) and marker.holder >= 0 and bearers(game.rules, game.state, marker):
                return marker
        return None


RELICS: tuple[TrunkStep, ...] = (TakeRelics(),)


class CountMarkers(TrunkStep):
    """The side with more markers wins; equal numbers are a draw.

    If markers can be destroyed, a side wins if its own is intact and the other's is gone.
    """

    name = "end.winner"

    def go(self, game: Play) -> None:
        held = markers_held(game.state)
        mission = mission_of(game.state)
        counted = intact(game.state) if mission.seizing == "destroy" else held
        best = max(counted)
        leaders = [side for side, count in enumerate(counted) if count == best]
        winner = leaders[0] if len(leaders) == 1 else -1
        cite = mission_cite(game.rules, f"{mission.id}.winner", "end.winner")
        game.emit(ev.GameEnded(winner=winner, markers=counted, cite=cite))


def intact(state: State) -> tuple[int, ...]:
    """How many of each side's own markers still exist."""
    sides = range(len(state.sides))
    return tuple(sum(1 for m in state.markers if m.owner == side and not m.gone) for side in sides)


def bearers(rules: Ruleset, state: State, marker: Marker) -> list[Unit]:
    """Units of the side that seized a marker that are near enough to pick it up, the toughest first."""
    near = [
        unit
        for unit in units_near(rules, state, marker)
        if unit.side == marker.holder and rules.policies.may_hold_markers(rules, state, unit)
    ]
    return sorted(near, key=lambda unit: (-wounds_left(state, unit), unit.id))


def wounds_left(state: State, unit: Unit) -> int:
    """How many wounds a unit can still take."""
    return sum(state.profiles[model.profile].wounds - model.wounds for model in unit.models)


def markers_held(state: State) -> tuple[int, ...]:
    """How many markers each side controls."""
    return tuple(sum(1 for m in state.markers if m.holder == side) for side in range(len(state.sides)))


def sides_near(rules: Ruleset, state: State, marker: Marker) -> list[int]:
    """Sides with a unit that may hold a marker and is close enough to it."""
    near: set[int] = set()
    for unit in units_near(rules, state, marker):
        if unit.side not in near and rules.policies.may_hold_markers(rules, state, unit):
            near.add(unit.side)
    return sorted(near)


def units_near(rules: Ruleset, state: State, marker: Marker) -> list[Unit]:
    """Units on the table that are close enough to a marker to hold it."""
    limit, heights = rules.constants.seize_within / MILLI, rules.policies.measures_heights()
    spot = marker.x / MILLI, marker.y / MILLI, marker.z / MILLI
    return [state.units[unit] for unit in units_near_point(state, *spot, limit, heights)]
