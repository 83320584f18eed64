"""Short labels for what is on a table, shared by the text and the SVG drawing."""

from __future__ import annotations

from msgspec import Struct

from shieldwall.core.state import State, Unit
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.table.terrain import GROUND_LEVEL, LIMITS, OPEN, types_of


class CaptionBox(Struct, frozen=True):
    """The rectangle of pixels that a label covers."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: CaptionBox) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


def unit_code(state: State, unit: Unit) -> str:
    """The short name of a unit on drawings: the letter of its side and its index there."""
    order = [other.id for other in state.units if other.side == unit.side]
    return f"{side_letter(unit.side)}{order.index(unit.id) + 1}"


def side_letter(side: int) -> str:
    return chr(ord("A") + side) if side >= 0 else "-"


def unit_notes(unit: Unit) -> tuple[str, ...]:
    """What a player needs to know about a unit besides its position."""
    notes = []
    if unit.start_models > 1 or len(unit.models) > 1:
        notes.append(f"{len(unit.models)}/{max(unit.start_models, len(unit.models))}")
    wounds = sum(model.wounds for model in unit.models)
    if wounds:
        notes.append(f"{wounds} wound{'s' if wounds != 1 else ''}")
    if unit.broken:
        notes.append("shaken")
    if any(model.stunned for model in unit.models):
        notes.append("stunned")
    if unit.tired:
        notes.append("tired")
    return tuple(notes)


def terrain_words(state: State) -> list[tuple[str, str]]:
    """Every kind of terrain on the table and what it does."""
    seen: dict[tuple[str, str], None] = {}
    # a table alone belongs to no edition
    limits = ruleset(state.ruleset).policies.terrain_limits() if state.ruleset in EDITIONS else LIMITS
    for piece in sorted(state.pieces, key=lambda piece: (piece.kind, piece.id)):
        effects = [kind for kind in types_of(piece, limits) if kind != OPEN]
        effects += [
            condition.replace("-", " ") for condition in piece.conditions if condition != GROUND_LEVEL
        ]
        seen.setdefault((piece.kind, f"{piece.kind}: {', '.join(effects) or 'no effect'}"))
    return list(seen)
