"""Moves of ranked blocks: is a march legal, how far can a block go, which march does a drag mean.

What an edition or a special rule decides arrives as plain data in `MarchLimits`. A march is a tuple of
legs; a result always names every reason against it, its end pose and the ground it crossed. Dice, tests and
whose turn it is are not known here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from shieldwall.core.answers import Leg, LegKind
from shieldwall.core.grammar import unit_does
from shieldwall.core.state import CENTI, MILLI, Cached, Piece, Pose, State, Unit
from shieldwall.geometry.arrays import Floats, Ints
from shieldwall.geometry.march import (
    CLIMB_FREE,
    CLOSER,
    COMES_TO,
    CONTACT,
    EDGE,
    INTO_BARRED,
    NUMBERS,
    OVERHANG,
    PASSES_DIFFICULT,
    PASSES_TERRAIN,
    PASSES_UNITS,
    SPACING,
    THROUGH,
    TOO_CLOSE,
    WENT_UP,
    MarchBudget,
    Marcher,
    Mover,
    gap_at,
    judge,
    note_standing,
    notes_for,
)
from shieldwall.geometry.march_search import PROPOSAL, longest_leg, propose
from shieldwall.geometry.slide import LEFTWARD
from shieldwall.geometry.tolerance import SLACK, closer_than, over
from shieldwall.table.formations import FULL_TURN, block_pose, formation_of, shifted
from shieldwall.table.reasons import TableReason
from shieldwall.table.scene import Scene, scene_of
from shieldwall.table.terrain import IMPASSABLE, is_dangerous, is_difficult, standing_height


class MarchLimits(Struct, frozen=True, dict=True):
    """What an edition and special rules allow one march, in thousandths of an inch and hundredths of a
    degree.

    `kinds` are the legs that may be used; `may_mix` allows forward, sideways and backward in one march.
    `any_direction` reads all straight legs as one straight shift, `pivot_or_move` forbids turning as well.
    `spacing` 0 is for charges; `target` is the unit that a charge must end in contact with.
    """

    action: str
    allowance: int
    half_allowance: int = 0
    pivot_limit: int = 0
    spacing: int = 1000
    ignores_units: bool = False
    ignores_terrain: bool = False
    ignores_difficult: bool = False
    difficult_cap: int = 6000
    climb_free: int = 1000
    climb_max: int = 3000
    kinds: tuple[LegKind, ...] = ("forward", "pivot")
    may_mix: bool = False
    any_direction: bool = False
    pivot_or_move: bool = False
    target: int = -1

    @Cached
    def numbers(self) -> Floats:
        """The part of the limits that compiled functions read."""
        numbers = np.zeros(NUMBERS)
        numbers[SPACING] = self.spacing / MILLI
        numbers[CLIMB_FREE] = self.climb_free / MILLI
        numbers[PASSES_UNITS] = self.ignores_units
        numbers[PASSES_TERRAIN] = self.ignores_terrain
        numbers[PASSES_DIFFICULT] = self.ignores_difficult
        return numbers

    @Cached
    def budget(self) -> MarchBudget:
        """What a march may spend."""
        return MarchBudget(self.allowance / MILLI, self.half_allowance / MILLI, self.difficult_cap / MILLI)

    @Cached
    def spending(self) -> tuple[MarchBudget, int]:
        """What a bot's march may spend: inches, and hundredths of a degree."""
        is_free = "back" in self.kinds and "side" in self.kinds
        turn = self.pivot_limit if "pivot" in self.kinds and not self.pivot_or_move else 0
        return self.budget if is_free else self.budget._replace(half=0.0), turn


def march_from(
    scene: Scene, unit: Unit, pose: Pose, limits: MarchLimits, budget: MarchBudget | None = None
) -> Marcher:
    """A block about to march from a pose."""
    spent = budget or limits.budget
    return Marcher(mover_of(scene, unit), limits.numbers, spent, pose.x, pose.y, pose.heading)


def mover_of(scene: Scene, unit: Unit) -> Mover:
    """A block as compiled functions move it about."""
    formation = formation_of(unit, scene.profiles)
    return Mover(formation.rects, formation.bases, scene.row_of[unit.id], formation.reach)


def block_on(scene: Scene, unit_id: int) -> tuple[Unit, Pose]:
    """The unit with this id, which must be a block on the table, and where it stands."""
    row = scene.row_of.get(unit_id)
    if row is None:
        raise ValueError(f"unit {unit_id} is not on the table")
    unit = scene.units[row]
    return unit, block_pose(unit)


class LegPlan(NamedTuple):
    """A march as read: `flat` holds turn, right and ahead of every leg; `kinds` those that are not 0."""

    flat: Ints
    kinds: list[LegKind]
    turns: list[int]
    is_forward: bool
    is_malformed: bool


def read_legs(legs: tuple[Leg, ...], as_one_shift: bool) -> LegPlan:
    """Read a march; `as_one_shift` joins all straight legs into a single one in any direction."""
    flat: list[int] = []
    kinds: list[LegKind] = []
    turns: list[int] = []
    is_forward, is_malformed = True, False
    for leg in legs:
        kind, amount = leg.kind, leg.amount
        if not amount:
            continue
        if kind not in kinds:
            kinds.append(kind)
        if kind == "forward":
            flat += (0, 0, amount)
        elif kind == "pivot":
            flat += (amount, 0, 0)
            turns.append(amount)
        elif kind == "side":
            flat += (0, amount, 0)
            is_forward = False
        else:
            flat += (0, 0, -amount)
            is_forward = False
        if amount < 0 and kind in ("forward", "back"):
            is_malformed = True
    if as_one_shift:
        flat = [0, sum(flat[1::3]), sum(flat[2::3]), sum(flat[0::3]), 0, 0]
    return LegPlan(np.array(flat, np.int64), kinds, turns, is_forward, is_malformed)


def poses_along(pose: Pose, legs: tuple[Leg, ...]) -> list[Pose]:
    """Where a block stands before its legs and after each of them, ignoring obstacles; rounded as in a march."""
    found = [pose]
    for leg in legs:
        last, inches = found[-1], leg.amount / MILLI
        if leg.kind == "pivot":
            found.append(Pose(last.x, last.y, (last.heading + leg.amount) % FULL_TURN, last.z))
        elif leg.kind == "side":
            found.append(shifted(last, inches, 0.0))
        else:
            found.append(shifted(last, 0.0, inches if leg.kind == "forward" else -inches))
    return found


def end_of(pose: Pose, legs: tuple[Leg, ...]) -> Pose:
    """Where legs lead, ignoring obstacles."""
    return poses_along(pose, legs)[-1]


WORDS = {"forward": "forward", "side": "sideways", "back": "backward", "pivot": "turn"}


def inches(amount: float) -> str:
    """A length in words: "1 inch", "0.6 inches"."""
    text = f"{amount:.3f}".rstrip("0").rstrip(".")
    text = "0" if text == "-0" else text
    return f"{text} inch" if text == "1" else f"{text} inches"


def degrees(amount: int) -> str:
    """An angle in words: "90 degrees"."""
    return f"{amount / CENTI:.2f}".rstrip("0").rstrip(".") + " degrees"


def form_reasons(unit: Unit, plan: LegPlan, limits: MarchLimits) -> list[TableReason]:
    """What is wrong with the legs themselves, wherever the unit stands."""
    reasons: list[TableReason] = []
    name, action = unit.name, limits.action
    for kind in plan.kinds:
        if kind not in limits.kinds:
            verb = "turn" if kind == "pivot" else f"go {WORDS[kind]}"
            reasons.append(TableReason(f"{name} may not {verb} in {_article(action)}", f"move.{kind}"))
    if plan.is_malformed:
        reasons.append(TableReason("forward and backward legs must not be negative", "move.malformed"))
    if len(plan.kinds) > 1 and not limits.may_mix:
        straight = [WORDS[kind] for kind in plan.kinds if kind != "pivot"]
        if len(straight) > 1:
            text = f"{name} may not mix {' and '.join(straight)} in {_article(action)}"
            reasons.append(TableReason(text, "move.mix"))
    if plan.turns:
        reasons += _turn_reasons(name, plan, limits)
    return reasons


def _turn_reasons(name: str, plan: LegPlan, limits: MarchLimits) -> list[TableReason]:
    reasons: list[TableReason] = []
    if len(plan.turns) > 1:
        reasons.append(
            TableReason(f"{name} would turn {len(plan.turns)} times; one pivot is allowed", "move.pivots")
        )
    widest = max(abs(turn) for turn in plan.turns)
    if widest > limits.pivot_limit and "pivot" in limits.kinds:
        text = f"{name} would turn {degrees(widest)}; the maximum is {degrees(limits.pivot_limit)}"
        reasons.append(TableReason(text, "move.pivot_limit"))
    if limits.pivot_or_move and len(plan.kinds) > 1:
        reasons.append(TableReason(f"{name} may either move or turn, not both", "move.pivot_or_move"))
    return reasons


def distance_reason(
    unit: Unit, straight: float, climb: float, limit: int, slowed: bool, cap: int, cite: str
) -> tuple[TableReason, ...]:
    """Why the march is too long: its legs, its climbs, or only the ground that slows it.

    `cite` is the key of the limit, which differs for moves sideways or backward.
    """
    name, used = unit.name, straight + climb
    allowed = min(limit, cap) / MILLI if slowed else limit / MILLI
    if straight > limit / MILLI + 1e-9 or not (slowed or climb):
        text = f"{name} would move {inches(straight)}; the maximum is {inches(limit / MILLI)}"
        return (TableReason(text, cite),)
    if climb and (not slowed or straight <= allowed + 1e-9):
        text = f"{name} would need {inches(used)}, {inches(climb)} of it to climb; the maximum is {inches(allowed)}"
        return (TableReason(text, "move.climb"),)
    text = f"{name} would move {inches(used)} through difficult terrain; the maximum is {inches(allowed)}"
    return (TableReason(text, "move.difficult"),)


def fault_reasons(
    unit: Unit, units: tuple[Unit, ...], pieces: tuple[Piece, ...], found: Floats, limits: MarchLimits
) -> list[TableReason]:
    """What the kernels found, in words."""
    reasons: list[TableReason] = []
    for code, who, value in found.tolist():
        other = units[int(who)].name if code in (THROUGH, TOO_CLOSE, CLOSER, CONTACT) else ""
        piece = pieces[int(who)].name if code in (INTO_BARRED, OVERHANG) else ""
        reasons.append(_fault(int(code), unit.name, other or piece, value, limits))
        reasons += _too_tall(pieces[int(who)], limits) if code == INTO_BARRED else []
    return reasons


def _too_tall(piece: Piece, limits: MarchLimits) -> list[TableReason]:
    """The refusal for a piece that only its height makes impassable."""
    tall = standing_height(piece)
    if IMPASSABLE in piece.types or tall <= limits.climb_max:
        return []
    text = f"{piece.name} is {inches(tall / MILLI)} tall; the maximum climb is {inches(limits.climb_max / MILLI)}"
    return [TableReason(text, "move.tall")]


def _fault(code: int, name: str, other: str, value: float, limits: MarchLimits) -> TableReason:
    if code == EDGE:
        return TableReason(f"{name} would be {inches(-value)} over the table edge", "move.edge")
    if code == THROUGH:
        return TableReason(f"{name} would move through {other}", "move.through")
    if code == TOO_CLOSE:
        return spacing_reason(name, other, value, limits)
    if code == CLOSER:
        return TableReason(
            f"{name} is already close to {other} and may move away but not closer", "move.closer"
        )
    if code == CONTACT:
        return TableReason(f"the turn would bring {name} into contact with {other}", "move.pivot_contact")
    if code == INTO_BARRED:
        return TableReason(f"{name} cannot pass or enter {other}", "move.impassable")
    return TableReason(f"{name} would end partly over {other}", "move.overhang")


def spacing_reason(name: str, other: str, gap: float, limits: MarchLimits) -> TableReason:
    """The refusal for a block that would come too close to another unit."""
    free = inches(limits.spacing / MILLI)
    text = f"{name} would come within {inches(max(gap, 0.0))} of {other}; {free} must stay free"
    return TableReason(text, "move.spacing")


SPECIAL_MOVES = {
    "led": "a move that another unit leads",
    "rule": "a move by a special rule",
    "spell": "a move by a spell",
    "react": "a move into contact with a charger",
    "consolidate": "a move after a fight",
}


def _article(action: str) -> str:
    if action in SPECIAL_MOVES:
        return SPECIAL_MOVES[action]
    return f"{'an' if action[:1] in 'aeiou' else 'a'} {action}" if action else "this move"


__all__ = ["Leg", "MarchLimits"]

QUARTERS: dict[LegKind, int] = {"forward": 0, "side": 1, "back": 2}
KINDS: tuple[LegKind, ...] = ("forward", "side", "back", "side")  # by quarter


class CrossedPiece(Struct, frozen=True, array_like=True):
    """A piece that models were in at some point of a march: which models, and what it does to them."""

    piece: int
    models: tuple[int, ...]
    difficult: bool
    dangerous: bool


class MarchResult(Struct, frozen=True):
    """The result of a march. `used` and `climbed` are thousandths; `used` includes climbing."""

    pose: Pose
    reasons: tuple[TableReason, ...]
    used: int
    climbed: int
    slowed: bool
    crossed: tuple[CrossedPiece, ...]
    legs: tuple[Leg, ...]

    @property
    def is_legal(self) -> bool:
        """Whether the march is legal."""
        return not self.reasons


def check_march(state: State, unit_id: int, legs: tuple[Leg, ...], limits: MarchLimits) -> MarchResult:
    """Follow a march leg by leg and collect every reason against it. The state is not changed, but caches the last
    march, because a checked answer is usually carried out next.
    """
    known = state.memory.get("last_march")
    if known is not None and known[0] == unit_id and known[1] is limits and known[2].legs is legs:
        remembered: MarchResult = known[2]
        return remembered
    if not legs and limits.target < 0:  # standing still breaks no rule, wherever the unit stands
        return MarchResult(block_on(scene_of(state), unit_id)[1], (), 0, 0, False, (), legs)
    result = _walk(state, unit_id, legs, limits)
    state.memory["last_march"] = (unit_id, limits, result)
    return result


def _walk(state: State, unit_id: int, legs: tuple[Leg, ...], limits: MarchLimits) -> MarchResult:
    scene = scene_of(state)
    unit, pose = block_on(scene, unit_id)
    plan = read_legs(legs, limits.any_direction)
    crossed = np.zeros((len(state.pieces), len(unit.models)), dtype=np.int64)
    march = march_from(scene, unit, pose, limits)
    notes = notes_for(crossed)
    answer = np.empty(COMES_TO)
    count = judge(scene.flat(limits.climb_max), march, plan.flat, notes, answer)
    x, y, heading, z, straight, climb, slowed, has_crossed = answer.tolist()
    end = Pose(int(x), int(y), int(heading), int(z))
    reasons = form_reasons(unit, plan, limits)
    limit, cite = (
        limits.allowance,
        "move.distance",
    )  # also if moving sideways is not allowed: that is another reason
    if not plan.is_forward and not limits.any_direction and limits.half_allowance:
        limit, cite = limits.half_allowance, "move.half"
    allowed = min(limit, limits.difficult_cap) if slowed else limit
    if over(straight + climb, allowed / MILLI):
        reasons += distance_reason(unit, straight, climb, limit, bool(slowed), limits.difficult_cap, cite)
    if count:
        found = notes.found[:count]
        reasons += fault_reasons(unit, scene.units, state.pieces, found, limits)
        reasons += _ends_close(state, unit, end, found, limits)
    if limits.target >= 0:
        reasons += _charge_reasons(state, unit, end, allowed, limits)
    used, climbed = round((straight + climb) * MILLI), round(climb * MILLI)
    crossings = _crossings(state, crossed, limits) if has_crossed else ()
    return MarchResult(end, tuple(reasons), used, climbed, bool(slowed), crossings, legs)


def _ends_close(
    state: State, unit: Unit, end: Pose, found: Floats, limits: MarchLimits
) -> Iterator[TableReason]:
    """Report a block that passes through a unit and stops close behind it as too close as well."""
    others, free = scene_of(state).units, limits.spacing / MILLI
    for code, who, _ in found.tolist():
        if code == THROUGH and free:
            gap = gap_between(state, unit, end, others[int(who)].id)
            if gap > -SLACK and closer_than(gap, free):
                yield spacing_reason(unit.name, others[int(who)].name, gap, limits)


def _crossings(state: State, crossed: Ints, limits: MarchLimits) -> tuple[CrossedPiece, ...]:
    """The pieces that were crossed, each with its models."""
    found: list[CrossedPiece] = []
    for piece, marks in zip(state.pieces, crossed.tolist(), strict=True):
        if max(marks) == 0:  # quicker than any(): every march reads whole rows
            continue
        models = tuple([model for model, mark in enumerate(marks) if mark])
        uphill = any(mark & WENT_UP for mark in marks)
        slows = is_difficult(piece, uphill) and not limits.ignores_difficult
        found.append(CrossedPiece(piece.id, models, slows, is_dangerous(piece, limits.action)))
    return tuple(found)


def _charge_reasons(
    state: State, unit: Unit, end: Pose, allowed: int, limits: MarchLimits
) -> Iterator[TableReason]:
    """Why a charge fails: its target is out of reach in a straight line, or it does not end in contact."""
    target, _ = block_on(scene_of(state), limits.target)
    name = target.name
    away = gap_between(state, unit, block_pose(unit), limits.target)
    if over(away, allowed / MILLI):
        far = f"{inches(away)} away from {unit.name}, which can charge {inches(allowed / MILLI)}"
        text = f"{unit_does(target, 'are')} {far}"
        yield TableReason(text, "charge.reach")
    gap = gap_between(state, unit, end, limits.target)
    if gap > SLACK:
        yield TableReason(f"{unit.name} would stop {inches(gap)} short of {name}", "charge.contact")


def gap_between(state: State, unit: Unit, pose: Pose, other_id: int) -> float:
    """The gap in inches between a block put at `pose` and another unit; below 0 by how deep they overlap."""
    scene = scene_of(state)
    row, mover = scene.row_of[other_id], mover_of(scene, unit)
    return float(gap_at(scene.flat(), mover, row, pose.x, pose.y, pose.heading))


def standing_in(state: State, unit_id: int, limits: MarchLimits) -> tuple[CrossedPiece, ...]:
    """The pieces in which models of a block stand now, for effects of being activated there."""
    scene = scene_of(state)
    unit, pose = block_on(scene, unit_id)
    crossed = np.zeros((len(state.pieces), len(unit.models)), dtype=np.int64)
    flat, mover = scene.flat(limits.climb_max), mover_of(scene, unit)
    note_standing(flat, mover, pose.x, pose.y, pose.heading, crossed)
    return _crossings(state, crossed, limits)


def furthest_forward(
    state: State, unit_id: int, heading_pose: Pose, limits: MarchLimits, kind: LegKind = "forward"
) -> int:
    """How far, in thousandths, a block at `heading_pose` can go straight before a reason appears.

    A block that passes over units and terrain gets the longest leg with a free end instead. `kind` also allows "back",
    and "side" for the right.
    """
    scene = scene_of(state)
    march = march_from(scene, block_on(scene, unit_id)[0], heading_pose, limits)
    legs = np.zeros(3, dtype=np.int64)
    return longest_leg(scene.flat(limits.climb_max), march, legs, QUARTERS[kind])


def proposed_marches(
    state: State, unit_id: int, limits: MarchLimits, picks: Sequence[int]
) -> tuple[tuple[Leg, ...], ...]:
    """A legal march for each of the caller's own numbers; equal numbers give equal marches.

    Any number from 0 up will do: it selects the kind of march, the turn and how far each leg goes. Where no move is
    possible the march is empty.
    """
    answers, _ = _proposals(state, unit_id, limits, np.array(picks, dtype=np.int64), True)
    return tuple([_legs(row) for row in answers.tolist()])


def candidate(state: State, unit_id: int, limits: MarchLimits, number: int) -> MarchResult:
    """The legal march of one number and its result, cached on the state as if it had been checked."""
    answers, crossed = _proposals(state, unit_id, limits, np.array((number,), dtype=np.int64), False)
    row = answers[0].tolist()
    straight, climb, slowed, has_crossed = row[8:]
    used, climbed = round((straight + climb) * MILLI), round(climb * MILLI) if climb else 0
    crossings = _crossings(state, crossed, limits) if has_crossed else ()
    result = MarchResult(_end(row), (), used, climbed, bool(slowed), crossings, _legs(row))
    state.memory["last_march"] = (unit_id, limits, result)
    return result


def _proposals(
    state: State, unit_id: int, limits: MarchLimits, picks: Ints, only_legs: bool
) -> tuple[Floats, Ints]:
    """One march for each number, and which models cross which piece on the last of them."""
    scene = scene_of(state)
    unit, pose = block_on(scene, unit_id)
    budget, turn = limits.spending
    march = march_from(scene, unit, pose, limits, budget)
    answers = np.zeros((len(picks), PROPOSAL))
    crossed = np.zeros((len(state.pieces), len(unit.models)), dtype=np.int64)
    propose(scene.flat(limits.climb_max), march, turn, picks, only_legs, answers, crossed)
    return answers, crossed


def _legs(row: list[float]) -> tuple[Leg, ...]:
    first, turn, second, quarter = int(row[0]), int(row[1]), int(row[2]), int(row[3])
    legs = []
    if first:
        legs.append(Leg(KINDS[quarter], -first if quarter == LEFTWARD else first))
    if turn:
        legs.append(Leg("pivot", turn))
    if second:
        legs.append(Leg("forward", second))
    return tuple(legs)


def _end(row: list[float]) -> Pose:
    return Pose(int(row[4]), int(row[5]), int(row[6]), int(row[7]))
