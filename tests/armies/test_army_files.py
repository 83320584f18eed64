"""Army files: the documented formats, and the player's own folder, written completely or not at all."""

import os
import re
from pathlib import Path

import pytest
from forge_samples import as_bytes, book, export_list

from shieldwall import armies
from shieldwall.armies.book_file import read_book
from shieldwall.armies.files import ArmyFileError, home, write_whole
from shieldwall.armies.finding import find_army
from shieldwall.armies.importing import read_any
from shieldwall.armies.list_file import read_list
from shieldwall.armies.store import save_book, save_list, saved_books, saved_lists
from shieldwall.core.errors import MalformedError

BEES = read_any(as_bytes(book())).books[0]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SHIELDWALL_ARMIES", str(tmp_path / "home"))
    return tmp_path / "home"


def test_the_book_and_the_list_in_the_documentation_match() -> None:
    page = (Path(__file__).parents[2] / "docs" / "armies.md").read_text(encoding="utf-8")
    written_book, written_list = re.findall(r"```yaml\n(.*?)```", page, flags=re.DOTALL)
    known = read_any(written_book.encode()).books
    found = read_any(written_list.encode(), books=known)
    assert found.army is not None
    assert found.remarks == ()
    assert armies.check_list(found.army, known).is_legal


def test_the_army_folder_is_the_default_unless_another_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHIELDWALL_ARMIES")
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert home() == Path("/somewhere/shieldwall/armies")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert home() == Path.home() / ".local/share/shieldwall/armies"


def test_books_and_lists_are_saved_and_found_again(own_folder: Path) -> None:
    found = read_any(as_bytes(export_list()), books=[BEES])
    assert found.army is not None
    save_book(BEES)
    save_list(found.army)
    assert saved_books() == (BEES,)
    assert [army for _, army in saved_lists()] == [found.army]
    assert find_army("Hive").army == found.army
    assert not any(path.name.endswith(".part") for path in own_folder.rglob("*"))


def test_saving_again_replaces_the_old_file() -> None:
    assert save_book(BEES) == save_book(BEES)
    assert len(saved_books()) == 1


def test_of_several_versions_the_one_a_list_was_made_with_is_used() -> None:
    newer = book(versionString="10.0")
    newer["units"][0]["cost"] = 100
    for told in (book(), newer):
        save_book(read_any(as_bytes(told)).books[0])
    assert len(saved_books()) == 2
    for version, cost in (("9.9.1", 365), ("10.0", 405), ("8.0", 405)):
        listed = export_list()
        listed["armyVersions"][0]["version"] = version
        found = read_any(as_bytes(listed), books=saved_books())
        assert found.army is not None
        assert armies.cost_of(found.army, armies.books_of(found.army, found.books)) == cost


def test_a_broken_file_in_the_folder_is_named_and_hides_nothing_else(own_folder: Path) -> None:
    save_book(BEES)
    (own_folder / "books" / "broken.yaml").write_text("format: [")
    problems: list[str] = []
    assert saved_books(problems) == (BEES,)
    assert "broken.yaml" in problems[0]


def test_a_write_that_fails_leaves_the_old_file(own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = own_folder / "one.yaml"
    write_whole(path, "old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ArmyFileError, match="No space left"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert [one.name for one in own_folder.iterdir()] == ["one.yaml"]


def test_every_fault_of_a_book_file_is_reported_at_once() -> None:
    with pytest.raises(MalformedError) as error:
        read_book("""
format: shieldwall-book/1
id: b
name: B
colour: red
packages:
  - {id: p, sections: [{label: Upgrade with, affects: some, options: ["Axe (A1"]}]}
units:
  - {name: One, quality: 9, defense: 4, upgrades: [nowhere]}
  - {name: One, quality: 4, defense: 4, size: many, kind: boat}
""")
    told = "\n".join(error.value.problems)
    for fault in (
        "colour",
        "'some' is not an amount",
        "not closed",
        "quality is 9",
        "nowhere",
        "size is 'many'",
        "'boat'",
    ):
        assert fault in told
    assert "two have the id 'one'" in told


def test_every_fault_of_a_list_file_is_reported_at_once() -> None:
    with pytest.raises(MalformedError) as error:
        read_list("""
format: shieldwall-list/1
name: L
edition: regiments-3.5
points: lots
units:
  - {id: a, unit: pikes, joins: b, upgrades: sergeant}
  - {id: a}
  - 5
""")
    told = "\n".join(error.value.problems)
    for fault in (
        "points is 'lots'",
        "joins 'b'",
        "list of at most",
        "unit is missing",
        "5 is not a mapping",
    ):
        assert fault in told
    assert "two units have the id 'a'" in told


def test_a_newer_format_is_refused_and_names_the_supported_one() -> None:
    with pytest.raises(MalformedError, match="shieldwall-book/1"):
        read_book("format: shieldwall-book/2\nid: x\nname: X\nunits: [{name: A, quality: 4, defense: 4}]\n")


def test_our_formats_may_be_written_as_json() -> None:
    told = (
        b'{"format": "shieldwall-list/1", "name": "L", "edition": "aof-1.6", "points": 500,'
        b' "books": [{"id": "kilnfolk", "name": "Kilnfolk", "version": "1"}], "units": [{"id": "a", "unit": "golem"}]}'
    )
    army = read_any(told).army
    assert army is not None
    assert (army.name, army.edition, army.points) == ("L", "aof-1.6", 500)
    line = b'{"format": "shieldwall-book/1", "id": "x", "name": "X", "version": "1", "system": "aof-1.6",'
    line += b' "units": [{"name": "A", "quality": 4, "defense": 4}]}'
    assert [unit.name for unit in read_any(line).books[0].units] == ["A"]
    with pytest.raises(MalformedError, match="shieldwall-list/1"):
        read_any(b'{"format": "shieldwall-list/9", "units": []}')


def test_armies_are_found_by_name_and_unknown_names_refused() -> None:
    ready = find_army("regiments-3.5/kilnfolk-750")
    assert ready.army == armies.ready_list("regiments-3.5", "kilnfolk-750")
    assert find_army("kilnfolk-750", edition="regiments-3.5") == ready
    assert find_army("kilnfolk", edition="skirmish-3.2").books == (armies.book("kilnfolk", "skirmish-3.2"),)
    with pytest.raises(armies.NoArmyError, match="--edition"):
        find_army("kilnfolk")
    with pytest.raises(armies.NoArmyError, match="army list"):
        find_army("atlantis")
