"""House rules: disputed rulings as named switches with a default and alternatives.

A switch is tied to rows of the catalogue and exists in the editions of those rows. Its value is a word that
an edition turns into a constant or an order of steps; nothing here knows what a value does in play.
"""

from collections.abc import Mapping
from functools import cache

import msgspec

from shieldwall.rulebook.catalogue import (
    DATA,
    PREFIX_BY_EDITION,
    UnknownEditionError,
    edition_of,
    editions,
    read_yaml,
)
from shieldwall.rulebook.conversion import convert
from shieldwall.rulebook.errors import ShieldwallError
from shieldwall.rulebook.nearest import did_you_mean, nearest

# Yaml 1.1 reads a bare on or off as a boolean, so a setting from a file may arrive as one.
Setting = str | bool
WORD_FOR_BOOLEAN = {True: "on", False: "off"}


class HouseChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One value of a switch and what it means at the table."""

    value: str
    meaning: str


class HouseRule(msgspec.Struct, frozen=True):
    """One switch. `edition_rows` holds the rows, of one or more editions, that share question and default."""

    name: str
    edition_rows: tuple[str, ...]
    question: str
    default: str
    choices: tuple[HouseChoice, ...]

    @property
    def editions(self) -> tuple[str, ...]:
        """The editions that have this switch, in the order of `rulebook.editions()`."""
        own = {edition_of(row_id) for row_id in self.edition_rows}
        return tuple(edition for edition in editions() if edition in own)

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(choice.value for choice in self.choices)


class _HouseRuleOnFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A switch as written in the YAML; `default` is one value, or one for each edition."""

    name: str
    rows: tuple[str, ...]
    question: str
    default: str | dict[str, str]
    choices: tuple[HouseChoice, ...]


class HouseRuleError(ShieldwallError, ValueError):
    """Settings that an edition does not offer; `problems` holds every fault."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("; ".join(problems))


@cache
def every_house_rule() -> tuple[HouseRule, ...]:
    """All switches of all editions, in the order of play; a name comes once for each default it has."""
    on_file = convert(read_yaml(DATA / "house-rules.yaml"), tuple[_HouseRuleOnFile, ...])
    return tuple(rule for entry in on_file for rule in _split_by_default(entry))


def house_rules(edition: str) -> tuple[HouseRule, ...]:
    """The switches of one edition."""
    if edition not in PREFIX_BY_EDITION:
        raise UnknownEditionError(edition)
    return tuple(rule for rule in every_house_rule() if edition in rule.editions)


def house_rules_of_row(row_id: str) -> tuple[HouseRule, ...]:
    """The switches that change how a row is read."""
    return tuple(rule for rule in every_house_rule() if row_id in rule.edition_rows)


def defaults(edition: str) -> dict[str, str]:
    """The default value of every switch of an edition."""
    return {rule.name: rule.default for rule in house_rules(edition)}


def check(edition: str, given: Mapping[str, Setting]) -> list[str]:
    """Every problem with some settings, with suggestions."""
    own = {rule.name: rule for rule in house_rules(edition)}
    problems: list[str] = []
    for name in sorted(given):
        if name not in own:
            problems.append(_unknown_name(edition, name, tuple(own)))
        elif (value := _word(given[name])) not in own[name].values:
            problems.append(_unknown_value(own[name], value))
    return problems


def settle(edition: str, given: Mapping[str, Setting]) -> dict[str, str]:
    """Every switch with its value, given or default. Raises one `HouseRuleError` with all faults."""
    problems = check(edition, given)
    if problems:
        raise HouseRuleError(problems)
    return defaults(edition) | {name: _word(value) for name, value in given.items()}


def _split_by_default(entry: _HouseRuleOnFile) -> tuple[HouseRule, ...]:
    """One house rule for each default of an entry, holding the rows of the editions that start from it."""
    rows_by_default: dict[str, list[str]] = {}
    for row_id in entry.rows:
        default = entry.default
        if not isinstance(default, str):
            default = default[edition_of(row_id) or ""]
        rows_by_default.setdefault(default, []).append(row_id)
    return tuple(
        HouseRule(
            name=entry.name,
            edition_rows=tuple(rows),
            question=entry.question,
            default=default,
            choices=entry.choices,
        )
        for default, rows in rows_by_default.items()
    )


def _word(setting: Setting) -> str:
    return WORD_FOR_BOOLEAN[setting] if isinstance(setting, bool) else setting


def _unknown_name(edition: str, name: str, own: tuple[str, ...]) -> str:
    elsewhere = [other for rule in every_house_rule() if rule.name == name for other in rule.editions]
    if elsewhere:
        return f"{name}: a switch of {', '.join(elsewhere)}, not of {edition}"
    near = did_you_mean(name, own)
    others = nearest(name, (rule.name for rule in every_house_rule() if rule.name not in own), most=1)
    if not near and others:
        where = {other for rule in every_house_rule() if rule.name == others[0] for other in rule.editions}
        near = f"; {others[0]} is a switch of {', '.join(sorted(where))}"
    near = near or f"; `shieldwall rules switches --edition {edition}` lists them"
    return f"{name}: {edition} has no such switch{near}"


def _unknown_value(rule: HouseRule, value: str) -> str:
    return f"{rule.name}: {value!r} is not one of {', '.join(rule.values)}{did_you_mean(value, rule.values)}"
