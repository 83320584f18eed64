"""Our own factions: their books in every edition, and their ready-made lists."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from shieldwall.armies.book import Book
from shieldwall.armies.files import load_yaml
from shieldwall.armies.list_file import list_from
from shieldwall.armies.lists import ArmyList
from shieldwall.armies.overlay import DATA, faction_book, overlays
from shieldwall.core.errors import MalformedError, ShieldwallError

FACTIONS = ("lantern-coast", "kilnfolk", "saltgrass-clans", "glasswood-covenant")


class NoArmyError(ShieldwallError):
    """There is no such faction, edition or ready-made list."""


class ReadyList(Struct, frozen=True):
    """A ready-made list: its name, faction and points."""

    id: str
    faction: str
    points: int
    name: str


def factions() -> tuple[str, ...]:
    """The ids of our own factions."""
    return FACTIONS


@cache
def book(faction: str, edition: str) -> Book:
    """The book of one of our factions in an edition."""
    if faction not in FACTIONS:
        raise NoArmyError(f"there is no faction {faction!r}; there are: {', '.join(FACTIONS)}")
    if edition not in overlays():
        raise NoArmyError(f"our factions are not available in {edition!r}, only in: {', '.join(overlays())}")
    return faction_book(_faction_data(faction), edition)


@cache
def ready_lists(edition: str) -> tuple[ReadyList, ...]:
    """The ready-made lists of an edition, by size and then by faction."""
    found = [
        ReadyList(id=name, faction=army.books[0].id, points=army.points, name=army.name)
        for name, army in _lists(edition).items()
    ]
    return tuple(sorted(found, key=lambda ready: (ready.points, FACTIONS.index(ready.faction), ready.id)))


def ready_list(edition: str, name: str) -> ArmyList:
    """A ready-made list by its id."""
    known = _lists(edition)
    if name not in known:
        there = ", ".join(known) or "none"
        raise NoArmyError(f"there is no ready-made list {name!r} for {edition}; there are: {there}")
    return known[name]


@cache
def _lists(edition: str) -> Mapping[str, ArmyList]:
    path = DATA / "lists" / f"{edition}.yaml"
    if not path.exists():
        raise NoArmyError(f"there are no ready-made lists for {edition!r}")
    raw = load_yaml(path.read_bytes(), path.name)
    problems: list[str] = []
    found: dict[str, ArmyList] = {}
    for name, told in raw.items():
        if isinstance(told, Mapping):
            found[name] = list_from({"id": name, "edition": edition, **told}, problems)
    if problems:
        raise MalformedError(path.name, problems)
    return found


@cache
def _faction_data(faction: str) -> Mapping[str, object]:
    path = DATA / "factions" / f"{faction}.yaml"
    return load_yaml(path.read_bytes(), path.name)
