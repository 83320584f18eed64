"""Lists as Army Forge export files, so that other tools can read them."""

from __future__ import annotations

import hashlib
import json

from shieldwall.armies.forge.systems import key_of
from shieldwall.armies.lists import ArmyList, Entry, UpgradePick
from shieldwall.armies.recruit import Books, loadout_of

SAVE_VERSION = 3


def export_file(army: ArmyList, books: Books) -> str:
    """The text of an export file. Ids are those of our own book; the same list always gives the same file."""
    found = {entry.id: loadout_of(army, entry, books) for entry in army.entries}
    cost = sum(loadout.cost for loadout in found.values() if loadout is not None)
    list_id = army.id or _made_up(army.name, 12)
    primary = army.books[0] if army.books else None
    units = [unit for entry in army.entries for unit in _units(army, entry, books)]
    inner = {
        "id": list_id,
        "key": list_id,
        "name": army.name,
        "description": army.note,
        "gameSystem": army.system or key_of(army.edition),
        "pointsLimit": army.points,
        "forceOrg": army.force_organisation,
        "campaignMode": False,
        "narrativeMode": False,
        "modelCount": sum(loadout.size for loadout in found.values() if loadout is not None),
        "activationCount": sum(1 for entry in army.entries if not entry.joins),
        "isCloud": False,
        "units": units,
    }
    whole = {
        "id": list_id,
        "gameSystem": army.system or key_of(army.edition),
        "armyId": primary.id if primary else "",
        "armyIds": [ref.id for ref in army.books],
        "armyName": primary.name if primary else "",
        "armyFaction": None,
        "armyVersions": [{"armyId": ref.id, "version": ref.version} for ref in army.books if ref.version],
        "saveVersion": SAVE_VERSION,
        "favourite": False,
        "listPoints": army.stated or cost,
        "shieldwall": {"edition": army.edition},
        "list": inner,
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _units(army: ArmyList, entry: Entry, books: Books) -> list[dict[str, object]]:
    """One unit for an entry, two for a combined one."""
    first = _unit(army, entry, entry.id, entry.picks, entry.joins or None, books)
    if entry.second is None:
        return [first]
    taken = {other.id for other in army.entries}
    name = next(name for number in range(1000) if (name := f"{entry.id}.{number + 2}") not in taken)
    second = _unit(army, entry, name, entry.second, entry.id, books)
    return [first, second | {"notes": None}]


def _unit(
    army: ArmyList, entry: Entry, name: str, picks: tuple[UpgradePick, ...], joins: str | None, books: Books
) -> dict[str, object]:
    told: dict[str, object] = {
        "id": entry.unit,
        "armyId": army.book_of(entry),
        "selectionId": name,
        "combined": entry.is_combined,
        "joinToUnit": joins,
        "xp": 0,
        "traits": [],
        "notes": entry.note or None,
        "selectedUpgrades": [
            {
                "instanceId": _made_up(f"{army.name}/{name}/{number}/{pick.option}", 9),
                "upgradeId": pick.section or _section_of(army, entry, pick, books),
                "optionId": pick.option,
            }
            for number, pick in enumerate(picks)
        ],
    }
    return told | ({"customName": entry.name} if entry.name else {})


def _section_of(army: ArmyList, entry: Entry, pick: UpgradePick, books: Books) -> str:
    source = books.get(army.book_of(entry))
    unit = source.unit(entry.unit) if source is not None else None
    found = source.find_option(unit, pick.option) if source is not None and unit is not None else None
    return found[0].id if found is not None else ""


def _made_up(told: str, length: int) -> str:
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:length]
