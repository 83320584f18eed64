"""What each edition demands of army lists, by its id."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from shieldwall.editions import ruleset
from shieldwall.rules.features.roster import Forces


@cache
def forces(edition: str) -> Forces:
    """What an edition demands of army lists: the value `FORCES` of its module `forces`."""
    package = type(ruleset(edition).policies).__module__.rpartition(".")[0]
    found = import_module(f"{package}.forces").FORCES
    assert isinstance(found, Forces)
    return found
