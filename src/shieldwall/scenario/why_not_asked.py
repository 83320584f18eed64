"""Explains why a question is not asked: a unit that may not do something is often simply not asked.

A step with `refused` accepts that, and looks for its words in these reasons.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct

from shieldwall.armies.recruit import casts
from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.engine import check, submit
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.pending import Decision, Pending, Refusal
from shieldwall.core.state import State, Unit
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.activation import barred_by
from shieldwall.rules.steps.charge_reasons import why_nobody, why_not_option
from shieldwall.scenario.questions import Hypothetical, unit_in_question
from shieldwall.scenario.schema import SIDES
from shieldwall.scenario.steps import Prepared

Kind = TypeVar("Kind", bound=ev.Event)
SHOOTING_ACTIONS = ("hold", "advance")
# Questions that follow the choice of a unit; if there is only one, the engine chooses it by itself.
PLACED_NEXT = {"deploy": "deploy_place", "arrive": "arrive_place"}
WAYS = ("walk", "shift", "leap", "march", "drag", "path")


class NotAsked(Struct, frozen=True):
    """Why a question is not asked: the rules that prevent it, if any are known, and what happens instead."""

    reasons: tuple[Refusal, ...]
    general: Refusal


def why_not_asked(
    rules: Ruleset,
    state: State,
    events: Sequence[ev.AnyEvent],
    step: Prepared,
    pending: Pending | None,
    waiting: str,
) -> NotAsked:
    """Why the game does not ask what a step answers.

    `events` are those of the activation that the steps are about, `waiting` says what the game waits for now.
    """
    general = Refusal(f"{step.verb} is not asked now: {waiting}", rules.cite("round.pass"))
    return NotAsked(_reasons(rules, state, events, step, pending), general)


def _reasons(
    rules: Ruleset, state: State, events: Sequence[ev.AnyEvent], step: Prepared, pending: Pending | None
) -> tuple[Refusal, ...]:
    if step.side and isinstance(pending, Decision) and pending.kind in step.read.kinds:
        asked = SIDES[state.seats[pending.seat].side]
        text = f"{pending.kind} is now asked of side {asked}, not of side {step.side}"
        return (Refusal(text, pending.cite),) if asked != step.side else ()
    if isinstance(pending, Decision) and pending.kind == PLACED_NEXT.get(step.verb):
        return _why_another(state, step, pending)
    if step.verb == "activate" and step.read.event is not None:
        return _why_not_now(rules, state, state.units[int(str(step.read.event[2]))])
    activated = _latest(events, ev.Activated)
    if activated is None:
        return ()
    unit = state.units[activated.unit]
    chosen = _latest(events, ev.ActionChosen)
    action = chosen.action if chosen is not None and chosen.unit == unit.id else ""
    if action == "idle":
        text = f"{unit.name} stays idle in this activation and does nothing else"
        return (Refusal(text, rules.cite("action.idle")),)
    return _why_not_offered(rules, state, events, step, unit, action)


def _why_another(state: State, step: Prepared, pending: Decision) -> tuple[Refusal, ...]:
    """The engine chose a unit itself; not a reason against a step that names the same one."""
    unit = unit_in_question(state, pending)
    if step.read.unit_is_in is not None and step.read.unit_is_in[0] == unit.id:
        return ()
    text = f"{unit.name} of side {SIDES[unit.side]} is the only unit that can be placed now"
    return (Refusal(text, pending.cite),)


def _why_not_offered(
    rules: Ruleset, state: State, events: Sequence[ev.AnyEvent], step: Prepared, unit: Unit, action: str
) -> tuple[Refusal, ...]:
    """Why a unit was not offered what a step answers, in an activation in which it took some action."""
    verb, over = step.verb, (_over(rules, unit),)
    if verb in ("action", "charge") and action not in ("", "charge"):
        return _why_no_choice(rules, state, unit, action, step)
    if verb in WAYS:
        return (_why_no_way(rules, unit, action),) if f"action.{action}" in rules.cites else over
    if verb == "shoot":
        return _why_no_shots(rules, state, unit, action, step) or over
    if verb == "enter" and action and "carry.board" in rules.cites:
        return _why_not_inside(rules, state, events, unit, step)
    if verb == "strike_back":
        return _why_no_answer(rules, state, events)
    if verb == "cast_or_go":
        return Hypothetical(rules, state, unit.id).why_not(verb)
    if verb == "cast" and "cast.when" in rules.cites:
        text = f"{unit.name} can no longer cast: spells are cast before attacking"
        return _against_spell(rules, state, unit.id, step) or (Refusal(text, rules.cite("cast.when")),)
    if verb == "bid" and step.side and "cast.bid" in rules.cites:
        return (_why_no_bid(rules, state, step.side),)
    if verb == "breath_at" and "breath.shoot" in rules.cites:
        return (_why_no_breath(rules, state, unit),)
    return ()


def _over(rules: Ruleset, unit: Unit) -> Refusal:
    return Refusal(f"the activation of {unit.name} is over", rules.cite("round.pass"))


def _why_no_bid(rules: Ruleset, state: State, side: str) -> Refusal:
    """Why no caster of a side may spend tokens on a spell: it has none, is Stunned, or is too far away."""
    casters = [
        (unit, model)
        for unit in state.units
        if unit.side == SIDES.index(side)
        for model in unit.models
        if any(map(casts, state.profiles[model.profile].rules))
    ]
    reason = f"no caster of side {side} is near enough and sees the caster"
    stunned = [unit.name for unit, model in casters if model.stunned]
    if not any(model.tokens for _, model in casters):
        reason = f"no caster of side {side} has spell tokens"
    elif len(stunned) == len(casters):
        reason = f"{', '.join(stunned)} of side {side} cannot spend tokens while Stunned"
    return Refusal(reason, rules.cite("cast.bid"))


def _why_no_breath(rules: Ruleset, state: State, unit: Unit) -> Refusal:
    """The unit has no fire to breathe, has breathed it, or no enemy is within reach."""
    fire, cite = "Fire Breath", rules.cite("breath.shoot")
    bearers = [model for model in unit.models if _has_rule(state, model.profile, fire)]
    if not bearers:
        return Refusal(f"{unit.name} has no {fire}", cite)
    binding = rules.specials.bindings.get(fire)
    key = (binding.rule.kept_as if binding else "") or fire
    if any(use.key == key for uses in (unit.uses, *(model.uses for model in bearers)) for use in uses):
        return Refusal(f"{unit.name} has already used its {fire}", cite)
    return Refusal(f"no enemy is in sight and within range of the {fire} of {unit.name}", cite)


def _has_rule(state: State, profile: int, name: str) -> bool:
    return any(rule.name == name for rule in state.profiles[profile].rules)


def _why_not_now(rules: Ruleset, state: State, unit: Unit) -> tuple[Refusal, ...]:
    """The unit has been activated already, or it is not the turn of its side."""
    cite = rules.cite("round.activate")
    if unit.activated:
        return (Refusal(f"{unit.name} has already been activated this round", cite),)
    if state.turn != unit.side:
        side, other = SIDES[unit.side], SIDES[1 - unit.side]
        text = f"{unit.name} belongs to {side}, and it is {other}'s turn; `turn: {side}` lets {side} begin"
        return (Refusal(text, cite),)
    return ()


def why_not_cast(
    rules: Ruleset, state: State, events: Sequence[ev.AnyEvent], pending: Decision, step: Prepared
) -> tuple[Refusal, ...]:
    """Why no unit may cast now, with the reasons against the spell that a step names; empty if one may.

    A unit that can cast nothing is not asked, so the game may be waiting for another one; `events` show which unit the
    steps are about.
    """
    refusals = check(pending, Pick("cast"))
    acted = next((event.unit for event in events if isinstance(event, ev.Activated)), -1)
    return (*_against_spell(rules, state, acted, step), *refusals) if refusals and acted >= 0 else refusals


def _against_spell(rules: Ruleset, state: State, acted: int, step: Prepared) -> tuple[Refusal, ...]:
    """What is wrong with the spell of a step, cast by a unit that acts or has just acted."""
    acting = Hypothetical(rules, state, acted)
    return _against(acting, "cast", step) or acting.why_not("cast_or_go")


def _against(acting: Hypothetical, kind: str, step: Prepared) -> tuple[Refusal, ...]:
    """What a question would say against the answer of a step."""
    question = acting.question(kind)
    if question is None:
        return ()
    try:
        return check(question, step.read.answer(acting.state, question))
    except (LookupError, ShieldwallError):
        return ()


def why_not_charged(
    rules: Ruleset, state: State, pending: Decision, step: Prepared
) -> tuple[tuple[Refusal, ...], AnyAnswer]:
    """Why the target of a step cannot be charged, and the refused answer; no reasons if it can be."""
    charge = Pick("charge")
    unit, meant = unit_in_question(state, pending), step.read.answer(state, pending)
    refusals = check(pending, charge)
    if refusals:
        is_there = unit.place == "table"  # inside a carrier or a building, the question gives other reasons
        if is_there and isinstance(meant, Pick) and refusals == why_nobody(rules, state, unit):
            refusals = why_not_option(rules, state, unit, meant.option) or refusals
        return refusals, charge
    ahead = submit(rules, state, charge)
    answer = step.read.answer(ahead.state, pending)
    if isinstance(ahead.pending, Decision) and ahead.pending.kind == "charge_target":
        return check(ahead.pending, answer), answer
    declared = _latest(ahead.events, ev.Declared)
    if isinstance(answer, Pick) and declared is not None and f"u{declared.target}" != answer.option:
        return why_not_option(rules, state, unit, answer.option), answer
    return (), answer


def _latest(events: Sequence[ev.AnyEvent], kind: type[Kind]) -> Kind | None:
    return next((event for event in reversed(events) if isinstance(event, kind)), None)


def _why_no_choice(
    rules: Ruleset, state: State, unit: Unit, action: str, step: Prepared
) -> tuple[Refusal, ...]:
    """What keeps a unit from an action other than the one it takes."""
    named = str(step.read.event[2]) if step.read.event is not None else ""
    wanted = "charge" if step.verb == "charge" else named
    barring = barred_by(rules, state, unit, wanted)
    if unit.place == "inside":
        text = f"{unit.name} is inside and can only stay there: there is no room to come out"
        return barring or (Refusal(text, rules.cite("carry.inside")),)
    text = f"{unit.name} takes the action {action} in this activation, and no other"
    return barring or (Refusal(text, rules.cite("action.limits")),)


def _why_no_way(rules: Ruleset, unit: Unit, action: str) -> Refusal:
    """The unit stands still in this activation, or has moved already."""
    if action == "hold":
        cite = rules.cites.get("move.hold") or rules.cite("action.hold")
        return Refusal(f"{unit.name} holds: its models neither move nor turn", cite)
    text = f"{unit.name} has already made the move of its {action}, which comes before everything else"
    return Refusal(text, rules.cite(f"action.{action}"))


def _why_no_shots(
    rules: Ruleset, state: State, unit: Unit, action: str, step: Prepared
) -> tuple[Refusal, ...]:
    """Reasons against the shots themselves, or against shooting at all."""
    if action not in SHOOTING_ACTIONS:
        cite = rules.cites.get(f"shoot.none@{action}") or rules.cite("act.action")
        text = f"{unit.name} may not shoot in a {action}"
        return (
            Refusal(text if action else f"{unit.name} has no action yet: `action: hold` or another", cite),
        )
    return _against(Hypothetical(rules, state, unit.id, action), "targets", step)


def _why_not_inside(
    rules: Ruleset, state: State, events: Sequence[ev.AnyEvent], unit: Unit, step: Prepared
) -> tuple[Refusal, ...]:
    """Why a move enters nothing: it was made already, or the unit cannot get in."""
    cite = rules.cite("carry.board")
    if any(isinstance(event, ev.Moved) and event.unit == unit.id and event.used for event in events):
        text = f"{unit.name} has moved: `enter` replaces the path, right after the action"
        return (Refusal(text, cite),)
    moving = Hypothetical(rules, state, unit.id)
    return _against(moving, step.verb, step) or moving.why_not(step.verb)


def _why_no_answer(rules: Ruleset, state: State, events: Sequence[ev.AnyEvent]) -> tuple[Refusal, ...]:
    """Why a charged unit cannot strike back: it is gone, stunned, charged in flank or rear, or has nothing to."""
    aligned, declared = _latest(events, ev.Aligned), _latest(events, ev.Declared)
    cite = rules.cites.get("melee.answer@barred") or rules.cite("melee.answer")
    if aligned is not None and aligned.arc != "front":
        side = "rear" if aligned.arc == "rear" else "flank"
        name = state.units[aligned.target].name
        return (Refusal(f"{name} was charged in its {side} and cannot strike back", cite),)
    if declared is None:
        return ()
    target = state.units[declared.target]
    if not target.models:
        return (Refusal(f"{target.name} is destroyed", rules.cite("melee.answer")),)
    if any(model.stunned for model in target.models):
        return (Refusal(f"{target.name} is Stunned and cannot strike back", cite),)
    return (Refusal(f"{target.name} has nothing to strike back with", rules.cite("melee.answer")),)
