"""Loose units: walking model by model, hazards on the way, and separating after a melee."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Walk
from shieldwall.core.frames import Activation, Danger, Hazard, Melee, Movement
from shieldwall.core.pending import Pending
from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.geometry.polygons import border_distance
from shieldwall.geometry.tolerance import EPS
from shieldwall.rules.army.crossing import note_walk
from shieldwall.rules.features.leaps import jump_dice, leaping
from shieldwall.rules.features.loose_limits import walk_limits
from shieldwall.rules.features.loose_questions import Walking
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.table.ground import pieces_under
from shieldwall.table.loose_moves import Leap, WalkResult, check_walk
from shieldwall.table.loose_push import step_back
from shieldwall.table.pieces import ground_of
from shieldwall.table.shapes import polygon_of
from shieldwall.table.terrain import GAP, pieces_at, standing_height
from shieldwall.table.walk_context import WalkLimits

WIDEST_BASE = 6 * MILLI  # no base reaches farther from its middle


def hazards_on(state: State, unit: Unit, result: WalkResult, limits: WalkLimits) -> tuple[Hazard, ...]:
    """Dangerous ground and leaps on the models' paths, in the order they are met."""
    dangerous = ground_of(state.pieces).dangerous(limits.action)
    if not result.has_leaps and dangerous.isdisjoint(result.pieces_entered):
        return ()
    found: list[Hazard] = []
    index = {model.id: place for place, model in enumerate(unit.models)}
    entered, leaps = result.entered, result.leaps
    for path in result.paths:
        place = index[path.model]
        met: list[tuple[float, Hazard]] = []
        if not flies(limits, place):
            met += [
                (entry.way, Hazard(path.model, "danger", entry.pose, entry.piece))
                for entry in entered[place]
                if entry.piece in dangerous
            ]
        met += [(leap.way, leap_hazard(state, path.model, leap)) for leap in leaps[place]]
        found += [hazard for _, hazard in sorted(met, key=lambda pair: pair[0])]
    return tuple(found)


def leap_hazard(state: State, model: int, leap: Leap) -> Hazard:
    """A leap on a model's path, with the piece it would fall off or into."""
    dice, fall = jump_dice(leap.distance), round(leap.fall * MILLI)
    return Hazard(model, "leap", leap.start, left_piece(state, leap), dice, fall)


def left_piece(state: State, leap: Leap) -> int:
    """The gap that a leap crosses, or else the piece whose edge it leaves; -1 if there is neither."""
    middle = ((leap.start.x + leap.landing.x) // 2, (leap.start.y + leap.landing.y) // 2)
    crossed = [piece for piece in pieces_at(state, *middle) if GAP in piece.conditions]
    if crossed:
        return crossed[0].id
    x, y, z = leap.start.x / MILLI, leap.start.y / MILLI, leap.start.z
    near = []
    for piece in state.pieces:
        if standing_height(piece) == z if z else GAP in piece.conditions:
            border = polygon_of(piece)
            near.append((border_distance(border, 0, len(border), x, y), piece.id))
    return min(near, default=(0.0, -1))[1]


def flies(limits: WalkLimits, place: int) -> bool:
    """Whether the model at this place ignores terrain."""
    marks = limits.ignores_terrain
    return bool(marks) and (marks[place] if len(marks) > 1 else marks[0])


def models_standing_in_danger(state: State, unit: Unit) -> tuple[tuple[int, int], ...]:
    """(model, piece) for models that stand on ground that is always dangerous."""
    ground = ground_of(state.pieces)
    dangerous = ground.dangerous()
    if not dangerous or not ground.is_danger_near([(pose.x, pose.y) for pose in unit.poses], WIDEST_BASE):
        return ()
    return tuple(
        (model.id, piece)
        for model, pieces in zip(unit.models, pieces_under(state, unit), strict=True)
        for piece in pieces
        if piece in dangerous
    )


def start_walk(game: Play, unit: Unit, walk: Walk, limits: WalkLimits) -> None:
    """Record where every model is going, and what lies on its path."""
    limits = leaping(limits, unit, walk)
    result = check_walk(game.state, unit.id, walk.paths, limits)
    index = {model.id: place for place, model in enumerate(unit.models)}
    ends = tuple([(path.model, result.poses[index[path.model]]) for path in walk.paths])
    hazards = hazards_on(game.state, unit, result, limits)
    entered = entered_on_foot(result, limits)
    neared = game.rules.policies.markers_neared(game.state, unit, result)
    note_walk(game, unit, walk.paths)
    game.note(ends=ends, used=result.longest, hazards=hazards, next=0, entered=entered, neared=neared)
    activation = game.nearest(Activation)
    if activation is not None and activation.unit == unit.id:
        walked = tuple(
            [
                model.id
                for model, used in zip(unit.models, result.used, strict=True)
                if used > EPS or model.id in activation.walked
            ]
        )
        game.note_on(Activation, walked=walked, moved=activation.moved or bool(walked))


def entered_on_foot(result: WalkResult, limits: WalkLimits) -> tuple[int, ...]:
    """The pieces that models on foot entered, in order; pieces they already stood in do not count."""
    found = [
        entry
        for place, entries in enumerate(result.entered)
        if entries and not flies(limits, place)
        for entry in entries
        if entry.way > 0.0
    ]
    return tuple(dict.fromkeys(entry.piece for entry in sorted(found, key=lambda entry: entry.way)))


class WalkStep(TrunkStep):
    """The owner moves the models as far as the action allows."""

    name = "move.path"

    def ask(self, game: Play) -> Pending | None:
        frame: Movement = game.stack[-1]
        unit = game.state.units[frame.unit]
        limits = walk_limits(game.rules, game.state, unit, frame.action)
        prompt = f"{unit.name}: move up to {max(limits.allowance):g} inches"
        cite = game.rules.cite(f"move.{frame.action}")
        return Walking(game.rules, game.state, unit, limits, self.kind(frame), prompt, cite)

    def kind(self, frame: Movement) -> str:
        """What the question is called."""
        late = {"scout": "scout_move", "vanguard": "scout_move"}
        return {"consolidate": "consolidate", **late}.get(frame.action, "path")

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Walk)
        question = game.question(Walking)
        start_walk(game, question.unit, answer, question.limits)


def was_tested(game: Play, hazard: Hazard) -> bool:
    """Whether this model was already tested for this ground in the running activation; if not, record that it is."""
    activation = game.nearest(Activation)
    if activation is None:
        return False
    pair = (hazard.model, hazard.piece)
    if pair in activation.tested:
        return True
    game.note_on(Activation, tested=(*activation.tested, pair))
    return False


def move_models(game: Play, frame: Movement, ends: dict[int, Pose], used: int) -> None:
    """Write new poses for some models."""
    unit = game.state.units[frame.unit]
    poses = tuple([ends.get(model.id, pose) for model, pose in zip(unit.models, unit.poses, strict=True)])
    if poses != unit.poses or used:
        cite = game.rules.cite(f"move.{frame.action}")
        game.emit(ev.Moved(unit=unit.id, poses=poses, used=used, how=frame.action, cite=cite))


class PartLoose(TrunkStep):
    """If one unit is gone, the other may move up to 3 inches; otherwise the charger steps back 1 inch."""

    name = "melee.part"

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        if charger.models and target.models:
            game.note_on(Activation, attacked=True)
            self._step_back(game, charger, target)
            return
        if any(frame.fought):
            game.note_on(Activation, attacked=True)
        survivor = charger if charger.models else target
        if survivor.models and game.rules.policies.may_consolidate(game.rules, game.state, survivor):
            game.push(Movement(procedure="move.consolidate", unit=survivor.id, action="consolidate"))

    def _step_back(self, game: Play, charger: Unit, target: Unit) -> None:
        limits = walk_limits(game.rules, game.state, charger, "consolidate")
        back = step_back(game.state, charger.id, target.id, limits, game.rules.constants.separate / MILLI)
        if back.poses != charger.poses:
            self.stepped(game, game.state, charger, back, limits)

    def stepped(self, game: Play, there: State, charger: Unit, back: WalkResult, limits: WalkLimits) -> None:
        """Step back, and test for ground that has not been tested yet; `there` is the table as it was measured."""
        cite = game.rules.cite("melee.separate")
        game.emit(ev.Moved(unit=charger.id, poses=back.poses, used=back.longest, how="step back", cite=cite))
        risks = tuple(
            (hazard.model, hazard.piece)
            for hazard in hazards_on(there, charger, back, limits)
            if hazard.kind == "danger" and not was_tested(game, hazard)
        )
        if risks:
            game.push(Danger(procedure="danger", unit=charger.id, models=risks))


class ScoutMove(TrunkStep):
    """Late units move as soon as they are placed."""

    name = "deploy.late_move"

    def go(self, game: Play) -> None:
        unit = getattr(game.stack[-1], "unit", -1)
        game.push(Movement(procedure="move.scout", unit=unit, action="scout"))
