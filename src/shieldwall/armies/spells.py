"""Spells of a list as text, and as the game knows them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from shieldwall.armies.parse import parse_rules
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import RuleRef, Spell
from shieldwall.core.values import MILLI


class SpellSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """One spell as printed; lengths in inches, special rules as text.

    `hits` land with `rules`, `grants` are lent to each target until `until`; with a `test` they are lent to
    those that fail it. `moves` lets the caster's side move a target.
    """

    name: str = ""
    cost: int = 1
    range: float = 12.0
    whom: Literal["enemy", "friend", "self"] = "enemy"
    targets: int = 1
    hits: int = 0
    rules: str = ""
    grants: str = ""
    until: str = "round"
    test: Literal["", "morale", "danger"] = ""
    moves: float = 0.0


def read_spells(specs: Iterable[SpellSpec]) -> tuple[Spell, ...]:
    """Spells by name, each once; every problem of every spell at once."""
    found: dict[str, Spell] = {}
    problems: list[str] = []
    for spec in specs:
        spell = _spell(spec, problems)
        if found.setdefault(spec.name, spell) != spell:
            problems.append(f"{spec.name}: two different spells have this name")
    if problems:
        raise MalformedError("spells", problems)
    return tuple(found.values())


def _spell(spec: SpellSpec, problems: list[str]) -> Spell:
    if not spec.name:
        problems.append("a spell has no name")
    if spec.cost < 1 or spec.targets < 1:
        problems.append(f"{spec.name}: cost and targets run from 1 up")
    return Spell(
        name=spec.name,
        cost=spec.cost,
        reach=round(spec.range * MILLI),
        on=spec.whom,
        targets=spec.targets,
        hits=spec.hits,
        rules=_rules(spec.name, spec.rules, problems),
        grants=_rules(spec.name, spec.grants, problems),
        until=spec.until,
        test=spec.test,
        moves=round(spec.moves * MILLI),
    )


def _rules(name: str, text: str, problems: list[str]) -> tuple[RuleRef, ...]:
    try:
        return parse_rules(text)
    except MalformedError as error:
        problems += [f"{name}: {problem}" for problem in error.problems]
        return ()
