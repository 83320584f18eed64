"""Short steps of a scenario and the answers they mean.

A step is a verb with what it is about, `march: [forward 3, pivot 90]`, or several verbs in a row. Names and shapes are
checked before anything is played, and the answer is made when the question comes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.armies.recruit import casts
from shieldwall.core.answers import Aim, Aims, AnyAnswer, Bid, Cast, Chosen, Pick
from shieldwall.core.forms import AimingForm
from shieldwall.core.frames import Movement
from shieldwall.core.pending import Choice, Decision
from shieldwall.core.state import State, Unit
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.rules.army.passing import pass_key
from shieldwall.rules.steps.activation import ACTIONS
from shieldwall.scenario.check import FileProblem, Path
from shieldwall.scenario.move_steps import (
    SPOTS,
    Answering,
    Response,
    drag,
    leap,
    march,
    move,
    place,
    raw,
    shift,
    walk,
)
from shieldwall.scenario.poses import is_position
from shieldwall.scenario.questions import (
    ACTION_WORDS,
    KINDS,
    MOVES,
    StepFaultError,
    option_meant,
    unit_in_question,
    word_of,
)
from shieldwall.scenario.roster import Roster, UnknownNameError
from shieldwall.scenario.schema import SIDES, Step

EXAMPLE = "{question: 'Is the hedge solid?', A: yes, B: no}"


def dispute(verb: str, value: Any, roster: Roster) -> Response:
    """`{question, A: its reading, B: its reading}`; a switch of the edition may be the question."""
    keys = ("question", *SIDES)
    if not isinstance(value, dict) or set(value) != set(keys):
        raise StepFaultError(f"dispute: expected a question and how each side reads it, such as {EXAMPLE}")
    readings = [word_of(value[side]) for side in SIDES]

    def answer(state: State, pending: Decision) -> AnyAnswer:
        return Pick(readings[state.seats[pending.seat].side])

    return Response(("ruling",), answer, opens=(word_of(value["question"]), tuple(dict.fromkeys(readings))))


# Keys that may accompany the verb; the last three are evaluated after it.
EXTRAS = ("refused", "note", "side", "until", "measure", "expect")
NOBODY = (None, False, "none", "no")
NAMESAKE = re.compile(r" \(\d+\)$")  # weapons of the same name are numbered
AFTERWARDS = frozenset(("until", "measure", "expect"))


class Prepared(Struct, frozen=True):
    """A step ready to be played; `refused` holds what the reasons against it must say."""

    verb: str
    read: Response
    refused: tuple[str, ...] | None = None
    side: str = ""


def verbs_of(step: Step) -> list[Step]:
    """A step with several verbs as that many steps; a refusal concerns the last of them."""
    verbs = [key for key in step if key not in EXTRAS]
    singles: list[Step] = [single for verb in verbs for single in _singles(verb, step[verb])]
    for single in singles:
        if "side" in step:
            single["side"] = step["side"]
    if singles and "refused" in step:
        singles[-1]["refused"] = step["refused"]
    return singles


# Steps that answer an army rule by its name, each with an example for error messages.
RULE_VERBS: dict[str, str] = {
    "rule_pick": "{Marked Foe: Wolves}",
    "rule_effect": "{Drilled: 2}",
    "rule_use": "{Great Day: yes}",
    "rule_move": "{Skirmishers: [33, 12]}",
    "rule_place": "{Ethereal: [30, 20]}",
    "aura_pick": "{Watch Aura: Pikes}",
}


WITH_SPOTS = ("rule_move", "rule_place")  # answered by a position, not by one of several


def _singles(verb: str, value: Any) -> list[Step]:
    """Answers to army rules by name, `{Rule: [Unit, Unit]}`, as one step for each question."""
    if verb not in RULE_VERBS or not isinstance(value, dict):
        return [{verb: value}]
    return [
        {verb: {rule: one}}
        for rule, given in value.items()
        for one in (given if isinstance(given, list) and verb not in WITH_SPOTS else [given])
    ]


def _of_rule(verb: str, value: Any, roster: Roster) -> Response:
    """`{Rule: answer}`: the answer to a question of that rule; questions of other rules are not meant."""
    if not isinstance(value, dict) or len(value) != 1:
        raise StepFaultError(f"{verb}: expected the name of a rule and an answer, such as {RULE_VERBS[verb]}")
    rule, given = next(iter(value.items()))
    if verb == "rule_move":
        way = drag(verb, given, roster) if is_position(given) else move("path", given, roster)
        return Response(("path",), way.answer, declines=way.declines, fits=_moves_by(str(rule)))
    read = _put_down(verb, given, roster) if verb == "rule_place" else _any_option(verb, given, roster)
    return replace(read, fits=lambda state, pending: _is_rule(getattr(pending, "rule", ""), str(rule)))


def _is_rule(printed: str, name: str) -> bool:
    """Whether a rule goes by a name: its printed one, or that without what follows in brackets."""
    return name in (printed, printed.partition("(")[0])


def _put_down(verb: str, given: Any, roster: Roster) -> Response:
    """Where a rule places a unit: one on the table is dragged to a single position, a new one is placed."""
    placed = place(verb, given, roster)
    if not is_position(given):
        return placed
    dragged = drag(verb, given, roster)

    def answer(state: State, pending: Decision) -> AnyAnswer:
        stands = unit_in_question(state, pending).place == "table"
        return (dragged if stands else placed).answer(state, pending)

    return replace(placed, answer=answer)


def _moves_by(rule: str) -> Callable[[State, Decision], bool]:
    """Whether a move is one that a rule gives, and the unit has just used that rule."""

    def fits(state: State, pending: Decision) -> bool:
        is_extra = any(isinstance(frame, Movement) and frame.action == "rule" for frame in state.stack)
        used = (use.key for use in unit_in_question(state, pending).uses) if is_extra else ()
        return rule in used

    return fits


def prepared(step: Step, roster: Roster) -> Prepared:
    """A step, parsed; raises `StepFaultError` for anything that has no meaning on this table."""
    verbs = [key for key in step if key not in EXTRAS]
    verb, value = verbs[0], step[verbs[0]]
    if verb not in VERBS and verb not in KINDS and verb not in RULE_VERBS:
        known = tuple(dict.fromkeys((*VERBS, *KINDS, *RULE_VERBS, *EXTRAS)))
        tip = f"; write `action: {verb}`" if verb in ACTIONS else did_you_mean(str(verb), known)
        tip = tip or "; `shieldwall scenario words` lists all questions"
        raise StepFaultError(f"unknown step {verb!r}{tip}")
    refused = step.get("refused")
    if refused is not None and not isinstance(refused, (list, str, bool)):
        raise StepFaultError("refused: expected a list of words or row ids that the reasons must contain")
    reasons = refused if isinstance(refused, list) else [refused] if isinstance(refused, str) else []
    side = step.get("side", "")
    if side not in ("", *SIDES):
        raise StepFaultError(f"side: expected A or B, found {side!r}")
    by_rule = _of_rule if verb in RULE_VERBS else None
    reader = (
        VERBS.get(verb) or by_rule or (move if verb in MOVES else place if verb in SPOTS else _any_option)
    )
    try:
        read = reader(verb, value, roster)
    except UnknownNameError as error:
        raise StepFaultError(str(error)) from error
    expected = None if refused is None or refused is False else tuple(str(reason) for reason in reasons)
    return Prepared(verb, read, expected, side)


def step_problems(steps: Sequence[Step], roster: Roster, where: Path) -> list[FileProblem]:
    """Every problem in a list of steps; what comes after a verb is checked elsewhere."""
    problems: list[FileProblem] = []
    for number, step in enumerate(steps):
        singles = verbs_of(step)
        if not singles and not step.keys() & AFTERWARDS:
            problems.append(FileProblem((*where, number), "a step needs a verb, such as activate or action"))
        for single in singles:
            try:
                prepared(single, roster)
            except StepFaultError as error:
                problems.append(FileProblem((*where, number), str(error)))
    return problems


Reader = Callable[[str, Any, Roster], Response]


def _activate(verb: str, value: Any, roster: Roster) -> Response:
    unit = roster.unit(value)
    return Response(("activate",), lambda state, pending: Pick(f"u{unit}"), ("activated", "unit", unit))


def _pass(verb: str, value: Any, roster: Roster) -> Response:
    """The unit that passes the turn by a rule, instead of picking one that acts."""
    unit = roster.unit(value)
    return Response(("activate",), lambda state, pending: Pick(pass_key(unit)))


def _action(verb: str, value: Any, roster: Roster) -> Response:
    word = str(value).lower()
    if word not in ACTION_WORDS:
        raise StepFaultError(f"there is no action {value!r}{did_you_mean(word, ACTION_WORDS)}")
    return Response(("action",), lambda state, pending: Pick(word), ("action_chosen", "action", word))


def _charge(verb: str, value: Any, roster: Roster) -> Response:
    if isinstance(value, str) and value in roster.pieces:
        house = roster.pieces[value]
        return Response(("charge_target",), lambda state, pending: Pick(f"b{house}"), building=house)
    unit = roster.unit(value)
    return Response(("charge_target",), lambda state, pending: Pick(f"u{unit}"), ("declared", "target", unit))


def _deploy(verb: str, value: Any, roster: Roster) -> Response:
    """The unit to place next, or none to arrive; where it goes is another question."""
    if value in NOBODY:
        return _any_option(verb, value, roster)
    unit = roster.unit(value)
    then = ("deploy_place",) if verb == "deploy" else ("arrive_now", "arrive_place")
    return Response((verb,), lambda state, pending: Pick(f"u{unit}"), None, (unit, then))


def _shoot(verb: str, value: Any, roster: Roster) -> Response:
    """`{Weapon: Target}`; a target may be `{at: Unit, pick: Unit/Model, held: [Unit/1]}`; none holds fire.

    A unit alone is shot at with every weapon that may. A name that several weapons share means all of them, unless one
    is named by its number, such as `Bow (2)`.
    """
    if value in (None, False, "none", [], {}):
        return Response(("targets",), lambda state, pending: Aims(()), declines=True)
    if isinstance(value, str):
        return Response(("targets",), _all_at(roster.unit(value)))
    pairs = list(value.items()) if isinstance(value, dict) else []
    if isinstance(value, list):
        pairs = [pair for entry in value if isinstance(entry, dict) for pair in entry.items()]
    if not pairs:
        raise StepFaultError("shoot: expected weapons with their targets, such as {Bow: Wolves}, or none")
    aims = tuple(_aim(weapon, target, roster) for weapon, target in pairs)
    return Response(("targets",), _with_namesakes(aims))


def _all_at(target: int) -> Answering:
    """Every weapon that may shoot at a unit does, at the unit as a whole."""

    def answer(state: State, pending: Decision) -> AnyAnswer:
        aims = pending.onto(target)
        assert isinstance(aims, Aims), "only questions about targets get here"
        return Aims(tuple(Aim(aim.group, target) for aim in aims.aims))

    return answer


def _with_namesakes(aims: tuple[Aim, ...]) -> Answering:
    """The aims as written, together with weapons of the same name that may shoot at the same unit.

    Only weapons that can single out a model do so.
    """
    named = [aim.group for aim in aims]

    def meant(form: AimingForm, aim: Aim) -> list[Aim]:
        alike = [group for group in form.groups if NAMESAKE.sub("", group.key) == aim.group]
        if named.count(aim.group) > 1 or any(one.key in named for one in alike if one.key != aim.group):
            return [aim]
        able = [one for one in alike if any(it.unit == aim.target and it.is_legal for it in one.targets)]
        picks = [aim.picked if len(able) == 1 or one.picks_model else -1 for one in able]
        found = [replace(aim, group=one.key, picked=pick) for one, pick in zip(able, picks, strict=True)]
        return found or [aim]

    def answer(state: State, pending: Decision) -> AnyAnswer:
        form = pending.form()
        assert isinstance(form, AimingForm), "only questions about targets get here"
        return Aims(tuple(each for aim in aims for each in meant(form, aim)))

    return answer


def _aim(weapon: Any, target: Any, roster: Roster) -> Aim:
    roster.weapon(NAMESAKE.sub("", str(weapon)))
    if not isinstance(target, dict):
        return Aim(str(weapon), roster.unit(target))
    unknown = [key for key in target if key not in ("at", "pick", "held")]
    if unknown or "at" not in target:
        raise StepFaultError(
            f"shoot: {weapon} needs `at`, and may have `pick` and `held`; found {list(target)}"
        )
    picked = roster.model(target["pick"])[1] if "pick" in target else -1
    named = target.get("held", [])
    held = tuple(roster.model(name)[1] for name in (named if isinstance(named, list) else [named]))
    return Aim(str(weapon), roster.unit(target["at"]), picked, held)


def _chosen(kinds: tuple[str, ...], units: bool) -> Reader:
    def read(verb: str, value: Any, roster: Roster) -> Response:
        names = value if isinstance(value, list) else [value]
        ids = tuple(roster.unit(name) if units else roster.model(name)[1] for name in names)

        keys = [f"{'u' if units else 'm'}{number}" for number in ids]

        def answer(state: State, pending: Decision) -> AnyAnswer:
            if not isinstance(pending, Choice) or not keys:
                return Chosen(ids)
            offered = {option.key for option in pending.options}
            return Pick(next((key for key in keys if key not in offered), keys[0]))

        one_by_one = tuple(_picking(key) for key in keys)
        return Response(kinds, answer, one_by_one=one_by_one)

    return read


def _picking(key: str) -> Answering:
    return lambda state, pending: Pick(key)


def _bid(verb: str, value: Any, roster: Roster) -> Response:
    if type(value) is not int:
        raise StepFaultError(f"bid: expected a whole number of tokens (negative to hinder), found {value!r}")
    return Response(("bid",), lambda state, pending: Bid(value))


def _cast(verb: str, value: Any, roster: Roster) -> Response:
    """`{Spell: Target}` or `{spell: ..., at: [...], by: Unit/1}`; none casts nothing."""
    if value in (None, False, "none"):
        return Response(("cast",), lambda state, pending: Pick("back"), declines=True)
    if not isinstance(value, dict):
        raise StepFaultError(f"cast: expected {{Spell: Target}}, found {value!r}")
    if "spell" not in value:
        if len(value) != 1:
            raise StepFaultError("cast: one spell at a time, such as {Breaker: Wolves}")
        value = {"spell": next(iter(value)), "at": next(iter(value.values()))}
    unknown = [key for key in value if key not in ("spell", "at", "by")]
    if unknown:
        raise StepFaultError(f"cast: expected spell, at and by, found {', '.join(map(str, unknown))}")
    roster.spell(str(value["spell"]))
    at = value.get("at", [])
    targets = tuple(roster.unit(name) for name in (at if isinstance(at, list) else [at]))
    caster = roster.model(value["by"])[1] if "by" in value else -1

    def answer(state: State, pending: Decision) -> AnyAnswer:
        by = caster if caster >= 0 else _only_caster(state, unit_in_question(state, pending))
        return Cast(by, str(value["spell"]), targets)

    return Response(("cast",), answer)


def _only_caster(state: State, unit: Unit) -> int:
    able = (model.id for model in unit.models if any(map(casts, state.profiles[model.profile].rules)))
    return next(able, unit.models[0].id)


def _enter(verb: str, value: Any, roster: Roster) -> Response:
    """Into which building or carrier a move leads; a block that marches runs up against its carrier."""
    if not isinstance(value, str) and value not in NOBODY:
        raise StepFaultError(f"{verb}: expected the name of a unit or a building, found {value!r}")
    read = _any_option(verb, value, roster)
    if value not in roster.units:
        return read

    def answer(state: State, pending: Decision) -> AnyAnswer:
        return pending.onto(roster.unit(value)) or read.answer(state, pending)

    return Response((verb,), answer)


def _any_option(verb: str, value: Any, roster: Roster) -> Response:
    """A question answered by its name, with an option's key, its label or the unit it is about."""
    declines = value in NOBODY
    return Response((verb,), lambda state, pending: option_meant(pending, value, roster), declines=declines)


VERBS: dict[str, Reader] = {
    "activate": _activate,
    "pass": _pass,
    "action": _action,
    "charge": _charge,
    "charge_target": _charge,
    "deploy": _deploy,
    "arrive": _deploy,
    "march": march,
    "walk": walk,
    "leap": leap,
    "shift": shift,
    "drag": drag,
    "place": place,
    "shoot": _shoot,
    "casualties": _chosen(("casualties", "tough_pick", "knocked_out_pick", "spread"), units=False),
    "spread": _chosen(("spread",), units=False),
    "order": _chosen(("rout_order", "volley_order", "effect_order"), units=True),
    "bid": _bid,
    "dispute": dispute,
    "enter": _enter,
    "cast": _cast,
    "answer": raw,
}
