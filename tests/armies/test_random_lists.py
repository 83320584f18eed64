"""Random lists are legal, differ from seed to seed, and cover everything that a list may have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shieldwall.armies import check_list, recruit
from shieldwall.armies.book_file import write_book
from shieldwall.armies.factions import FACTIONS, book
from shieldwall.armies.random_lists import books_for, books_in, legal_list
from shieldwall.editions import EDITIONS
from shieldwall.table.numbers import TableNumbers

SEEDS = range(4)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_list_is_legal_and_can_be_mustered(edition: str) -> None:
    for source in books_for(edition):
        for seed in SEEDS:
            made = legal_list(source, edition, TableNumbers(seed))
            assert made.entries
            assert check_list(made, (source,)).is_legal
            assert recruit(made, (source,)).units


@pytest.mark.parametrize("edition", EDITIONS)
def test_random_lists_have_upgrades_joined_heroes_and_combined_units(edition: str) -> None:
    lists = [
        legal_list(source, edition, TableNumbers(seed)) for source in books_for(edition) for seed in range(8)
    ]
    entries = [entry for made in lists for entry in made.entries]
    assert any(entry.picks for entry in entries)
    if edition != "skirmish-3.2":  # its units neither join nor combine
        assert any(entry.joins for entry in entries)
        assert any(entry.is_combined for entry in entries)


def test_the_same_random_numbers_give_the_same_list() -> None:
    source = books_for("aof-2")[0]
    first, again, other = (legal_list(source, "aof-2", TableNumbers(seed)) for seed in (7, 7, 8))
    assert first == again
    assert first != other


def test_random_lists_respect_game_size_and_force_organisation() -> None:
    for seed in SEEDS:
        source = books_for("regiments-3.5")[seed % 2]
        made = legal_list(source, "regiments-3.5", TableNumbers(seed), points=900, strict=True)
        checked = check_list(made, (source,), points=900, strict=True)
        assert checked.is_legal
        assert checked.cost <= 900


def test_a_folder_of_books_is_read_and_other_files_are_named(tmp_path: Path) -> None:
    ours = book(FACTIONS[0], "aof-2")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "book.yaml").write_text(write_book(ours))
    (tmp_path / "index.json").write_text(json.dumps({"books": []}))
    (tmp_path / "readme.txt").write_text("no book")
    problems: list[str] = []
    found = books_in(tmp_path, problems)
    assert [one.id for one in found] == [ours.id]
    assert len(problems) == 1
    assert "index.json" in problems[0]
    assert ours.id in [one.id for one in books_for("aof-2", found)]
