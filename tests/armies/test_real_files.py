"""Real players' files, if SHIELDWALL_REAL_ARMIES names a folder of them; none are included."""

import json
import os
from pathlib import Path

import pytest

from shieldwall import armies
from shieldwall.armies.book import Book
from shieldwall.armies.book_file import read_book, write_book
from shieldwall.armies.importing import read_any
from shieldwall.armies.recruit import recruit
from shieldwall.editions import ruleset

FOLDER = os.environ.get("SHIELDWALL_REAL_ARMIES", "")
BOOKS = sorted(Path(FOLDER).glob("book-*.json")) if FOLDER else []
LISTS = sorted(Path(FOLDER).glob("list-*.json")) if FOLDER else []
pytestmark = pytest.mark.skipif(not BOOKS, reason="SHIELDWALL_REAL_ARMIES names no folder with army books")


def loaded(path: Path) -> Book:
    return read_any(path.read_bytes()).books[0]


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_a_real_book_loads_whole(path: Path) -> None:
    raw, book = json.loads(path.read_text()), loaded(path)
    assert [unit.id for unit in book.units] == [unit["id"] for unit in raw["units"]]
    assert [unit.cost for unit in book.units] == [unit["cost"] for unit in raw["units"]]
    assert [spell.name for spell in book.spells] == [spell["name"] for spell in raw["spells"]]
    told = [
        (package["uid"], section["uid"], option["uid"], option["label"])
        for package in raw["upgradePackages"]
        for section in package["sections"]
        for option in section["options"]
    ]
    assert told == [
        (package.id, section.id, option.id, option.name)
        for package in book.packages
        for section in package.sections
        for option in section.options
    ]
    assert read_book(write_book(book)) == book


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_every_price_of_a_real_book_is_the_one_for_the_unit(path: Path) -> None:
    raw, book = json.loads(path.read_text()), loaded(path)
    packages = {package["uid"]: package for package in raw["upgradePackages"]}
    compared = 0
    for told in raw["units"]:
        unit = book.unit(told["id"])
        assert unit is not None
        for section in (part for uid in told["upgrades"] for part in packages[uid]["sections"]):
            for option in section["options"]:
                prices = [one["cost"] for one in option["costs"] if one["unitId"] == told["id"]]
                found = book.find_option(unit, option["uid"], section["uid"])
                if prices and found is not None:
                    assert found[1].price(unit.id) == prices[0]
                    compared += 1
    assert compared > 50


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_a_real_list_is_imported_and_can_be_mustered(path: Path) -> None:
    found = read_any(path.read_bytes(), books=[loaded(book) for book in BOOKS])
    raw = json.loads(path.read_text())
    army = found.army
    assert army is not None
    halves = [unit for unit in raw["list"]["units"] if unit["combined"] and unit["joinToUnit"]]
    assert sum(entry.is_combined for entry in army.entries) == len(halves)
    joined = [unit for unit in raw["list"]["units"] if not unit["combined"] and unit["joinToUnit"]]
    assert sum(bool(entry.joins) for entry in army.entries) == len(joined)
    assert all(army.entry(entry.joins) for entry in army.entries if entry.joins)
    mustered = armies.muster(ruleset(army.edition), [recruit(army, found.books)])
    models = sum(len(unit.models) for unit in mustered.units)
    assert models == raw["list"]["modelCount"]
    assert len(mustered.units) == len(army.entries) - len(joined)
    told = [one.text for one in found.remarks if one.kind == "missing"]
    cost = armies.cost_of(army, armies.books_of(army, found.books))
    assert bool(told) == (cost != raw["listPoints"])
