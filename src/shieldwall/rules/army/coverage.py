"""Which blocks the engine plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct, structs

from shieldwall.core import blocks as b
from shieldwall.rules.army.fighting import PICKING_MOMENTS
from shieldwall.rules.army.rulebook_rules import rulebook_class


def playable(block: b.Block) -> bool:
    """Whether the engine plays a block and everything in it."""
    if not _IS_PLAYED.get(type(block), _never)(block):
        return False
    return all(playable(inner) for inner in _inner_blocks(block))


def _inner_blocks(value: object) -> list[Any]:
    """The blocks inside a block, at whatever depth, but not those inside them."""
    if not isinstance(value, Struct):
        return []
    found: list[Any] = []
    for field in structs.fields(value):
        found += _blocks_in(getattr(value, field.name))
    return found


def _blocks_in(value: object) -> list[Any]:
    if isinstance(value, b.BlockBase):
        return [value]
    if isinstance(value, b.RuleRef):
        return list(value.blocks or ())
    if isinstance(value, tuple):
        return [block for item in value for block in _blocks_in(item)]
    return []


def _always(block: Any) -> bool:
    return True


def _never(block: Any) -> bool:
    return False


AFTER_A_TEST = (b.BeFatigued, b.MoveThem, b.Lend, b.TakeHits)
OUT_OF_TURN = ("wounded in melee", "killed in melee")
CAST = ""  # the moment of a pick that is a spell
PLACING_MOMENTS = ("", "before attacking", "activated", "activation", "deployed", "deployed or activated")


def _is_pick_played(block: b.Picks) -> bool:
    """Of an enemy's models one may be hit, but nothing is laid on a single model of a unit."""
    return (
        block.what == "unit" or block.on == "friend" or all(isinstance(one, b.TakeHits) for one in block.then)
    )


def _are_dice_played(block: b.HitDice) -> bool:
    if block.at == "fights":
        return block.need > 0 and not block.per_model
    if block.at in OUT_OF_TURN:
        return not block.need and block.hits > 0
    return block.at in PICKING_MOMENTS


_IS_PLAYED: dict[type[Any], Callable[[Any], bool]] = {
    b.Modifier: lambda block: block.roll in ("hit", "block") or block.of == "own",
    b.Gets: _always,
    b.HitsTaken: _always,
    b.DefenseIs: _always,
    b.Ignores: _always,
    b.Avenged: _always,
    b.FacesGet: _always,
    b.ExtraHits: _always,
    b.ExtraAttacks: lambda block: block.on == "hit",
    b.ExtraWounds: _always,
    b.BlocksAgain: _always,
    b.IgnoresWounds: _always,
    b.Inches: _always,
    b.Range: _always,
    b.ShootsAfter: _always,
    b.Lend: lambda block: block.until in ("once", "game", "activation", "round"),
    b.PutMarkers: _always,
    b.TakeHits: _always,
    b.TakeTest: lambda block: (
        block.test == "dangerous" or all(isinstance(one, AFTER_A_TEST) for one in block.failed)
    ),
    b.Picks: lambda block: block.at in (CAST, *PICKING_MOMENTS) and _is_pick_played(block),
    b.Known: lambda block: rulebook_class(block.name, block.game) is not None,
    b.StrikeOrder: lambda block: block.first,
    b.Crosses: _always,
    b.ChargeHits: _always,
    b.Aura: lambda block: not block.reach,
    b.Boost: _always,
    b.ListRule: _always,
    b.PickedEffect: lambda block: "activated" in block.at,
    b.RolledEffect: lambda block: block.at in ("attacks", "shoots", "fights"),
    b.Feat: lambda block: block.at in ("attacks", "shoots", "fights", "moves", "takes wounds"),
    b.Grows: lambda block: block.at in ("round begins", "round ends", "destroys a unit"),
    b.MayMove: lambda block: block.at in ("", "after shooting", "after melee", "after attacking"),
    b.Recovers: _always,
    b.NoRetreat: _always,
    b.HitDice: _are_dice_played,
    b.InTerrain: lambda block: block.terrain == "difficult",
    b.Heal: _always,
    b.KeepsAway: _always,
    b.Hides: _always,
    b.MayPlace: lambda block: block.at in PLACING_MOMENTS,
    b.Backfires: lambda block: block.face == 1,
    b.QualityIs: _always,
    b.PrecisionStrike: lambda block: block.often == "game",
    b.MoveThem: _always,
    b.BeFatigued: _always,
}
