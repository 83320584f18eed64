"""Armies from third-party books, end to end: shown, checked, imported under a name, played and counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shieldwall.armies import check_list
from shieldwall.armies.book import Book
from shieldwall.armies.book_file import read_book
from shieldwall.armies.list_file import write_list
from shieldwall.armies.lists import ArmyList, BookRef, Entry
from shieldwall.cli.main import main

EDITION = "regiments-3.5"
BOOK = """
format: shieldwall-book/1
id: moor
name: Moor Court
version: "1"
system: regiments-3.5
units:
  - {id: queen, name: Queen, cost: 100, size: 1, quality: 3, defense: 5, equipment: ["Sword (A3)"],
     rules: "Hero, Unique, Tough(3), Armor(3), Riddles"}
  - {id: spears, name: Spears, cost: 80, size: 5, quality: 4, defense: 5, equipment: ["Spear (A1)"], rules: "Heath"}
rules:
  Heath: "When charging, this model gets AP(+1)."
  Armor: "Counts as having Defense X+."
  Riddles: "This model talks in riddles."
"""


def the_list(*units: str, name: str = "Moor Host") -> ArmyList:
    entries = tuple(Entry(f"u{number}", unit) for number, unit in enumerate(units))
    return ArmyList(name, EDITION, 750, entries, (BookRef("moor", "Moor Court", "1"),))


def the_book() -> Book:
    return read_book(BOOK.encode())


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """A list and the book it needs as files, and an empty folder of one's own."""
    monkeypatch.setenv("SHIELDWALL_ARMIES", str(tmp_path / "own"))
    (tmp_path / "moor.yaml").write_text(BOOK)
    (tmp_path / "host.yaml").write_text(write_list(the_list("queen", "spears")))
    return str(tmp_path / "host.yaml"), str(tmp_path / "moor.yaml")


def test_a_unique_unit_is_in_a_list_once() -> None:
    once = check_list(the_list("queen", "spears", "spears"), [the_book()])
    assert not [finding for finding in once.findings if "Unique" in finding.text]
    twice = check_list(the_list("queen", "spears", "queen"), [the_book()])
    told = [finding.text for finding in twice.findings if finding.level == "error"]
    assert "Queen is Unique: a list may have it once, this one has it 2 times; remove 1" in told


def test_a_missing_book_is_named_with_the_remedy() -> None:
    told = [finding.text for finding in check_list(the_list("spears")).findings]
    assert any(
        "import it (`shieldwall army import BOOK`, or `--book BOOK` for once)" in text for text in told
    )


def test_army_show_gives_texts_ids_and_what_is_not_played(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["army", "show", files[0], "--book", files[1]]) == 0
    told = capsys.readouterr().out
    assert "  id u1, unit spears" in told
    assert "  Heath: When charging, this model gets AP(+1)." in told
    assert "  Riddles (not played): This model talks in riddles." in told
    assert main(["army", "show", files[1]]) == 0
    assert "  unit queen" in capsys.readouterr().out


def test_an_imported_list_is_played_by_its_name(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["army", "import", files[0], "--book", files[1]]) == 0
    said = capsys.readouterr().out
    assert "5 of 6 rules are played" in said
    assert "shieldwall battle --army 'Moor Host' --army 'Moor Host'" in said
    assert main(["army", "show", "Moor Host"]) == 0
    capsys.readouterr()
    order = ["battle", "--army", "Moor Host", "--army", "kilnfolk-750", "--bots", "random", "--quiet"]
    assert main(order) == 0
    assert "Moor Host: 5 of 6 rules are played; not played: Riddles (Queen)" in capsys.readouterr().err


def test_a_duel_takes_files_with_their_books_house_rules_and_a_mission(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    lists, rules = [files[0], files[0]], ["--set", "army-rules=edition", "--mission", "relic-hunt"]
    order = ["duel", *lists, "--book", files[1], *rules, "--games", "2", "--bots", "random,random"]
    assert main([*order, "--workers", "1", "--json"]) == 0
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert told["games"] == 2
    assert told["duel"]["mission"] == "relic-hunt"
    assert told["duel"]["options"] == [["army-rules", "edition"]]
    assert "not played: Riddles (Queen)" in said.err


def test_a_duel_refuses_unknown_house_rules(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["duel", "--set", "army-rule=edition", "--games", "2"]) != 0
    assert "did you mean army-rules?" in capsys.readouterr().err


def test_a_share_link_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["army", "import", "https://army-forge.example.org/share?id=abcd1234"]) != 0
    assert "api/tts?id=abcd1234 in a browser" in capsys.readouterr().err
