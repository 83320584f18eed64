"""Rules that bring new units on name them behind their own name, with the size: `Howl(Wolves [3])`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.blocks import Blocks, NewCopy, NewUnit, RuleRef
from shieldwall.rules.reading import Reading

_NAMED = re.compile(r"^(?P<rule>[^()]+?)\s*\(\s*(?P<unit>[^()\[\]]+?)\s*\[\s*(?P<size>\d{1,3})\s*\]\s*\)$")
DEEPEST = 4  # new units that bring on new units that bring on new units


class NamedUnit(Struct, frozen=True):
    """A rule with the unit named behind it."""

    rule: str
    unit: str
    size: int


def named_unit(name: str) -> NamedUnit | None:
    """The unit that is named behind a rule; None for other rules."""
    match = _NAMED.match(name) if "[" in name else None
    if match is None or int(match["size"]) < 1:
        return None
    return NamedUnit(match["rule"], match["unit"], int(match["size"]))


def brings_on(blocks: Blocks | None) -> bool:
    """Whether a rule brings a new unit on."""
    return any(isinstance(block, NewUnit) for block in blocks or ())


def names_units(blocks: Blocks | None) -> bool:
    """Whether all that a rule brings on is named."""
    return all(block.unit for block in blocks or () if isinstance(block, NewUnit))


def copies_unit(blocks: Blocks | None) -> bool:
    """Whether a rule replaces its unit by a copy."""
    return bool(blocks) and any(isinstance(block, NewCopy) for block in blocks or ())


def new_units_of(rules: Iterable[RuleRef]) -> list[tuple[RuleRef, NewUnit]]:
    """The rules among these that bring a named unit on."""
    return [
        (rule, block)
        for rule in rules
        for block in rule.blocks or ()
        if isinstance(block, NewUnit) and block.unit
    ]


def with_named_units(
    readings: Mapping[str, Reading],
    printed: Iterable[str],
    rules_of: Callable[[NamedUnit], Sequence[str] | None],
) -> dict[str, Reading]:
    """The same readings, with one more for each printed rule that names a unit to bring on.

    `rules_of` gives the rules printed on that unit, and None if there is no such unit. Units that would bring
    themselves on, directly or through others, are left out.
    """
    found = dict(readings)
    for name in printed:
        named = named_unit(name)
        base = readings.get(named.rule) if named is not None else None
        if named is None or base is None or not brings_on(base.blocks):
            continue
        if rules_of(named) is None or _comes_back(name, name, rules_of, 0):
            continue
        parts = tuple(
            replace(part, blocks=tuple(_naming(block, named) for block in part.blocks)) for part in base.parts
        )
        found[name] = replace(base, name=name, parts=parts)
    return found


def _naming(block: object, named: NamedUnit) -> object:
    return replace(block, unit=title_of(named)) if isinstance(block, NewUnit) else block


def title_of(named: NamedUnit) -> str:
    """The unit as lists print it: its name with its size."""
    return f"{named.unit} [{named.size}]"


def _comes_back(
    name: str, first: str, rules_of: Callable[[NamedUnit], Sequence[str] | None], depth: int
) -> bool:
    """Whether the unit named behind a rule leads back to that rule."""
    named = named_unit(name)
    if named is None:
        return False
    inner = rules_of(named) or ()
    return first in inner or (
        depth < DEEPEST and any(_comes_back(one, first, rules_of, depth + 1) for one in inner)
    )
