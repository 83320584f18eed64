"""Army lists as files: reads and writes the documented, versioned YAML format (`docs/armies.md`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import yaml

from shieldwall.armies.book_file import duplicates
from shieldwall.armies.files import load_yaml
from shieldwall.armies.lists import ArmyList, BookRef, Entry, UpgradePick
from shieldwall.core.errors import MalformedError
from shieldwall.rulebook.nearest import did_you_mean

FORMAT = "shieldwall-list/1"
_LIST = (
    "format",
    "id",
    "name",
    "edition",
    "system",
    "points",
    "books",
    "note",
    "stated",
    "force_organisation",
    "units",
)
_ENTRY = ("id", "unit", "book", "name", "note", "upgrades", "second", "joins")
UNITS_MAX = 500
PICKS_MAX = 200


def read_list(text: str | bytes, what: str = "army list") -> ArmyList:
    """The list in a file's text; raises with every error."""
    raw = load_yaml(text, what)
    problems: list[str] = []
    if raw.get("format") != FORMAT:
        problems.append(f"format {raw.get('format')!r}; this version of shieldwall reads {FORMAT!r}")
    army = list_from(raw, problems)
    if problems:
        raise MalformedError(what, problems)
    return army


def list_from(raw: Mapping[str, object], problems: list[str]) -> ArmyList:
    """A list from plain data; every error is collected."""
    problems += [
        f"list: {key!r} is not known; expected some of {', '.join(_LIST)}" for key in raw if key not in _LIST
    ]
    units = raw.get("units")
    if not isinstance(units, Sequence) or isinstance(units, str) or not units:
        problems.append("list: units must be a list with at least one unit")
        units = []
    if len(units) > UNITS_MAX:
        problems.append(f"list: {len(units)} units; the maximum is {UNITS_MAX}")
    entries = tuple(_entry(part, number, problems) for number, part in enumerate(units[:UNITS_MAX], start=1))
    problems += [
        f"list: two units have the id {name!r}" for name in duplicates(entry.id for entry in entries)
    ]
    known = {entry.id for entry in entries}
    problems += [
        f"unit {entry.id!r} joins {entry.joins!r}, which is not in the list"
        f"{did_you_mean(entry.joins, known - {entry.id})}"
        for entry in entries
        if entry.joins and entry.joins not in known
    ]
    return ArmyList(
        name=_text(raw, "name", "list", problems) or "Unnamed list",
        edition=_text(raw, "edition", "list", problems),
        points=_whole(raw, "points", problems),
        entries=entries,
        books=_books(raw.get("books"), problems),
        note=_text(raw, "note", "list", problems),
        id=_text(raw, "id", "list", problems),
        stated=_whole(raw, "stated", problems),
        force_organisation=bool(raw.get("force_organisation", False)),
        system=_text(raw, "system", "list", problems),
    )


def write_list(army: ArmyList) -> str:
    """A list as the text of a file."""
    books = [_unless_empty({"id": ref.id, "name": ref.name, "version": ref.version}) for ref in army.books]
    raw: dict[str, object] = {"format": FORMAT, "name": army.name, "edition": army.edition}
    raw |= _unless_empty({"system": army.system}) | {"points": army.points}
    raw |= _unless_empty({"id": army.id, "books": books, "note": army.note, "stated": army.stated})
    raw |= {"force_organisation": True} if army.force_organisation else {}
    raw["units"] = [_written(entry) for entry in army.entries]
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text: str = yaml.dump(raw, Dumper=dumper, sort_keys=False, allow_unicode=True, width=110)
    return text


def read_pick(text: str) -> UpgradePick:
    """`option`, or `section/option` if the option alone is ambiguous."""
    section, _, option = text.rpartition("/")
    return UpgradePick(option, section)


def write_pick(pick: UpgradePick) -> str:
    """A pick as text."""
    return f"{pick.section}/{pick.option}" if pick.section else pick.option


def _entry(raw: object, number: int, problems: list[str]) -> Entry:
    where = f"unit {number}"
    if not isinstance(raw, Mapping):
        problems.append(f"{where}: {raw!r} is not a mapping")
        return Entry(id=f"u{number}", unit="")
    problems += [
        f"{where}: {key!r} is not known; expected some of {', '.join(_ENTRY)}"
        for key in raw
        if key not in _ENTRY
    ]
    unit = _text(raw, "unit", where, problems)
    if not unit:
        problems.append(f"{where}: unit is missing; it names a unit of the book by its id")
    second = raw.get("second")
    return Entry(
        id=_text(raw, "id", where, problems) or f"u{number}",
        unit=unit,
        book=_text(raw, "book", where, problems),
        name=_text(raw, "name", where, problems),
        note=_text(raw, "note", where, problems),
        picks=_picks(raw.get("upgrades"), where, problems),
        second=None if second is None else _picks(second, where, problems),
        joins=_text(raw, "joins", where, problems),
    )


def _picks(raw: object, where: str, problems: list[str]) -> tuple[UpgradePick, ...]:
    if raw is None:
        return ()
    if not isinstance(raw, Sequence) or isinstance(raw, str) or len(raw) > PICKS_MAX:
        problems.append(f"{where}: upgrades must be a list of at most {PICKS_MAX} option ids")
        return ()
    problems += [f"{where}: {part!r} is not an option id" for part in raw if not isinstance(part, str)]
    return tuple(read_pick(part) for part in raw if isinstance(part, str))


def _books(raw: object, problems: list[str]) -> tuple[BookRef, ...]:
    if raw is None:
        return ()
    if not isinstance(raw, Sequence) or isinstance(raw, str):
        problems.append("list: books must be a list")
        return ()
    found: list[BookRef] = []
    for part in raw:
        if isinstance(part, str):
            found.append(BookRef(part))
        elif isinstance(part, Mapping) and isinstance(part.get("id"), str):
            found.append(BookRef(part["id"], str(part.get("name", "")), str(part.get("version", ""))))
        else:
            problems.append(f"list: {part!r} is not a book; expected its id")
    return tuple(found)


def _written(entry: Entry) -> dict[str, object]:
    told: dict[str, object] = {"id": entry.id, "unit": entry.unit}
    told |= _unless_empty({"book": entry.book, "name": entry.name, "note": entry.note, "joins": entry.joins})
    told |= _unless_empty({"upgrades": [write_pick(pick) for pick in entry.picks]})
    return told | ({} if entry.second is None else {"second": [write_pick(pick) for pick in entry.second]})


def _unless_empty(raw: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in raw.items() if value not in ("", [], {}, 0, None)}


def _text(raw: Mapping[str, object], key: str, where: str, problems: list[str]) -> str:
    value = raw.get(key, "")
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    problems.append(f"{where}: {key} is {value!r}; expected text")
    return ""


def _whole(raw: Mapping[str, object], key: str, problems: list[str]) -> int:
    value = raw.get(key, 0)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 1_000_000:
        return value
    problems.append(f"list: {key} is {value!r}; expected a whole number, 0 or more")
    return 0
