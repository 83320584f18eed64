"""The steps of a scenario that move or place units: legs, paths of models, positions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.answers import AnyAnswer, Leg, LegKind, March, ModelPath, Placed, Spot, Walk
from shieldwall.core.codec import answer_from
from shieldwall.core.errors import MalformedError
from shieldwall.core.pending import Decision
from shieldwall.core.state import Pose, State, Unit
from shieldwall.core.values import CENTI, MILLI
from shieldwall.scenario.poses import base_of, block_by_front, is_position, poses_for, read_pose
from shieldwall.scenario.questions import KINDS, MOVES, PLACES, StepFaultError, unit_in_question
from shieldwall.scenario.roster import Roster, index_of

Answering = Callable[[State, Decision], AnyAnswer]

# The forms that a move may take under the name of its question.
FORMS = ("shift", "drag", "walk", "march")
OPPOSITE_LEGS = {"forward": "back", "back": "forward", "backward": "forward"}
# Places that units do not move to.
SPOTS = frozenset((*PLACES, "marker")) - frozenset(MOVES)
_LEG = re.compile(
    r"^(forward|back|backward|left|right|side|pivot|turn)\s+(-?\d+(?:\.\d+)?)\s*(?:[\"°]|inch(?:es)?|degrees)?$"
)


class Response(Struct, frozen=True):
    """Which kinds of question a step answers, and how.

    If only one answer is legal, the engine gives it by itself. `event` (type, field, value), `unit_is_in` (a unit, and
    the kinds of question that follow) and `building` (the one charged) show whether that has happened. `opens` is a
    disputed question, with its readings, that the step itself puts to both sides. A step that `declines` is satisfied
    if the question is not asked. `one_by_one` are the same answers for a game that asks for one at a time. Of several
    questions of one kind only those it `fits` are answered, the others by default.
    """

    kinds: tuple[str, ...]
    answer: Answering
    event: tuple[str, str, object] | None = None
    unit_is_in: tuple[int, tuple[str, ...]] | None = None
    building: int = -1
    opens: tuple[str, tuple[str, ...]] | None = None
    declines: bool = False
    one_by_one: tuple[Answering, ...] = ()
    fits: Callable[[State, Decision], bool] | None = None


def march(verb: str, value: Any, roster: Roster) -> Response:
    if value in (None, False, "none"):
        value = []
    written = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else [value]
    legs = tuple(_leg(leg) for leg in written if leg is not None)
    return Response(MOVES, lambda state, pending: March(legs))


def _leg(text: Any) -> Leg:
    match = _LEG.match(f"forward {text}" if type(text) in (int, float) else str(text).strip().lower())
    if match is None:
        raise StepFaultError(
            f"{text!r} is not a leg of a march; expected forward 3, back 2, left 3, right 3 or pivot 90"
        )
    word, amount = match[1], float(match[2])
    if amount < 0 and word in OPPOSITE_LEGS:
        raise StepFaultError(
            f"{text!r}: a leg has a length of at least 0; write {OPPOSITE_LEGS[word]} {-amount:g}"
        )
    kinds: Mapping[str, tuple[LegKind, float]] = {
        "forward": ("forward", 1),
        "back": ("back", 1),
        "backward": ("back", 1),
        "right": ("side", 1),
        "side": ("side", 1),
        "left": ("side", -1),
        "pivot": ("pivot", 1),
        "turn": ("pivot", 1),
    }
    kind, sign = kinds[word]
    return Leg(kind, round(amount * sign * (CENTI if kind == "pivot" else MILLI)))


def pivot(verb: str, value: Any, roster: Roster) -> Response:
    if type(value) not in (int, float):
        raise StepFaultError(f"pivot: expected degrees, found {value!r}")
    leg = Leg("pivot", round(value * CENTI))
    return Response(MOVES, lambda state, pending: March((leg,) if value else ()))


def walk(verb: str, value: Any, roster: Roster) -> Response:
    """`{Unit/1: [[x, y], ...]}`, or just the points for a unit of one model; none stays where it is."""
    if value in (None, [], False, "none"):
        return Response(MOVES, lambda state, pending: Walk())
    if isinstance(value, dict):
        for name, points in value.items():
            if not isinstance(name, int):
                roster.model(name)
            _check_points(points)
    else:
        _check_points(value)

    def answer(state: State, pending: Decision) -> AnyAnswer:
        unit = _loose_unit(state, pending)
        if not isinstance(value, dict) and len(unit.models) > 1:
            raise StepFaultError(
                f"bare points are the path of a lone model, but {unit.name} has {len(unit.models)}:"
                f" name the model, {verb}: {{{unit.name}/1: [x, y]}},"
                " or move all with shift: [dx, dy] or drag: [x, y]"
            )
        ways = value if isinstance(value, dict) else {1: value}
        paths = [_path(state, unit, roster, name, points) for name, points in ways.items()]
        return Walk(tuple(paths))

    return Response(MOVES, answer)


def leap(verb: str, value: Any, roster: Roster) -> Response:
    """A walk that leaps over low ground between two ledges instead of climbing through it."""
    walked = walk(verb, value, roster).answer

    def answer(state: State, pending: Decision) -> AnyAnswer:
        given = walked(state, pending)
        assert isinstance(given, Walk)
        return replace(given, leaps=tuple(path.model for path in given.paths))

    return Response(MOVES, answer)


def move(verb: str, value: Any, roster: Roster) -> Response:
    """One kind of move under its own name: legs, degrees, points or paths, depending on how the unit moves."""
    first = value[0] if isinstance(value, list) and value else None
    if type(value) in (int, float):
        read = pivot(verb, value, roster)
    elif value in (None, [], False, "none"):
        return Response((verb,), lambda state, pending: _empty_move(pending), declines=True)
    elif isinstance(value, str) or isinstance(first, str):
        read = march(verb, value, roster)
    elif isinstance(value, dict) and "answer" in value:
        read = raw(verb, value, roster)
    elif isinstance(value, dict) and len(value) == 1 and next(iter(value)) in FORMS:
        form, inner = next(iter(value.items()))
        read = {"shift": shift, "drag": drag, "walk": walk, "march": march}[form](verb, inner, roster)
    elif isinstance(value, dict) and set(value) == {"front"}:
        read = place(verb, value, roster)
    elif isinstance(value, dict):
        read = walk(verb, value, roster)
    else:
        read = _walk_or_place(verb, value, roster)
    return Response((verb,), read.answer)


def _walk_or_place(verb: str, value: Any, roster: Roster) -> Response:
    """Points: a position for a unit that is placed, a path for models that walk."""
    walked, placed = walk(verb, value, roster).answer, place(verb, value, roster).answer
    return Response(
        (verb,),
        lambda state, pending: (placed if isinstance(pending.default(), Placed) else walked)(state, pending),
    )


def _loose_unit(state: State, pending: Decision) -> Unit:
    """The unit a question is about, if its models move individually."""
    unit = unit_in_question(state, pending)
    if unit.block is not None:
        raise StepFaultError(f"{unit.name} moves as a block, by legs: march: [forward 3, pivot 90]")
    return unit


def _empty_move(pending: Decision) -> AnyAnswer:
    """A move of no length, as the question expects it: a march or a walk."""
    return Walk() if isinstance(pending.default(), Walk) else March()


def _check_points(points: Any) -> None:
    spots = points if isinstance(points, list) and points and isinstance(points[0], list) else [points]
    for spot in spots:
        _check_spot(spot)


def _check_spot(spot: Any) -> None:
    if not is_position(spot):
        raise StepFaultError(
            f"{spot!r} is not a position; expected [x, y], [x, y, heading] or [x, y, heading, z]"
        )


def _path(state: State, unit: Unit, roster: Roster, name: Any, points: Any) -> ModelPath:
    if isinstance(name, int):
        if not 1 <= name <= len(unit.models):
            raise StepFaultError(f"{unit.name} has models 1 to {len(unit.models)}, not {name}")
        model = unit.models[name - 1].id
        index = name - 1
    else:
        model = roster.model(name)[1]
        index = index_of(unit, model)
    spots = points if points and isinstance(points[0], list) else [points]
    heading = unit.poses[index].heading
    base = base_of(state, unit.models[index])
    return ModelPath(model, tuple(read_pose(state, spot, heading, base) for spot in spots))


def shift(verb: str, value: Any, roster: Roster) -> Response:
    """Move the whole unit by `[dx, dy]`, the foremost models first so that none blocks another."""
    _check_spot(value)
    dx, dy = float(value[0]), float(value[1])

    def answer(state: State, pending: Decision) -> AnyAnswer:
        unit = _loose_unit(state, pending)
        order = sorted(
            range(len(unit.poses)), key=lambda i: (-unit.poses[i].x * dx - unit.poses[i].y * dy, i)
        )
        paths = []
        for index in order:
            pose = unit.poses[index]
            goal = [pose.x / MILLI + dx, pose.y / MILLI + dy]
            model = unit.models[index]
            end = read_pose(state, goal, pose.heading, base_of(state, model))
            paths.append(ModelPath(model.id, (end,)))
        return Walk(tuple(paths))

    return Response(MOVES, answer)


def drag(verb: str, value: Any, roster: Roster) -> Response:
    """Drag the whole unit to a position; the engine finds a march, or legal moves of its models."""
    _check_spot(value)

    def answer(state: State, pending: Decision) -> AnyAnswer:
        dragged: Callable[[Pose], AnyAnswer] | None = getattr(pending, "dragged", None)
        if dragged is None:
            raise StepFaultError(f"{pending.kind} cannot be answered by dragging")
        unit = unit_in_question(state, pending)
        return dragged(read_pose(state, value, (unit.block or unit.poses[0]).heading))

    return Response(MOVES, answer)


def place(verb: str, value: Any, roster: Roster) -> Response:
    """One position, or one for each model of a loose unit; `{front: [x, y]}` is where a block's front edge is.

    `none` leaves a unit where it stands; that is refused if it must be placed.
    """
    kinds = (*PLACES, "marker") if verb == "place" else (verb,)
    if isinstance(value, dict) and "answer" in value:
        return Response((verb,), raw(verb, value, roster).answer)
    if value in (None, False, "none"):
        return Response(kinds, _left_alone, declines=True)
    by_front = _is_by_front(value)
    spots = value["front"] if by_front else value
    _check_points(spots)

    def answer(state: State, pending: Decision) -> AnyAnswer:
        if pending.kind == "marker":
            _check_spot(value)
            return Spot(round(value[0] * MILLI), round(value[1] * MILLI))
        unit = unit_in_question(state, pending)
        stood = unit.block or (unit.poses[0] if unit.poses else None)
        heading = stood.heading if stood is not None else 0
        if by_front and unit.width:
            _check_spot(spots)
            return Placed((block_by_front(state, unit, spots, heading),))
        return Placed(poses_for(state, unit, spots, heading))

    return Response(kinds, answer)


def _is_by_front(value: Any) -> bool:
    """Whether a place is given by the front of a unit; raises for keys that mean nothing here."""
    if not isinstance(value, dict):
        return False
    if set(value) != {"front"}:
        raise StepFaultError(f"expected a position such as [24, 10], or {{front: [24, 10]}}, found {value!r}")
    return True


def _left_alone(state: State, pending: Decision) -> AnyAnswer:
    """A unit stays where it is; if it is not on the table, the engine refuses that."""
    if pending.kind == "marker":
        return Placed(())
    if pending.kind in MOVES and not isinstance(pending.default(), Placed):
        return _empty_move(pending)
    unit = unit_in_question(state, pending)
    return Placed((unit.block,) if unit.block is not None else unit.poses)


def raw(verb: str, value: Any, roster: Roster) -> Response:
    """Any answer as the log spells it: `answer: {answer: pick, option: u3}`."""
    try:
        given = answer_from(value)
    except MalformedError as error:
        raise StepFaultError(str(error)) from error
    return Response(KINDS, lambda state, pending: given)
