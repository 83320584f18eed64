"""The measurements themselves: sight, cover, arcs, formations, limits and legality."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from shieldwall.core.engine import begin
from shieldwall.core.errors import RefusedError
from shieldwall.core.events import ActionChosen
from shieldwall.core.state import setting
from shieldwall.core.values import MILLI
from shieldwall.rules.features.loose_limits import coherency_of
from shieldwall.rules.start import at_start, resume
from shieldwall.rules.steps.markers import marker_rules
from shieldwall.scenario.choices import prepared, verbs_of
from shieldwall.scenario.distances import distance, in_their_ports, models_meant
from shieldwall.scenario.expect import option_name, option_names, roll_facts
from shieldwall.scenario.layouts import layout
from shieldwall.scenario.measure import (
    EachPool,
    Found,
    Ground,
    MeasureFaultError,
    OneOf,
    Reasons,
    Settings,
    Verb,
    pair_of,
    point_of,
)
from shieldwall.scenario.play import Player
from shieldwall.scenario.roster import side_number
from shieldwall.scenario.shots import shots_on_hold
from shieldwall.scenario.stops import StopError, cited
from shieldwall.scenario.texts import constant, dice, profile, stats, title
from shieldwall.scenario.words import arc_words
from shieldwall.table.arcs import arc_of, arc_of_model
from shieldwall.table.block_charge import charged_sides
from shieldwall.table.coherency import check_coherency
from shieldwall.table.cover import cover_of
from shieldwall.table.field import figure_poses, unit_outline, unit_shapes
from shieldwall.table.formations import formation_of, full_rows, striking_models
from shieldwall.table.sight import Blocker, Sight, sees
from shieldwall.table.sight_methods import SightMethod
from shieldwall.table.terrain import pieces_at, terrain_at, types_of
from shieldwall.table.zones import check_marker, zone


def sight(ground: Ground, about: Any, settings: Settings) -> Found:
    """Whether any of the first end's models sees any of the second's, and what is in the way."""
    method = sight_method(ground, settings.get("method"))
    anywhere = bool(settings.get("any_direction", False))
    best: Sight | None = None
    first, second = pair_of(about, "sight")
    ground = in_their_ports(ground, first, second)
    for a, i in models_meant(ground, first):
        for b, j in models_meant(ground, second):
            found = sees(ground.state, method, a, i, b, j, any_direction=anywhere)
            if best is None or (found.visible, found.share) > (best.visible, best.share):
                best = found
    assert best is not None
    past = best.disregarded
    return {
        "is": best.visible,
        "share": best.share,
        "blocked_by": {_blocker_name(ground, blocker) for blocker in best.blockers},
        "past": _blocker_name(ground, past) if past is not None else "none",
    }


def sight_method(ground: Ground, name: str | None) -> SightMethod | str:
    """The game's own method, or another one with all that was agreed besides about seeing."""
    state = ground.state
    if name is not None and setting(state, "sight-method", ""):
        book_name = "basic" if name == "true" else name
        state = replace(state, options=(("sight-method", book_name), *state.options))
    elif name is not None:
        return "true" if name == "basic" else name  # the book's other name for it
    return ground.rules.policies.sight_method(state)


def _blocker_name(ground: Ground, blocker: Blocker) -> str:
    match blocker.kind:
        case "piece":
            return ground.roster.piece_name(blocker.id)
        case "unit":
            return ground.roster.unit_name(blocker.id)
        case "arc":
            return "arc"


def cover(ground: Ground, about: Any, settings: Settings) -> Found:
    """The cover of a unit from a shooting unit, or from some of its models."""
    first, second = pair_of(about, "cover")
    target, ground = ground.unit(second), in_their_ports(ground, first)
    if target.place == "garrison":
        return {"is": "in", "covered": len(target.models), "of": len(target.models), "has": True}
    unit = ground.standing(first)
    numbers = settings.get("models", list(range(1, len(unit.models) + 1)))
    models = tuple(number - 1 for number in (numbers if isinstance(numbers, list) else [numbers]))
    if max(models) >= len(unit.models):
        raise MeasureFaultError(f"cover: {unit.name} has {len(unit.models)} models, not {max(models) + 1}")
    found = cover_of(
        ground.state, ground.rules.policies.cover_policy(), unit.id, models, ground.standing(second).id
    )
    return {
        "is": found.kind,
        "covered": found.covered,
        "of": found.of,
        "has": found.kind != "none",
    }


def arc(ground: Ground, about: Any, settings: Settings) -> Found:
    """In which arc of a unit or model a point or a model's centre lies; or which side of it a unit would charge."""
    name, where = pair_of(about, "arc")
    if not isinstance(name, str):
        raise MeasureFaultError(f"arc: expected a unit or a model first, found {name!r}")
    profiles = ground.state.profiles
    point = point_of(ground, where)
    if point is None and where in ground.roster.units and name in ground.roster.units:
        sides = charged_sides(ground.state, ground.standing(where).id, ground.standing(name).id)
        return {"is": OneOf(name for side in sides for name in arc_words(side))}
    if point is None:
        other, index = ground.model(where)
        pose = figure_poses(other, profiles)[index]
        point = (pose.x / MILLI, pose.y / MILLI, 0.0)
    if name not in ground.roster.units:
        unit, index = ground.model(name)
        return {"is": OneOf(arc_words(arc_of_model(unit, profiles, index, point[0], point[1])))}
    unit = ground.standing(name)
    if unit.block is None and len(unit.models) > 1:
        raise MeasureFaultError(
            f"{name} is a loose group without a front; ask for one model, such as {name}/1"
        )
    return {"is": OneOf(arc_words(arc_of(unit, profiles, point[0], point[1])))}


def coherency(ground: Ground, about: Any, settings: Settings) -> Found:
    """Whether a loose unit holds together."""
    unit = ground.standing(about)
    rule = coherency_of(ground.rules, ground.state)
    reasons = check_coherency(unit_shapes(unit, ground.state.profiles), rule, unit=unit.name)
    told = Reasons(f"{refusal.reason} ({refusal.cite})" for refusal in ground.rules.refusals(reasons))
    return {"is": not reasons, "because": told}


def rows(ground: Ground, about: Any, settings: Settings) -> Found:
    """How a block is ranked."""
    unit = ground.unit(about)
    profiles = ground.state.profiles
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


def occupies(ground: Ground, about: Any, settings: Settings) -> Found:
    """The box around a unit's bases: left, near, right, far."""
    unit = ground.standing(about)
    shapes = unit_outline(unit, ground.state.profiles)
    radius = float(shapes.radius.max())
    low, high = shapes.points.min(axis=0) - radius, shapes.points.max(axis=0) + radius
    return {"is": (float(low[0]), float(low[1]), float(high[0]), float(high[1]))}


def moves(ground: Ground, about: Any, settings: Settings) -> Found:
    """How far a unit may go with each action."""
    unit = ground.unit(about)
    limits = {
        action: ground.rules.allowance(ground.state, unit, action) / MILLI
        for action in ("advance", "rush", "charge")
    }
    return {"is": limits, "sideways": limits["advance"] / 2}


def terrain(ground: Ground, about: Any, settings: Settings) -> Found:
    """The terrain types at a point, or of a piece by its name."""
    state = ground.state
    if isinstance(about, str):
        if about not in ground.roster.pieces:
            raise MeasureFaultError(f"terrain: there is no piece {about!r}")
        piece = state.pieces[ground.roster.pieces[about]]
        kinds = types_of(piece, ground.rules.policies.terrain_limits())
        return {
            "is": set(kinds),
            "pieces": {about},
            "conditions": set(piece.conditions),
            "height": piece.height / MILLI,
        }
    point = point_of(ground, about)
    if point is None:
        raise MeasureFaultError(f"terrain: expected a point or the name of a piece, found {about!r}")
    x, y = round(point[0] * MILLI), round(point[1] * MILLI)
    here = pieces_at(state, x, y)
    return {
        "is": set(terrain_at(state, x, y, ground.rules.policies.terrain_limits())),
        "pieces": {ground.roster.piece_name(piece.id) for piece in here},
        "conditions": {condition for piece in here for condition in piece.conditions},
        "height": max((piece.height / MILLI for piece in here), default=0.0),
    }


def zones(ground: Ground, about: Any, settings: Settings) -> Found:
    """The deployment zone of a side: left, near, right, far."""
    state = ground.state
    depth = ground.rules.policies.deploy_depth(ground.rules, state)
    found = zone(state.width, state.depth, state.sides[side_number(str(about))].edge, depth)
    return {"is": tuple(length / MILLI for length in (found.left, found.near, found.right, found.far))}


def marker(ground: Ground, about: Any, settings: Settings) -> Found:
    """Whether a marker may be put somewhere."""
    point = point_of(ground, about)
    if point is None:
        raise MeasureFaultError(f"marker: expected a point, found {about!r}")
    x, y = round(point[0] * MILLI), round(point[1] * MILLI)
    reasons = check_marker(ground.state, x, y, marker_rules(ground.rules, ground.state))
    told = Reasons(f"{refusal.reason} ({refusal.cite})" for refusal in ground.rules.refusals(reasons))
    return {"is": not reasons, "because": told}


# through the engine: a copy of the game is played, and nothing of it is kept


def _player(ground: Ground, actor: object = None) -> Player:
    """A game to try things in; before anything is played it is the turn of whoever is asked about."""
    if ground.game is not None:
        return ground.game.twin()
    state = ground.state
    if isinstance(actor, str) and actor in ground.roster.units and ground.scenario.begin == "turn":
        state = resume(ground.rules, state, state.round, ground.unit(actor).side)
    player = Player(ground.scenario, ground.built, state)
    player.begin()
    return player


def actions(ground: Ground, about: Any, settings: Settings) -> Found:
    """The actions open to a unit when it is activated, whether it has been in this round or not."""
    unit = ground.unit(about)
    if ground.game is None:
        fresh = (
            replace(other, activated=other.activated and other is not unit) for other in ground.state.units
        )
        ground = replace(ground, state=replace(ground.state, units=tuple(fresh)))
    player = _player(ground, unit.name)
    player.do({"activate": unit.name}, ())
    mine = [event for event in player.events if isinstance(event, ActionChosen) and event.unit == unit.id]
    chosen = {event.action for event in mine}
    if chosen:  # where one action is open the engine has taken it already
        return {"is": chosen}
    return {"is": set(option_names(player.pending, ground.roster))}


def begins(ground: Ground, about: Any, settings: Settings) -> Found:
    """Whether a game can be set up on this table, with every reason against it."""
    if about != "set-up":
        raise MeasureFaultError(f"begins: expected set-up, found {about!r}")
    try:
        begin(ground.rules, at_start(ground.state))
    except RefusedError as error:
        return {"is": False, "because": Reasons(f"{reason} ({cite})" for reason, cite in error.refusals)}
    return {"is": True, "because": Reasons()}


def charges(ground: Ground, about: Any, settings: Settings) -> Found:
    """The units, and buildings with enemies inside, that a unit could charge now."""
    unit = ground.unit(about)
    takes_part = unit.place in ("table", "inside", "garrison") and unit.models
    options = ground.rules.policies.charge_options(ground.rules, ground.state, unit) if takes_part else ()
    return {
        "is": {option_name(option, ground.roster) for option in options},
        "labels": Reasons(option.label for option in options),
    }


def targets(ground: Ground, about: Any, settings: Settings) -> Found:
    """The units that a unit could shoot at, by weapon, and the attacks each weapon would bring."""
    unit = ground.unit(about)
    if unit.place not in ("table", "garrison") or not unit.models:
        return {"is": set(), "weapons": {}, "attacks": {}, "groups": {}}
    question = shots_on_hold(ground.rules, ground.state, unit)
    by_weapon: dict[str, set[str]] = {key: set() for key in question.groups}
    attacks: dict[str, dict[str, int]] = {key: {} for key in question.groups}
    for (key, target), able in question.legal.items():
        name = ground.roster.unit_name(target)
        by_weapon[key].add(name)
        attacks[key][name] = sum(question.groups[key].weapon.attacks for _ in able)
    return {
        "is": set().union(*by_weapon.values()) if by_weapon else set(),
        "weapons": by_weapon,
        "attacks": attacks,
        "groups": {key: len(group.bearers) for key, group in question.groups.items()},
    }


def legal(ground: Ground, about: Any, settings: Settings) -> Found:
    """Whether the last of some steps is allowed, with every reason against it."""
    steps = about if isinstance(about, list) else [about]
    singles = [single for step in steps for single in verbs_of(step)]
    if not singles:
        raise MeasureFaultError(
            "legal: expected steps such as {activate: Pikes, action: rush, march: [forward 12]}"
        )
    player = _player(ground, singles[0].get("activate") if len(singles) > 1 else None)
    try:
        for single in singles[:-1]:
            player.do(single, ())
        reasons = player.reasons_against(prepared(singles[-1], ground.roster))
    except StopError as stop:
        if stop.failure.what == "dice":  # nobody knows what is allowed after dice that were not thrown
            raise
        found = stop.reasons or (f"{stop.failure.what}: {stop.failure.found}",)
        return {"is": False, "because": Reasons(found)}
    return {"is": not reasons, "because": Reasons(cited(reasons))}


def need(ground: Ground, about: Any, settings: Settings) -> Found:
    """The needed roll for a purpose, after some steps; the scenario's dice are thrown on the way."""
    when = settings.get("when", [])
    steps = when if isinstance(when, list) else [when]
    player = _player(ground, steps[0].get("activate") if steps else None)
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
