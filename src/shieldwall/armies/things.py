"""Weapons, items and rules of books as text, read and written.

The text is the printed form: `Great Axe (A2, AP(1))` is a weapon, `War Goat (Horns (A2), Fast)` an item and
`Tough(3)` or `Sergeant` a rule. What the text cannot represent exactly, such as a name that contains
brackets, is written as a mapping instead, so nothing is lost.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from shieldwall.armies.book import Bases, Carried, Item, Thing
from shieldwall.armies.parse import describe_rule, describe_weapon, parse_equipment, parse_rule, split_list
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import RuleRef, Weapon
from shieldwall.core.values import MILLI

_PLAIN_RULE = re.compile(r"^[^()\[\]\d][^()\[\]]*(?:\([+-]?\d+\+?\)|\([^()\[\]]+\[\s*\d+\s*\]\s*\))?$")
_COUNTED = re.compile(r"^(?P<count>\d+)\s*[x×]\s+(?P<rest>.+)$")
COUNT_MAX = 1000


def describe(thing: Thing) -> str:
    """A weapon, an item or a rule as lists print it."""
    match thing:
        case Weapon():
            return describe_weapon(thing)
        case RuleRef():
            return describe_rule(thing)
        case Item():
            inside = [*map(describe_weapon, thing.weapons), *map(describe_rule, thing.rules)]
            return f"{thing.name} ({', '.join(inside)})" if inside else thing.name


def read_line(text: str) -> tuple[Carried, ...]:
    """A line of things, separated by commas; `2x Claw (A1)` is two claws for each model."""
    found: list[Carried] = []
    problems: list[str] = []
    for part in split_list(text, f"equipment {text!r}"):
        counted = _COUNTED.match(part)
        count, rest = (int(counted["count"]), counted["rest"]) if counted else (1, part)
        try:
            found.append(Carried(read_thing(rest), min(count, COUNT_MAX)))
        except MalformedError as error:
            problems += error.problems
    if problems:
        raise MalformedError(f"equipment {text!r}", problems)
    return tuple(found)


def read_thing(text: str) -> Thing:
    """One thing from its printed text."""
    if _PLAIN_RULE.match(text.strip()):
        return parse_rule(text)
    equipment = parse_equipment(text)
    if len(equipment.weapons) == 1 and not equipment.gear:
        return equipment.weapons[0]
    if len(equipment.gear) == 1 and not equipment.weapons:
        gear = equipment.gear[0]
        return Item(gear.name, gear.rules, gear.weapons)
    raise MalformedError(f"equipment {text!r}", [f"{text!r} is not one weapon, item or rule"])


def read_carried(raw: object, problems: list[str], where: str) -> tuple[Carried, ...]:
    """Equipment in a book file: a line of text, a mapping, or a list of both."""
    match raw:
        case str():
            try:
                return read_line(raw)
            except MalformedError as error:
                problems += [f"{where}: {problem}" for problem in error.problems]
                return ()
        case Mapping():
            return _from_mapping(raw, problems, where)
        case Sequence():
            return tuple(line for part in raw for line in read_carried(part, problems, where))
        case None:
            return ()
        case _:
            problems.append(f"{where}: {raw!r} is not equipment; expected text such as Spear (A1)")
            return ()


def read_rules(raw: object, problems: list[str], where: str) -> tuple[RuleRef, ...]:
    """Rules as a line of text, or as a list of texts and mappings."""
    lines = read_carried(raw, problems, where)
    wrong = [describe(line.what) for line in lines if not isinstance(line.what, RuleRef)]
    problems += [f"{where}: {text} is not a special rule" for text in wrong]
    return tuple(line.what for line in lines if isinstance(line.what, RuleRef) for _ in range(line.count))


def write_carried(lines: Sequence[Carried]) -> str | list[object]:
    """Equipment for a book file: one line of text if that is exact."""
    texts = [_as_text(line) for line in lines]
    if all(text is not None for text in texts):
        return ", ".join(text for text in texts if text is not None)
    return [_as_mapping(line) if text is None else text for line, text in zip(lines, texts, strict=True)]


def write_rules(rules: Sequence[RuleRef]) -> str | list[object]:
    """Rules for a book file."""
    return write_carried([Carried(rule) for rule in rules])


def _as_text(line: Carried) -> str | None:
    """The printed form, if reading it gives exactly the same thing back."""
    text = describe(line.what) if line.count == 1 else f"{line.count}x {describe(line.what)}"
    try:
        return text if read_line(text) == (line,) else None
    except MalformedError:
        return None


def _as_mapping(line: Carried) -> dict[str, object]:
    written: dict[str, object] = {}
    match line.what:
        case Weapon():
            written = {"weapon": line.what.name, "attacks": line.what.attacks}
            written |= {"range": line.what.reach / MILLI} if line.what.reach else {}
            written |= {"rules": write_rules(line.what.rules)} if line.what.rules else {}
        case Item():
            written = {"item": line.what.name}
            inside = [*map(Carried, line.what.weapons), *map(Carried, line.what.rules)]
            written |= {"with": write_carried(inside)} if inside else {}
            bases = line.what.bases
            written |= {"bases": {"round": bases.round, "square": bases.square}} if bases != Bases() else {}
        case RuleRef():
            written = {"rule": line.what.name}
            written |= {"value": line.what.value} if line.what.value else {}
            written |= {"plus": True} if line.what.plus else {}
    written |= {"count": line.count} if line.count != 1 else {}
    return written | ({"models": line.models} if line.models else {})


def _from_mapping(raw: Mapping[object, object], problems: list[str], where: str) -> tuple[Carried, ...]:
    count, models = _whole(raw, "count", 1), _whole(raw, "models", 0)
    if "text" in raw:
        lines = read_carried(raw["text"], problems, where)
        return tuple(Carried(line.what, line.count, models) for line in lines)
    match raw:
        case {"weapon": name}:
            reach, attacks = raw.get("range", 0), _whole(raw, "attacks", 1)
            inches = float(reach) if isinstance(reach, int | float) else 0.0
            rules = read_rules(raw.get("rules"), problems, where)
            return (Carried(Weapon(str(name), attacks, round(inches * MILLI), rules), count, models),)
        case {"item": name}:
            inside = read_carried(raw.get("with"), problems, where)
            rules = tuple(line.what for line in inside if isinstance(line.what, RuleRef))
            weapons = tuple(line.what for line in inside if isinstance(line.what, Weapon))
            return (Carried(Item(str(name), rules, weapons, read_bases(raw.get("bases"))), count, models),)
        case {"rule": name}:
            rule = RuleRef(str(name), _whole(raw, "value", 0), raw.get("plus") is True)
            return (Carried(rule, count, models),)
    problems.append(f"{where}: expected one of weapon, item, rule or text, got {', '.join(map(str, raw))}")
    return ()


def read_bases(raw: object) -> Bases:
    """Bases in a book file; a single text applies to both families."""
    match raw:
        case Mapping():
            return Bases(str(raw.get("round") or ""), str(raw.get("square") or ""))
        case None:
            return Bases()
        case _:
            return Bases(str(raw), str(raw))


def _whole(raw: Mapping[object, object], key: str, otherwise: int) -> int:
    value = raw.get(key, otherwise)
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise
