"""What an action allows a ranked block, and the tests for the ground it crosses."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import Leg, LegKind
from shieldwall.core.frames import Activation, Danger
from shieldwall.core.state import MILLI, Pose, State, Unit, shared_facts
from shieldwall.rules.army.crossing import note_march
from shieldwall.rules.hook_tables import kinds_of
from shieldwall.rules.ruleset import Play, Ruleset, one_of_each
from shieldwall.table.block_moves import CrossedPiece, MarchLimits, MarchResult, check_march, standing_in
from shieldwall.table.formations import block_pose, formation_of, heading_vector
from shieldwall.table.pieces import ground_of

ALL_LEGS: tuple[LegKind, ...] = ("forward", "side", "back", "pivot")
AHEAD: tuple[LegKind, ...] = ("forward", "pivot")
TURN: tuple[LegKind, ...] = ("pivot",)
LIMITS_KEPT = 4096  # for each set of profiles


def march_limits(rules: Ruleset, state: State, unit: Unit, action: str) -> MarchLimits:
    """What an action allows a block, with everything its rules change.

    Cached for all units with the same models and effects, if nothing else matters.
    """
    makeup, key = unit.makeup, ("march limits", action)
    known: tuple[Ruleset, object, MarchLimits] | None = makeup.get(key)
    if known is not None and known[0] is rules and known[1] is state.profiles:
        return known[2]
    if not rules.moves_alike(state, unit):
        return _limits(rules, state, unit, action)
    limits = _shared_limits(rules, state, unit, action)
    makeup[key] = (rules, state.profiles, limits)
    return limits


def _shared_limits(rules: Ruleset, state: State, unit: Unit, action: str) -> MarchLimits:
    """The limits of a unit whose moves depend only on its models and effects."""
    shared: dict[object, tuple[Ruleset, MarchLimits]] = shared_facts(state.profiles).setdefault(
        "march limits", {}
    )
    key = (kinds_of(unit), unit.effects, action)
    known = shared.get(key)
    if known is None or known[0] is not rules:
        if len(shared) >= LIMITS_KEPT:
            shared.clear()
        known = shared[key] = (rules, _limits(rules, state, unit, action))
    return known[1]


def _limits(rules: Ruleset, state: State, unit: Unit, action: str) -> MarchLimits:
    constants = rules.constants
    crossings = [rules.crossing(state, unit, model) for model in one_of_each(unit)]
    moving = action in ("advance", "rush", "charge")
    allowance = rules.allowance(state, unit, action) if moving else 0
    kinds = {"advance": ALL_LEGS, "rush": AHEAD, "charge": AHEAD}.get(action, TURN)
    pivot = {"hold": constants.pivot_hold, "idle": constants.pivot_idle}.get(action, constants.pivot_move)
    if action == "consolidate":
        kinds, allowance, pivot = ALL_LEGS, rules.survivor_move(state, unit), constants.pivot_survivor
    return MarchLimits(
        action=action,
        allowance=allowance,
        half_allowance=_half(action, allowance),
        pivot_limit=pivot,
        spacing=0 if action == "charge" else constants.spacing,
        ignores_units=all(crossing.units for crossing in crossings),
        ignores_terrain=all(crossing.terrain for crossing in crossings),
        ignores_difficult=all(crossing.difficult for crossing in crossings),
        difficult_cap=constants.difficult_cap,
        climb_free=constants.climb_free,
        climb_max=constants.climb_max,
        kinds=kinds,
        may_mix=action == "consolidate",
        any_direction=action == "consolidate",
        pivot_or_move=action == "consolidate",
    )


def _half(action: str, allowance: int) -> int:
    """How far a block may go sideways or back."""
    return {"advance": allowance // 2, "consolidate": allowance}.get(action, 0)


def models_at_risk(unit: Unit, crossed: tuple[CrossedPiece, ...]) -> tuple[tuple[int, int], ...]:
    """(model, piece) for every model that was in dangerous ground."""
    return tuple(
        (unit.models[index].id, crossing.piece)
        for crossing in crossed
        if crossing.dangerous
        for index in crossing.models
    )


def standing_in_danger(rules: Ruleset, state: State, unit: Unit) -> tuple[tuple[int, int], ...]:
    """Models of a block that stand on ground that is dangerous whatever they do."""
    pose, formation = block_pose(unit), formation_of(unit, state.profiles)
    reach = (formation.half_width + formation.half_depth) * MILLI
    if not ground_of(state.pieces).is_danger_near(((pose.x, pose.y),), reach):
        return ()
    limits = march_limits(rules, state, unit, "hold")
    return models_at_risk(unit, standing_in(state, unit.id, limits))


def ground_tests(
    game: Play, unit_id: int, crossed: tuple[CrossedPiece, ...], ignores: bool
) -> tuple[Danger, ...]:
    """The tests of models that crossed danger, each at most once in an activation; one frame or none."""
    if ignores or not crossed:
        return ()
    activation = game.nearest(Activation)
    tested = {model for model, _ in activation.tested} if activation is not None else set()
    risk = [pair for pair in models_at_risk(game.state.units[unit_id], crossed) if pair[0] not in tested]
    once = tuple({model: (model, piece) for model, piece in reversed(risk)}.values())
    if not once:
        return ()
    if activation is not None:
        game.note_on(Activation, tested=activation.tested + once)
    return (Danger(procedure="danger", unit=unit_id, models=once),)


def test_ground(
    game: Play, unit_id: int, crossed: tuple[CrossedPiece, ...], ignores: bool, again: bool
) -> None:
    """Test models that crossed danger before anything else happens."""
    frames = ground_tests(game, unit_id, crossed, ignores)
    if frames:
        game.push(*frames, again=again)


def forced_move_tests(game: Play, unit_id: int, start: Pose, end: Pose, action: str) -> tuple[Danger, ...]:
    """Tests of a block that was shifted from one pose to another without turning; it stands at the end."""
    state = game.state
    if start == end or not ground_of(state.pieces).dangerous(action):
        return ()
    unit = state.units[unit_id]
    there = replace(
        state, units=tuple(replace(u, block=start) if u.id == unit_id else u for u in state.units)
    )
    sine, cosine = heading_vector(start.heading)
    dx, dy = end.x - start.x, end.y - start.y
    side, ahead = round(dx * cosine - dy * sine), round(dx * sine + dy * cosine)
    legs = (Leg("side", side), Leg("forward" if ahead > 0 else "back", abs(ahead)))
    far = abs(side) + abs(ahead)
    limits = MarchLimits(action, far, far, spacing=0, kinds=ALL_LEGS, may_mix=True, any_direction=True)
    crossed = check_march(there, unit_id, tuple(leg for leg in legs if leg.amount), limits).crossed
    return ground_tests(
        game, unit_id, crossed, march_limits(game.rules, state, unit, "charge").ignores_terrain
    )


def marched(
    rules: Ruleset, state: State, unit: Unit, legs: tuple[Leg, ...], limits: MarchLimits
) -> MarchResult:
    """The result of a march. Difficult ground slows the block only if it affects a model that is in it."""
    result = check_march(state, unit.id, legs, limits)
    if not result.slowed:
        return result
    minds = {model.profile: not rules.crossing(state, unit, model).difficult for model in one_of_each(unit)}
    if all(minds.values()):
        return result
    mind = {at for at, model in enumerate(unit.models) if minds[model.profile]}
    if any(mind & set(one.models) for one in result.crossed if one.difficult):
        return result
    return check_march(state, unit.id, legs, replace(limits, ignores_difficult=True))


def carry_out_march(
    game: Play, unit: Unit, legs: tuple[Leg, ...], limits: MarchLimits, cite: str
) -> MarchResult:
    """Carry out a legal march."""
    result = marched(game.rules, game.state, unit, legs, limits)
    if legs:
        note_march(game, unit, legs)
        game.emit(
            ev.Moved(unit=unit.id, poses=(result.pose,), used=result.used, how=limits.action, cite=cite)
        )
    return result
