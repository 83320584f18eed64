"""Advice in a coach's words: what to do, and the strongest reason for it."""

from __future__ import annotations

import math
from typing import NamedTuple

from shieldwall.core.answers import Aims, AnyAnswer, Cast, Pick
from shieldwall.core.engine import submit
from shieldwall.core.forms import Wish
from shieldwall.core.pending import Decision
from shieldwall.core.state import MILLI, Marker, State, Unit
from shieldwall.rules.move_question import MoveQuestion
from shieldwall.rules.ruleset import Ruleset, enemies_on_table
from shieldwall.server.forms import options_in
from shieldwall.server.outcomes import Clock, charge_outcome, shooting_outcome
from shieldwall.server.question_views import PlannedAnswer
from shieldwall.server.shots import action_of
from shieldwall.table.formations import centre_of

ODDS_MS = 400.0
VERBS = {"hold": "Hold", "advance": "Advance", "rush": "Rush", "charge": "Charge"}
ACTING = frozenset(
    {"activate", "action", "targets", "charge_target"}
)  # questions about what a unit does, other than its moves
LOSSES = frozenset({"casualties", "tough_pick"})


def advice(rules: Ruleset, state: State, decision: Decision, answers: tuple[PlannedAnswer, ...]) -> str:
    """Why these answers are good, for a player about to give them; "" if there is nothing to say."""
    if decision.kind in LOSSES and answers and answers[0].answer == decision.default():
        return "The rear goes first; leaders and special weapons stay as long as possible."
    followed = _followed(rules, state, decision, answers)
    if followed is None:
        return ""
    return _advised(rules, followed)


def reason(rules: Ruleset, state: State, decision: Decision, answer: AnyAnswer) -> str:
    """Why a player gave an answer, for spectators; only for moves and targets."""
    if isinstance(answer, Pick) and decision.kind != "charge_target":
        return ""
    followed = _followed(rules, state, decision, (PlannedAnswer(decision.kind, answer),))
    if followed is None:
        return ""
    words = _advised(rules, followed)
    told = words.replace(": ", "; ", 1)
    return f"{followed.unit.name}: {told[:1].lower()}{told[1:]}" if words else ""


class Followed(NamedTuple):
    """Answers played through: the final state, the unit at first and then, its action, where it would stand, its
    charge target, and the answers to anything else.
    """

    state: State
    before: Unit
    unit: Unit
    action: str
    there: Unit
    charged: Unit | None
    rest: tuple[AnyAnswer, ...]


def _followed(
    rules: Ruleset, state: State, decision: Decision, answers: tuple[PlannedAnswer, ...]
) -> Followed | None:
    """Play the answers through; None if the question is not about what a unit does."""
    if decision.kind not in ACTING and not isinstance(decision, MoveQuestion):
        return None
    unit, action, there, charged = None, "", None, -1
    units = state.units
    asked: Decision | None = decision
    rest: list[AnyAnswer] = []
    for planned in answers:
        if asked is None or asked.kind != planned.kind:
            break
        answer = planned.answer
        if asked.kind == "activate" and isinstance(answer, Pick):
            chosen = next((option.unit for option in options_in(asked) if option.key == answer.option), -1)
            unit = state.units[chosen] if chosen >= 0 else None
        if isinstance(asked, MoveQuestion):
            unit, action = asked.unit, action or asked.action
            charged = max(charged, asked.charges)
            there = asked.preview(Wish(answer=answer)).end
        elif asked.about >= 0 and unit is None and not isinstance(answer, Cast):
            unit = state.units[asked.about]
        if asked.kind == "charge_target" and isinstance(answer, Pick):
            action = "charge"
            charged = next((option.unit for option in options_in(asked) if option.key == answer.option), -1)
        if asked.kind == "action" and isinstance(answer, Pick):
            action = answer.option
        else:
            rest.append(answer)
        if planned is answers[-1]:
            break
        state, _, pending = submit(rules, state, answer)
        asked = pending if isinstance(pending, Decision) else None
    if unit is None or unit.id < 0:
        return None
    now = state.units[unit.id]
    target = state.units[charged] if charged >= 0 else None
    return Followed(
        state, units[unit.id], now, action or action_of(state, now), there or now, target, tuple(rest)
    )


def _advised(rules: Ruleset, followed: Followed) -> str:
    state, before, unit, action, there, charged, rest = followed
    if action == "charge" and charged is not None:
        return _charge_words(rules, state, unit, charged)
    aims = next((answer for answer in rest if isinstance(answer, Aims) and answer.aims), None)
    if aims is not None:
        return _shot_words(rules, state, before, there, action, aims)
    if action in ("advance", "rush", "hold"):
        return _place_words(rules, state, unit, there, action)
    if action == "cast":
        return f"Cast a spell first: {unit.name} can still act afterwards."
    if action == "idle":
        return f"Stay idle: {unit.name} must recover before anything else."
    return ""


def _charge_words(rules: Ruleset, state: State, unit: Unit, target: Unit) -> str:
    odds = charge_outcome(rules, state, unit.id, target.id, Clock(ODDS_MS))
    words = f"Charge {target.name}"
    if odds is None:
        return f"{words}: within reach, and the charger strikes first."
    if odds.destroyed >= 0.4:
        return f"{words}: {_share(odds.destroyed)} to destroy {_them(target)} at once."
    if odds.breaks >= 0.4:
        return f"{words}: {_share(odds.breaks)} to break {_them(target)}."
    back = odds.back.split(" (")[0].split(",")[0]
    cost = f", and {back} in return" if back and back != "no wounds" else ""
    return f"{words}: {odds.words.split(' (')[0]}{cost}."


def _share(chance: float) -> str:
    return f"{round(chance * 100)} %"


def _them(unit: Unit) -> str:
    return "it" if len(unit.models) == 1 else "them"


def _shot_words(rules: Ruleset, state: State, before: Unit, unit: Unit, action: str, aims: Aims) -> str:
    target = state.units[aims.aims[0].target]
    verb = "Advance and shoot" if action == "advance" and _moves(before, unit) else "Shoot"
    from shieldwall.core.state import with_unit
    from shieldwall.rules.army.near import with_auras

    there = with_auras(rules, with_unit(state, unit))
    odds = shooting_outcome(rules, there, unit.id, action, aims.aims, Clock(ODDS_MS))
    words = f"{verb} {target.name}"
    held = _marker_at(rules, state, target)
    if odds is None:
        return f"{words}: in range and in sight from there."
    if odds.destroyed >= 0.3:
        return f"{words}: {_share(odds.destroyed)} to destroy {_them(target)}."
    if odds.breaks >= 0.3:
        return f"{words}: {_share(odds.breaks)} to break {_them(target)}."
    expected = odds.words.split(" (")[0]
    if held is not None:
        return f"{words} on marker {held.id + 1}: {expected}."
    return f"{words}: {expected} of the {_wounds_left(state, target)} left."


def _moves(unit: Unit, there: Unit) -> bool:
    """Whether any model goes as far as is shown as some distance."""
    before, after = (one.poses or (one.block,) for one in (unit, there))
    return any(
        a and b and math.dist((a.x, a.y), (b.x, b.y)) >= MILLI / 20
        for a, b in zip(before, after, strict=False)
    )


def _wounds_left(state: State, unit: Unit) -> int:
    return sum(state.profiles[model.profile].wounds - model.wounds for model in unit.models)


def _place_words(rules: Ruleset, state: State, unit: Unit, there: Unit, action: str) -> str:
    """A move, or staying put, in terms of markers, which decide battles."""
    moved = _moves(unit, there)
    verb = VERBS[action] if moved else "Stay"
    marker = _marker_at(rules, state, there)
    if marker is not None:
        keeps = " to keep it" if marker.holder == unit.side else ""
        way = "to" if moved else "on"
        return f"{verb} {way} marker {marker.id + 1}{keeps}: {_worth(rules, state, unit, marker)}."
    if not moved:
        return "Hold here: there is no better place in reach."
    near = min(state.markers, key=lambda m: math.dist((m.x, m.y), centre_of(there)), default=None)
    foe = min(
        enemies_on_table(state, unit),
        key=lambda foe: math.dist(centre_of(foe), centre_of(there)),
        default=None,
    )
    if near is not None and _nearer(near.x, near.y, unit, there):
        far = math.dist((near.x, near.y), centre_of(there)) / MILLI
        return f"{verb} towards marker {near.id + 1}, to within {max(1, round(far))} inches."
    if foe is not None and _nearer(*centre_of(foe), unit, there):
        far = math.dist(centre_of(foe), centre_of(there)) / MILLI
        return f"{verb} towards {foe.name}: {_next_round(rules, state, unit, far)}."
    return f"{verb} away from the enemy: {_safety(rules, state, unit, there)}."


def _next_round(rules: Ruleset, state: State, unit: Unit, far: float) -> str:
    """What a unit can do next round about an enemy at this distance."""
    profiles = (state.profiles[model.profile] for model in unit.models)
    farthest = max((weapon.reach for profile in profiles for weapon in profile.weapons), default=0)
    if far <= rules.allowance(state, unit, "charge") / MILLI:
        return "close enough to charge it next round"
    if farthest and far <= (farthest + rules.allowance(state, unit, "advance")) / MILLI:
        return "close enough to shoot it next round"
    rush = rules.allowance(state, unit, "rush") / MILLI
    advance = rules.allowance(state, unit, "advance") / MILLI
    ranges = [(rules.allowance(state, unit, "charge") / MILLI, "charge")]
    ranges += [(farthest + advance, "shoot")] if farthest else []
    if not rush:
        return f"{round(far)} inches away then"
    rounds, deed = min((1 + math.ceil((far - reach) / rush), deed) for reach, deed in ranges)
    return f"a step closer, so that it can {deed} it in {rounds} rounds"


def _safety(rules: Ruleset, state: State, unit: Unit, there: Unit) -> str:
    """How many enemies could charge a unit next round, before and after a move."""
    before, after = (_chargers(rules, state, one) for one in (unit, there))
    if after < before:
        fewer = "none" if not after else f"only {after}"
        return f"{before} of them could charge it next round where it is, {fewer} there"
    return "nothing better to do is in reach" if not after else "it keeps its distance"


def _chargers(rules: Ruleset, state: State, unit: Unit) -> int:
    place = centre_of(unit)
    return sum(
        math.dist(centre_of(foe), place) <= rules.allowance(state, foe, "charge")
        for foe in enemies_on_table(state, unit)
    )


def _nearer(x: int, y: int, unit: Unit, there: Unit) -> bool:
    return math.dist((x, y), centre_of(there)) < math.dist((x, y), centre_of(unit)) - MILLI / 2


def _marker_at(rules: Ruleset, state: State, unit: Unit) -> Marker | None:
    """The marker a unit is close enough to take."""
    within = rules.constants.seize_within + MILLI // 2
    spots = [(pose.x, pose.y) for pose in unit.poses] or [centre_of(unit)]
    found = [(min(math.dist((m.x, m.y), spot) for spot in spots), m.id, m) for m in state.markers]
    reach = within + (2 * MILLI if unit.block is not None else 0)
    return next((m for far, _, m in sorted(found, key=lambda item: item[:2]) if far <= reach), None)


def _worth(rules: Ruleset, state: State, unit: Unit, marker: Marker) -> str:
    rivals = [foe for foe in enemies_on_table(state, unit) if _can_come(rules, state, foe, marker)]
    if marker.holder == unit.side:
        return (
            "no enemy can reach it this round" if not rivals else f"{_named(rivals)} could still come for it"
        )
    if not rivals:
        return "no enemy can contest it this round"
    return (
        f"only {rivals[0].name} can contest it this round"
        if len(rivals) == 1
        else f"get there before {_named(rivals)}"
    )


def _named(units: list[Unit]) -> str:
    names = [unit.name for unit in units[:2]]
    return " and ".join(names) if len(units) <= 2 else f"{names[0]} and {len(units) - 1} others"


def _can_come(rules: Ruleset, state: State, foe: Unit, marker: Marker) -> bool:
    """Whether an enemy is close to a marker, or can still get there this round."""
    far = math.dist(centre_of(foe), (marker.x, marker.y)) - rules.constants.seize_within
    return far <= (0 if foe.activated else rules.allowance(state, foe, "rush"))
