"""Every ready-made list, and any other, survives a round trip through each export format."""

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from shieldwall import armies
from shieldwall.armies.forge.export import export_file
from shieldwall.armies.forge.text_form import list_text
from shieldwall.armies.importing import Imported, read_any
from shieldwall.armies.list_file import read_list, write_list
from shieldwall.armies.lists import ArmyList, BookRef, Entry, UpgradePick
from shieldwall.armies.loadout import outfit
from shieldwall.editions import EDITIONS

EVERY_LIST = [(edition, ready.id) for edition in EDITIONS for ready in armies.ready_lists(edition)]
ORDERS = "Hold the ford.\nNobody crosses before noon."


def with_notes(army: armies.ArmyList) -> armies.ArmyList:
    entries = tuple(
        replace(entry, note=ORDERS if not place else "") for place, entry in enumerate(army.entries)
    )
    return replace(army, entries=entries, note=ORDERS, points=army.points + 50)


def back(found: Imported, army: armies.ArmyList) -> armies.ArmyList:
    """The list that came back, without the stated total and the id that text cannot hold."""
    assert found.remarks == ()
    assert found.army is not None
    return replace(found.army, stated=0, id=army.id)


@pytest.mark.parametrize(("edition", "name"), EVERY_LIST)
def test_export_then_import_gives_the_same_list(edition: str, name: str) -> None:
    for army in (plain := armies.ready_list(edition, name), with_notes(plain)):
        text = export_file(army, armies.books_of(army))
        assert back(read_any(text.encode()), army) == army
        assert export_file(army, armies.books_of(army)) == text


@pytest.mark.parametrize(("edition", "name"), EVERY_LIST)
def test_text_then_parse_gives_the_same_list(edition: str, name: str) -> None:
    for army in (plain := armies.ready_list(edition, name), with_notes(plain)):
        found = read_any(list_text(army, armies.books_of(army)).encode())
        assert back(found, army) == army


@pytest.mark.parametrize(("edition", "name"), EVERY_LIST)
def test_a_list_written_in_our_format_reads_back_the_same(edition: str, name: str) -> None:
    army = with_notes(armies.ready_list(edition, name))
    assert read_list(write_list(army)) == army


def bought(book: armies.Book, unit: armies.BookUnit, numbers: Random) -> tuple[UpgradePick, ...]:
    """Some options that a unit may have together."""
    picks: tuple[UpgradePick, ...] = ()
    for section in book.sections_of(unit):
        for option in numbers.choices(section.options, k=numbers.randrange(4)):
            more = (*picks, UpgradePick(option.id))
            picks = picks if outfit(book, unit, more).problems else more
    return picks


def any_list(edition: str, faction: str, numbers: Random) -> ArmyList:
    """A few units with any legal options, some combined, some joined by heroes."""
    book = armies.book(faction, edition)
    entries = []
    for number, unit in enumerate(numbers.choices(book.units, k=numbers.randint(1, 6))):
        second = bought(book, unit, numbers) if unit.size > 1 and numbers.random() < 0.3 else None
        name = numbers.choice(["", "Old Tom"])
        entries.append(Entry(f"u{number + 1}", unit.id, "", name, "", bought(book, unit, numbers), second))
    sizes = {unit.id: unit.size for unit in book.units}
    hosts = [entry.id for entry in entries if sizes[entry.unit] > 1]
    heroes = {unit.id for unit in book.units if unit.is_hero}
    joined = [replace(one, joins=hosts.pop()) if hosts and one.unit in heroes else one for one in entries]
    return ArmyList("Any", edition, 750, tuple(joined), (BookRef(book.id, book.name, book.version),))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(EDITIONS), st.sampled_from(armies.factions()), st.randoms(use_true_random=False))
def test_any_list_survives_every_form(edition: str, faction: str, numbers: Random) -> None:
    army = any_list(edition, faction, numbers)
    books = armies.books_of(army)
    assert back(read_any(export_file(army, books).encode()), army) == army
    assert read_list(write_list(army)) == army
    found = read_any(list_text(army, books).encode())
    assert found.remarks == ()
    assert found.army is not None
    again = list_text(found.army, books)  # text does not say which copy of a combined unit bought what
    assert sorted(re.split(r"[,|\n] *", again)) == sorted(re.split(r"[,|\n] *", list_text(army, books)))


def test_list_text_looks_like_what_players_paste() -> None:
    army = armies.ready_list("regiments-3.5", "lantern-coast-750")
    first, _, rest = list_text(army, armies.books_of(army)).partition("\n\n")
    assert first == "++ Harbour Watch - Lantern Coast (v1) [AOFR 750pts] [4 Units] [regiments-3.5] ++"
    assert rest.splitlines()[:5] == [
        "Warden Ysolde (Harbour Warden) [1] Q3+ D4+ | 65pts | Hero, Tough(3)",
        "Duelling Sabres (A4, Surge)",
        "| Joined to:",
        "Harbour Pikes [20] Q4+ D4+ | 260pts",
        "20x Pike (A1, Counter)",
    ]
