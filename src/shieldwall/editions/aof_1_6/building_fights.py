"""Fighting for solid buildings: charging the units inside, and stepping back from the wall afterwards."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick, Walk
from shieldwall.core.engine import GameRun
from shieldwall.core.frames import Activation, Melee, Movement
from shieldwall.core.pending import Choice, Option, Pending
from shieldwall.core.state import MILLI, Model, Piece, State, Unit
from shieldwall.editions.aof_1_6.building_as_unit import as_unit, gap_to, garrison, hull_shapes, piece_of
from shieldwall.geometry.tolerance import EPS, within
from shieldwall.rules.army.impulse import impulse_of
from shieldwall.rules.features.loose import PartLoose, entered_on_foot, hazards_on, start_walk
from shieldwall.rules.features.loose_limits import walk_limits
from shieldwall.rules.features.loose_melee import (
    CONTACT,
    ChargeWay,
    Contact,
    LooseCharging,
    React,
    strike_reach,
)
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep, seat_to_ask
from shieldwall.rules.steps.melee import ChargeTarget
from shieldwall.rules.steps.objectives import wounds_left
from shieldwall.table.footprints import unit_shapes
from shieldwall.table.loose_charge import solve_charge
from shieldwall.table.loose_moves import WalkResult
from shieldwall.table.loose_push import step_back
from shieldwall.table.measure import units_apart
from shieldwall.table.walk_context import WalkLimits


def enemies_inside(state: State, piece: Piece, side: int) -> list[Unit]:
    """Units of other sides inside a building, the sturdiest first."""
    found = [unit for unit in garrison(state, piece.id) if unit.side != side]
    return sorted(found, key=lambda unit: (-wounds_left(state, unit), unit.id))


def wall_gap(state: State, unit: Unit, piece: Piece) -> float:
    """How far the nearest model of a unit is from a building."""
    shapes, hull = unit_shapes(unit, state.profiles), hull_shapes(piece)
    return min(gap_to(shapes, at, hull) for at in range(len(unit.models)))


def building_charges(rules: Ruleset, state: State, unit: Unit) -> tuple[Option, ...]:
    """Buildings with enemies inside that a unit can charge; remembered by the state."""
    known: dict[int, tuple[Option, ...]] = state.memory.setdefault("building_charges", {})
    if unit.id not in known:
        known[unit.id] = tuple(
            Option(f"b{piece.id}", f"{piece.name}, with enemies inside")
            for piece in state.pieces
            if piece.capacity and can_charge(rules, state, unit, piece)
        )
    return known[unit.id]


def with_buildings(
    rules: Ruleset, state: State, unit: Unit, units: tuple[Option, ...], buildings: tuple[Option, ...]
) -> tuple[Option, ...]:
    """Units and buildings that can be charged; only the closest of them where a rule says so."""
    if not buildings or impulse_of(rules, state, unit) is None:
        return units + buildings
    pieces = {f"b{piece.id}": piece for piece in state.pieces}
    away = {option.key: wall_gap(state, unit, pieces[option.key]) for option in buildings}
    heights = rules.policies.measures_heights()
    away |= {option.key: units_apart(state, unit.id, option.unit, heights) for option in units}
    least = min(away.values())
    return tuple(option for option in (*units, *buildings) if away[option.key] <= least + EPS)


def can_charge(rules: Ruleset, state: State, unit: Unit, piece: Piece) -> bool:
    """Whether some model of a unit can reach the wall of a building that enemies are in."""
    inside = enemies_inside(state, piece, unit.side)
    reach = rules.allowance(state, unit, "charge") / MILLI
    if not inside or unit.place != "table" or not within(wall_gap(state, unit, piece), reach):
        return False
    there, hull = as_unit(state, piece, inside[0].side)
    return solve_charge(there, unit.id, hull, walk_limits(rules, there, unit, "charge", hull)).is_legal


class ChargeTargetOrBuilding(ChargeTarget):
    """Choose one enemy unit within reach, or a building with enemies inside."""

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        if answer.option.startswith("b"):
            game.note(building=int(answer.option[1:]))
        else:
            super().chosen(game, answer)


class NameDefender(TrunkStep):
    """If several units are inside a charged building, their side chooses which one fights."""

    name = "charge.defender"

    def ask(self, game: Play) -> Pending | None:
        frame: Melee = game.stack[-1]
        if frame.building < 0 or frame.target >= 0:
            return None
        side = game.state.units[frame.charger].side
        units = enemies_inside(game.state, piece_of(game.state, frame.building), side)
        options = tuple(Option(f"u{unit.id}", unit.name, unit.id) for unit in units)
        cite = game.rules.cite("building.defender")
        seat = seat_to_ask(game.state, units[0].side, units)
        return Choice("building_defender", seat, "Which unit inside fights?", cite, options)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        frame: Melee = game.stack[-1]
        target = int(answer.option[1:])
        game.note(target=target)
        cite = game.rules.cite("building.defender")
        game.emit(ev.Declared(unit=frame.charger, target=target, group="charge", attacks=0, cite=cite))


class ChargeWayOrWall(ChargeWay):
    """The paths of the charging models, up to their target or the wall of the building it is in."""

    def ask(self, game: Play) -> Pending | None:
        frame: Melee = game.stack[-1]
        if frame.building < 0:
            return super().ask(game)
        there, hull = charged_wall(game.state, frame)
        return LooseCharging(GameRun(game.rules, there), there.units[frame.charger], hull)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        frame: Melee = game.stack[-1]
        if frame.building < 0:
            super().chosen(game, answer)
            return
        assert isinstance(answer, Walk)
        game.note_on(Activation, moved=True)
        game.push(Movement(procedure="move.charge", unit=frame.charger, action="charge"))
        unit = game.state.units[frame.charger]
        start_walk(game, unit, answer, walk_limits(game.rules, game.state, unit, "charge"))


class ContactOrWall(Contact):
    """Without contact there is no melee; a charge at a building must touch its wall."""

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        if frame.building < 0:
            super().go(game)
            return
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        if charger.models and target.models:
            apart = wall_gap(game.state, charger, piece_of(game.state, frame.building))
            if apart <= 2 * CONTACT or within(apart, strike_reach(game.rules)):
                game.note(contact=True)
                return
        cite = game.rules.cite("charge.failed")
        game.emit(
            ev.ChargeFailed(unit=charger.id, target=target.id, why="no model reached the wall", cite=cite)
        )
        game.note_on(Activation, over=True)
        game.finish()


class ReactInTheOpen(React):
    """Charged models move into contact, unless a wall is between them and the charger."""

    def ask(self, game: Play) -> Pending | None:
        return None if game.top(Melee).building >= 0 else super().ask(game)


class PartOrLeaveWall(PartLoose):
    """As in the open; a unit that charged a building steps back from its wall. It is a move like any other: ground
    and markers on the way may have secrets, and a model is tested once in an activation."""

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        if frame.building < 0 or not charger.models or not target.models:
            super().go(game)
            return
        game.note_on(Activation, attacked=True)
        there, hull = charged_wall(game.state, frame)
        limits = walk_limits(game.rules, there, charger, "consolidate")
        back = step_back(there, charger.id, hull, limits, game.rules.constants.separate / MILLI)
        if back.poses != charger.poses:
            self.stepped(game, there, charger, back, limits)

    def stepped(self, game: Play, there: State, charger: Unit, back: WalkResult, limits: WalkLimits) -> None:
        game.push(
            Movement(
                procedure="move.back",
                unit=charger.id,
                action="step back",
                used=back.longest,
                ends=tuple((model.id, pose) for model, pose in zip(charger.models, back.poses, strict=True)),
                hazards=hazards_on(there, charger, back, limits),
                entered=entered_on_foot(back, limits) if back.pieces_entered else (),
                neared=game.rules.policies.markers_neared(there, charger, back),
            )
        )


def charged_wall(state: State, frame: Melee) -> tuple[State, int]:
    """The table with the charged building as an enemy unit, and that unit's number."""
    side = state.units[frame.target].side
    return as_unit(state, piece_of(state, frame.building), side)


def strikers_at_wall(rules: Ruleset, state: State, unit: Unit, enemy: Unit) -> tuple[Model, ...]:
    """Who strikes across a wall: all models inside, and those outside that are near the wall."""
    if unit.place == "garrison":
        return unit.models
    piece = piece_of(state, enemy.inside)
    shapes, hull = unit_shapes(unit, state.profiles), hull_shapes(piece)
    reach = strike_reach(rules)
    return tuple(model for at, model in enumerate(unit.models) if within(gap_to(shapes, at, hull), reach))
