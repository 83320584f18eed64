"""The measurements themselves: distance, sight, cover, arcs, formations, limits, legality, and texts read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from shieldwall.armies.parse import describe_rule, parse_equipment, parse_stats, parse_title
from shieldwall.core.engine import begin
from shieldwall.core.errors import RefusedError
from shieldwall.core.events import ActionChosen
from shieldwall.core.forms import AimingForm
from shieldwall.core.state import State, Unit, setting
from shieldwall.core.values import MILLI
from shieldwall.dice.expression import parse as parse_dice
from shieldwall.editions.aof_1_6.building_as_unit import in_ports
from shieldwall.geometry.distance import point_gap
from shieldwall.geometry.polygons import border_distance, point_in_polygon, polygon_distance
from shieldwall.geometry.zones import outlines_apart
from shieldwall.rulebook.catalogue import PREFIX_BY_EDITION
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.rules.features.loose_limits import coherency_of
from shieldwall.rules.start import at_start, resume
from shieldwall.rules.steps.markers import marker_rules
from shieldwall.scenario.army_measures import army, turns_to_place
from shieldwall.scenario.expect import option_name, option_names, roll_facts
from shieldwall.scenario.failures import StopError, cited
from shieldwall.scenario.measure import (
    EachPool,
    Found,
    MeasureContext,
    MeasureFaultError,
    OneOf,
    Reasons,
    Settings,
    Verb,
    pair_of,
    point_of,
)
from shieldwall.scenario.play import ScenarioPlayer
from shieldwall.scenario.questions import Hypothetical
from shieldwall.scenario.roster import side_number
from shieldwall.scenario.steps import prepared, verbs_of
from shieldwall.scenario.words import arc_words
from shieldwall.table.arcs import arc_of, arc_of_model
from shieldwall.table.block_charge import charged_sides
from shieldwall.table.coherency import check_coherency
from shieldwall.table.cover import cover_of
from shieldwall.table.footprints import figure_poses, unit_outline, unit_shapes
from shieldwall.table.formations import formation_of, full_rows, striking_models
from shieldwall.table.layout import LayoutFinding, check_layout
from shieldwall.table.measure import models_apart, point_to_unit, units_apart
from shieldwall.table.shapes import polygon_of
from shieldwall.table.sight import Blocker, Sight, sees
from shieldwall.table.sight_methods import SightMethod
from shieldwall.table.terrain import pieces_at, terrain_at, types_of
from shieldwall.table.zones import check_marker, zone


def distance(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """Between two of: unit, model, point, marker, piece of terrain; to a piece as seen from above."""
    heights = settings.get("heights", context.rules.policies.measures_heights())
    ends = pair_of(about, "distance")
    if any(isinstance(end, str) and end in context.roster.pieces for end in ends):
        return {"is": _to_piece(context, ends)}
    context = in_their_ports(context, *(end for end in ends if isinstance(end, str)))
    points = [point_of(context, end) for end in ends]
    state = context.state
    if points[0] is not None and points[1] is not None:
        (ax, ay, az), (bx, by, bz) = points[0], points[1]
        lift = az - bz if heights else 0.0
        return {"is": ((ax - bx) ** 2 + (ay - by) ** 2 + lift**2) ** 0.5}
    if points[0] is not None or points[1] is not None:
        x, y, z = points[0] or points[1] or (0.0, 0.0, 0.0)
        name = ends[1] if points[0] is not None else ends[0]
        if name in context.roster.units:
            return {"is": point_to_unit(state, context.unit(name).id, x, y, z, heights)}
        unit, index = context.model(name)
        context.standing(context.roster.unit_name(unit.id))
        return {"is": _point_to_model(state, unit, index, (x, y, z), heights)}
    if all(end in context.roster.units for end in ends):
        return {"is": units_apart(state, context.unit(ends[0]).id, context.unit(ends[1]).id, heights)}
    return {"is": min(_model_gaps(context, ends, heights))}


def in_their_ports(context: MeasureContext, *names: Any) -> MeasureContext:
    """The same table with units that are inside buildings looking out of the ports they shoot through."""
    units = [context.unit(name) for name in names if name in context.roster.units]
    inside = [unit.id for unit in units if unit.place == "garrison"]
    return replace(context, state=in_ports(context.state, *inside)) if inside else context


def _to_piece(context: MeasureContext, ends: tuple[Any, Any]) -> float:
    first, second = ends
    piece, other = ends if isinstance(first, str) and first in context.roster.pieces else (second, first)
    outline = polygon_of(context.state.pieces[context.roster.pieces[piece]])
    point = point_of(context, other)
    if point is not None:
        x, y, _ = point
        is_inside = point_in_polygon(outline, 0, len(outline), x, y)
        return 0.0 if is_inside else border_distance(outline, 0, len(outline), x, y)
    if isinstance(other, str) and other in context.roster.pieces:
        both = np.vstack([outline, polygon_of(context.state.pieces[context.roster.pieces[other]])])
        return max(outlines_apart(both, 0, len(outline), len(outline), len(both)), 0.0)
    gaps = []
    for unit_id, index in models_meant(context, other):
        shapes = unit_shapes(context.state.units[unit_id], context.state.profiles)
        gaps.append(polygon_distance(shapes.points, shapes.rows, index, outline, 0, len(outline)))
    return max(min(gaps), 0.0)


def models_meant(context: MeasureContext, name: Any) -> list[tuple[int, int]]:
    """The models that a name means: units and places in them."""
    if name in context.roster.units:
        unit = context.standing(name)
        return [(unit.id, index) for index in range(len(unit.models))]
    unit, index = context.model(name)
    return [(unit.id, index)]


def _model_gaps(context: MeasureContext, ends: tuple[Any, Any], heights: bool) -> list[float]:
    return [
        models_apart(context.state, a, i, b, j, heights)
        for a, i in models_meant(context, ends[0])
        for b, j in models_meant(context, ends[1])
    ]


def _point_to_model(
    state: State, unit: Unit, index: int, at: tuple[float, float, float], heights: bool
) -> float:
    shapes = unit_shapes(unit, state.profiles)
    return max(point_gap(shapes.span(index, index + 1), *at, heights)[0], 0.0)


def layout(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """Whether a book allows a table like this, why not, and what it would advise."""
    if about != "table":
        raise MeasureFaultError(f"layout: expected table, found {about!r}")
    state = context.state
    advice = context.rules.policies.terrain_in_book()
    report = check_layout(state.width, state.depth, state.pieces, advice, axis=state.axis)

    def reasons(findings: Sequence[LayoutFinding]) -> Reasons:
        return Reasons(f"{one.text} ({context.rules.cites.get(one.cite, one.cite)})" for one in findings)

    return {"is": report.is_legal, "because": reasons(report.problems), "hints": reasons(report.hints)}


def profile(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """A weapon or equipment line, read."""
    found = parse_equipment(str(about))
    first = found.weapons[0] if found.weapons else None
    return {
        "weapons": len(found.weapons),
        "items": len(found.gear),
        "name": first.name if first else found.gear[0].name,
        "range": first.reach / MILLI if first and first.reach else "none",
        "attacks": first.attacks if first else 0,
        "rules": tuple(describe_rule(rule) for rule in first.rules) if first else (),
        "type": "none" if first is None else ("ranged" if first.reach else "melee"),
    }


def title(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """A unit's name and size, read."""
    found = parse_title(str(about))
    return {"name": found.name, "size": found.size}


def stats(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """Quality and Defense, read."""
    found = parse_stats(str(about))
    return {"quality": found.quality, "defense": found.defense}


def dice(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """The value of a dice expression for natural faces."""
    faces = settings.get("faces", ())
    return {"is": parse_dice(str(about)).value((faces,) if isinstance(faces, int) else tuple(faces))}


def constant(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """A number of the edition by its name; lengths in inches."""
    value = getattr(context.rules.constants, str(about), None)
    if value is None:
        known = type(context.rules.constants).__struct_fields__
        prefix = PREFIX_BY_EDITION[context.rules.id]
        tip = did_you_mean(str(about), known) or f"; there are {', '.join(known)}"
        raise MeasureFaultError(f"constant: {prefix} has no number {about!r}{tip}")
    lengths = isinstance(value, int) and not isinstance(value, bool) and abs(value) >= MILLI
    return {"is": value / MILLI if lengths else value}


def sight(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """Whether any of the first end's models sees any of the second's, and what is in the way."""
    method = sight_method(context, settings.get("method"))
    anywhere = bool(settings.get("any_direction", False))
    best: Sight | None = None
    first, second = pair_of(about, "sight")
    context = in_their_ports(context, first, second)
    for a, i in models_meant(context, first):
        for b, j in models_meant(context, second):
            found = sees(context.state, method, a, i, b, j, any_direction=anywhere)
            if best is None or (found.visible, found.share) > (best.visible, best.share):
                best = found
    assert best is not None
    past = best.disregarded
    return {
        "is": best.visible,
        "share": best.share,
        "blocked_by": {_blocker_name(context, blocker) for blocker in best.blockers},
        "past": _blocker_name(context, past) if past is not None else "none",
    }


def sight_method(context: MeasureContext, name: str | None) -> SightMethod | str:
    """The method of the game, or another one with the same house rules about sight."""
    state = context.state
    if name is not None and setting(state, "sight-method", ""):
        book_name = "basic" if name == "true" else name
        state = replace(state, options=(("sight-method", book_name), *state.options))
    elif name is not None:
        return "true" if name == "basic" else name  # the book's other name for it
    return context.rules.policies.sight_method(state)


def _blocker_name(context: MeasureContext, blocker: Blocker) -> str:
    match blocker.kind:
        case "piece":
            return context.roster.piece_name(blocker.id)
        case "unit":
            return context.roster.unit_name(blocker.id)
        case "arc":
            return "arc"


def cover(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """The cover of a unit from a shooting unit, or from some of its models."""
    first, second = pair_of(about, "cover")
    target, context = context.unit(second), in_their_ports(context, first)
    if target.place == "garrison":
        return {"is": "in", "covered": len(target.models), "of": len(target.models), "has": True}
    unit = context.standing(first)
    numbers = settings.get("models", list(range(1, len(unit.models) + 1)))
    models = tuple(number - 1 for number in (numbers if isinstance(numbers, list) else [numbers]))
    if max(models) >= len(unit.models):
        raise MeasureFaultError(f"cover: {unit.name} has {len(unit.models)} models, not {max(models) + 1}")
    found = cover_of(
        context.state, context.rules.policies.cover_policy(), unit.id, models, context.standing(second).id
    )
    return {
        "is": found.kind,
        "covered": found.covered,
        "of": found.of,
        "has": found.kind != "none",
    }


def arc(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """In which arc of a unit or model a point or a model's centre lies; or which side of it a unit would charge."""
    name, where = pair_of(about, "arc")
    if not isinstance(name, str):
        raise MeasureFaultError(f"arc: expected a unit or a model first, found {name!r}")
    profiles = context.state.profiles
    point = point_of(context, where)
    if point is None and where in context.roster.units and name in context.roster.units:
        sides = charged_sides(context.state, context.standing(where).id, context.standing(name).id)
        return {"is": OneOf(name for side in sides for name in arc_words(side))}
    if point is None:
        other, index = context.model(where)
        pose = figure_poses(other, profiles)[index]
        point = (pose.x / MILLI, pose.y / MILLI, 0.0)
    if name not in context.roster.units:
        unit, index = context.model(name)
        return {"is": OneOf(arc_words(arc_of_model(unit, profiles, index, point[0], point[1])))}
    unit = context.standing(name)
    if unit.block is None and len(unit.models) > 1:
        raise MeasureFaultError(f"{name} is a loose unit without a front; name one model, such as {name}/1")
    return {"is": OneOf(arc_words(arc_of(unit, profiles, point[0], point[1])))}


def coherency(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """Whether a loose unit holds together."""
    unit = context.standing(about)
    rule = coherency_of(context.rules, context.state)
    reasons = check_coherency(unit_shapes(unit, context.state.profiles), rule, unit=unit.name)
    return {"is": not reasons, "because": Reasons(cited(context.rules.refusals(reasons)))}


def rows(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """How a block is ranked."""
    unit = context.unit(about)
    profiles = context.state.profiles
    formation = formation_of(unit, profiles)
    names = [[profiles[unit.models[index].profile].name for index in row] for row in formation.rows]
    return {
        "is": tuple(len(row) for row in formation.rows),
        "full": full_rows(unit, profiles),
        "striking": len(striking_models(unit, profiles)),
        "beside": tuple(profiles[unit.models[index].profile].name for index in formation.beside),
        "names": names,
        "front": tuple(names[0]) if names else (),
    }


def occupies(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """The box around a unit's bases: left, near, right, far."""
    unit = context.standing(about)
    shapes = unit_outline(unit, context.state.profiles)
    radius = float(shapes.radius.max())
    low, high = shapes.points.min(axis=0) - radius, shapes.points.max(axis=0) + radius
    return {"is": (float(low[0]), float(low[1]), float(high[0]), float(high[1]))}


def moves(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """How far a unit may go with each action."""
    unit = context.unit(about)
    limits = {
        action: context.rules.allowance(context.state, unit, action) / MILLI
        for action in ("advance", "rush", "charge")
    }
    return {"is": limits, "sideways": limits["advance"] / 2}


def terrain(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """The terrain types at a point, or of a piece by its name."""
    state = context.state
    if isinstance(about, str):
        if about not in context.roster.pieces:
            raise MeasureFaultError(f"terrain: there is no piece {about!r}")
        piece = state.pieces[context.roster.pieces[about]]
        kinds = types_of(piece, context.rules.policies.terrain_limits())
        return {
            "is": set(kinds),
            "pieces": {about},
            "conditions": set(piece.conditions),
            "height": piece.height / MILLI,
        }
    point = point_of(context, about)
    if point is None:
        raise MeasureFaultError(f"terrain: expected a point or the name of a piece, found {about!r}")
    x, y = round(point[0] * MILLI), round(point[1] * MILLI)
    here = pieces_at(state, x, y)
    return {
        "is": set(terrain_at(state, x, y, context.rules.policies.terrain_limits())),
        "pieces": {context.roster.piece_name(piece.id) for piece in here},
        "conditions": {condition for piece in here for condition in piece.conditions},
        "height": max((piece.height / MILLI for piece in here), default=0.0),
    }


def zones(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """The deployment zone of a side: left, near, right, far."""
    state = context.state
    depth = context.rules.policies.deploy_depth(context.rules, state)
    found = zone(state.width, state.depth, state.sides[side_number(str(about))].edge, depth)
    return {"is": tuple(length / MILLI for length in (found.left, found.near, found.right, found.far))}


def marker(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """Whether a marker may be put somewhere."""
    point = point_of(context, about)
    if point is None:
        raise MeasureFaultError(f"marker: expected a point, found {about!r}")
    x, y = round(point[0] * MILLI), round(point[1] * MILLI)
    reasons = check_marker(context.state, x, y, marker_rules(context.rules, context.state))
    return {"is": not reasons, "because": Reasons(cited(context.rules.refusals(reasons)))}


# measured by playing a copy of the game


def _player(context: MeasureContext, actor: object = None) -> ScenarioPlayer:
    """A game to try things in; if nothing has been played yet, it is the turn of the unit in question."""
    if context.game is not None:
        return context.game.twin()
    state = context.state
    if isinstance(actor, str) and actor in context.roster.units and context.scenario.begin == "turn":
        state = resume(state, state.round, context.unit(actor).side)
    player = ScenarioPlayer(context.scenario, context.built, state)
    context.twins.append(player)
    player.begin()
    return player


def actions(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """The actions open to a unit when it is activated, whether it has been in this round or not."""
    unit = context.unit(about)
    if context.game is None:
        fresh = (
            replace(other, activated=other.activated and other is not unit) for other in context.state.units
        )
        context = replace(context, state=replace(context.state, units=tuple(fresh)))
    player = _player(context, unit.name)
    before = len(player.events) if context.game is not None else 0
    player.do({"activate": unit.name}, ())
    mine = [
        event for event in player.events[before:] if isinstance(event, ActionChosen) and event.unit == unit.id
    ]
    if mine:  # the engine takes the only possible action automatically
        return {"is": {mine[0].action}}
    return {"is": set(option_names(player.pending, context.roster))}


def begins(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """Whether a game can be set up on this table, with every reason against it."""
    if about != "set-up":
        raise MeasureFaultError(f"begins: expected set-up, found {about!r}")
    try:
        begin(context.rules, at_start(context.state))
    except RefusedError as error:
        return {"is": False, "because": Reasons(f"{reason} ({cite})" for reason, cite in error.refusals)}
    return {"is": True, "because": Reasons()}


def charges(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """The units, and buildings with enemies inside, that a unit could charge now."""
    unit = context.unit(about)
    takes_part = unit.place in ("table", "inside", "garrison") and unit.models
    options = context.rules.policies.charge_options(context.rules, context.state, unit) if takes_part else ()
    return {
        "is": {option_name(option, context.roster) for option in options},
        "labels": Reasons(option.label for option in options),
    }


def targets(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """The units that a unit could shoot at, by weapon, and the attacks each weapon would bring."""
    unit = context.unit(about)
    if unit.place not in ("table", "garrison") or not unit.models:
        return {"is": set(), "weapons": {}, "attacks": {}, "groups": {}}
    question = Hypothetical(context.rules, context.state, unit.id, "hold").question("targets")
    form = question.form() if question is not None else None
    assert isinstance(form, AimingForm), "every edition has a step that chooses targets"
    attacks = {
        group.key: {
            context.roster.unit_name(target.unit): group.attacks * target.shooters
            for target in group.targets
            if target.is_legal
        }
        for group in form.groups
    }
    return {
        "is": {name for by_name in attacks.values() for name in by_name},
        "weapons": {key: set(by_name) for key, by_name in attacks.items()},
        "attacks": attacks,
        "groups": {group.key: group.bearers for group in form.groups},
    }


def legal(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """Whether the last of some steps is allowed, with every reason against it."""
    steps = about if isinstance(about, list) else [about]
    singles = [single for step in steps for single in verbs_of(step)]
    if not singles:
        raise MeasureFaultError(
            "legal: expected steps such as {activate: Pikes, action: rush, march: [forward 12]}"
        )
    player = _player(context, singles[0].get("activate") if len(singles) > 1 else None)
    try:
        for single in singles[:-1]:
            player.do(single, ())
    except StopError as stop:
        if not stop.reasons:  # such as missing dice, after which anything may be allowed
            raise
        return {"is": False, "because": Reasons(stop.reasons), "earlier": True}
    reasons = player.reasons_against(prepared(singles[-1], context.roster))
    return {"is": not reasons, "because": Reasons(player.in_words(reasons)), "earlier": False}


def need(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """The needed roll for a purpose, after some steps; the scenario's dice are rolled on the way."""
    when = settings.get("when", [])
    steps = when if isinstance(when, list) else [when]
    player = _player(context, steps[0].get("activate") if steps else None)
    for step in steps[:-1]:
        player.do(step, ())
    player.stop_at(str(about))
    if steps:
        player.do(steps[-1], ())
    player.run_until(str(about), ())
    facts = roll_facts(player.pending)
    one = {
        key: value[0] if len(value) == 1 else EachPool(value)
        for key, value in facts.items()
        if isinstance(value, tuple)
    }
    return {
        "is": one["need"],
        "base": one["base"],
        "modifier": one["modifier"],
        "dice": facts["dice"],
        "why": Reasons(facts["why"]),
    }


VERBS: dict[str, Verb] = {
    "distance": Verb(distance, ("heights",), ("is",)),
    "sight": Verb(sight, ("method", "any_direction"), ("is", "share", "blocked_by", "past")),
    "cover": Verb(cover, ("models",), ("is", "covered", "of", "has")),
    "arc": Verb(arc, (), ("is",)),
    "coherency": Verb(coherency, (), ("is", "because")),
    "rows": Verb(rows, (), ("is", "full", "striking", "beside", "names", "front")),
    "occupies": Verb(occupies, (), ("is",)),
    "moves": Verb(moves, (), ("is", "sideways")),
    "terrain": Verb(terrain, (), ("is", "pieces", "conditions", "height")),
    "zone": Verb(zones, (), ("is",)),
    "marker": Verb(marker, (), ("is", "because")),
    "actions": Verb(actions, (), ("is",)),
    "army": Verb(army, ("points",), ("is", "because", "cost", "hints")),
    "terrain_turns": Verb(turns_to_place, ("first",), ("is",)),
    "begins": Verb(begins, (), ("is", "because")),
    "layout": Verb(layout, (), ("is", "because", "hints")),
    "charges": Verb(charges, (), ("is", "labels")),
    "targets": Verb(targets, (), ("is", "weapons", "attacks", "groups")),
    "legal": Verb(legal, (), ("is", "because")),
    "need": Verb(need, ("when",), ("is", "base", "modifier", "dice", "why")),
    "profile": Verb(profile, (), ("weapons", "items", "name", "range", "attacks", "rules", "type")),
    "title": Verb(title, (), ("name", "size")),
    "stats": Verb(stats, (), ("quality", "defense")),
    "dice": Verb(dice, ("faces",), ("is",)),
    "constant": Verb(constant, (), ("is",)),
}
