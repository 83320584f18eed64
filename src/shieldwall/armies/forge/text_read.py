"""Lists pasted as text, from this program or from Army Forge, as plain units.

Every line is read as far as possible; what is not understood is reported. `text_match` finds the options of a book
behind a unit.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.armies.book import Carried, Item, Thing
from shieldwall.armies.forge.gear import ATTACKS_MAX, COUNT_MAX, RANGE_MAX
from shieldwall.armies.forge.report import ImportReport
from shieldwall.armies.forge.wire import name_of
from shieldwall.armies.loadout import carried_of
from shieldwall.armies.parse import split_list
from shieldwall.armies.rule_names import COMMAND, rule_spelled
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import RuleRef, Weapon
from shieldwall.core.values import MILLI

_HEADING = re.compile(
    r"^\+\+\s*(?P<title>.*?)\s*\[(?:(?P<system>[A-Za-z]+)\s+)?(?P<cost>\d{1,6})(?:/(?P<limit>\d{1,6}))?\s*pts\]"
    r"(?P<rest>.*?)\+\+$"
)
_UNIT = re.compile(
    r"^(?:(?P<copies>\d{1,2})x\s+)?(?P<name>.+?)\s*\[(?P<size>\d{1,3})\]\s*Q(?P<quality>\d)\+?\s*D(?P<defense>\d)\+?"
    r"\s*\|\s*(?P<cost>\d{1,6})\s*pts?(?P<rest>.*)$",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"^(?P<count>\d{1,3})x\s+(?P<rest>.+)$")
_RANGE = re.compile(r"^(\d{1,3})\s*(?:\"|'')$")
_ATTACKS = re.compile(r"^A(\d{1,3})$")
_RANGE_FIRST = re.compile(r"^(?P<range>\d{1,3})\s*(?:\"|'')\s+(?P<rest>.+)$")
_BOOKS = re.compile(r"^(?P<name>.*?)(?:\s+\(v(?P<version>[^()]*)\))?$")
_VALUE = re.compile(r"^[+]?(-?\d{1,3})\+?$")
_EDITION = re.compile(r"\[([a-z]+-\d\.?\d?)\]")
_BULLET = re.compile(r"^[-*•·]\s+")
_XP = re.compile(r"^(?P<xp>\d+)\s*XP$", re.IGNORECASE)
LINES_MAX = 3000
PARTS_MAX = 60  # rules or weapons of one line
JOINED = "| joined to:"


class TextUnit(Struct, frozen=True):
    """A unit as its text gives it. `bought` are things with a number of bearers, 0 for those of the whole unit."""

    name: str
    size: int
    quality: int
    defense: int
    cost: int
    copies: int = 1
    rules: tuple[tuple[Thing, int], ...] = ()
    weapons: tuple[tuple[Weapon, int], ...] = ()
    note: str = ""
    joins_next: bool = False


class TextList(Struct, frozen=True):
    """A pasted list."""

    name: str
    books: tuple[tuple[str, str], ...]
    system: str
    edition: str
    cost: int
    limit: int
    units: tuple[TextUnit, ...]
    note: str = ""


def is_text_list(text: str) -> bool:
    """Whether any line of a text is a unit."""
    return any(_UNIT.match(_plain(line)) for line in text.splitlines()[:LINES_MAX])


def _plain(line: str) -> str:
    """A line without the markup of chats: bold, quotations, code and list bullets."""
    plain = name_of(line, length=4000).replace("**", "").replace("__", "").removeprefix("> ").strip()
    return "" if plain.startswith("```") else _BULLET.sub("", plain)


def read_text(text: str, report: ImportReport) -> TextList:
    """The list in a text."""
    lines = [_plain(line) for line in text.splitlines()[:LINES_MAX]]
    heading = next((found for line in lines if (found := _HEADING.match(line))), None)
    units: list[TextUnit] = []
    notes: list[str] = []
    for line in lines:
        if not line or line.startswith("++"):
            continue
        if found := _UNIT.match(line):
            units.append(_unit(found, report))
        elif line.lower().startswith(JOINED) and units:
            units[-1] = replace(units[-1], joins_next=True)
        elif line.startswith("#"):
            said = line.lstrip("# ")
            if units:
                units[-1] = replace(units[-1], note="\n".join(filter(None, (units[-1].note, said))))
            else:
                notes.append(said)
        elif units:
            units[-1] = replace(units[-1], weapons=(*units[-1].weapons, *_weapons(line, units[-1], report)))
        else:
            report.add("left out", f"line not understood: {line[:80]}")
    if units and units[-1].joins_next:
        report.add("changed", f"{units[-1].name}: joins no unit, because none follows; it stands alone")
    return _list(heading, tuple(units), "\n".join(notes))


def _list(heading: re.Match[str] | None, units: tuple[TextUnit, ...], note: str) -> TextList:
    if heading is None:
        return TextList("Pasted list", (), "", "", 0, 0, units, note)
    name, _, told = heading["title"].rpartition(" - ")
    if not name:
        name, told = told, ""
    books = [_BOOKS.match(part.strip()) for part in told.split(", ") if part.strip()]
    edition = _EDITION.search(heading["rest"])
    return TextList(
        name=name.strip() or "Pasted list",
        books=tuple((found["name"], found["version"] or "") for found in books if found),
        system=(heading["system"] or "").lower(),
        edition=edition[1] if edition else "",
        cost=int(heading["cost"]),
        limit=int(heading["limit"] or 0),
        units=units,
        note=note,
    )


def _unit(found: re.Match[str], report: ImportReport) -> TextUnit:
    parts = [part.strip() for part in found["rest"].split("|") if part.strip()]
    name = name_of(found["name"])
    if any((told := _XP.match(part)) and int(told["xp"]) for part in parts):
        report.add("left out", f"{name}: experience and traits are not kept")
    things = [thing for part in parts if not _XP.match(part) for thing in _rules(part, name, report)]
    return TextUnit(
        name=name,
        size=_size(found["size"], name, report),
        quality=_stat(found["quality"], f"{name}: Quality", report),
        defense=_stat(found["defense"], f"{name}: Defense", report),
        cost=int(found["cost"]),
        copies=max(1, int(found["copies"] or 1)),
        rules=tuple((thing, count) for thing, count in things if not isinstance(thing, Weapon)),
        weapons=tuple((thing, max(1, count)) for thing, count in things if isinstance(thing, Weapon)),
    )


def _size(told: str, name: str, report: ImportReport) -> int:
    size = max(1, min(COUNT_MAX, int(told)))
    if size != int(told):
        report.add("guessed", f"{name}: its size is {told}; played as {size}")
    return size


def _stat(told: str, what: str, report: ImportReport) -> int:
    value = max(2, min(6, int(told)))
    if value != int(told):
        report.add("guessed", f"{what} is {told}+; played as {value}+")
    return value


def _rules(line: str, unit: str, report: ImportReport) -> list[tuple[Thing, int]]:
    found: list[tuple[Thing, int]] = []
    for text in _split(line, unit, report):
        counted = _COUNTED.match(text)
        count, rest = (int(counted["count"]), counted["rest"]) if counted else (0, text)
        found.append((weapon_of_text(rest) or rule_or_item(rest), min(count, COUNT_MAX)))
    return found


def in_brackets(text: str) -> tuple[str, str]:
    """The text before the last brackets, and the text in them: `Lash (long) (A2)` is a Lash (long).

    Both are empty if a text does not end in matching brackets.
    """
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(text[place], 0)
        if depth <= 0:
            return (text[:place].strip(), text[place + 1 : -1]) if text[place] == "(" else ("", "")
    return "", ""


def rule_or_item(text: str) -> Thing:
    """`Tough(3)` is a rule, `Wolf Cloak(Stealth)` an item; anything else is a rule with the whole text as its name."""
    name, between = in_brackets(text)
    if not name or _VALUE.match(between.strip()):
        return rule_spelled(text) or RuleRef(text)
    try:
        inside = split_list(between, text)
    except MalformedError:
        return RuleRef(text)
    things: list[Thing] = [weapon_of_text(part) or rule_or_item(part) for part in inside]
    return Item(
        name,
        tuple(thing for thing in things if isinstance(thing, RuleRef)),
        tuple(thing for thing in things if isinstance(thing, Weapon)),
    )


def _weapons(line: str, unit: TextUnit, report: ImportReport) -> list[tuple[Weapon, int]]:
    found: list[tuple[Weapon, int]] = []
    for text in _split(line, unit.name, report):
        counted = _COUNTED.match(text)
        count, rest = (int(counted["count"]), counted["rest"]) if counted else (1, text)
        weapon = weapon_of_text(rest)
        if weapon is None:
            report.add("left out", f"{unit.name}: {text[:80]!r} is not a weapon")
        else:
            found.append((weapon, max(1, min(count, COUNT_MAX))))
    return found


def weapon_of_text(text: str) -> Weapon | None:
    """`Bow (24", A1)`, or the older `24" Bow (A1)`; None if there are no attacks in brackets."""
    first = _RANGE_FIRST.match(text)
    name, between = in_brackets(first["rest"] if first else text)
    if not name:
        return None
    reach, attacks = int(first["range"]) if first else 0, 0
    rules: list[RuleRef] = []
    try:
        inside = split_list(between, text)
    except MalformedError:
        return None
    for part in inside:
        if found := _RANGE.match(part):
            reach = int(found[1])
        elif found := _ATTACKS.match(part):
            attacks = int(found[1])
        else:
            thing = rule_or_item(part)
            rules.append(thing if isinstance(thing, RuleRef) else RuleRef(part))
    if not attacks:
        return None
    return Weapon(name, min(attacks, ATTACKS_MAX), min(reach, RANGE_MAX) * MILLI, tuple(rules))


def _split(line: str, unit: str, report: ImportReport) -> list[str]:
    try:
        found = split_list(line, unit)
        if len(found) > PARTS_MAX:
            report.add("left out", f"{unit}: {len(found) - PARTS_MAX} parts of a line that has {len(found)}")
        return found[:PARTS_MAX]
    except MalformedError:
        report.add("left out", f"{unit}: brackets do not match in {line[:80]!r}")
        return []


def carried(unit: TextUnit) -> tuple[Carried, ...]:
    """What a unit carries according to its text: weapons by number, purchases by bearers."""
    bought = [
        (thing, count or (1 if thing.name in COMMAND else 0))
        for thing, count in unit.rules
        if not isinstance(thing, Weapon) and (count or isinstance(thing, Item) or thing.name in COMMAND)
    ]
    lines = carried_of(unit.weapons, unit.size)
    return (
        *lines,
        *(Carried(thing, 1, count if 0 < count < unit.size else 0) for thing, count in bought),
    )
