"""Profile texts as army lists print them: names and sizes, Quality and Defense, weapons, gear, special rules.

All errors of a text are reported together, with what was understood. Whether an edition has a
special rule is not decided here: any name is a rule name to the parser.
"""

from __future__ import annotations

import re

from msgspec import Struct

from shieldwall.armies.rule_values import is_added
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import RuleRef, Weapon
from shieldwall.core.values import MILLI

_TITLE = re.compile(r"^(?P<name>[^\[\]]+?)\s*(?:\[\s*(?P<size>[^\[\]]*?)\s*\])?$")
_QUALITY = re.compile(r"^Q(?:uality)?(\d+)\+?$", re.IGNORECASE)
_DEFENSE = re.compile(r"^D(?:ef(?:en[sc]e)?)?(\d+)\+?$", re.IGNORECASE)
_STAT_APART = re.compile(r"(?<=[a-z])[\s:]+(?=\d)|(?<=\d)\s+(?=\+)", re.IGNORECASE)
_RANGE = re.compile(r"^(?P<inches>\d+(?:\.\d+)?)\s*(?:\"|”|″|''|in(?:ch(?:es)?)?)$", re.IGNORECASE)
_ATTACKS = re.compile(r"^A(?P<attacks>\d+)$")
_RULE = re.compile(
    r"^(?P<name>[^()\[\]\d][^()\[\]]*?)\s*(?:\(\s*(?P<sign>[+-]?)(?P<value>[^()]*?)\s*\+?\))?$"
)
_SIZED = re.compile(r"^[^\[\]]+\[\s*\d+\s*\]$")
_COUNTED = re.compile(r"^(?P<count>\d+)\s*[x×]\s+(?P<rest>.+)$")
_BRACKETED = re.compile(r"^(?P<name>[^()]+?)\s*\((?P<inside>.*)\)$", re.DOTALL)

BEST, WORST = 2, 6


class Title(Struct, frozen=True):
    """A unit's name and its number of models; 1 if no number is printed."""

    name: str
    size: int = 1


class Stats(Struct, frozen=True):
    """The two numbers of a profile."""

    quality: int
    defense: int


class Gear(Struct, frozen=True):
    """Equipment that is not a weapon, with the special rules and weapons it brings."""

    name: str
    rules: tuple[RuleRef, ...] = ()
    weapons: tuple[Weapon, ...] = ()


class Equipment(Struct, frozen=True):
    """Everything on an equipment line, in the printed order."""

    weapons: tuple[Weapon, ...] = ()
    gear: tuple[Gear, ...] = ()

    @property
    def every_weapon(self) -> tuple[Weapon, ...]:
        """The weapons, including those that gear brings."""
        return (*self.weapons, *(weapon for item in self.gear for weapon in item.weapons))


def parse_title(text: str) -> Title:
    """`Infantrymen [10]` as name and size; without brackets the unit is a single model."""
    match = _TITLE.match(text.strip())
    if match is None:
        raise MalformedError(
            f"unit name {text!r}", ["expected a name and a size in brackets: Infantrymen [10]"]
        )
    size = match["size"]
    if size is None:
        return Title(match["name"].strip())
    if not size.isdigit() or int(size) < 1:
        understood = f"understood the name {match['name'].strip()!r}"
        raise MalformedError(
            f"unit name {text!r}", [f"size {size!r} is not a whole number, 1 or more; {understood}"]
        )
    return Title(match["name"].strip(), int(size))


def parse_stats(text: str) -> Stats:
    """`Q4+ D5+`, also `Q4 D5` or `Quality 4+, Defense 5+`, in either order, with or without a comma or slash."""
    quality = defense = None
    problems: list[str] = []
    for word in re.split(r"[\s,/]+", _STAT_APART.sub("", text.strip())):
        if found := _QUALITY.match(word):
            quality = int(found[1])
        elif found := _DEFENSE.match(word):
            defense = int(found[1])
        elif word:
            problems.append(f"{word!r} is neither a Quality (Q4+) nor a Defense (D5+)")
    problems += [
        f"{name} {value}+ is not possible; it runs from {BEST}+ to {WORST}+"
        for name, value in (("Quality", quality), ("Defense", defense))
        if value is not None and not BEST <= value <= WORST
    ]
    problems += ["no Quality given"] if quality is None else []
    problems += ["no Defense given"] if defense is None else []
    if problems or quality is None or defense is None:
        raise MalformedError(f"stats {text!r}", problems)
    return Stats(quality, defense)


def parse_rules(text: str) -> tuple[RuleRef, ...]:
    """`Fast, Tough(3)` as rules with their values; an empty text has none."""
    rules: list[RuleRef] = []
    problems: list[str] = []
    for part in split_list(text, f"special rules {text!r}"):
        try:
            rules.append(parse_rule(part))
        except MalformedError as error:
            problems += error.problems
    if problems:
        raise MalformedError(f"special rules {text!r}", problems + _understood_rules(rules))
    return tuple(rules)


def parse_rule(text: str) -> RuleRef:
    """`Tough(3)`, `AP(+1)` or `Fast`."""
    match = _RULE.match(text.strip())
    if match is None:
        raise MalformedError(
            f"special rule {text!r}", [f"{text.strip()!r} is not a special rule; expected Fast or Tough(3)"]
        )
    value = match["value"]
    if value is None:
        return RuleRef(match["name"].strip())
    if _SIZED.match(value):  # a unit with its size, as rules name it that bring a new one on
        return RuleRef(f"{match['name'].strip()}({value})")
    if not value.isdigit():
        raise MalformedError(
            f"special rule {text!r}",
            [f"{match['name'].strip()} has {value!r} in brackets, which is not a whole number"],
        )
    name, sign = match["name"].strip(), match["sign"]
    return RuleRef(name, -int(value) if sign == "-" else int(value), is_added(name, sign))


def parse_weapon(text: str) -> Weapon:
    """`Heavy Rifle (24", A1, AP(1))`: a range makes it a ranged weapon, none a melee weapon."""
    match = _BRACKETED.match(text.strip())
    if match is None:
        raise MalformedError(f"weapon {text!r}", ["expected a name and brackets: Great Axe (A2, AP(1))"])
    weapon, problems = _weapon_from(match["name"].strip(), match["inside"])
    if problems:
        raise MalformedError(f"weapon {text!r}", [*problems, f"understood {describe_weapon(weapon)}"])
    return weapon


def parse_equipment(text: str) -> Equipment:
    """A whole equipment line; `2x Claw (A1)` is two weapons, anything without attacks is gear."""
    weapons: list[Weapon] = []
    gear: list[Gear] = []
    problems: list[str] = []
    for part in split_list(text, f"equipment {text!r}"):
        counted = _COUNTED.match(part)
        count, rest = (int(counted["count"]), counted["rest"]) if counted else (1, part)
        try:
            item = _item(rest)
        except MalformedError as error:
            problems += [f"{rest}: {problem}" for problem in error.problems]
            continue
        if isinstance(item, Weapon):
            weapons += [item] * count
        else:
            gear += [item] * count
    if problems:
        raise MalformedError(f"equipment {text!r}", problems)
    return Equipment(tuple(weapons), tuple(gear))


def split_list(text: str, what: str) -> list[str]:
    """The parts of a list, split at commas outside brackets; empty parts are left out."""
    parts: list[str] = []
    depth, start = 0, 0
    for index, letter in enumerate(text):
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
            if depth < 0:
                raise MalformedError(
                    what, [f"a bracket closes at {text[: index + 1]!r} that was never opened"]
                )
        elif letter == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    if depth:
        raise MalformedError(what, [f"{depth} bracket{'s are' if depth > 1 else ' is'} not closed"])
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def describe_weapon(weapon: Weapon) -> str:
    """A weapon as lists print it."""
    inside = [f'{weapon.reach / MILLI:g}"'] if weapon.reach else []
    inside += [f"A{weapon.attacks}", *(describe_rule(rule) for rule in weapon.rules)]
    return f"{weapon.name} ({', '.join(inside)})"


def describe_rule(rule: RuleRef) -> str:
    """A special rule as lists print it."""
    return f"{rule.name}({'+' * rule.plus}{rule.value})" if rule.value else rule.name


def _item(text: str) -> Weapon | Gear:
    """One entry of an equipment line. It is a weapon if it has a range or attacks in its brackets."""
    match = _BRACKETED.match(text)
    if match is None:
        if "(" in text or ")" in text:
            raise MalformedError(f"equipment {text!r}", ["brackets belong at the end: Great Axe (A2, AP(1))"])
        return Gear(text)
    inside = split_list(match["inside"], f"equipment {text!r}")
    if any(_RANGE.match(word) or _ATTACKS.match(word) for word in inside):
        return parse_weapon(text)
    if not inside:
        raise MalformedError(f"equipment {text!r}", ["its brackets are empty"])
    weapons = [word for word in inside if _is_weapon(word)]
    rules = ", ".join(word for word in inside if word not in weapons)
    return Gear(match["name"].strip(), parse_rules(rules), tuple(map(parse_weapon, weapons)))


def _is_weapon(text: str) -> bool:
    """Whether a part of a gear's brackets is itself a weapon: it has brackets with a range or attacks."""
    match = _BRACKETED.match(text)
    inside = split_list(match["inside"], f"equipment {text!r}") if match else []
    return any(_RANGE.match(word) or _ATTACKS.match(word) for word in inside)


def _weapon_from(name: str, inside: str) -> tuple[Weapon, list[str]]:
    """A weapon and all errors of its line."""
    reach: int | None = None
    attacks: int | None = None
    rules: list[RuleRef] = []
    problems: list[str] = []
    for part in split_list(inside, f"weapon {name!r}"):
        if found := _RANGE.match(part):
            problems += ["two ranges given"] if reach is not None else []
            reach = round(float(found["inches"]) * MILLI)
        elif found := _ATTACKS.match(part):
            problems += ["two numbers of attacks given"] if attacks is not None else []
            attacks = int(found["attacks"])
        else:
            try:
                rules.append(parse_rule(part))
            except MalformedError as error:
                problems += error.problems
    problems += ["no attacks given; A1 means one"] if attacks is None else []
    problems += ["a range of 0 is not allowed; leave it out for a melee weapon"] if reach == 0 else []
    problems += ["A0 never attacks"] if attacks == 0 else []
    return Weapon(name, attacks or 0, reach or 0, tuple(rules)), problems


def _understood_rules(rules: list[RuleRef]) -> list[str]:
    return [f"understood {', '.join(describe_rule(rule) for rule in rules)}"] if rules else []
