"""Game systems of Army Forge and the editions they are read as."""

from __future__ import annotations

from collections.abc import Mapping

from shieldwall.editions import EDITIONS

# The nearest edition to each system; if an edition is unavailable, the next one in the row is used.
_EDITIONS: Mapping[str, tuple[str, ...]] = {
    "aof": ("aof-2", "regiments-3.5"),
    "aofs": ("skirmish-3.2",),
    "aofr": ("regiments-3.5",),
}
_NUMBERS: Mapping[str, str] = {"4": "aof", "5": "aofs", "6": "aofr"}
_SLUGS: Mapping[str, str] = {
    "age-of-fantasy": "aof",
    "age-of-fantasy-skirmish": "aofs",
    "age-of-fantasy-regiments": "aofr",
}
FITTING_GAMES: Mapping[str, tuple[str, ...]] = {  # games whose editions play a book
    "aof": ("aof", "aofr"),
    "aofr": ("aof", "aofr"),
    "aofs": ("aofs",),
}
_KEYS: Mapping[str, str] = {
    "aof-1.6": "aof",
    "aof-2": "aof",
    "skirmish-3.2": "aofs",
    "regiments-3.4": "aofr",
    "regiments-3.5": "aofr",
}


def system_key(told: str) -> str:
    """The short key of a game system from its key, number or long name."""
    word = told.strip().lower()
    return _NUMBERS.get(word) or _SLUGS.get(word) or word


def fit(book: str, made_for: str) -> int:
    """How well the books of a game fit lists of another: 2 for the same one, 1 if both use the same books, else 0."""
    own, other = system_key(book), system_key(made_for)
    return 2 if own == other else int(own in FITTING_GAMES.get(other, ()))


def edition_for(told: str) -> str | None:
    """The edition a game system is read as; None for systems of other games."""
    if told in EDITIONS:
        return told
    return next((edition for edition in _EDITIONS.get(system_key(told), ()) if edition in EDITIONS), None)


def key_of(edition: str) -> str:
    """The short key an edition is exported under."""
    return _KEYS.get(edition, edition)
