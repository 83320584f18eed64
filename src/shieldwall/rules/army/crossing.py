"""Which enemies a unit moves through, for rules that strike those it passes over."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from shieldwall.core.answers import Leg, ModelPath
from shieldwall.core.frames import Activation
from shieldwall.core.state import State, Unit
from shieldwall.rules.army.fighting import PicksUnits
from shieldwall.rules.ruleset import Play, Ruleset
from shieldwall.table.block_moves import poses_along
from shieldwall.table.footprints import is_swept, unit_outline
from shieldwall.table.formations import block_pose
from shieldwall.table.shapes import Shapes
from shieldwall.table.walk_context import shapes_at

CROSSES = "crosses"


def strikes_whom_it_crosses(rules: Ruleset, state: State, unit: Unit) -> bool:
    """Whether a unit has a rule about the enemies that it moves through."""
    found = rules.hooks.of_unit(unit, state.profiles).get("picks_units")
    return found is not None and any(
        isinstance(rule, PicksUnits) and rule.block.at == CROSSES for rule in found
    )


def note_walk(game: Play, unit: Unit, paths: Sequence[ModelPath]) -> None:
    """Write down the enemies that models of a loose unit walk or fly through."""
    if not strikes_whom_it_crosses(game.rules, game.state, unit):
        return
    ways = {path.model: path.points for path in paths}
    longest = max((len(points) for points in ways.values()), default=0)
    stands = [unit.poses]
    for at in range(longest):
        stands.append(
            tuple(
                points[min(at, len(points) - 1)] if (points := ways.get(model.id)) else pose
                for model, pose in zip(unit.models, unit.poses, strict=True)
            )
        )
    _note(game, unit, [shapes_at(unit, game.state.profiles, poses) for poses in stands])


def note_march(game: Play, unit: Unit, legs: Sequence[Leg]) -> None:
    """Write down the enemies that a block marches or flies through; `unit` is the block before its march."""
    if not strikes_whom_it_crosses(game.rules, game.state, unit):
        return
    stands = [replace(unit, block=pose) for pose in poses_along(block_pose(unit), tuple(legs))]
    outlines = [unit_outline(stand, game.state.profiles) for stand in stands]
    _note(game, unit, outlines)


def _note(game: Play, unit: Unit, stands: Sequence[Shapes]) -> None:
    activation = game.nearest(Activation)
    if activation is None or activation.unit != unit.id:
        return
    crossed = tuple(
        other.id
        for other in game.state.units
        if other.side != unit.side and other.place == "table" and other.models
        if other.id not in activation.crossed
        if is_swept(stands, unit_outline(other, game.state.profiles))
    )
    if crossed:
        game.note_on(Activation, crossed=(*activation.crossed, *crossed))
