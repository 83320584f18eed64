"""The numbers printed after special rules: which rules have one, and which numbers are possible."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import isfunction

from shieldwall.core.state import RuleRef, Weapon
from shieldwall.rules.bindings import Specials
from shieldwall.rules.hooks import SpecialRule

Printed = tuple[str, tuple[RuleRef, ...], tuple[Weapon, ...]]  # a unit's name, rules of a model, its weapons

VALUE_MAX = 99
SIGNED = ("Move", "Pace", "To ")  # prefixes of rules whose value may be negative
MULTIPLES = ("Blast", "Deadly", "Tough")  # zero would leave nothing of what they multiply


def is_added(name: str, sign: str) -> bool:
    """Whether a plus in front of a number means that it adds to others; in signed values it is only the sign."""
    return sign == "+" and not name.startswith(SIGNED)


def value_problem(name: str, rule: type[SpecialRule], value: int | None) -> str:
    """What is wrong with the value of a rule, or with its absence; empty if nothing is."""
    if value is None:
        return f"{name} needs a number, for example {name}(1)" if takes_value(rule) else ""
    least = 1 if name in MULTIPLES else 0
    if value < least and not name.startswith(SIGNED):
        return f"{name}({value}): the number must be {least} or more"
    return f"{name}({value}): the number must be {VALUE_MAX} or less" if value > VALUE_MAX else ""


def takes_value(rule: type[SpecialRule]) -> bool:
    """Whether a rule is printed with a number: its hooks use it, or numbers of several add up."""
    own = (kind for kind in rule.__mro__ if issubclass(kind, SpecialRule) and kind is not SpecialRule)
    members = (member for kind in own for member in vars(kind).values())
    return rule.stacks or any("value" in member.__code__.co_names for member in members if isfunction(member))


def value_faults(specials: Specials, printed: Iterable[Printed]) -> list[str]:
    """What is wrong with the numbers of the rules that an edition plays, without duplicates."""
    found: dict[str, None] = {}
    for unit, rules, weapons in printed:
        for rule in (*rules, *(rule for weapon in weapons for rule in weapon.rules)):
            if specials.knows(rule.name):
                kind = specials.bindings[rule.name].rule
                problem = value_problem(rule.name, kind, rule.value or None)
                found |= {f"{unit}: {problem}": None} if problem else {}
    return list(found)
