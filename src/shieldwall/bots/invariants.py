"""Invariants that must hold after every step of every game. Each violation is one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.engine import Progress, Rules
from shieldwall.core.frames import Danger, Fall, Melee, Movement, WoundCheck
from shieldwall.core.pending import Pending
from shieldwall.core.state import MILLI, Profile, State, Unit
from shieldwall.geometry.distance import HIGH, LOW, gap, set_gap
from shieldwall.geometry.tolerance import EPS
from shieldwall.rules.army.passing import has_passed, pass_rule
from shieldwall.rules.features.loose_limits import coherency_of, mates_obstruct
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.coherency import is_coherent
from shieldwall.table.formations import block_pose, formation_of, heading_vector
from shieldwall.table.measure import Edge, edge_span
from shieldwall.table.scene import Scene, scene_of

# Positions and headings are rounded to their grids, also during the alignment of a charge, so bases in contact may
# overlap a little: a tenth of a millimetre is allowed.
OVERLAP_OVER = 8 * EPS
# Both ends of the line from a block's centre to the fixed corner are rounded to the grid, along each axis.
LOSS_MOVES = 3 * EPS

EDGES: tuple[Edge, ...] = ("south", "north", "west", "east")

# Moves that may end closer to others than usual: turning on the spot, being pushed, closing up, separating.
UNSPACED_MOVES = frozenset({"pivot", "hold", "idle", "push", "fall", "charge", "react", "step back", "board"})


class Judge:
    """A watcher that collects every violation in a game."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.problems: list[str] = []
        self._steps = 0

    def began(self, progress: Progress) -> None:
        """Nothing to check yet."""

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        """Check one step."""
        self._steps += 1
        for problem in check_invariants(self.rules, before, progress):
            self.problems.append(f"answer {self._steps}, round {before.round}: {problem}")


def check_invariants(rules: Rules, before: State, progress: Progress) -> list[str]:
    """Every invariant that this step violated; empty for a correct step."""
    broken = list(_state_is_whole(progress))
    if broken:
        return broken  # such a state cannot be measured
    return [
        *_models_conserved(before, progress),
        *_turns_alternate(rules, before, progress),
        *_wounds_in_range(rules, before, progress.state),
        *_standing_room(rules, before, progress.state),
        *_kept_together(rules, before, progress),
        *_kept_apart(rules, before, progress),
        *_stood_still(before, progress),
    ]


def _changed(before: State, after: State) -> list[Unit]:
    """Units on the table whose models may have moved."""
    return [
        unit
        for old, unit in zip(before.units, after.units, strict=True)
        if unit is not old and unit.place == "table" and _stand(unit) != _stand(old)
    ]


def _stand(unit: Unit) -> tuple[object, ...]:
    return unit.place, unit.block, unit.poses, tuple(model.id for model in unit.models)


# --- counting ---


def _models_conserved(before: State, progress: Progress) -> Iterator[str]:
    """No model appears from nowhere, vanishes without being removed, or is in two places."""
    events = progress.events
    removed = {model for event in events if isinstance(event, ev.Removed) for model in event.models}
    had = [model.id for unit in before.units for model in unit.models]
    called = {event.unit for event in events if isinstance(event, ev.CalledUp)}
    waited = [unit.later for unit in before.units if unit.id in called]
    had += [model.id for later in waited if later is not None for model in later.models]
    has = [model.id for unit in progress.state.units for model in unit.models]
    if len(set(has)) != len(has):
        yield f"models {sorted({m for m in has if has.count(m) > 1})} are in two places"
    lost = set(had) - removed - set(has)
    if lost:
        yield f"models {sorted(lost)} vanished without being removed"
    came = set(has) - set(had) - _brought_back(before, progress)
    if came:
        yield f"models {sorted(came)} came from nowhere"
    if removed & set(has):
        yield f"models {sorted(removed & set(has))} were removed and are still there"


def _brought_back(before: State, progress: Progress) -> set[int]:
    """Models that their unit had lost and got back."""
    events = [event for event in progress.events if isinstance(event, ev.Restored)]
    known = {model.id for event in events for model in before.units[event.unit].roster}
    return known & {model.id for event in events for model in event.models}


def _turns_alternate(rules: Rules, before: State, progress: Progress) -> Iterator[str]:
    """A side acts twice in a row only if the other has no units left to act, or because of a rule; no unit acts
    twice a round."""
    state = before
    called = -1
    for event in progress.events:
        if isinstance(event, ev.TurnGiven):
            called = event.to
        if isinstance(event, ev.Activated):
            unit = state.units[event.unit]
            if unit.activated:
                yield f"{unit.name} was activated twice in round {state.round}"
            if unit.side != state.turn:
                yield f"{unit.name} was activated in the turn of side {state.turn}"
            last = max(range(len(state.sides)), key=lambda side: state.sides[side].last_turn_at)
            had_turn = state.sides[last].last_turn_at > 0
            others_wait = any(_is_fresh(other, unit.side) for other in state.units)
            by_rule = called == unit.id or _have_passed(rules, state, unit.side)
            if had_turn and last == unit.side and others_wait and not by_rule:
                yield f"side {unit.side} acted twice in a row with {unit.name} while others waited"
        state = event.apply(state)


def _have_passed(rules: Rules, state: State, but: int) -> bool:
    """Whether a unit of another side has passed a turn in this round."""
    if not isinstance(rules, Ruleset):
        return False
    return any(
        (rule := pass_rule(rules, state, unit)) is not None and has_passed(state, unit, rule)
        for unit in state.units
        if unit.side != but
    )


def _is_fresh(unit: Unit, not_of: int) -> bool:
    return unit.side != not_of and unit.place == "table" and bool(unit.models) and not unit.activated


def _state_is_whole(progress: Progress) -> Iterator[str]:
    """Units without models are off the table, poses match models, a game waits or is over."""
    state = progress.state
    for unit in state.units:
        if unit.place == "table":
            if not unit.models:
                yield f"{unit.name} is on the table without a model"
            if unit.width == 0 and len(unit.poses) != len(unit.models):
                yield f"{unit.name} has {len(unit.models)} models and {len(unit.poses)} poses"
            if unit.width > 0 and unit.block is None:
                yield f"{unit.name} is a block without a position"
            poses = unit.poses if unit.block is None else (unit.block,)
            if any(
                type(number) is not int for pose in poses for number in (pose.x, pose.y, pose.heading, pose.z)
            ):
                yield f"{unit.name} has a position that is not a whole number"
            if any(not 0 <= pose.heading < 36000 for pose in poses):
                yield f"{unit.name} has a heading outside 0 to 359.99 degrees"
    if (progress.pending is None) != state.finished or (progress.pending is None) != (not state.stack):
        yield "the game neither waits for anything nor is over"


def _wounds_in_range(rules: Rules, before: State, state: State) -> Iterator[str]:
    """A living model has fewer wounds than it can take, except where wounds are only markers."""
    adds_up = isinstance(rules, Ruleset) and rules.last_model_stands
    for old, unit in zip(before.units, state.units, strict=True):
        if unit is old:
            continue
        for model in unit.models:
            most = state.profiles[model.profile].wounds
            if model.wounds < 0 or (model.wounds >= most and not adds_up):
                yield f"model {model.id} of {unit.name} stands with {model.wounds} of {most} wounds"


# --- measuring ---


def _standing_room(rules: Rules, before: State, after: State) -> Iterator[str]:
    """All models are on the table, and none overlap."""
    changed = _changed(before, after)
    if not changed:
        return
    scene = scene_of(after)
    for unit in changed:
        if any(edge_span(after, unit.id, edge).near < -OVERLAP_OVER for edge in EDGES):
            yield f"{unit.name} sticks out over the edge of the table"
        if unit.width == 0 and not _passes_mates(rules, after, unit):
            first, stop = scene.model_spans[scene.row_of[unit.id]]
            for i, j in combinations(range(first, stop), 2):
                depth = _overlap(scene, i, j)
                if depth:
                    yield f"models of {unit.name} overlap by {depth:.4f} inches"
    for unit, other in _pairs(changed, after):
        depth = _units_overlap(scene, unit, other)
        if depth:
            yield f"{unit.name} and {other.name} overlap by {depth:.4f} inches"


def _passes_mates(rules: Rules, state: State, unit: Unit) -> bool:
    """Whether dangerous ground has stopped a unit on its way, where its models may pass each other."""
    if not isinstance(rules, Ruleset) or mates_obstruct(rules, state):
        return False
    return any(isinstance(frame, Movement) and frame.unit == unit.id for frame in state.stack)


def _pairs(changed: list[Unit], after: State) -> Iterator[tuple[Unit, Unit]]:
    """Every pair of units on the table of which at least one changed, once."""
    ids = {unit.id for unit in changed}
    for unit in changed:
        for other in after.units:
            if other.place == "table" and other.models and (other.id not in ids or other.id > unit.id):
                yield unit, other


def _units_overlap(scene: Scene, unit: Unit, other: Unit) -> float:
    a0, a1 = scene.model_spans[scene.row_of[unit.id]]
    b0, b1 = scene.model_spans[scene.row_of[other.id]]
    nearest = set_gap(scene.models.span(a0, a1), scene.models.span(b0, b1), 0.0, False)[0]
    if nearest >= -OVERLAP_OVER:
        return 0.0
    return max(_overlap(scene, i, j) for i in range(a0, a1) for j in range(b0, b1))


def _overlap(scene: Scene, i: int, j: int) -> float:
    """How far two models overlap; 0 for models above each other."""
    points, rows = scene.models.points, scene.models.rows
    if rows[i, LOW] >= rows[j, HIGH] or rows[j, LOW] >= rows[i, HIGH]:
        return 0.0
    apart = gap(points, rows, i, points, rows, j)
    return -float(apart) if apart < -OVERLAP_OVER else 0.0


def _kept_together(rules: Rules, before: State, progress: Progress) -> Iterator[str]:
    """A finished move never leaves a unit out of coherency; losses and falls on the way may."""
    if not isinstance(rules, Ruleset) or rules.constants.coherency_shape == "ranks":
        return
    if any(isinstance(frame, Movement | Danger | Fall | WoundCheck) for frame in progress.state.stack):
        return  # the move is not over: some models have moved and others have not
    state = progress.state
    rule = coherency_of(rules, state)
    torn = {
        event.unit
        for event in progress.events
        if isinstance(event, ev.Removed | ev.Fell | ev.Stunned | ev.Jumped | ev.Destroyed)
    }
    # models step back after a melee one by one, as far as each can
    torn |= {
        event.unit for event in progress.events if isinstance(event, ev.Moved) and event.how == "step back"
    }
    torn |= {
        frame.unit
        for frame in before.stack
        if isinstance(frame, Movement) and _lost_on_the_way(before, frame)
    }
    moved = {
        event.unit for event in progress.events if isinstance(event, ev.Moved | ev.UnitPlaced | ev.Restored)
    }
    for unit_id in sorted(moved - torn):
        unit, old = state.units[unit_id], before.units[unit_id]
        if unit.place != "table" or unit.width or is_coherent(unit, state.profiles, rule):
            continue
        if old.place != "table" or is_coherent(old, before.profiles, rule):
            yield f"{unit.name} moved out of coherency"


def _lost_on_the_way(state: State, move: Movement) -> bool:
    """Whether a model with a destination has been lost since the move began."""
    standing = {model.id for model in state.units[move.unit].models}
    return any(model not in standing for model, _ in move.ends)


def _kept_apart(rules: Rules, before: State, progress: Progress) -> Iterator[str]:
    """Units that were an inch apart stay so, unless they fight each other or a rule says otherwise."""
    after = progress.state
    changed = _changed(before, after)
    if not isinstance(rules, Ruleset) or not changed:
        return
    spacing = rules.constants.spacing / MILLI
    fighting = _fighting(before, progress)
    moves = [event for event in progress.events if isinstance(event, ev.Moved)]
    # a block that only turns may end close to others (R35-MOVE-22)
    excused = {move.unit for move in moves if move.how in UNSPACED_MOVES or _only_turned(before, move)}
    excused |= {e.unit for e in progress.events if isinstance(e, ev.Aligned | ev.Fell | ev.Jumped)}
    excused |= {e.target for e in progress.events if isinstance(e, ev.Aligned)}
    excused |= _stopped_on_the_way(rules, after)
    shrunk, moved = {unit.id for unit in _shrunk(before, progress)}, {unit.id for unit in changed}
    scene, old_field = scene_of(after), scene_of(before)
    for unit, other in _pairs(changed, after):
        if {unit.id, other.id} <= fighting or unit.id in excused or other.id in excused:
            continue
        if unit.id in shrunk and (other.id in shrunk or other.id not in moved):
            continue  # `_stood_still` checks its place
        apart = _apart(scene, unit.id, other.id, spacing)
        if apart is None or apart >= spacing - OVERLAP_OVER:
            continue
        was = _apart(old_field, unit.id, other.id, spacing)
        if was is None or was >= spacing - OVERLAP_OVER:
            yield f"{unit.name} and {other.name} came within {apart:.3f} inches of each other"


def _stopped_on_the_way(rules: Ruleset, state: State) -> set[int]:
    """Units that dangerous ground has stopped while they pass through others."""
    units = {frame.unit for frame in state.stack if isinstance(frame, Movement) and frame.ends}
    return {
        unit
        for unit in units
        if any(rules.crossing(state, state.units[unit], model).units for model in state.units[unit].models)
    }


def _stood_still(before: State, progress: Progress) -> Iterator[str]:
    """A block that loses models without moving stands only on ground that it stood on before."""
    for unit in _shrunk(before, progress):
        beyond = _beyond(before.units[unit.id], unit, before.profiles)
        if beyond > LOSS_MOVES:
            yield f"{unit.name} lost models and stands {beyond:.4f} inches beyond its old place"


def _shrunk(before: State, progress: Progress) -> list[Unit]:
    """Blocks that lost models in this step and were neither moved nor placed."""
    placed = (ev.Moved, ev.Aligned, ev.UnitPlaced, ev.LeftBuilding, ev.LeftCarrier)
    went = {event.unit for event in progress.events if isinstance(event, placed)}
    went |= {event.target for event in progress.events if isinstance(event, ev.Aligned)}
    return [
        unit
        for unit in _changed(before, progress.state)
        if unit.width and unit.id not in went and len(unit.models) < len(before.units[unit.id].models)
    ]


def _beyond(old: Unit, unit: Unit, profiles: tuple[Profile, ...]) -> float:
    """How far a corner of a block lies outside all bases that the block had before; 0 if none does."""
    stood = formation_of(old, profiles).bases
    bases = formation_of(unit, profiles).bases
    pose, was = block_pose(unit), block_pose(old)
    sine, cosine = heading_vector(pose.heading)
    dx, dy = (pose.x - was.x) / MILLI, (pose.y - was.y) / MILLI
    right, forward = dx * cosine - dy * sine, dx * sine + dy * cosine
    farthest = 0.0
    for x in (bases[:, 0] + right, bases[:, 2] + right):
        for y in (bases[:, 1] + forward, bases[:, 3] + forward):
            across = np.maximum(stood[:, 0] - x[:, None], x[:, None] - stood[:, 2])
            along = np.maximum(stood[:, 1] - y[:, None], y[:, None] - stood[:, 3])
            farthest = max(farthest, float(np.maximum(across, along).min(axis=1).max()))
    return farthest


def _only_turned(before: State, move: ev.Moved) -> bool:
    stood = before.units[move.unit].block
    return stood is not None and (stood.x, stood.y) == (move.poses[0].x, move.poses[0].y)


def _apart(scene: Scene, a: int, b: int, limit: float) -> float | None:
    """The distance of two units below a limit; None beyond it or off the table. Heights are ignored for blocks."""
    if a not in scene.row_of or b not in scene.row_of:
        return None
    one, other = (scene.models.span(*scene.model_spans[scene.row_of[unit]]) for unit in (a, b))
    with_heights = not (scene.units[scene.row_of[a]].width and scene.units[scene.row_of[b]].width)
    found, i, _ = set_gap(one, other, limit, with_heights)
    return None if i < 0 else float(found)


def _fighting(before: State, progress: Progress) -> set[int]:
    """Units that take part in a melee during this step."""
    found: set[int] = set()
    for frame in (*before.stack, *progress.state.stack):
        if isinstance(frame, Melee):
            found |= {frame.charger, frame.target}
    for event in progress.events:
        if isinstance(event, ev.Declared) and event.group == "charge":
            found |= {event.unit, event.target}
    return found
