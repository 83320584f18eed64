"""`shieldwall battle`: the edition of its lists, results as data, problems on stderr with exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from shieldwall.armies import finding
from shieldwall.cli.main import main

QUICK = ["battle", "--bots", "random", "--quiet"]


def test_a_battle_is_played_by_the_edition_of_its_lists(capsys: pytest.CaptureFixture[str]) -> None:
    """A short name next to a full one means a list of the same edition."""
    lists = ["--army", "skirmish-3.2/kilnfolk-150", "--army", "lantern-coast-150"]
    assert main([*QUICK, "--json", *lists]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["edition"] == "skirmish-3.2"
    assert told["armies"] == ["skirmish-3.2/kilnfolk-150", "lantern-coast-150"]


def test_lists_of_two_editions_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    lists = ["--army", "aof-2/kilnfolk-750", "--army", "skirmish-3.2/kilnfolk-150"]
    assert main([*QUICK, *lists]) == 2
    told = capsys.readouterr().err
    assert "aof-2/kilnfolk-750 is a list of aof-2 and skirmish-3.2/kilnfolk-150 one of skirmish-3.2" in told


def test_results_come_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    """Each game with its seed and the command that repeats it; the sums add up."""
    assert main([*QUICK, "-e", "skirmish-3.2", "--json", "--games", "2", "--seed", "5"]) == 0
    spoken = capsys.readouterr()
    told = json.loads(spoken.out)
    assert [one["seed"] for one in told["results"]] == [5, 6]
    assert sum(told["won"]) + told["drawn"] == told["games"] == 2
    assert told["results"][1]["command"] == "shieldwall battle --edition skirmish-3.2 --seed 6 --bots random"
    assert set(told["results"][0]) >= {
        "winner",
        "held",
        "activations",
        "answers",
        "rolls",
        "seconds",
        "forfeit",
    }


def test_lists_are_read_once_for_many_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files are opened as often for three games as for one."""
    assert (
        main(
            [
                "army",
                "export",
                "skirmish-3.2/kilnfolk-150",
                "--format",
                "shieldwall",
                "-o",
                f"{tmp_path}/a.yaml",
            ]
        )
        == 0
    )
    opened: list[str] = []
    really = finding.read_limited

    def counted(path: Path, most: int) -> bytes:
        opened.append(path.name)
        return really(path, most)

    monkeypatch.setattr(finding, "read_limited", counted)
    lists = ["--army", f"{tmp_path}/a.yaml", "--army", "lantern-coast-150"]
    assert main([*QUICK, *lists, "--games", "3"]) == 0
    assert opened == ["a.yaml"]
    assert "3 games:" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--bots", "tactican"], "did you mean tactician?"),
        (["-e", "aof2"], "did you mean aof-2"),
        (["--mission", "relichunt"], "did you mean 'relic-hunt'?"),
        (["-e", "aof-1.6", "--set", "mysterius-terrain=on"], "did you mean mysterious-terrain"),
        (["-e", "aof-2", "--set", "mysterius-terrain=on"], "mysterious-terrain is a switch of aof-1.6"),
        (["--army", "kilnfork-750", "--army", "kilnfolk-750"], "did you mean"),
    ],
)
@pytest.mark.parametrize("games", ["1", "2"])
def test_unknown_names_are_refused_with_suggestions(
    more: list[str], says: str, games: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once, before any game, on stderr, with exit code 2."""
    assert main([*QUICK, *more, "--games", games]) == 2
    spoken = capsys.readouterr()
    assert spoken.out == ""
    assert spoken.err.count(says) == 1


def test_a_unit_of_a_list_that_its_book_does_not_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "list.yaml"
    main(["army", "export", "skirmish-3.2/kilnfolk-150", "--format", "shieldwall", "-o", str(file)])
    text = file.read_text()
    unit = next(line.split("unit:")[1].strip(" ,}") for line in text.splitlines() if "unit:" in line)
    file.write_text(text.replace(f"unit: {unit}", f"unit: {unit[:-1]}"))
    capsys.readouterr()
    assert main(["army", "check", str(file)]) == 1
    assert f"did you mean {unit}" in " ".join(capsys.readouterr().out.split())


def test_a_program_that_fails_is_quoted_and_the_exit_code_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\nsys.exit('no book of openings')\n")
    bots = f"program:{sys.executable} {bot},random"
    assert main(["battle", "-e", "skirmish-3.2", "--bots", bots, "--quiet"]) == 1
    spoken = capsys.readouterr()
    assert "by forfeit" in spoken.out
    assert "has stopped (exit code 1); its last lines on stderr:\n  no book of openings" in spoken.err


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("bat", "battle"),
        ("battle --edition reg", "regiments-3.4\nregiments-3.5"),
        ("duel --bots solo,ta", "solo,tactician"),
    ],
)
def test_shell_completion_offers_what_may_come_next(typed: str, offered: str) -> None:
    words = f"shieldwall {typed}"
    asked = {
        "_SHIELDWALL_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    command = [sys.executable, "-m", "shieldwall"]
    found = subprocess.run(command, env={**os.environ, **asked}, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == offered


def test_the_script_of_a_shell_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--completion", "zsh"]) == 0
    assert "_SHIELDWALL_COMPLETE=complete_zsh" in capsys.readouterr().out
    assert main(["--completion", "tcsh"]) == 2
    assert "not one of bash, zsh, fish, powershell" in capsys.readouterr().err
