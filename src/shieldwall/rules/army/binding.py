"""Putting the meaning of an army's rules onto the rules that are printed on its units, weapons and spells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from msgspec import Struct, structs

from shieldwall.core.blocks import ArmyRule, Blocks, RuleRef
from shieldwall.core.state import Weapon

T = TypeVar("T")
DEEPEST = 6  # rules that name rules that name rules; a book whose rules name each other stops here

Meanings = Mapping[str, Blocks]


def meanings_of(rules: Iterable[ArmyRule]) -> Meanings:
    """What the rules of an army mean, by name; those that were not understood have no entry."""
    return {rule.name.casefold(): rule.blocks for rule in rules if rule.blocks is not None}


def bind_rule(ref: RuleRef, meanings: Meanings, depth: int = 0) -> RuleRef:
    """A printed rule with what the army's book says about it, and what it says about rules named in there."""
    blocks = ref.blocks if ref.blocks is not None else meanings.get(ref.name.casefold())
    if blocks is None or depth >= DEEPEST:
        return ref
    return structs.replace(ref, blocks=tuple(_bound(block, meanings, depth + 1) for block in blocks))


def bind_rules(refs: Iterable[RuleRef], meanings: Meanings) -> tuple[RuleRef, ...]:
    """Printed rules with what the army's book says about them."""
    return tuple(bind_rule(ref, meanings) for ref in refs)


def bind_weapon(weapon: Weapon, meanings: Meanings) -> Weapon:
    """A weapon whose rules mean what the army's book says."""
    if not weapon.rules:
        return weapon
    return Weapon(weapon.name, weapon.attacks, weapon.reach, bind_rules(weapon.rules, meanings))


def bind_blocks(blocks: Blocks, meanings: Meanings) -> Blocks:
    """Blocks whose rules mean what the army's book says."""
    return tuple(_bound(block, meanings, 0) for block in blocks)


def _bound(value: T, meanings: Meanings, depth: int) -> T:
    """A block, or part of one, with every rule in it bound."""
    bound: Any = value
    if isinstance(value, RuleRef):
        bound = bind_rule(value, meanings, depth)
    elif isinstance(value, tuple):
        bound = tuple(_bound(item, meanings, depth) for item in value)
    elif isinstance(value, Struct):
        changed = {
            field.name: _bound(given, meanings, depth)
            for field in structs.fields(value)
            if isinstance(given := getattr(value, field.name), Struct | tuple)
        }
        bound = structs.replace(value, **changed) if changed else value
    return bound  # type: ignore[no-any-return]
