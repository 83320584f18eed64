"""Every ready-made list survives each form it can go out in."""

import pytest
from msgspec.structs import replace

from shieldwall import armies
from shieldwall.armies.forge.export import export_file
from shieldwall.armies.forge.text_form import list_text
from shieldwall.armies.importing import Imported, read_any
from shieldwall.armies.list_file import read_list, write_list
from shieldwall.editions import EDITIONS

EVERY_LIST = [(edition, ready.id) for edition in EDITIONS for ready in armies.ready_lists(edition)]
ORDERS = "Hold the ford.\nNobody crosses before noon."


def with_notes(army: armies.ArmyList) -> armies.ArmyList:
    entries = tuple(
        replace(entry, note=ORDERS if not place else "") for place, entry in enumerate(army.entries)
    )
    return replace(army, entries=entries, note=ORDERS, points=army.points + 50)


def back(found: Imported, army: armies.ArmyList) -> armies.ArmyList:
    """What came back, less the total it was told and an id that text has no place for."""
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


def test_the_text_is_what_players_paste() -> None:
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
