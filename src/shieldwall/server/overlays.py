"""Overlays for a unit: arcs, ranges, sight, charge reach, threat, auras, zones, a tape measure."""

from __future__ import annotations

import math
import time

from msgspec.structs import replace

from shieldwall.core.grammar import does, inch_words, unit_does
from shieldwall.core.state import MILLI, Pose, State, Unit, acting, with_unit
from shieldwall.rules.army.near import with_auras
from shieldwall.rules.ruleset import Ruleset, enemies_on_table
from shieldwall.rules.steps.activation import allowed_actions
from shieldwall.rules.weapons import groups_of
from shieldwall.server.geometry import first_crossing, front_fan
from shieldwall.server.messages import Measure, Measured, Overlaid, Overlay, Shape, SightLine
from shieldwall.server.present import outline_of
from shieldwall.server.views import Point
from shieldwall.table.arcs import facing_of
from shieldwall.table.cover import cover_of
from shieldwall.table.formations import centre_of, figure_poses, moved_to
from shieldwall.table.measure import nearest_models, point_to_unit, units_apart
from shieldwall.table.reach import ring
from shieldwall.table.sight import sees, shooting_scan

FAR = 18 * MILLI  # how far arcs are drawn


class NotThereError(Exception):
    """The unit is not on the table, so there is nothing to draw or measure."""


def overlaid(rules: Ruleset, state: State, request: Overlay) -> Overlaid:
    """What to draw, with the milliseconds it took."""
    began = time.perf_counter()
    unit = _standing(state, request.unit)
    if request.pose is not None:
        unit = _put(unit, request.pose)
        state = with_auras(rules, with_unit(state, unit))
    shapes, lines = _drawn(rules, state, unit, request.what)
    took = round((time.perf_counter() - began) * 1000, 2)
    return Overlaid(request.id, request.what, request.unit, shapes, lines, took)


def _standing(state: State, number: int) -> Unit:
    if not 0 <= number < len(state.units) or state.units[number].place != "table":
        raise NotThereError(f"there is no unit {number} on the table")
    return state.units[number]


def _put(unit: Unit, pose: Pose) -> Unit:
    if unit.block is not None:
        return replace(unit, block=Pose(pose.x, pose.y, pose.heading % 36000, pose.z))
    return replace(unit, poses=moved_to(unit, pose))


def _drawn(
    rules: Ruleset, state: State, unit: Unit, what: str
) -> tuple[tuple[Shape, ...], tuple[SightLine, ...]]:
    match what:
        case "arc":
            return _arcs(state, unit), ()
        case "range":
            return _ranges(rules, state, unit), ()
        case "sight":
            return _ranges(rules, state, unit)[-1:], sight_lines(rules, state, unit)
        case "charge":
            return _charge(rules, state, unit), ()
        case "threat":
            return (*_ranges(rules, state, unit)[-1:], *_charge(rules, state, unit)), ()
        case "halo":
            spacing = rules.constants.spacing
            return (
                Shape(
                    "halo", (ring(state, unit, spacing),), f"{inch_words(spacing)} apart", spacing, unit.id
                ),
            ), ()
        case "reach":
            far = rules.allowance(state, unit, "advance")
            return (_band(rules, state, unit, "reach", far, f"moves {inch_words(far)}"),), ()
        case _:
            return _zones(rules, state, unit), ()


def _arcs(state: State, unit: Unit) -> tuple[Shape, ...]:
    """The front arc of a block, and the lines that separate flanks and rear."""
    if unit.block is None:
        return ()
    facing = facing_of(unit, state.profiles)
    shapes = [Shape("arc", (front_fan(state, unit, FAR),), "front", FAR, unit.id, unit.side)]
    for name, line in (("rear left", facing.rear_left), ("rear right", facing.rear_right)):
        start = (round(line.x * MILLI), round(line.y * MILLI))
        end = (round(line.x * MILLI + line.dx * FAR), round(line.y * MILLI + line.dy * FAR))
        shapes.append(Shape("line", ((start, end),), name, FAR, unit.id, unit.side))
    return tuple(shapes)


def _band(rules: Ruleset, state: State, unit: Unit, kind: str, far: int, label: str, inner: int = 0) -> Shape:
    if rules.policies.uses_blocks():
        return Shape(kind, (front_fan(state, unit, far, inner),), label, far, unit.id, unit.side)
    return Shape(kind, (ring(state, unit, far),), label, far, unit.id, unit.side)


def _ranges(rules: Ruleset, state: State, unit: Unit) -> tuple[Shape, ...]:
    """One outline per weapon range, the longest last."""
    reaches = {group.weapon.reach: group.weapon.name for group in groups_of(state, unit, ranged=True)}
    return tuple(
        _band(rules, state, unit, "range", reach, f"{name} {inch_words(reach)}")
        for reach, name in sorted(reaches.items())
    )


def _charge(rules: Ruleset, state: State, unit: Unit) -> tuple[Shape, ...]:
    """The band a charge can reach, and the enemies that can be charged now."""
    if "charge" not in allowed_actions(rules, state, unit):
        return ()  # a unit that may not charge threatens nobody that way
    far = rules.allowance(state, unit, "charge")
    shapes = [_band(rules, state, unit, "charge", far, f"Charge {inch_words(far)}")]
    if unit.id == acting(state):
        for option in rules.policies.charge_options(rules, state, unit):
            if option.unit >= 0:
                enemy = state.units[option.unit]
                label = _without_name(option.label, enemy.name)
                shapes.append(Shape("target", (_outline(state, enemy),), label, 0, option.unit))
    return tuple(shapes)


def _without_name(label: str, name: str) -> str:
    """The side and distance of a charge; the target's name is on the table anyway."""
    return label.removeprefix(name).strip(" ()").replace(" inches", "″") or label


def _outline(state: State, unit: Unit) -> tuple[Point, ...]:
    return outline_of(state, unit) or ring(state, unit, 0)


def _zones(rules: Ruleset, state: State, unit: Unit) -> tuple[Shape, ...]:
    if not state.sides[unit.side].edge:
        return ()
    region = rules.policies.deploy_ground(rules, state, unit.side).region
    return tuple(
        Shape(
            "zone",
            (((z.left, z.near), (z.right, z.near), (z.right, z.far), (z.left, z.far)),),
            region.words,
            0,
            unit.id,
            unit.side,
        )
        for z in region.zones
    )


def sight_lines(rules: Ruleset, state: State, unit: Unit) -> tuple[SightLine, ...]:
    """One line to each enemy: clear, or blocked by something."""
    method = rules.policies.sight_method(state)
    scan = shooting_scan(state, method, unit.id)
    return tuple(
        _line(rules, state, unit, enemy, scan.nearest_seen[:, scan.targets.index(enemy.id)].tolist())
        for enemy in enemies_on_table(state, unit)
        if enemy.id in scan.targets
    )


def _line(rules: Ruleset, state: State, unit: Unit, enemy: Unit, seen: list[float]) -> SightLine:
    pair = nearest_models(state, unit.id, enemy.id)
    looking = min(range(len(seen)), key=lambda at: (seen[at], at))
    clear = seen[looking] < math.inf
    me = looking if clear else pair.model
    start, end = _model_at(state, unit, me), _model_at(state, enemy, pair.other_model)
    distance = round(pair.distance * MILLI)
    if clear:
        cover = cover_of(state, rules.policies.cover_policy(), unit.id, (me,), enemy.id).kind != "none"
        words = f"{inch_words(distance)}, in cover" if cover else inch_words(distance)
        return SightLine(enemy.id, start, end, True, label=words, cover=cover, distance=distance)
    sight = sees(state, rules.policies.sight_method(state), unit.id, me, enemy.id, pair.other_model)
    first = sight.blockers[0] if sight.blockers else None
    if first is None or first.kind == "arc":
        return SightLine(enemy.id, start, end, False, start, label="outside the front arc", distance=distance)
    if first.kind == "piece":
        piece = next(piece for piece in state.pieces if piece.id == first.id)
        stop = first_crossing(start, end, piece.outline) or start
        return SightLine(
            enemy.id,
            start,
            end,
            False,
            stop,
            piece.id,
            -1,
            f"{does(piece.name, 'are')} in the way",
            False,
            distance,
        )
    other = state.units[first.id]
    stop = first_crossing(start, end, _outline(state, other)) or start
    return SightLine(
        enemy.id,
        start,
        end,
        False,
        stop,
        -1,
        other.id,
        f"{unit_does(other, 'are')} in the way",
        False,
        distance,
    )


def _model_at(state: State, unit: Unit, index: int) -> Point:
    pose = figure_poses(unit, state.profiles)[index] if unit.block is not None else unit.poses[index]
    return pose.x, pose.y


# --- the tape ---


def measured(rules: Ruleset, state: State, request: Measure) -> Measured:
    """The distance between two units or points, as measured with a tape."""
    heights = rules.policies.measures_heights()
    one = _standing(state, request.from_unit) if request.from_unit >= 0 else None
    two = _standing(state, request.to_unit) if request.to_unit >= 0 else None
    if one is not None and two is not None:
        pair = nearest_models(state, one.id, two.id, heights)
        far = round(units_apart(state, one.id, two.id, heights) * MILLI)
        ends = _model_at(state, one, pair.model), _model_at(state, two, pair.other_model)
        return Measured(request.id, far, *ends, f"{one.name} to {two.name}: {inch_words(far)}")
    unit = one or two
    point = request.to_point if one is not None else request.from_point
    if unit is not None and point is not None:
        far = round(point_to_unit(state, unit.id, point[0] / MILLI, point[1] / MILLI) * MILLI)
        ends = (centre_of(unit), point) if one is not None else (point, centre_of(unit))
        return Measured(request.id, far, *ends, f"{unit.name}: {inch_words(far)}")
    if request.from_point is None or request.to_point is None:
        raise NotThereError("a measurement needs two ends: a unit or a point each")
    (ax, ay), (bx, by) = request.from_point, request.to_point
    far = round(math.hypot(ax - bx, ay - by))
    return Measured(request.id, far, (ax, ay), (bx, by), inch_words(far))
