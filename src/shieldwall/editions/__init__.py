"""The editions: each builds its own ruleset from the trunk and the features it opts into, never from another."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from shieldwall.core.errors import ShieldwallError
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.rules.ruleset import Ruleset

_MODULES = {
    "aof-1.6": "shieldwall.editions.aof_1_6",
    "aof-2": "shieldwall.editions.aof_2",
    "regiments-3.4": "shieldwall.editions.regiments_3_4",
    "regiments-3.5": "shieldwall.editions.regiments_3_5",
    "skirmish-3.2": "shieldwall.editions.skirmish_3_2",
}
EDITIONS: tuple[str, ...] = tuple(_MODULES)


@cache
def ruleset(edition: str) -> Ruleset:
    """The ruleset of an edition, built once."""
    if edition not in _MODULES:
        raise ShieldwallError(
            f"{edition!r} is not an edition that can be played; there are: {', '.join(EDITIONS)}"
            f"{did_you_mean(edition, EDITIONS)}"
        )
    found = import_module(_MODULES[edition]).RULESET
    assert isinstance(found, Ruleset)
    return found
