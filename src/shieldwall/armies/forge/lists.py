"""Army Forge lists that name units and options by id: the export file, shares and community lists.

Reading one needs no book: ids become picks. The books are consulted later.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from shieldwall.armies.forge.report import ImportReport
from shieldwall.armies.forge.systems import system_key
from shieldwall.armies.forge.wire import Raw, is_true, name_of, part, parts, short, text_of, whole, words
from shieldwall.armies.lists import ArmyList, BookRef, Entry, UpgradePick

UNITS_MAX = 300
PICKS_MAX = 100
NO_NUMBER = -1_000_001  # less than any number that is read
OLDEST_SAVE, NEWEST_SAVE = 2, 3  # versions of the export file


def is_list(raw: object) -> bool:
    """Whether plain data is a list that names units and options by id."""
    inner = part(raw, "list")
    return bool(_units(inner)) or bool(_units(raw))


def _units(raw: object) -> list[Raw]:
    return [unit for unit in parts(raw, "units") if "selectedUpgrades" in unit or "selectionId" in unit]


def list_of(raw: Raw, edition: str, report: ImportReport) -> ArmyList:
    """The list as it is in the file, with combined halves as one entry and heroes linked to their units."""
    inner = part(raw, "list")
    told: Raw = inner if isinstance(inner, dict) else raw
    details = part(raw, "details")
    units = _kept(told, "units", UNITS_MAX, "units", report)
    version = whole(raw.get("saveVersion"), OLDEST_SAVE)
    if not OLDEST_SAVE <= version <= NEWEST_SAVE:
        age = "older" if version < OLDEST_SAVE else "newer"
        report.add(
            "guessed",
            f"saved in format {version}, which is {age} than any known one; read as well as possible",
        )
    for key, what in (("campaignMode", "campaign"), ("narrativeMode", "narrative")):
        if is_true(told.get(key)):
            report.add("left out", f"this is a {what} list; experience and traits are not kept")
    return ArmyList(
        name=name_of(told.get("name"), "Unnamed list"),
        edition=edition,
        points=max(0, whole(told.get("pointsLimit"))),
        entries=entries_of(units, report),
        books=_books(raw, details, units),
        note=text_of(told.get("description")),
        id=name_of(told.get("id") or raw.get("id")),
        stated=_stated(raw, told, details, report),
        force_organisation=is_true(told.get("forceOrg")) or is_true(told.get("competitive")),
        system=system_key(system_of(raw)),
    )


def system_of(raw: Raw) -> str:
    """The game system a list says it is for."""
    details, inner = part(raw, "details"), part(raw, "list")
    for place in (raw, inner, details):
        for key in ("gameSystem", "game_system"):
            if name_of(part(place, key)):
                return name_of(part(place, key))
    return ""


def entry_names(units: Sequence[Raw]) -> list[str]:
    """The id of each unit within the list; missing and duplicate ones are generated."""
    names: list[str] = []
    for number, raw in enumerate(units, start=1):
        name = name_of(raw.get("selectionId"))
        names.append(name if name and name not in names else f"u{number}")
    return names


def entries_of(units: Sequence[Raw], report: ImportReport) -> tuple[Entry, ...]:
    """The units of a list in order."""
    entries: list[Entry] = []
    halves: dict[str, str] = {}  # the id of a second half -> the id of the first
    combined: dict[str, Raw] = {}
    for name, raw in zip(entry_names(units), units, strict=True):
        entry = _entry(raw, name, report)
        if is_true(raw.get("combined")):
            combined[name] = raw
            if entry.joins:
                halves[name] = entry.joins
        entries.append(entry)
    for nameless in [entry for entry in entries if not entry.unit]:
        report.add("left out", f"{nameless.name or nameless.id}: it does not name a unit of a book")
        entries.remove(nameless)
        halves.pop(nameless.id, None)
        combined.pop(nameless.id, None)
    for first in list(halves):
        if halves.get(halves.get(first, "")) == first:  # each names the other: the first leads
            del halves[first]
    return _settled(entries, combined, halves, report)


def _kept(raw: Raw, key: str, most: int, what: str, report: ImportReport) -> list[Raw]:
    """The readable entries of a list; the number left out is reported."""
    told = raw.get(key)
    found = parts(raw, key)
    if key in raw and not isinstance(told, list):
        report.add("left out", f"{what} are {short(told)} instead of a list; none of them are kept")
    if isinstance(told, list) and len(found) < len(told):
        report.add("left out", f"{len(told) - len(found)} of {len(told)} {what} cannot be read")
    if len(found) > most:
        report.add("left out", f"there are {len(found)} {what}; the first {most} are kept")
    return found[:most]


def _entry(raw: Raw, name: str, report: ImportReport) -> Entry:
    unit = name_of(raw.get("id"))
    title = name_of(raw.get("customName")) or unit
    chosen = _kept(raw, "selectedUpgrades", PICKS_MAX, f"upgrades of {title or name}", report)
    picks = [
        UpgradePick(name_of(one.get("optionId")), name_of(one.get("upgradeId")))
        for one in chosen
        if name_of(one.get("optionId"))
    ]
    if len(picks) < len(chosen):
        report.add("left out", f"{title or name}: {len(chosen) - len(picks)} upgrades are unknown")
    if whole(raw.get("xp")) or raw.get("traits"):
        report.add("left out", f"{title}: experience and traits are not kept")
    return Entry(
        id=name,
        unit=unit,
        book=name_of(raw.get("armyId")),
        name=name_of(raw.get("customName")),
        note=text_of(raw.get("notes")),
        picks=tuple(picks),
        joins=name_of(raw.get("joinToUnit")),
    )


def _settled(
    entries: list[Entry], combined: dict[str, Raw], halves: dict[str, str], report: ImportReport
) -> tuple[Entry, ...]:
    """Two halves become one entry; heroes who joined the second half join the first."""
    by_id = {entry.id: entry for entry in entries}
    merged: dict[str, Entry] = {}
    gone: dict[str, str] = {}
    for second, first in halves.items():
        one, other = by_id.get(first), by_id[second]
        if (
            one is None
            or one.unit != other.unit
            or first in merged
            or first in halves
            or first not in combined
        ):
            why = (
                "its other half is not in the list"
                if one is None
                else "there are two copies already"
                if first in merged
                else "it cannot be combined with the unit it names"
            )
            report.add("changed", f"{other.name or other.unit}: {why}; it stands alone")
            by_id[second] = replace(other, joins="")
            continue
        merged[first] = replace(one, second=other.picks, note=one.note or other.note, joins="")
        gone[second] = first
    lone = [name for name in combined if name not in merged and name not in gone]
    for name in lone:
        if name not in halves:
            report.add(
                "changed",
                f"{by_id[name].name or by_id[name].unit}: combined with no other unit; one copy is kept",
            )
    kept = [merged.get(entry.id, by_id[entry.id]) for entry in entries if entry.id not in gone]
    return tuple(_joined(entry, {known.id for known in kept}, gone, report) for entry in kept)


def _joined(entry: Entry, known: set[str], gone: dict[str, str], report: ImportReport) -> Entry:
    """An entry that joins a unit in the list, or none."""
    host = gone.get(entry.joins, entry.joins)
    if host and (host not in known or host == entry.id):
        whom = "itself" if host == entry.id else "a unit that is not in the list"
        report.add("changed", f"{entry.name or entry.unit}: joins {whom}; it stands alone")
        host = ""
    return replace(entry, joins=host)


def _books(raw: Raw, details: object, units: Sequence[Raw]) -> tuple[BookRef, ...]:
    """The books a list was made with; the primary one first."""
    ids = [name_of(raw.get("armyId")), *words(raw.get("armyIds"))]
    ids += [name_of(part(details, "armyId")), *words(part(details, "armyIds")), name_of(raw.get("army_uid"))]
    ids += [name_of(unit.get("armyId")) for unit in units]
    versions = {
        name_of(entry.get("armyId")): name_of(entry.get("version")) for entry in parts(raw, "armyVersions")
    }
    primary = name_of(raw.get("armyName") or part(details, "armyName"))
    distinct = [book for book in dict.fromkeys(ids) if book]
    return tuple(
        BookRef(book, primary if place == 0 else "", versions.get(book, ""))
        for place, book in enumerate(distinct)
    )


def _stated(raw: Raw, told: Raw, details: object, report: ImportReport) -> int:
    """The total printed on the list; one that is not a number is reported."""
    for value in (
        raw.get("listPoints"),
        told.get("listPoints"),
        part(details, "listPoints"),
        told.get("points"),
    ):
        if whole(value) > 0:
            return whole(value)
        if value is not None and whole(value, NO_NUMBER) == NO_NUMBER:
            report.add("left out", f"the total of the list is {short(value)}, which is not a number")
    return 0
