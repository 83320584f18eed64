"""What rules may bring into a game, those read from texts among them: hooks, moments at which they end, places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from shieldwall.core.blocks import BlockBase, RuleRef, When
from shieldwall.rules.army.fighting import Build
from shieldwall.rules.hooks import PrintedContext

MOMENTS = frozenset({"next activation"})  # at which a step ends effects that lasted until then
PLACES = "places"  # what stands near a unit may change its attacks, or attacks on it


def brought_in(refs: Iterable[RuleRef], build: Build) -> set[str]:
    """Every hook that rules may answer, with those of rules they grant, name or become, and every moment they use."""
    found: set[str] = set()
    seen: set[RuleRef] = set()
    todo = list(refs)
    while todo:
        ref = todo.pop()
        if ref in seen:
            continue
        seen.add(ref)
        for rule in build((ref,)):
            found.update(rule.hooks)
            if "lends" in rule.hooks:
                todo += rule.lends(PrintedContext())
        for block in ref.blocks or ():
            for part in _parts(block):
                if isinstance(part, str):
                    found.add(part)
                elif isinstance(part, RuleRef):
                    todo.append(part)
                else:
                    todo.append(RuleRef(ref.name, ref.value, False, (part,)))
    return found


def _parts(value: object) -> Iterator[Any]:
    """The rules and blocks inside a block, at whatever depth, the moments at which they end, and `PLACES`."""
    if isinstance(value, tuple):
        for item in value:
            if isinstance(item, RuleRef | BlockBase):
                yield item
            yield from _parts(item)
    elif isinstance(value, BlockBase):
        for name in value.__struct_fields__:
            inner = getattr(value, name)
            if name == "until" and inner in MOMENTS:
                yield inner
            if name == "when" and any(_looks_around(when) for when in inner):
                yield PLACES
            if isinstance(inner, RuleRef):
                yield inner
            yield from _parts(inner)


def _looks_around(when: When) -> bool:
    around = when.by_terrain or when.by_marker or when.by_friend or when.by_enemy or when.alone
    return bool(around) or any(map(_looks_around, when.unless))
