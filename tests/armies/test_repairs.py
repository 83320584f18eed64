"""Repairs of lists: every error that a change can fix has one, and all of them together give a legal list."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from shieldwall.armies.factions import ready_list
from shieldwall.armies.list_file import read_list, write_list
from shieldwall.armies.lists import ArmyList, Entry, UpgradePick
from shieldwall.armies.repairs import Checking, repaired, repairs_of
from shieldwall.cli.army import app


def kilnfolk(**changes: object) -> ArmyList:
    return replace(ready_list("regiments-3.5", "kilnfolk-750"), **changes)


def broken(how: str) -> ArmyList:
    """A ready-made list with one thing wrong."""
    army = kilnfolk()
    first = army.entries[0]
    match how:
        case "too many points":
            return kilnfolk(points=600)
        case "an option the book does not have":
            return kilnfolk(entries=(replace(first, picks=(UpgradePick("gone-1"),)), *army.entries[1:]))
        case "a unit by a slightly wrong id":
            return kilnfolk(entries=(replace(first, unit="slag-trol"), *army.entries[1:]))
        case "a unit nobody has":
            return kilnfolk(entries=(*army.entries, Entry("u99", "qqqqq")))
        case "a heading used too often":
            hero = army.entries[1]
            return kilnfolk(
                entries=(first, replace(hero, picks=(*hero.picks, hero.picks[0])), *army.entries[2:])
            )
    raise AssertionError(how)


PROBLEMS = (
    "too many points",
    "an option the book does not have",
    "a unit by a slightly wrong id",
    "a unit nobody has",
    "a heading used too often",
)


@pytest.mark.parametrize("how", PROBLEMS)
def test_every_error_has_a_repair_and_all_of_them_make_the_list_legal(how: str) -> None:
    army, checking = broken(how), Checking()
    errors = [one.text for one in checking.of(army).findings if one.level == "error"]
    assert errors
    assert [one.problem for one in repairs_of(army, checking)] == errors
    mended, made = repaired(army, checking)
    assert made
    assert checking.of(mended).is_legal


def test_the_smallest_sufficient_change_is_chosen() -> None:
    army = kilnfolk(points=745)
    mended, made = repaired(army, Checking())
    assert len(made) == 1
    assert len(mended.entries) == len(army.entries)  # an upgrade goes, not a unit


def test_a_legal_list_needs_none() -> None:
    assert repairs_of(kilnfolk(), Checking()) == ()


def test_the_command_suggests_and_makes_repairs(tmp_path: Path) -> None:
    file, out = tmp_path / "list.yaml", tmp_path / "mended.yaml"
    file.write_text(write_list(broken("too many points")))
    said = CliRunner().invoke(app, ["check", str(file)])
    assert said.exit_code == 1
    assert "repair: take" in said.output
    done = CliRunner().invoke(app, ["repair", str(file), "--output", str(out)])
    assert done.exit_code == 0, done.output
    assert Checking().of(read_list(out.read_text())).is_legal


def test_coverage_takes_one_book_and_says_where_there_is_none(tmp_path: Path) -> None:
    book = tmp_path / "oaks.yaml"
    book.write_text(
        "format: shieldwall-book/1\nid: oaks\nname: Oaks\nversion: '1'\nsystem: regiments-3.5\n"
        "units: [{id: oak, name: Oak, size: 1, quality: 4, defense: 4, cost: 50, rules: Strider}]\n"
    )
    one = CliRunner().invoke(app, ["coverage", str(book)])
    assert one.exit_code == 0, one.output
    assert "1/1" in one.output
    (tmp_path / "nothing").mkdir()
    assert CliRunner().invoke(app, ["coverage", str(tmp_path / "nothing")]).exit_code == 1
