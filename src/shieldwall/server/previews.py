"""A question's preview of an answer as the page shows it: ghosts, paths, targets from there, odds.

A preview never touches the game: it works on copies and rolls no dice.
"""

from __future__ import annotations

import math
import time

from msgspec.structs import replace

from shieldwall.core.answers import Aim
from shieldwall.core.forms import AnswerPreview, LeapRisk, Wish
from shieldwall.core.grammar import does, inch_words
from shieldwall.core.pending import Decision
from shieldwall.core.state import MILLI, State, Unit, with_unit
from shieldwall.dice.words import count
from shieldwall.rules.army.near import with_auras
from shieldwall.rules.ruleset import Ruleset, enemies_on_table
from shieldwall.server.forms import PLANNED_KINDS
from shieldwall.server.magic import casting_of
from shieldwall.server.messages import Ghost, GroundView, PathView, Preview, Previewed
from shieldwall.server.outcomes import Clock
from shieldwall.server.present import figures_of, outline_of
from shieldwall.server.question_views import TargetView
from shieldwall.server.shots import charge_view, reasons_of, target_view, targets_for
from shieldwall.server.views import Reason
from shieldwall.server.words import percent
from shieldwall.story import Names

ODDS_MS = 5.0  # time one pointer position may spend on odds; the remaining targets go without
PATIENT_MS = 400.0  # the same for a pointer at rest
AIM_MS = 250.0  # a declaration is looked at for longer than a passing spot
SHOOTING_ACTIONS = ("advance", "hold")

NOTHING = Previewed(
    id=0, seq=0, legal=False, reasons=(), answer=None, used=0, left=0, allowance=0, wanted=None, end=None,
    paths=(), ground=(), too_close=(), targets=(), words="", ms=0.0,
)  # fmt: skip


def previewed(rules: Ruleset, state: State, decision: Decision, seq: int, request: Preview) -> Previewed:
    """The verdict, with the milliseconds it took."""
    from shieldwall.server.planning import planned  # which uses this module

    began = time.perf_counter()
    if request.unit >= 0 and decision.kind in PLANNED_KINDS:
        found = planned(rules, state, decision, request)
    else:
        found = judged(rules, state, decision, request)
    took = round((time.perf_counter() - began) * 1000, 2)
    return replace(found, id=request.id, seq=seq, ms=took)


def judged(rules: Ruleset, state: State, decision: Decision, request: Preview) -> Previewed:
    """What a drag, or an answer to the current question, would do."""
    if request.drag is None and request.answer is None:
        return replace(NOTHING, reasons=(Reason("a preview needs a point to drag to, or an answer"),))
    found = decision.preview(Wish(request.drag, request.answer, request.leap))
    shown = _shown(state, found)
    if found.action:
        shown = replace(shown, words=_move_words(found), leaps=_leap_words(state, found.leaps))
    if found.aimed:
        targets, clock = targets_for(rules, state, state.units[decision.about]), Clock(AIM_MS)
        return replace(shown, targets=tuple(target_view(targets, facts, clock) for facts in found.aimed))
    if found.charges >= 0:
        clock_if_patient = Clock(PATIENT_MS) if request.patient else None
        charger = state.units[decision.about]
        return replace(shown, targets=(charge_view(rules, state, charger, found.charges, clock_if_patient),))
    if found.action and found.end is not None:
        there = with_auras(rules, with_unit(state, found.end))
        return replace(shown, targets=targets_from(rules, there, found.end, found.action, request.patient))
    if request.patient and shown.legal and found.answer is not None and found.end is None:
        return replace(shown, casting=casting_of(rules, state, decision, found.answer))
    return shown


def _shown(state: State, found: AnswerPreview) -> Previewed:
    """What all previews have in common."""
    return replace(
        NOTHING,
        legal=not found.refusals,
        reasons=reasons_of(found.refusals),
        answer=found.answer,
        used=found.used,
        left=max(0, found.allowance - found.used),
        allowance=found.allowance,
        wanted=ghost_of(state, found.wanted),
        end=ghost_of(state, found.end),
        paths=tuple(PathView(model, points) for model, points in found.ways),
        ground=tuple(GroundView(piece.piece, piece.difficult, piece.dangerous) for piece in found.ground),
        too_close=found.too_close,
        words=found.words,
    )


def ghost_of(state: State, unit: Unit | None) -> Ghost | None:
    """A unit where it would stand."""
    return None if unit is None else Ghost(figures_of(state, unit), outline_of(state, unit), unit.block)


def _move_words(found: AnswerPreview) -> str:
    sign = "nearest legal place: " if found.refusals else ""
    left = max(0, found.allowance - found.used)
    return f"{sign}{inch_words(found.used)} used, {inch_words(left)} left"


def _leap_words(state: State, leaps: tuple[LeapRisk, ...]) -> tuple[Reason, ...]:
    """What each leap on the way needs, and how likely it is to fail."""
    names, owner = Names(state), {model.id: unit.id for unit in state.units for model in unit.models}
    return tuple(
        Reason(f"{does(names.member(owner[leap.model], leap.model), 'leap', 1)} {_risk(leap)}", leap.cite)
        for leap in leaps
    )


def _risk(leap: LeapRisk) -> str:
    lands = math.pow((7 - leap.needed) / 6, leap.dice)
    far, deep = inch_words(leap.distance * MILLI), inch_words(leap.fall * MILLI)
    dice = count(leap.dice, "die", "dice")
    return f"{far}: lands on {leap.needed}+ with {dice} ({percent(lands)}), else falls {deep}"


def targets_from(
    rules: Ruleset, there: State, unit: Unit, action: str, patient: bool
) -> tuple[TargetView, ...]:
    """For each enemy, the best weapon against it from the new place; none after moves without shooting."""
    if action not in SHOOTING_ACTIONS:
        return ()
    targets, clock = targets_for(rules, there, unit), Clock(PATIENT_MS if patient else ODDS_MS)
    best: list[TargetView] = []
    if not targets.groups:
        return ()
    longest = max(targets.groups, key=lambda key: targets.groups[key].weapon.reach)
    for enemy in enemies_on_table(there, unit):
        open_to = [key for key in targets.groups if targets.eligible(key, enemy.id)]
        views = [target_view(targets, targets.facts(key, enemy.id), clock) for key in open_to]
        if not views:
            best.append(target_view(targets, targets.facts(longest, enemy.id), None))
            continue
        aims = tuple(Aim(key, enemy.id, targets.usual_pick(key, enemy.id)) for key in open_to)
        best.append(replace(max(views, key=lambda view: view.shooters), aims=aims))
    return tuple(best)
