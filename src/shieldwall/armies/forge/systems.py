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


def edition_for(told: str) -> str | None:
    """The edition a game system is read as; None for systems of other games."""
    if told in EDITIONS:
        return told
    return next((edition for edition in _EDITIONS.get(system_key(told), ()) if edition in EDITIONS), None)


def key_of(edition: str) -> str:
    """The short key an edition is exported under."""
    return _KEYS.get(edition, edition)
