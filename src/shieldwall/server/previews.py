"""Judgement of a move before it is made: is it legal, why not, where would everybody stand, whom would they see.

A preview never touches the game: it works on copies and throws no dice.
"""

from __future__ import annotations

import math
import time

from msgspec.structs import replace

from shieldwall.core.answers import Aim, Aims, AnyAnswer, Leg, March, ModelPath, Pick, Placed, Spot, Walk
from shieldwall.core.grammar import unit_does
from shieldwall.core.pending import Choice, Decision
from shieldwall.core.state import CENTI, MILLI, Pose, State, Unit
from shieldwall.editions.skirmish_3_2.falls import FallPlacing, Pushing
from shieldwall.rules.features.block_limits import marched
from shieldwall.rules.features.block_questions import BlockPlacing, Charging, Marching
from shieldwall.rules.features.loose_melee import LooseCharging
from shieldwall.rules.features.loose_questions import LoosePlacing, Walking
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.markers import MarkerSpot
from shieldwall.rules.steps.targets import Targets
from shieldwall.server.asking import TargetView
from shieldwall.server.dragging import drag_block, drag_loose
from shieldwall.server.forms import PLANNED_KINDS, unit_in
from shieldwall.server.geometry import centre_of, moved_to, near_units
from shieldwall.server.leaps import leaps_told, leapt_straight, with_leaps
from shieldwall.server.magic import casting_of
from shieldwall.server.messages import GroundView, PathView, Preview, Previewed
from shieldwall.server.outcomes import Clock
from shieldwall.server.placing import NOTHING, ghost_of, place_block, place_loose
from shieldwall.server.shots import charge_view, enemies_of, reasons_of, target_view, targets_for
from shieldwall.server.views import Point, Reason
from shieldwall.server.words import inches
from shieldwall.table.block_moves import check_march
from shieldwall.table.formations import block_pose, heading_vector
from shieldwall.table.loose_moves import check_walk
from shieldwall.table.loose_party import WalkLimits
from shieldwall.table.terrain import is_dangerous, is_difficult

ODDS_MS = 5.0  # what one position of the pointer may spend on odds; the rest of the targets go without
PATIENT_MS = 400.0  # the same for a hand that rests
AIM_MS = 250.0  # a declaration is looked at longer than a passing spot
EXACT = 350  # thousandths by which an end may miss the spot the pointer is on and still be what was meant
FULL_TURN = 360 * CENTI
SHOOTING_ACTIONS = ("advance", "hold")


def previewed(rules: Ruleset, state: State, decision: Decision, seq: int, request: Preview) -> Previewed:
    """The judgement, with the milliseconds it took."""
    from shieldwall.server.planning import planned  # which judges the moves of a plan by this module

    began = time.perf_counter()
    if request.unit >= 0 and decision.kind in PLANNED_KINDS:
        found = planned(rules, state, decision, request)
    else:
        found = judged(rules, state, decision, request)
    took = round((time.perf_counter() - began) * 1000, 2)
    return replace(found, id=request.id, seq=seq, ms=took)


def judged(rules: Ruleset, state: State, decision: Decision, request: Preview) -> Previewed:
    drag, answer = request.drag, request.answer
    if drag is None and answer is None:
        return replace(NOTHING, reasons=(Reason("a preview needs a place to drag to, or an answer"),))
    match decision:
        case Marching():
            return _march(rules, state, decision, request)
        case Walking():
            return _walk(rules, state, decision, request)
        case BlockPlacing():
            return place_block(state, decision, drag, answer)
        case LoosePlacing():
            return place_loose(state, decision, drag, answer)
        case MarkerSpot() if drag is not None:
            return _plain(decision, Spot(drag.x, drag.y))
        case FallPlacing() if drag is not None:
            return _plain(decision, Placed((drag,)))
        case Pushing() if drag is not None:
            return _plain(decision, Walk((ModelPath(decision.model, (drag,)),)))
        case Targets() if isinstance(answer, Aims):
            return _aimed(decision, answer)
        case Choice(kind="charge_target") if isinstance(answer, Pick):
            return _picked_charge(rules, state, decision, answer, request.patient)
        case _:
            found = _plain(decision, answer)
            if answer is None or not found.legal or not request.patient:
                return found
            return replace(found, casting=casting_of(rules, state, decision, answer))


def _aimed(decision: Targets, answer: Aims) -> Previewed:
    """A declaration with the odds of each of its aims."""
    refusals = reasons_of(decision.check(answer))
    views = []
    if not refusals:
        units, clock = decision.state.units, Clock(AIM_MS)
        views = [target_view(decision, aim.group, units[aim.target], clock) for aim in answer.aims]
    return replace(NOTHING, legal=not refusals, reasons=refusals, answer=answer, targets=tuple(views))


def _picked_charge(rules: Ruleset, state: State, decision: Choice, answer: Pick, patient: bool) -> Previewed:
    """A unit that might be charged, with the odds that the question had no time for."""
    found = _plain(decision, answer)
    target = next((option.unit for option in decision.options if option.key == answer.option), -1)
    charger = unit_in(state, decision)
    if not found.legal or target < 0 or charger < 0:
        return found
    clock = Clock(PATIENT_MS) if patient else None
    return replace(found, targets=(charge_view(rules, state, state.units[charger], target, clock),))


def _plain(decision: Decision, answer: AnyAnswer | None) -> Previewed:
    """Only whether an answer is legal, and why not."""
    if answer is None:
        return replace(NOTHING, reasons=(Reason(f"{decision.kind} is not answered by dragging"),))
    refusals = reasons_of(decision.check(answer))
    return replace(NOTHING, legal=not refusals, reasons=refusals, answer=answer)


def with_unit(state: State, unit: Unit) -> State:
    """The state with one unit put elsewhere."""
    units = tuple(unit if other.id == unit.id else other for other in state.units)
    return replace(state, units=units)


# --- blocks ---


def _march(rules: Ruleset, state: State, decision: Marching, request: Preview) -> Previewed:
    unit, limits = decision.unit, decision.limits
    drag, answer = request.drag, request.answer
    if answer is not None:
        legs = answer.legs if isinstance(answer, March) else ()
        refusals = reasons_of(decision.check(answer))
        wanted = check_march(state, unit.id, legs, limits).pose
    else:
        assert drag is not None
        wanted = Pose(drag.x, drag.y, drag.heading % FULL_TURN, drag.z)
        legs = _proposed_legs(state, decision, wanted)
        refusals = ()
    found = marched(rules, state, unit, legs, limits)
    end = replace(unit, block=found.pose)
    if answer is None and not _meant(found.pose, wanted):
        direct = check_march(state, unit.id, direct_legs(unit, wanted), limits)
        refusals = reasons_of(rules.refusals(direct.reasons, limits.action)) or (
            Reason(
                f"{unit_does(unit, 'get')} no nearer than {inches(_miss(found.pose, wanted))} to that spot"
            ),
        )
    there = with_unit(state, end)
    return replace(
        NOTHING,
        legal=not refusals,
        reasons=refusals,
        answer=March(legs),
        used=found.used,
        left=max(0, limits.allowance - found.used),
        allowance=limits.allowance,
        wanted=ghost_of(state, replace(unit, block=wanted)),
        end=ghost_of(there, end),
        paths=(PathView(-1, _way(block_pose(unit), legs)),),
        ground=tuple(GroundView(c.piece, c.difficult, c.dangerous) for c in found.crossed),
        too_close=near_units(there, end, limits.spacing / MILLI) if limits.spacing else (),
        targets=_charged(rules, state, decision, decision.way.target, request.patient)
        if isinstance(decision, Charging)
        else targets_from(rules, there, end, limits.action, request.patient),
        words=_move_words(found.used, limits.allowance, not refusals),
    )


def _proposed_legs(state: State, decision: Marching, wanted: Pose) -> tuple[Leg, ...]:
    """The march a drag means; a charge, or whatever else has its own mind about where to go, proposes its own."""
    if not isinstance(decision, Charging):
        legs = drag_block(state, decision.unit, decision.limits, wanted).legs
        if type(decision) is Marching or not decision.check(March(legs)):
            return legs
    return decision.default().legs


def _meant(end: Pose, wanted: Pose) -> bool:
    return _miss(end, wanted) <= EXACT


def _miss(end: Pose, wanted: Pose) -> float:
    return math.hypot(end.x - wanted.x, end.y - wanted.y)


def direct_legs(unit: Unit, wanted: Pose) -> tuple[Leg, ...]:
    """The plain way: turn towards the spot, go straight there; what speaks against it is what people ask."""
    pose = block_pose(unit)
    dx, dy = wanted.x - pose.x, wanted.y - pose.y
    far = round(math.hypot(dx, dy))
    bearing = round(math.degrees(math.atan2(dx, dy)) * CENTI)
    turn = (bearing - pose.heading + FULL_TURN // 2) % FULL_TURN - FULL_TURN // 2
    legs = (Leg("pivot", turn), Leg("forward", far))
    return tuple(leg for leg in legs if leg.amount)


def _way(pose: Pose, legs: tuple[Leg, ...]) -> tuple[Point, ...]:
    """The way of a block's centre."""
    points: list[Point] = [(pose.x, pose.y)]
    x, y, heading = float(pose.x), float(pose.y), pose.heading
    for leg in legs:
        sine, cosine = heading_vector(heading)
        match leg.kind:
            case "pivot":
                heading += leg.amount
                continue
            case "side":
                x, y = x + leg.amount * cosine, y - leg.amount * sine
            case "back":
                x, y = x - leg.amount * sine, y - leg.amount * cosine
            case _:
                x, y = x + leg.amount * sine, y + leg.amount * cosine
        points.append((round(x), round(y)))
    return tuple(points)


def _move_words(used: int, allowance: int, legal: bool) -> str:
    sign = "" if legal else "nearest legal place: "
    return f"{sign}{inches(used)} used, {inches(max(0, allowance - used))} left"


# --- loose units ---


def _walk(rules: Ruleset, state: State, decision: Walking, request: Preview) -> Previewed:
    unit, limits = decision.unit, decision.limits
    drag, answer = request.drag, request.answer
    refusals: tuple[Reason, ...] = ()
    if answer is None:
        assert drag is not None
        answer = _proposed_walk(state, decision, drag, request.leap)
        shadow = replace(unit, poses=moved_to(unit, drag))
    walk = answer if isinstance(answer, Walk) else None
    paths = walk.paths if walk is not None else ()
    judged_by = with_leaps(limits, unit, walk, request.leap)
    found = check_walk(state, unit.id, paths, judged_by)
    end = replace(unit, poses=found.poses)
    if judged_by.leaps:
        answer = Walk(paths, tuple(path.model for path in paths))
    if drag is None:
        refusals, shadow = reasons_of(decision.check(answer)), end
    elif type(decision) is Walking and not _loose_meant(end, shadow):
        refusals = _why_short(rules, state, judged_by, shadow, end)
    there = with_unit(state, end)
    used, most = round(max(found.used, default=0.0) * MILLI), round(max(limits.allowance) * MILLI)
    return replace(
        NOTHING,
        legal=not refusals,
        reasons=refusals,
        answer=answer,
        used=used,
        left=max(0, most - used),
        allowance=most,
        wanted=ghost_of(state, shadow),
        end=ghost_of(there, end),
        paths=_walked(unit, paths),
        ground=_entered(state, found.entered, limits.action),
        too_close=near_units(there, end, limits.spacing) if limits.spacing else (),
        targets=_charged(rules, state, decision, decision.target, request.patient)
        if isinstance(decision, LooseCharging)
        else targets_from(rules, there, end, limits.action, request.patient),
        words=_move_words(used, most, not refusals),
        leaps=leaps_told(rules, state, unit, found),
    )


def _proposed_walk(state: State, decision: Walking, drag: Pose, leap: bool) -> Walk:
    """The walk a drag means; charges and answers to charges propose their own."""
    if type(decision) is Walking:
        limits = with_leaps(decision.limits, decision.unit, None, leap)
        straight = leapt_straight(state, decision.unit, limits, drag) if limits.leaps else ()
        return Walk(straight or drag_loose(state, decision.unit, limits, drag))
    return decision.default()


def _loose_meant(end: Unit, shadow: Unit) -> bool:
    (ax, ay), (bx, by) = centre_of(end), centre_of(shadow)
    return math.hypot(ax - bx, ay - by) <= EXACT


def _why_short(
    rules: Ruleset, state: State, limits: WalkLimits, shadow: Unit, end: Unit
) -> tuple[Reason, ...]:
    """What speaks against going straight to where the pointer is."""
    straight = tuple(
        ModelPath(model.id, (pose,)) for model, pose in zip(shadow.models, shadow.poses, strict=True)
    )
    against = check_walk(state, end.id, straight, limits).reasons
    if against:
        return reasons_of(rules.refusals(against))
    far = math.hypot(*(a - b for a, b in zip(centre_of(end), centre_of(shadow), strict=True)))
    return (Reason(f"{unit_does(end, 'get')} no nearer than {inches(far)} to that spot"),)


def _walked(unit: Unit, paths: tuple[ModelPath, ...]) -> tuple[PathView, ...]:
    start = {model.id: (pose.x, pose.y) for model, pose in zip(unit.models, unit.poses, strict=True)}
    return tuple(
        PathView(path.model, (start[path.model], *((p.x, p.y) for p in path.points)))
        for path in paths
        if path.model in start
    )


def _entered(state: State, entered: object, action: str) -> tuple[GroundView, ...]:
    pieces = {piece.id: piece for piece in state.pieces}
    assert isinstance(entered, list | tuple)
    seen = dict.fromkeys(entry.piece for entries in entered for entry in entries)
    return tuple(
        GroundView(piece, is_difficult(pieces[piece]), is_dangerous(pieces[piece], action)) for piece in seen
    )


# --- targets from there ---


def _charged(
    rules: Ruleset, state: State, decision: Marching | Walking, target: int, patient: bool
) -> tuple[TargetView, ...]:
    """The unit that a charge is about; its odds take longer than a pointer waits."""
    return (charge_view(rules, state, decision.unit, target, Clock(PATIENT_MS) if patient else None),)


def targets_from(
    rules: Ruleset, there: State, unit: Unit, action: str, patient: bool
) -> tuple[TargetView, ...]:
    """For each enemy the weapon that bears on it best from the new place; nothing after moves without shots."""
    if action not in SHOOTING_ACTIONS:
        return ()
    targets, clock = targets_for(rules, there, unit), Clock(PATIENT_MS if patient else ODDS_MS)
    best: list[TargetView] = []
    if not targets.groups:
        return ()
    longest = max(targets.groups, key=lambda key: targets.groups[key].weapon.reach)
    for enemy in enemies_of(there, unit):
        open_to = [key for key in targets.groups if targets.eligible(key, enemy.id)]
        views = [target_view(targets, key, enemy, clock) for key in open_to]
        if not views:
            best.append(target_view(targets, longest, enemy, None))
            continue
        aims = tuple(Aim(key, enemy.id, targets.usual_pick(key, enemy.id)) for key in open_to)
        best.append(replace(max(views, key=lambda view: view.shooters), aims=aims))
    return tuple(best)
