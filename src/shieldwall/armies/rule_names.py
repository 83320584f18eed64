"""Rules as people spell them: `AP(1)`, `AP 1`, `ap (1)` all mean what the editions print as AP(1)."""

from __future__ import annotations

import re
from functools import cache

from shieldwall.armies.rule_values import VALUE_MAX, is_added
from shieldwall.core.state import RuleRef
from shieldwall.editions import EDITIONS, ruleset

COMMAND = ("Sergeant", "Musician", "Banner", "Battle Standard")  # each is one model of its unit
_BRACKETS = re.compile(r"^(?P<name>[^()]+?)\s*\(\s*(?P<sign>\+?)(?P<value>-?\d{1,4})\+?\s*\)$")
_BARE = re.compile(r"^(?P<name>[^()\d]+?)\s+(?P<sign>\+?)(?P<value>\d{1,3})\+?$")


@cache
def _printed() -> dict[str, str]:
    """Every rule of every edition in lower case, with its printed name."""
    return {name.casefold(): name for edition in EDITIONS for name in ruleset(edition).specials.bindings}


def printed_name(name: str) -> str:
    """The name as some edition prints it; unchanged if none has it."""
    return _printed().get(name.casefold(), name)


def valued(name: str, value: int, sign: str = "") -> RuleRef:
    """A rule with a value that can be played; negative or huge values become the nearest possible one."""
    printed = printed_name(name)
    return RuleRef(printed, max(0, min(VALUE_MAX, value)), is_added(printed, sign))


def rule_spelled(text: str) -> RuleRef | None:
    """A rule with its value, if it has one; None for an empty text.

    A number after a name is a value only if an edition has a rule of that name; otherwise it is part of the name.
    """
    match = _BRACKETS.match(text)
    if match is None:
        bare = _BARE.match(text)
        match = bare if bare is not None and bare["name"].casefold() in _printed() else None
    if match is not None:
        return valued(match["name"].strip(), int(match["value"]), match["sign"])
    return RuleRef(printed_name(text)) if text else None
