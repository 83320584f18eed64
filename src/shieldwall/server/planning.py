"""Tries out a whole activation before it begins: what a dragged unit would do, and the answers that do it.

The drag says where to; the action follows from the distance, by the allowances of the rules. Nothing here
changes the game or rolls dice: where dice or another player come in between, the plan ends. Only the dice for
models that start on dangerous ground are skipped, as if all of them were safe.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from msgspec.structs import replace

from shieldwall.core.answers import Aims, AnyAnswer, Faces, Pick
from shieldwall.core.engine import submit
from shieldwall.core.forms import OptionForm, RouteForm
from shieldwall.core.grammar import inch_words
from shieldwall.core.pending import Decision, Roll
from shieldwall.core.state import CENTI, Pose, State, Unit, acting, with_unit
from shieldwall.rules.move_question import MoveQuestion
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.activation import ACTIONS
from shieldwall.server.forms import options_in, options_of
from shieldwall.server.messages import Preview, Previewed
from shieldwall.server.outcomes import Clock
from shieldwall.server.previews import NOTHING, PATIENT_MS, SHOOTING_ACTIONS, ghost_of, judged, targets_from
from shieldwall.server.question_views import ActionView, PlannedAnswer, PlanView, TargetView
from shieldwall.server.shots import action_of, charge_view, reasons_of
from shieldwall.server.views import Reason
from shieldwall.table.formations import centre_of, moved_to
from shieldwall.table.measure import units_nearer_than

STILL = 300  # thousandths: a unit dragged no further than this stays in place
CONTACT = 0.9  # inches: a unit dragged this close to an enemy is meant to charge it
NEARLY = 350  # thousandths by which a drag may overshoot the reach of an action
LATE = 0.6  # a path with this share of the reach may wind so much that it needs the longer action
HOLD_FIRE = -2
SAFE = 6  # a face that hurts nobody on dangerous ground
SHORT_LABELS = {"hold": "Hold", "advance": "Advance", "rush": "Rush", "charge": "Charge", "cast": "Cast"}

Plans = dict[tuple[object, ...], object]


class Stop(NamedTuple):
    """How far the answers lead: the question there (None: dice, another player, or the end), and why no further."""

    state: State
    decision: Decision | None
    answers: tuple[PlannedAnswer, ...]
    reasons: tuple[Reason, ...] = ()
    tested: bool = False  # dangerous-ground dice come before the action


class Wanted(NamedTuple):
    """The unit whose activation is tried out, and what it should do; "" and -1 leave it open."""

    unit: int
    action: str = ""
    target: int = -1


def planned(rules: Ruleset, state: State, decision: Decision, request: Preview) -> Previewed:
    """A unit's activation as implied by a drag, a named action or an answer for its move."""
    chosen = _led_to(rules, state, decision, Wanted(request.unit))
    choice = chosen.decision
    only = _only_action(chosen)
    if only:
        single = (ActionView(only, SHORT_LABELS.get(only, only.capitalize()), True),)
        wanted = Wanted(request.unit, only, request.target)
        return _carried_on(rules, state, decision, single, wanted, request)
    if choice is None or choice.kind != "action":
        told = _no_choice(state.units[request.unit].name, choice)
        plan = PlanView(request.unit, "", (), chosen.answers, sentence=told)
        return replace(NOTHING, legal=not chosen.reasons, reasons=chosen.reasons, plan=plan)
    actions = _actions(rules, chosen.state, choice, request.unit)
    wanted = _read(rules, chosen, actions, request)
    found = _carried_on(rules, state, decision, actions, wanted, request)
    if found.legal or request.action or request.drag is None or wanted.action != "advance":
        return found
    # a path that winds around something may be too long for an advance and still right for a rush
    unit, drag = chosen.state.units[request.unit], request.drag
    may_rush = any(view.key == "rush" and view.legal for view in actions)
    if not may_rush or _distance(unit, drag) < LATE * found.allowance:
        return found
    longer = _carried_on(rules, state, decision, actions, wanted._replace(action="rush"), request)
    return longer if longer.legal else found


def _led_to(rules: Ruleset, state: State, decision: Decision, wanted: Wanted) -> Stop:
    """Answer the questions before the unit moves; cached on the state."""
    memory: Plans = state.__dict__.setdefault("_plans", {})
    known = memory.get(wanted)
    if isinstance(known, Stop):
        return known
    seat, answers = decision.seat, list[PlannedAnswer]()
    stop: Stop | None = None
    tested = False
    while stop is None:
        answer = _answer(decision, wanted)
        if answer is None:
            stop = Stop(state, decision, tuple(answers), tested=tested)
            break
        refusals = decision.check(answer)
        if refusals:
            stop = Stop(state, decision, tuple(answers), reasons_of(refusals), tested)
            break
        answers.append(PlannedAnswer(decision.kind, answer))
        state, _, pending = submit(rules, state, answer)
        if isinstance(pending, Roll) and pending.purpose == "dangerous" and decision.kind == "activate":
            tested = True
            state, _, pending = submit(rules, state, Faces((SAFE,) * pending.dice))
        # with one unit left to activate, its questions follow at once: they are not part of this plan
        if not isinstance(pending, Decision) or pending.seat != seat or acting(state) != wanted.unit:
            stop = Stop(state, None, tuple(answers), tested=tested)
            break
        decision = pending
    memory[wanted] = stop
    return stop


def _answer(decision: Decision, wanted: Wanted) -> AnyAnswer | None:
    """The plan's answer to a question; None if the player has to be asked."""
    match decision.kind:
        case "activate":
            keys = (option.key for option in options_in(decision) if option.unit == wanted.unit)
            return Pick(next(keys, f"u{wanted.unit}"))
        case "action" if wanted.action:
            return Pick(wanted.action)
        case "charge_target" if wanted.target >= 0:
            keys = (option.key for option in options_in(decision) if option.unit == wanted.target)
            return Pick(next(keys, f"u{wanted.target}"))
        case _:
            return None


def _actions(rules: Ruleset, state: State, choice: Decision, unit: int) -> tuple[ActionView, ...]:
    """The unit's actions, possible or not; cached on the state."""
    memory: Plans = state.__dict__.setdefault("_plans", {})
    known = memory.get(("actions", unit))
    if known is None:
        form = choice.form()
        assert isinstance(form, OptionForm)
        options = {option.key: option for option in options_of(rules, state, choice, form)}
        ordered = [
            *(key for key in ACTIONS if key in options),
            *(key for key in options if key not in ACTIONS),
        ]
        known = memory["actions", unit] = tuple(
            ActionView(
                key,
                SHORT_LABELS.get(key, options[key].label),
                options[key].legal,
                rules.allowance(state, state.units[unit], key) if key in ACTIONS[1:] else 0,
                options[key].reasons,
                options[key].hint,
            )
            for key in ordered
        )
    assert isinstance(known, tuple)
    return known


def _only_action(chosen: Stop) -> str:
    """The action of a unit that has just one, and is therefore asked about its move or its targets at once."""
    match chosen.decision:
        case MoveQuestion() as asked:
            return asked.action
        case Decision(kind="targets", about=unit) if unit >= 0:
            return action_of(chosen.state, chosen.state.units[unit])
        case _:
            return ""


def _no_choice(name: str, asked: Decision | None) -> str:
    if asked is None:
        return f"{name}: there is nothing to choose, it acts at once"
    return f"Activate {name}: a rule asks something first"


def _sentence(name: str, actions: tuple[ActionView, ...], tested: bool) -> str:
    """What the unit can do, and whether dice are rolled for it first."""
    told = _open_to(name, actions)
    return f"{told}. It stands on dangerous ground and tests first" if tested else told


def _open_to(name: str, actions: tuple[ActionView, ...]) -> str:
    far = {view.key: inch_words(view.allowance) for view in actions if view.legal and view.allowance}
    if "advance" in far and "rush" in far:
        return f"Drag {name}: {far['advance']} to advance, {far['rush']} to rush"
    ways = [key for key in ("advance", "rush") if key in far]
    if ways:
        return f"Drag {name} up to {far[ways[0]]} to {ways[0]}"
    legal = [view for view in actions if view.legal]
    if len(legal) == 1:
        return f"{name} can only {legal[0].label[:1].lower()}{legal[0].label[1:]}"
    return f"{name}: choose an action"


# --- which action the drag means ---


def _read(rules: Ruleset, chosen: Stop, actions: tuple[ActionView, ...], request: Preview) -> Wanted:
    """The named action, or else the shortest one that gets the unit where it was dragged."""
    unit, legal = chosen.state.units[request.unit], [view.key for view in actions if view.legal]
    target = request.target
    if request.action:
        if request.action == "charge" and target < 0:
            foes = _touched(chosen.state, unit, request.drag) if request.drag is not None else []
            target = next((foe for foe in foes if _may_charge(rules, chosen, unit, foe)), -1)
        return Wanted(unit.id, request.action, target)
    if request.drag is None:
        return Wanted(unit.id, legal[0] if legal else "", target)
    if "charge" in legal:
        for foe in _touched(chosen.state, unit, request.drag):
            if _may_charge(rules, chosen, unit, foe):
                return Wanted(unit.id, "charge", foe)
    far = _distance(unit, request.drag)
    steps = [view for view in actions if view.key in legal and view.key in ACTIONS[:3]]
    for view in steps:
        if far <= (STILL if view.key == "hold" else view.allowance + NEARLY):
            return Wanted(unit.id, view.key, target)
    return Wanted(unit.id, steps[-1].key if steps else legal[0] if legal else "", target)


def _distance(unit: Unit, drag: Pose) -> float:
    x, y = centre_of(unit)
    return math.hypot(drag.x - x, drag.y - y)


def _touched(state: State, unit: Unit, drag: Pose) -> list[int]:
    """Enemies that the unit would touch, nearest first."""
    if unit.block is not None:
        there = replace(unit, block=Pose(drag.x, drag.y, drag.heading % (360 * CENTI), drag.z))
    else:
        there = replace(unit, poses=moved_to(unit, drag))
    near = units_nearer_than(with_unit(state, there), there, CONTACT)
    foes = [state.units[other] for other in near if state.units[other].side != unit.side]
    return [foe.id for foe in sorted(foes, key=lambda foe: math.dist(centre_of(foe), (drag.x, drag.y)))]


def _may_charge(rules: Ruleset, chosen: Stop, unit: Unit, foe: int) -> bool:
    assert chosen.decision is not None
    stop = _led_to(rules, chosen.state, chosen.decision, Wanted(unit.id, "charge"))
    match stop.decision:
        case None:
            return False
        case MoveQuestion() as way:  # with only one enemy in reach, the charge target is not asked for
            return way.charges == foe
        case asked:
            return any(option.unit == foe for option in options_in(asked))


# --- the consequences ---


def _carried_on(
    rules: Ruleset,
    state: State,
    decision: Decision,
    actions: tuple[ActionView, ...],
    wanted: Wanted,
    request: Preview,
) -> Previewed:
    """The plan with one action: its move judged, and its targets from there."""
    lead = wanted if wanted.action == "charge" else wanted._replace(target=-1)
    stop = _led_to(rules, state, decision, lead)
    unit = stop.state.units[wanted.unit]
    told = _sentence(unit.name, actions, stop.tested)
    plan = PlanView(wanted.unit, wanted.action, actions, stop.answers, sentence=told)
    match stop.decision:
        case MoveQuestion() as asked:
            return _moved(rules, stop, asked, plan, request)
        case Decision(kind="charge_target") as asked:
            return _whom_to_charge(rules, stop, asked, plan, request)
        case Decision(kind="targets"):
            views = targets_from(rules, stop.state, unit, wanted.action, request.patient)
            stays = replace(NOTHING, legal=True, end=ghost_of(stop.state, unit), targets=views)
            return replace(stays, plan=_aimed(plan, views, request.target))
        case _:
            stays = replace(NOTHING, legal=not stop.reasons, reasons=stop.reasons)
            if unit.place == "table":
                stays = replace(stays, end=ghost_of(stop.state, unit))
            return replace(stays, plan=replace(plan, target=max(-1, lead.target)))


def _moved(rules: Ruleset, stop: Stop, asked: MoveQuestion, plan: PlanView, request: Preview) -> Previewed:
    """The move itself, as dragged or as given; a charge finds its own path."""
    charges = asked.charges >= 0
    if charges or request.drag is None:
        fits = request.answer is not None and type(request.answer) is type(asked.default())
        request = replace(request, drag=None, answer=request.answer if fits else asked.default())
    elif plan.action == "hold" and asked.unit.block is not None:
        pose = asked.unit.block  # it turns on the spot, however the pointer jitters
        request = replace(request, drag=Pose(pose.x, pose.y, request.drag.heading, pose.z))
    found = judged(rules, stop.state, asked, request)
    answers = plan.answers
    if found.answer is not None:
        answers = (*answers, PlannedAnswer(asked.kind, found.answer))
    form = _route(stop.state, asked, plan)
    plan = replace(
        plan,
        answers=answers,
        moves=True,
        how=form.how,
        pivot=form.pivot,
        reach=form.reach,
        leaps=form.leaps and not charges,
    )
    if charges:
        return replace(found, plan=replace(plan, target=found.targets[0].unit if found.targets else -1))
    return replace(found, plan=_aimed(plan, found.targets, request.target))


def _route(state: State, asked: MoveQuestion, plan: PlanView) -> RouteForm:
    """What the move of an action allows; cached on the state."""
    memory: Plans = state.__dict__.setdefault("_plans", {})
    known = memory.get(("route", plan.unit, plan.action))
    if known is None:
        known = memory["route", plan.unit, plan.action] = asked.form()
    assert isinstance(known, RouteForm)
    return known


def _whom_to_charge(
    rules: Ruleset, stop: Stop, asked: Decision, plan: PlanView, request: Preview
) -> Previewed:
    """Every possible charge target, for a charge that names none yet."""
    unit = stop.state.units[plan.unit]
    clock = Clock(PATIENT_MS) if request.patient else None
    views = tuple(
        charge_view(rules, stop.state, unit, option.unit, clock)
        for option in options_in(asked)
        if option.unit >= 0
    )
    return replace(
        NOTHING,
        legal=True,
        reasons=stop.reasons,
        allowance=rules.allowance(stop.state, unit, "charge"),
        end=ghost_of(stop.state, unit),
        targets=views,
        plan=plan,
    )


def _aimed(plan: PlanView, views: tuple[TargetView, ...], wish: int) -> PlanView:
    """The plan followed by a volley, if the action allows one and there is a target."""
    open_to = [view for view in views if view.legal and view.aims]
    if plan.action not in SHOOTING_ACTIONS or not open_to:
        return plan
    if wish == HOLD_FIRE:
        return replace(plan, answers=(*plan.answers, PlannedAnswer("targets", Aims(()))))
    named = next((view for view in open_to if view.unit == wish), None)
    best = named or max(
        open_to, key=lambda view: (view.odds.expected if view.odds else 0.0, -view.distance, -view.unit)
    )
    return replace(plan, target=best.unit, answers=(*plan.answers, PlannedAnswer("targets", Aims(best.aims))))
