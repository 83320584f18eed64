"""The editions: each builds its own ruleset from the trunk and the features it opts into, never from another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module

from shieldwall.core.errors import ShieldwallError
from shieldwall.rulebook import plugins
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.rules.bindings import Binding
from shieldwall.rules.hooks import SpecialRule
from shieldwall.rules.ruleset import Ruleset

_MODULES = {
    "aof-1.6": "shieldwall.editions.aof_1_6",
    "aof-2": "shieldwall.editions.aof_2",
    "regiments-3.4": "shieldwall.editions.regiments_3_4",
    "regiments-3.5": "shieldwall.editions.regiments_3_5",
    "skirmish-3.2": "shieldwall.editions.skirmish_3_2",
}
EDITIONS: tuple[str, ...] = tuple(_MODULES)


REGISTERED: dict[str, Ruleset] = {}
ADDED_RULES: dict[tuple[str, str], type[SpecialRule]] = {}  # rules added by (edition, printed name)


def ruleset(edition: str) -> Ruleset:
    """The ruleset of an edition, built once, and again when a rule is registered for it."""
    return REGISTERED.get(edition) or _ruleset(edition)


@cache
def _ruleset(edition: str) -> Ruleset:
    if edition in _MODULES:
        found = import_module(_MODULES[edition]).RULESET
    elif edition in plugins.announced(plugins.EDITIONS):
        found = plugins.load_plugin(plugins.EDITIONS, edition)
        found = getattr(found, "RULESET", found)
    else:
        raise ShieldwallError(no_edition(edition))
    if not isinstance(found, Ruleset):
        raise ShieldwallError(f"edition {edition!r} of an installed package is {found!r}, not a Ruleset")
    return with_rules(
        found, {name: plugins.load_plugin(plugins.RULES, name) for name in plugins.announced(plugins.RULES)}
    )


def known_editions() -> tuple[str, ...]:
    """All editions that can be played: ours, those registered here, and those of installed packages."""
    return tuple(dict.fromkeys((*EDITIONS, *REGISTERED, *plugins.announced(plugins.EDITIONS))))


def no_edition(given: str) -> str:
    """An error message about an edition that does not exist."""
    known = known_editions()
    return f"there is no edition {given!r}; there are: {', '.join(known)}{did_you_mean(given, known)}"


def register_edition(rules: Ruleset) -> None:
    """Make a ruleset playable by its id, from Python and in every command that names an edition."""
    if rules.id in EDITIONS:
        raise ShieldwallError(f"{rules.id} is a built-in edition; give yours another id")
    REGISTERED[rules.id] = rules


def register_rule(name: str, rule: type[SpecialRule], *, editions: Iterable[str] = EDITIONS) -> None:
    """Add a special rule by its printed name to some editions; lists, odds and bots then know it.

    It replaces a built-in rule of the same name in those editions.
    """
    given: object = rule
    if not (isinstance(given, type) and issubclass(given, SpecialRule)):
        raise ShieldwallError(f"{name!r} needs a class built on SpecialRule, not {rule!r}")
    for edition in editions:
        REGISTERED[edition] = with_rules(ruleset(edition), {name: rule})
        ADDED_RULES[edition, name] = rule


def unregister_rule(name: str) -> None:
    """Remove a registered rule; a built-in rule that it replaced is played again."""
    for edition in [key[0] for key in ADDED_RULES if key[1] == name]:
        del ADDED_RULES[edition, name]
        others = {added: rule for (where, added), rule in ADDED_RULES.items() if where == edition}
        REGISTERED.pop(edition)
        if others:
            REGISTERED[edition] = with_rules(_ruleset(edition), others)


def with_rules(rules: Ruleset, added: Mapping[str, type[SpecialRule]]) -> Ruleset:
    """A ruleset with more special rules; each cites the row in its attribute `row`, or its own name."""
    if not added:
        return rules
    bindings = {name: Binding(rule, str(getattr(rule, "row", "") or name)) for name, rule in added.items()}
    return rules.variant(rules.id, rules=bindings)
