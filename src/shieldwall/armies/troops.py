"""Units model by model, as lists made from books bring them to a game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.errors import MalformedError
from shieldwall.core.state import Base, Profile, RuleRef, Weapon
from shieldwall.rules.army import bind_rules, bind_weapon
from shieldwall.rules.army.binding import Meanings
from shieldwall.rules.bindings import Specials
from shieldwall.rules.hooks import PrintedContext
from shieldwall.table.bases import Family, default_base, default_height, parse_base

ABOUT_ATTACKS = frozenset(
    {"quality", "to_hit", "drops_penalties", "marks", "hit", "six", "six_counts_as", "multiplies", "aims"}
)


class Soldier(Struct, frozen=True):
    """One model of a unit as a book describes it. `bases` are those for loose and for ranked games, if known."""

    name: str
    quality: int
    defense: int
    weapons: tuple[Weapon, ...] = ()
    rules: tuple[RuleRef, ...] = ()
    kind: str = "infantry"
    bases: tuple[str, str] = ("", "")
    spells: tuple[str, ...] = ()


class Troop(Struct, frozen=True):
    """A unit model by model, those that differ first; `hero` is a hero who joined it when the list was made."""

    name: str
    soldiers: tuple[Soldier, ...]
    hero: Soldier | None = None
    part: int = 0
    cost: int = 0
    is_combined: bool = False


def bound_soldier(soldier: Soldier, meanings: Meanings) -> Soldier:
    """A model whose rules mean what the texts of a book say."""
    weapons = tuple(bind_weapon(weapon, meanings) for weapon in soldier.weapons)
    return replace(soldier, rules=bind_rules(soldier.rules, meanings), weapons=weapons)


def stands_on(soldier: Soldier, family: Family) -> Base:
    """The base a book names, or the usual one of the kind; the shorter of two sides is the front."""
    try:
        base = parse_base(soldier.bases[1 if family == "square" else 0], family)
    except MalformedError:
        return default_base(soldier.kind, family)
    return Base(base.shape, min(base.width, base.depth), max(base.width, base.depth))


@lru_cache(maxsize=4096)
def profile_of(soldier: Soldier, specials: Specials, family: Family) -> Profile:
    """A model as an edition with these special rules sees it; equal models share a profile."""
    printed, weapons = in_place(specials, soldier.rules, soldier.weapons)
    rules = (*printed, *by_kind(specials, soldier.kind, printed))
    return Profile(
        name=soldier.name,
        quality=soldier.quality,
        defense=defense_of(specials, rules, soldier.defense),
        base=stands_on(soldier, family),
        height=default_height(soldier.kind),
        wounds=wounds_of(specials, rules),
        weapons=(*weapons, *weapons_of(specials, rules)),
        rules=rules,
        kind=soldier.kind,
        spells=soldier.spells,
    )


def in_place(
    specials: Specials, rules: Sequence[RuleRef], weapons: Sequence[Weapon]
) -> tuple[tuple[RuleRef, ...], tuple[Weapon, ...]]:
    """Rules where the edition looks for them, wherever a book printed them.

    A weapon rule printed on a model applies to all its weapons. A model rule printed on a weapon applies to the bearer,
    unless all it does is change attacks: then it applies to those of that weapon. Rules the edition does not play stay
    where they are.
    """
    of_weapons = tuple(rule for rule in rules if _is_for_weapons(specials, rule) is True)
    lifted = [rule for weapon in weapons for rule in weapon.rules if _is_for_bearers(specials, rule)]
    if not of_weapons and not lifted:
        return tuple(rules), tuple(weapons)
    own = tuple(rule for rule in rules if rule not in of_weapons)
    return (*own, *dict.fromkeys(lifted)), tuple(
        Weapon(
            weapon.name,
            weapon.attacks,
            weapon.reach,
            (*(rule for rule in weapon.rules if rule not in lifted), *of_weapons),
        )
        for weapon in weapons
    )


def _is_for_weapons(specials: Specials, rule: RuleRef) -> bool | None:
    """Whether a rule is a weapon rule (else a model rule); None if it is not played."""
    if rule.blocks is not None:
        return any(getattr(block, "who", "") == "weapon" for block in rule.blocks) if rule.blocks else None
    return specials.bindings[rule.name].rule.scope == "weapon" if specials.knows(rule.name) else None


def _is_for_bearers(specials: Specials, rule: RuleRef) -> bool:
    """Whether a rule has effects that only make sense on a model, not on a weapon."""
    if _is_for_weapons(specials, rule) is not False:
        return False
    hooks = {hook for found in specials.build((rule,)) for hook in found.hooks}
    return not ABOUT_ATTACKS.issuperset(hooks)


def by_kind(specials: Specials, kind: str, printed: Sequence[RuleRef]) -> tuple[RuleRef, ...]:
    """Rules that models of a kind always have, unless they are printed anyway."""
    names = {rule.name for rule in printed}
    return tuple(rule for rule in specials.of_kind(kind) if rule.name not in names)


def wounds_of(specials: Specials, rules: Sequence[RuleRef]) -> int:
    """The wounds a model takes before it is lost, by its special rules; 1 by default."""
    ctx = PrintedContext(tuple(rules))
    return max(1, sum(rule.wounds(ctx) for rule in specials.build(rules)))


def defense_of(specials: Specials, rules: Sequence[RuleRef], printed: int) -> int:
    """The Defense a model counts with: the printed one, or a better one from a rule."""
    ctx = PrintedContext(tuple(rules))
    told = [found for rule in specials.build(rules) if (found := rule.printed_defense(ctx))]
    return specials.best_defense([printed, *told])


def weapons_of(specials: Specials, rules: Sequence[RuleRef]) -> tuple[Weapon, ...]:
    """Weapons that come from special rules, in addition to the printed ones."""
    ctx = PrintedContext(tuple(rules))
    return tuple(weapon for rule in specials.build(rules) for weapon in rule.weapons(ctx))
