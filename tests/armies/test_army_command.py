"""`shieldwall army`: the pages a player sees, the same as data, and exit codes for scripts."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from forge_samples import TEXT, as_bytes, book, export_list

from shieldwall.cli.main import main


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SHIELDWALL_ARMIES", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    contents = {
        "book.json": as_bytes(book()),
        "list.json": as_bytes(export_list()),
        "list.txt": TEXT.encode(),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return {name: str(tmp_path / name) for name in contents}


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(["army", *words]) == code
    return capsys.readouterr().out


def data(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> Any:
    return json.loads(run(capsys, *words, "--json", code=code))


def test_show_prints_a_list_unit_by_unit(capsys: pytest.CaptureFixture[str]) -> None:
    page = run(capsys, "show", "regiments-3.5/lantern-coast-750")
    assert page.startswith("Harbour Watch  (Lantern Coast 1; regiments-3.5)  750 of 750 points")
    assert "Warden Ysolde, Harbour Warden [1]" in page
    assert "joins Harbour Pikes" in page
    assert "Harbour Pikes [20] (two copies combined)" in page


def test_show_prints_a_book_with_prices(capsys: pytest.CaptureFixture[str]) -> None:
    page = run(capsys, "show", "kilnfolk", "--edition", "regiments-3.5")
    assert "Clay Giant [1]" in page
    assert 'Thrown Rocks (18", A2, AP(2)) +' in page
    assert "Slag Rain (3)" in page


def test_check_says_legal_or_not_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert "legal, 750 of 750" in run(capsys, "check", "regiments-3.5/kilnfolk-750")
    page = run(capsys, "check", "regiments-3.5/kilnfolk-1500", "--points", "750", code=1)
    assert "the list costs 1500 of 750 points (R35-ARMY-04)" in page
    told = data(capsys, "check", "regiments-3.5/kilnfolk-1500", "--points", "750", "--strict", code=1)
    assert not told["legal"]
    assert {one["level"] for one in told["findings"]} == {"error"}


def test_house_rules_reach_the_check(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("check", "skirmish-3.2/kilnfolk-250", "--points", "200")
    told = data(capsys, *words, "--set", "force-organisation=on", code=1)
    assert "SK32-ARMY-05" in {one["row"] for one in told["findings"]}


def test_points_shows_the_cost_of_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    told = data(capsys, "points", "regiments-3.5/saltgrass-clans-750")
    assert told["total"] == 750 == sum(unit["cost"] for unit in told["units"])
    for unit in told["units"]:
        assert unit["cost"] == unit["base"]["cost"] + sum(one["cost"] for one in unit["upgrades"])


def test_import_keeps_list_and_book_in_the_players_folder_and_reports(
    capsys: pytest.CaptureFixture[str], files: dict[str, str], own_folder: Path
) -> None:
    told = data(capsys, "import", files["list.json"], "--book", files["book.json"])
    assert told["list"]["cost"] == 365
    assert len(told["kept"]) == 2
    assert all(Path(path).is_relative_to(own_folder) for path in told["kept"])
    assert any(one["kind"] == "kept as text" for one in told["remarks"])
    assert "Queen Ada, Captain [1]" in run(capsys, "show", "Hive")
    assert data(capsys, "list")["books"] == [
        {"id": "book-of-bees", "name": "Bee Keepers", "version": "9.9.1", "system": "aofr"}
    ]
    # the book is imported now, so pasted text finds it
    assert data(capsys, "points", files["list.txt"])["total"] == 365


def test_a_list_without_its_book_counts_no_rules_and_asks_for_the_book(
    capsys: pytest.CaptureFixture[str], files: dict[str, str]
) -> None:
    printed = run(capsys, "import", files["list.json"])
    assert "rules are played" not in printed
    assert "import its book first" in printed
    printed = run(capsys, "import", files["list.json"], "--book", files["book.json"])
    assert "rules are played" in printed
    assert "import its book first" not in printed


def test_a_dry_run_saves_nothing(
    capsys: pytest.CaptureFixture[str], files: dict[str, str], own_folder: Path
) -> None:
    assert "nothing was saved" in run(capsys, "import", files["book.json"], "--dry-run")
    assert not own_folder.exists()


def test_export_writes_each_format(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    name = "skirmish-3.2/glasswood-covenant-150"
    assert json.loads(run(capsys, "export", name))["list"]["name"] == "Poachers' Path"
    assert run(capsys, "export", name, "--format", "text").startswith(
        "++ Poachers' Path - Glasswood Covenant"
    )
    target = tmp_path / "out.yaml"
    assert "wrote" in run(capsys, "export", name, "--format", "shieldwall", "--output", str(target))
    assert "Poachers' Path" in run(capsys, "show", str(target))
    assert main(["army", "export", name, "--format", "stone"]) == 2
    assert "forge, text, shieldwall" in capsys.readouterr().err


def test_mistakes_are_reported_in_one_message(
    capsys: pytest.CaptureFixture[str], files: dict[str, str], tmp_path: Path
) -> None:
    assert main(["army", "show", "atlantis"]) == 2
    assert "army list" in capsys.readouterr().err
    assert main(["army", "check", files["book.json"]]) == 2
    assert "is an army book" in capsys.readouterr().err
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    assert main(["army", "import", str(broken)]) == 2
    assert "is not valid JSON" in capsys.readouterr().err
    assert main(["army", "show", "regiments-3.5/kilnfolk-750", "--edition", "chess"]) in (0, 2)


def test_check_against_targets_gives_odds(capsys: pytest.CaptureFixture[str]) -> None:
    told = data(capsys, "check", "regiments-3.5/lantern-coast-750", "--against", "infantry")["against"]
    assert [target["name"] for target in told["targets"]] == ["militia", "line", "guard"]
    pikes = told["units"][0]
    (charge,) = pikes["ways"]
    wounds = [one["wounds"] for one in charge["against"]]
    assert wounds == sorted(wounds, reverse=True)  # better armour, fewer wounds
    assert all(one["low"] <= one["wounds"] <= one["high"] for one in charge["against"])
    page = run(capsys, "check", "regiments-3.5/lantern-coast-750", "--against", "monsters")
    assert "best value: Heron Knights charge (" in page
    other = data(capsys, "check", "regiments-3.5/lantern-coast-750", "--against", "kilnfolk-750")["against"]
    assert [target["name"] for target in other["targets"]][:2] == ["Slag Troll", "Stone Golems"]
    assert main(["army", "check", "regiments-3.5/kilnfolk-750", "--against", "fish"]) == 2
    assert "typical, infantry" in capsys.readouterr().err


def test_a_battle_uses_the_lists_that_are_named(
    capsys: pytest.CaptureFixture[str], files: dict[str, str]
) -> None:
    run(capsys, "import", files["list.json"], "--book", files["book.json"])
    words = ["battle", "--edition", "regiments-3.5", "--bots", "random", "--quiet", "--check"]
    assert main([*words, "--army", "Hive", "--army", "kilnfolk-750"]) == 0
    told = capsys.readouterr().out
    assert "Hive" in told
    assert "First Firing" in told
    assert main([*words, "--army", "Hive"]) == 2
    assert "two lists" in capsys.readouterr().err


def test_an_import_that_fails_leaves_the_folder_as_it_was(
    capsys: pytest.CaptureFixture[str], files: dict[str, str], own_folder: Path, tmp_path: Path
) -> None:
    run(capsys, "import", files["book.json"])
    before = {path: path.read_bytes() for path in own_folder.rglob("*") if path.is_file()}
    for content in (
        b"{",
        b"[]",
        b"[" * 999,
        b"\xff",
        b"++ empty [1pts] ++",
        b'{"units": [{"selectionId": 1}]}',
    ):
        bad = tmp_path / "bad.json"
        bad.write_bytes(content)
        assert main(["army", "import", str(bad)]) == 2
        assert capsys.readouterr().err.startswith("shieldwall: ")
    assert {path: path.read_bytes() for path in own_folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("setting", "says"), [("nope=1", "no such switch"), ("merging=what", "several-models")]
)
def test_an_unknown_house_rule_is_reported(
    capsys: pytest.CaptureFixture[str], setting: str, says: str
) -> None:
    assert main(["army", "check", "aof-2/kilnfolk-750", "--set", setting]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["show", ""], "no list given; give a file"),
        (["show", "kilnfolk-750"], "choose one: aof-2/kilnfolk-750 or regiments-3.4/kilnfolk-750"),
        (["show", "kilnfolk"], "kilnfolk needs an edition: --edition aof-1.6 or"),
        (["show", "kilnfolk", "-e", "nope"], "there is no edition 'nope'; there are: aof-1.6, "),
        (["show", "kilnfolk", "--edition", "aof2"], "there is no edition 'aof2'; there are: aof-1.6, "),
        (["show", "aof-2/kilnfolc-750"], "did you mean aof-2/kilnfolk-750"),
        (["show", "."], "'.' is a folder"),
        (
            ["show", "regiments-3.5/kilnfolk-750", "-e", "aof-2"],
            "cannot be played in aof-2; aof-2 has aof-2/kilnfolk-750",
        ),
        (["show", "regiments-3.5/kilnfolk-750", "-e", "skirmish-3.2"], "cannot be played in skirmish-3.2\n"),
        (["list", "--edition", "nope"], "there is no edition 'nope'; there are: aof-1.6, "),
        (
            ["check", "aof-2/kilnfolk-750", "--set", "merging"],
            "'merging' is not of the form NAME=VALUE, such as force-organisation=on",
        ),
        (
            ["check", "aof-2/kilnfolk-750", "--set", "xyz=on"],
            "`shieldwall rules switches --edition aof-2` lists them",
        ),
        (["check", "aof-2/kilnfolk-750", "--against", ""], "'' is neither a field of targets (typical,"),
        (["export", "aof-2/kilnfolk-750", "-o", "no/such/folder/x"], "there is no folder 'no/such/folder'"),
        (["nope"], "There is no command 'nope'; there are: list, show, check"),
        (["shwo"], "Did you mean 'show'?"),
    ],
)
def test_an_impossible_value_is_answered_with_the_possible_ones(
    capsys: pytest.CaptureFixture[str], words: list[str], says: str
) -> None:
    assert main(["army", *words]) == 2
    assert says in capsys.readouterr().err


def test_built_in_books_are_not_saved_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert "it comes with Shieldwall anyway" in run(capsys, "import", "kilnfolk", "-e", "aof-2")


def test_the_help_names_all_editions() -> None:
    from shieldwall.cli.groups import EDITION_NAMES
    from shieldwall.editions import EDITIONS

    assert EDITION_NAMES.replace(" or ", ", ").split(", ") == list(EDITIONS)


def test_an_imported_list_is_found_by_any_of_its_names(
    capsys: pytest.CaptureFixture[str], files: dict[str, str]
) -> None:
    run(capsys, "import", files["book.json"])
    run(capsys, "import", files["list.json"])
    for name in ("Hive", "hive", "L1"):
        assert run(capsys, "show", name).startswith("Hive  (Bee Keepers")
    for name in ("bee keepers", "book-of-bees"):
        assert data(capsys, "show", name)["name"] == "Bee Keepers"
    assert main(["army", "check", "bee keepers"]) == 2
    assert "is an army book; this needs a list" in capsys.readouterr().err


def test_an_immobile_unit_is_not_listed_with_a_charge(capsys: pytest.CaptureFixture[str]) -> None:
    page = data(capsys, "check", "regiments-3.5/kilnfolk-750", "--against", "monsters")["against"]
    ways = {unit["name"]: [way["how"] for way in unit["ways"]] for unit in page["units"]}
    assert ways["Coal Hurler"] == ["shoots"]
    assert ways["Ash Axes"] == ["charges"]


def test_spells_without_a_caster_are_not_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    told = book(
        spells=[
            {"name": "Buzz", "threshold": 1, "effect": 'Pick one enemy unit within 9", which gets Itching.'}
        ]
    )
    (tmp_path / "b.json").write_bytes(as_bytes(told))
    (tmp_path / "l.json").write_bytes(as_bytes(export_list()))
    page = data(capsys, "check", str(tmp_path / "l.json"), "--book", str(tmp_path / "b.json"), code=1)
    assert "Split" in str(page)
    assert "Itching" not in str(page)


class Terminal(io.TextIOWrapper):
    """A user who pastes by hand."""

    def isatty(self) -> bool:
        return True


def test_pasting_by_hand_explains_how_to_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for stream, told in ((Terminal, True), (io.TextIOWrapper, False)):
        monkeypatch.setattr(sys, "stdin", stream(io.BytesIO(TEXT.encode())))
        assert main(["army", "show", "-"]) == 0
        assert ("then press Enter" in capsys.readouterr().err) is told
