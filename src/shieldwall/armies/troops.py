"""Units model by model, as lists made from books bring them to a game."""

from __future__ import annotations

from msgspec import Struct

from shieldwall.core.errors import MalformedError
from shieldwall.core.state import Base, RuleRef, Weapon
from shieldwall.table.bases import Family, default_base, parse_base


class Soldier(Struct, frozen=True):
    """One model of a unit as a book describes it. `bases` are those for loose and for ranked games, if known."""

    name: str
    quality: int
    defense: int
    weapons: tuple[Weapon, ...] = ()
    rules: tuple[RuleRef, ...] = ()
    kind: str = "infantry"
    bases: tuple[str, str] = ("", "")
    spells: tuple[str, ...] = ()


class Troop(Struct, frozen=True):
    """A unit model by model, those that differ first; `hero` is somebody who joined it when the list was made."""

    name: str
    soldiers: tuple[Soldier, ...]
    hero: Soldier | None = None
    part: int = 0
    cost: int = 0
    is_combined: bool = False


def stands_on(soldier: Soldier, family: Family) -> Base:
    """The base a book names, or the usual one of the kind; of two sides the shorter one is the front."""
    try:
        base = parse_base(soldier.bases[1 if family == "square" else 0], family)
    except MalformedError:
        return default_base(soldier.kind, family)
    return Base(base.shape, min(base.width, base.depth), max(base.width, base.depth))
