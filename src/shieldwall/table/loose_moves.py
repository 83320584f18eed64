"""Moves of loose units: every model moves separately, in the order its owner chooses.

`check_walk` judges a whole unit's move and says everything that is wrong with it. A path begins where
the model stands; at each point the model first turns on the spot to the point's heading and then goes
there in a straight line. The z of the last point is the level on which it ends; levels on the way follow
from the ground.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from shieldwall.core.answers import ModelPath
from shieldwall.core.state import MILLI, Piece, Pose, State, Unit
from shieldwall.geometry.arrays import Floats, Ints
from shieldwall.geometry.distance import set_gap
from shieldwall.geometry.sweep import (
    BAD_STAND,
    CODE,
    ENDS_CLOSE,
    INTO_IMPASSABLE,
    LIMIT,
    OFF_TABLE,
    ON_MATE,
    SPLIT,
    SPREAD_OUT,
    SUBJECT,
    THROUGH_MATE,
    THROUGH_UNIT,
    TOO_CLOSE,
    TOO_DEEP,
    TOO_FAR,
    TOO_FAR_SLOWED,
    TOO_TALL,
    TOO_WIDE,
    UNLINKED,
    VALUE,
    WHO,
)
from shieldwall.geometry.tolerance import closer_than, told
from shieldwall.geometry.unit_moves import Shift, shift_is_refused
from shieldwall.geometry.walk import ENTRIES, FAULTS, LEAPS, SLOWED_BY, Found, walk_unit
from shieldwall.table.coherency import coherency_reason, how_far_apart, is_coherent
from shieldwall.table.ground import stand_reasons, to_pose
from shieldwall.table.reasons import TableReason
from shieldwall.table.scene import memory_while_standing
from shieldwall.table.walk_context import (
    WalkContext,
    WalkLimits,
    context_of,
    model_names,
    room_for,
    shapes_at,
)

COHERENCY_FAULTS = (UNLINKED, SPLIT, SPREAD_OUT)
TURNS = tuple(
    math.radians(side * 22.5 * n) for n in range(8) for side in (1, -1)
)  # straight ahead comes first
REGROUP_GRACE = 0.25  # inches by which a unit that cannot reach coherency may fall short of the best we find


class EnteredPiece(Struct, frozen=True):
    """A piece that a model entered, after how many inches, and where it was then.

    After 0 inches means that it started in the piece.
    """

    piece: int
    way: float
    pose: Pose


class Leap(Struct, frozen=True):
    """A gap or drop that takes a leap. `distance` sets the dice, `fall` is how far a model falls if it fails.

    `start` is where it takes off, `landing` where it comes down, `way` how far along the path the take-off is.
    """

    distance: float
    fall: float
    way: float
    start: Pose
    landing: Pose


class WalkResult:
    """A judged move. `poses` are where the models end, in the order of the unit, also when it is illegal.

    `used` is the length of each model's path in inches. `entered` and `leaps` hold the pieces that each model entered
    and its leaps, in the order of the path. `slowed_by` is the id of a difficult piece, or -1.
    """

    __slots__ = ("_entries", "_leaps", "_pieces", "paths", "poses", "reasons", "slowed_by", "used")

    def __init__(
        self,
        paths: tuple[ModelPath, ...],
        poses: tuple[Pose, ...],
        reasons: tuple[TableReason, ...],
        used: tuple[float, ...],
        slowed_by: int,
        pieces: tuple[Piece, ...],
        entries: list[list[float]],
        leaps: list[list[float]],
    ) -> None:
        self.paths = paths
        self.poses = poses
        self.reasons = reasons
        self.used = used
        self.slowed_by = slowed_by
        self._pieces = pieces
        self._entries = entries
        self._leaps = leaps

    def with_reasons(self, reasons: tuple[TableReason, ...]) -> WalkResult:
        """The same move with other reasons against it."""
        return WalkResult(
            self.paths,
            self.poses,
            reasons,
            self.used,
            self.slowed_by,
            self._pieces,
            self._entries,
            self._leaps,
        )

    @property
    def is_legal(self) -> bool:
        """Whether the move is legal."""
        return not self.reasons

    @property
    def has_leaps(self) -> bool:
        """Whether any model has to leap."""
        return bool(self._leaps)

    @property
    def pieces_entered(self) -> set[int]:
        """Ids of the pieces that any model entered."""
        return {self._pieces[int(row[1])].id for row in self._entries}

    @property
    def longest(self) -> int:
        """The longest path of any model, in thousandths of an inch."""
        return round(max(self.used, default=0.0) * MILLI)

    @property
    def entered(self) -> tuple[tuple[EnteredPiece, ...], ...]:
        """The pieces each model entered."""
        if not self._entries:
            return ((),) * len(self.poses)
        pieces = self._pieces
        rows = sorted(self._entries, key=lambda row: (row[0], row[2], row[1]))
        return tuple(
            tuple(
                EnteredPiece(pieces[int(row[1])].id, row[2], to_pose(row[3], row[4], pose.heading, row[5]))
                for row in rows
                if row[0] == who
            )
            for who, pose in enumerate(self.poses)
        )

    @property
    def leaps(self) -> tuple[tuple[Leap, ...], ...]:
        """The leaps each model has to make; models that leap without rolling have none."""
        if not self._leaps:
            return ((),) * len(self.poses)
        return tuple(
            tuple(_leap(row, pose.heading) for row in self._leaps if row[0] == who)
            for who, pose in enumerate(self.poses)
        )


def _leap(row: list[float], heading: int) -> Leap:
    width, fall = row[9], row[10]
    drop = max(row[5] - row[8], 0.0)
    return Leap(
        max(width, drop),
        fall if fall > 0.01 else width,  # a gap of no stated depth is as deep as it is wide
        row[2],
        to_pose(row[3], row[4], heading, row[5]),
        to_pose(row[6], row[7], heading, row[8]),
    )


def check_walk(
    state: State, unit_id: int, paths: Sequence[ModelPath], limits: WalkLimits, regroups: bool = True
) -> WalkResult:
    """Judge a move: one path for each model that moves, in the owner's order.

    A unit that was not coherent may stay so only if it comes as close to coherency as it can; `regroups` False
    skips that search and refuses. Models that are not named stay where they are.
    """
    given = tuple(paths)
    known = remembered(state, unit_id, given, limits)
    if known is not None:
        return known
    unit = state.units[unit_id]
    problems = _misnamed(unit, given)
    if problems:
        return WalkResult((), unit.poses, problems, (0.0,) * len(unit.models), -1, state.pieces, [], [])
    context = context_of(state, unit, limits)
    found = run_walk(context, *path_arrays(unit, given))
    result = judged(context, given, found, regroups)
    if regroups or result.is_legal:
        remember(state, unit_id, limits, result)
    return result


def is_shift_refused(state: State, unit: Unit, dx: int, dy: int, limits: WalkLimits) -> bool:
    """Whether a unit certainly cannot move straight in formation, front models first, leaps allowed; a quick test."""
    context = context_of(state, unit, limits, brief=True)
    return bool(shift_is_refused(context.movers, dx, dy, context.world))


def room_for_shift(count: int) -> Shift:
    """Arrays for the paths of so many models that move in formation."""
    cuts = np.arange(count + 1, dtype=np.int64) * 2
    return Shift(np.empty(count, dtype=np.int64), cuts, np.empty((2 * count, 4)))


def remember(state: State, unit_id: int, limits: WalkLimits, result: WalkResult) -> None:
    """Cache the latest judgement of a unit's move while nobody moves: the same answer is often planned, checked and
    carried out.
    """
    known: dict[int, tuple[WalkLimits, WalkResult]] = memory_while_standing(state, unit_id).setdefault(
        "walks", {}
    )
    known[unit_id] = (limits, result)


def remembered(
    state: State, unit_id: int, paths: tuple[ModelPath, ...], limits: WalkLimits
) -> WalkResult | None:
    """The cached judgement, if it was about these paths and limits."""
    known: dict[int, tuple[WalkLimits, WalkResult]] = memory_while_standing(state, unit_id).get("walks", {})
    latest = known.get(unit_id)
    if latest is None:
        return None
    is_same = latest[1].paths is paths and latest[0] is limits  # the usual case, and the cheapest test
    return latest[1] if is_same or (latest[1].paths == paths and latest[0] == limits) else None


def _misnamed(unit: Unit, paths: Sequence[ModelPath]) -> tuple[TableReason, ...]:
    own = [model.id for model in unit.models]
    named = [path.model for path in paths]
    problems = [
        TableReason(f"model {model} is not one of {unit.name}; its models are {own}", "move.model")
        for model in named
        if model not in own
    ]
    if len(set(named)) != len(named):
        problems.append(TableReason(f"a model of {unit.name} is moved twice", "move.model"))
    return tuple(problems)


def path_arrays(unit: Unit, paths: Sequence[ModelPath]) -> tuple[Ints, Ints, Floats]:
    """The order of the models, the index of each path's first point, and the points, starts included."""
    index = {model.id: place for place, model in enumerate(unit.models)}
    order = [index[path.model] for path in paths]
    cuts = [0]
    flat: list[Pose] = []
    for place, path in zip(order, paths, strict=True):
        flat.append(unit.poses[place])
        flat.extend(path.points)
        cuts.append(len(flat))
    numbers = [(pose.x, pose.y, pose.heading, pose.z) for pose in flat]
    points = np.array(numbers, dtype=np.float64).reshape(-1, 4)
    return np.array(order, dtype=np.int64), np.array(cuts, dtype=np.int64), points


def run_walk(context: WalkContext, order: Ints, cuts: Ints, points: Floats) -> Found:
    """Let the kernel walk a unit."""
    found = room_for(len(context.unit.models))
    walk_unit(context.movers, order, cuts, points, context.world, found)
    return found


def judged(
    context: WalkContext, paths: tuple[ModelPath, ...], found: Found, regroups: bool = True
) -> WalkResult:
    """What the kernel found, as a result with reasons in words."""
    faults, entries, leaps, slowed = found.counts.tolist()
    poses = poses_from(found.ends)
    reasons: tuple[TableReason, ...] = ()
    if faults:
        reasons = _reasons(context, found.faults[:faults].tolist(), poses, regroups)
    return WalkResult(
        paths,
        poses,
        reasons,
        tuple(found.used.tolist()),
        context.state.pieces[slowed].id if slowed >= 0 else -1,
        context.state.pieces,
        found.entries[:entries].tolist() if entries else [],
        found.leaps[:leaps].tolist() if leaps else [],
    )


def poses_from(ends: Floats) -> tuple[Pose, ...]:
    """Rows of stored numbers as poses."""
    return tuple([Pose(int(x), int(y), int(heading), int(z)) for x, y, heading, z in ends.tolist()])


def _reasons(
    context: WalkContext, faults: list[list[float]], poses: tuple[Pose, ...], regroups: bool
) -> tuple[TableReason, ...]:
    names = model_names(context.state, context.unit)
    excused = regroups and _regrouped_as_it_can(context, faults, poses)
    reasons: list[TableReason] = []
    for fault in _without_repeats(faults):
        code = int(fault[CODE])
        if code in COHERENCY_FAULTS:
            if not excused:
                reasons.append(coherency_reason(fault, names, context.unit.name))
        elif code != ENDS_CLOSE or _could_get_away(context, fault):
            reasons.append(reason_for(context, fault, names))
            if code == THROUGH_UNIT:
                reasons += _ends_close(context, fault, poses, names)
    return tuple(dict.fromkeys(reasons))


def _ends_close(
    context: WalkContext, fault: list[float], poses: tuple[Pose, ...], names: list[str]
) -> Iterator[TableReason]:
    """Report a model that passes over a unit and stops close behind it as too close as well."""
    who, row, free = int(fault[WHO]), int(fault[SUBJECT]), context.limits.spacing
    if row == context.world.exempt or not free:
        return
    mine, theirs = shapes_at(context.unit, context.state.profiles, poses), context.scene.outline
    first, stop = context.scene.outline_spans[row]
    gap = set_gap(mine.span(who, who + 1), theirs.span(first, stop), math.inf, True)[0]
    if gap > 0.0 and closer_than(gap, free):
        yield reason_for(context, [TOO_CLOSE, who, row, gap, free], names)


def _without_repeats(faults: list[list[float]]) -> list[list[float]]:
    """Faults without repeats: a model that walks over a mate or into a lake and stops there breaks one rule."""
    over = {frozenset((fault[WHO], fault[SUBJECT])) for fault in faults if int(fault[CODE]) == THROUGH_MATE}
    into = {(fault[WHO], fault[SUBJECT]) for fault in faults if int(fault[CODE]) == INTO_IMPASSABLE}
    return [
        fault
        for fault in faults
        if not (int(fault[CODE]) == ON_MATE and frozenset((fault[WHO], fault[SUBJECT])) in over)
        and not (int(fault[CODE]) == BAD_STAND and (fault[WHO], fault[SUBJECT]) in into)
    ]


def _regrouped_as_it_can(context: WalkContext, faults: list[list[float]], poses: tuple[Pose, ...]) -> bool:
    """Whether a unit that was not coherent came as close to coherency as the best move we find."""
    unit, limits = context.unit, context.limits
    if not any(int(fault[CODE]) in COHERENCY_FAULTS for fault in faults):
        return False
    if is_coherent(unit, context.state.profiles, limits.coherency):
        return False
    from shieldwall.table.regroup import solve_regroup  # it judges its own walks with this module

    best = solve_regroup(context.state, unit.id, limits)
    left = how_far_apart(shapes_at(unit, context.state.profiles, best.poses), limits.coherency)
    reached = how_far_apart(shapes_at(unit, context.state.profiles, poses), limits.coherency)
    return left > 0.0 and reached <= left + REGROUP_GRACE


def _could_get_away(context: WalkContext, fault: list[float]) -> bool:
    """Whether a model that started too close to a unit, and still is, could have moved far enough away.

    Straight away is tried first, then other directions, a short distance and the full allowance.
    """
    who, row = int(fault[WHO]), int(fault[SUBJECT])
    pose = context.unit.poses[who]
    first, stop = context.scene.outline_spans[row]
    rows = context.scene.outline.rows[first:stop]
    away = np.array([pose.x / MILLI, pose.y / MILLI]) - rows[:, :2]
    nearest = int(np.argmin(np.hypot(away[:, 0], away[:, 1]) - rows[:, 2]))
    if not away[nearest].any():
        return False
    straight = math.atan2(away[nearest, 1], away[nearest, 0])
    most = float(context.movers.allowance[who])
    short = min(fault[LIMIT] + 0.002, most)
    tries = ((straight + turn, step) for turn in TURNS for step in (short, min(2 * short, most), most))
    return any(_gets_to(context, who, *one) for one in tries)


def _gets_to(context: WalkContext, who: int, angle: float, step: float) -> bool:
    """Whether a model may go this many inches in a straight line, coherency aside."""
    pose = context.unit.poses[who]
    x, y = pose.x / MILLI + math.cos(angle) * step, pose.y / MILLI + math.sin(angle) * step
    goal = to_pose(x, y, pose.heading, pose.z / MILLI)
    path = (ModelPath(context.unit.models[who].id, (goal,)),)
    tried = run_walk(context, *path_arrays(context.unit, path))
    codes = [int(row[CODE]) for row in tried.faults[: tried.counts[FAULTS]].tolist() if int(row[WHO]) == who]
    return all(code in COHERENCY_FAULTS for code in codes)


assert (FAULTS, ENTRIES, LEAPS, SLOWED_BY) == (0, 1, 2, 3)  # `judged` reads them in this order


def reason_for(context: WalkContext, fault: list[float], names: list[str]) -> TableReason:
    """One fault in words."""
    code, subject = int(fault[CODE]), int(fault[SUBJECT])
    who, value, limit = names[int(fault[WHO])], fault[VALUE], fault[LIMIT]
    match code:
        case c if c in (TOO_CLOSE, THROUGH_UNIT, ENDS_CLOSE):
            return _unit_reason(context, code, who, context.scene.units[subject].name, value, limit)
        case c if c in (THROUGH_MATE, ON_MATE):
            verb = "pass over" if code == THROUGH_MATE else "end on"
            return TableReason(f"{who} would {verb} {names[subject]}", "move.mates")
        case c if c == OFF_TABLE:
            return TableReason(
                f"{who} would reach {told(value, 0.0)} inches beyond the table edge", "move.table"
            )
        case c if c == TOO_FAR:
            return TableReason(
                f"{who} would move {told(value, limit)} inches; the maximum is {limit:g}", "move.distance"
            )
        case c if c == BAD_STAND:
            return stand_reasons(context.state, int(value), subject, limit, who)[0]
        case _:
            return _ground_reason(context, code, who, subject, value, limit)


def _unit_reason(
    context: WalkContext, code: int, who: str, other: str, value: float, limit: float
) -> TableReason:
    if code == THROUGH_UNIT:
        return TableReason(f"{who} would pass over {other}", "move.through")
    if code == ENDS_CLOSE:
        text = (
            f"{who} would still be {told(value, limit)} inches from {other}; it can get {limit:g} inch away"
        )
        return TableReason(text, "move.spacing")
    if limit < context.limits.spacing:
        text = f"{who} starts {limit:.2f} inches from {other} and would come closer, to {told(value, limit)} inches"
        return TableReason(text, "move.nearer")
    text = f"{who} would come within {told(value, limit)} inches of {other}; {limit:g} inch must stay free"
    return TableReason(text, "move.spacing")


def _ground_reason(
    context: WalkContext, code: int, who: str, piece: int, value: float, limit: float
) -> TableReason:
    name = f"the {context.state.pieces[piece].name}" if piece >= 0 else "the ground"
    leap = context.limits.climb.jump_max
    if code == TOO_FAR_SLOWED:
        text = f"{who} would move {told(value, limit)} inches, but {name} is difficult, so the maximum is {limit:g}"
        return TableReason(text, "terrain.difficult")
    if code == INTO_IMPASSABLE:
        return TableReason(f"{who} would enter {name}, which is impassable", "terrain.impassable")
    if code == TOO_TALL:
        text = f"{who} would climb {value:.2f} inches onto {name}; the maximum is {limit:g}"
        return TableReason(text, "climb.height")
    if code == TOO_WIDE:
        return TableReason(
            f"{who} would cross a gap of {value:.2f} inches; the maximum is {leap:g}", "climb.gap"
        )
    if code == TOO_DEEP:
        return TableReason(f"{who} would drop {value:.2f} inches; the maximum is {leap:g}", "climb.drop")
    raise ValueError(f"fault {code} has no words")
