"""Putting the meaning of an army's rules onto the rules that are printed on its units, weapons and spells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from msgspec import Struct, structs

from shieldwall.core.blocks import ArmyRule, Blocks, DefenseIs, RuleRef, When
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


def turned_round(defense: int) -> int:
    """A Defense as books print it where it counts the other way: the same chance to come through unhurt."""
    return 8 - defense


def with_turned_defense(value: T) -> T:
    """A block, or part of one, for an edition where the attacker rolls against Defense and high ones are better."""
    changed: Any = value
    if isinstance(value, tuple):
        changed = tuple(with_turned_defense(item) for item in value)
    elif isinstance(value, Struct):
        inner = {name: getattr(value, name) for name in value.__struct_fields__}
        parts: dict[str, Any] = {
            name: with_turned_defense(one) for name, one in inner.items() if isinstance(one, Struct | tuple)
        }
        if isinstance(value, When) and value.target_defense != (0, 0):
            low, high = value.target_defense
            parts["target_defense"] = (turned_round(high), turned_round(low))
        if isinstance(value, DefenseIs):
            parts["turned"] = True
        changed = structs.replace(value, **parts) if parts else value
    return changed  # type: ignore[no-any-return]


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
            name: _bound(given, meanings, depth)
            for name in value.__struct_fields__
            if isinstance(given := getattr(value, name), Struct | tuple)
        }
        bound = structs.replace(value, **changed) if changed else value
    return bound  # type: ignore[no-any-return]
