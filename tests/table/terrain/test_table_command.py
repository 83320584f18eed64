"""`shieldwall table`: generate and check."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from terrain_makers import WIDE
from typer.testing import CliRunner, Result

from shieldwall.cli.main import main
from shieldwall.cli.table import app, plan_for
from shieldwall.cli.table_file import read_table, write_table
from shieldwall.core.errors import MalformedError
from shieldwall.table.generator import generate_table
from shieldwall.table.layout import BLOCK_ADVICE, LOOSE_ADVICE
from shieldwall.table.numbers import TableNumbers
from shieldwall.table.terrain import BareTable

TEN_WALLS = "\n".join(f"  - {{kind: wall, at: [{6 + 6 * n}, 24], size: [4, 2]}}" for n in range(10))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "200"})


def test_a_generated_table_is_drawn_and_reported() -> None:
    """R35-SETUP-08: the report has the four headings."""
    answer = run("generate", "--seed", "4")
    assert answer.exit_code == 0, answer.output
    assert "forest: cover, difficult, see into" in answer.output
    lines = answer.output.splitlines()
    assert [line for line in lines if line.endswith(": fine")] == [
        "size: fine",
        "types: fine",
        "count: fine",
        "placement: fine",
    ]
    assert any(
        re.fullmatch(r"(1[5-9]|2\d) pieces, (2[5-9]|3\d)% of the table covered", line) for line in lines
    )
    assert run("generate", "--seed", "4").output == answer.output
    assert run("generate", "--seed", "5").output != answer.output


def test_json_goes_round_through_check(tmp_path: Path) -> None:
    """SK32-SETUP-05: types and conditions are kept when a table is saved and loaded."""
    file = tmp_path / "table.json"
    file.write_text(run("generate", "--advice", "loose", "--seed", "2", "--json").output)
    answer = run("check", str(file), "--advice", "loose")
    assert answer.exit_code == 0, answer.output
    assert re.search(r"(2[5-9]|3\d) pieces, 5\d% of the table covered", answer.output)
    assert json.loads(file.read_text())["width"] == 48


@pytest.mark.parametrize("seed", range(5))
def test_files_keep_every_thousandth(seed: int) -> None:
    pieces = generate_table(48_000, 48_000, LOOSE_ADVICE, TableNumbers(seed))
    table = BareTable(48_000, 48_000, pieces)
    assert read_table(write_table(table), "here") == table


def test_a_file_written_by_hand(tmp_path: Path) -> None:
    """R35-SETUP-04: nine pieces are a problem and end with code 1, ten are not."""
    file = tmp_path / "table.yaml"
    file.write_text(f"width: 72\ndepth: 48\npieces:\n{TEN_WALLS}\n")
    assert run("check", str(file)).exit_code == 0
    file.write_text("\n".join(file.read_text().splitlines()[:-1]))
    answer = run("check", str(file))
    assert answer.exit_code == 1
    assert "PROBLEM: 9 pieces of terrain; at least 10 are needed" in answer.output


def test_all_faults_of_a_file_are_named() -> None:
    text = """
    pieces:
      - {kind: hill}
      - {kind: wood, at: [3, 3], size: [2, 2], types: [wet]}
      - {kind: lake, at: [9, 9], size: [2, 2], water: hot}
    """
    with pytest.raises(MalformedError) as caught:
        read_table(text, "mine.yaml")
    assert caught.value.what == "mine.yaml"
    assert len(caught.value.problems) == 3
    with pytest.raises(MalformedError, match="colour"):
        read_table("pieces: [{kind: hill, colour: red}]", "mine.yaml")
    with pytest.raises(MalformedError, match="not YAML"):
        read_table("pieces: [", "mine.yaml")
    with pytest.raises(MalformedError) as caught:
        read_table("pieces: [{kind: hill, at: [1, 2, 3], size: 5}, 7]", "mine.yaml")
    assert [problem.split(":")[0] for problem in caught.value.problems] == [
        "pieces/1/at",
        "pieces/1/size",
        "pieces/2",
    ]
    with pytest.raises(MalformedError, match=r"pieces/1/at/2: expected a number up to 1,000,000, found nan"):
        read_table("pieces: [{kind: hill, at: [1, .nan], size: [2, 2]}]", "mine.yaml")


def test_faults_of_shape_and_of_sense_are_named_together() -> None:
    """Misspelt keys, impossible numbers and malformed pieces, in the order of the file."""
    text = """
    width: 72
    depht: 48
    pieces:
      - {kind: forest, at: [20, 24], size: [6, 5], angel: 15, types: [wet]}
      - {kind: hill, outline: [[40, 10], [46, 17], [46, 10], [40, 17]], height: tall}
      - {kind: book, types: [blocking, impasable], height: .inf}
      - {kind: pond, at: [10, 10], size: [0, 6]}
      - {at: [9, 9], size: [2, 2]}
    """
    with pytest.raises(MalformedError) as caught:
        read_table(text, "mine.yaml")
    assert [problem.rpartition(":")[0] for problem in caught.value.problems] == [
        "depht",
        "pieces/1/angel",
        "piece 1 (forest)",
        "pieces/2/height",
        "piece 2 (hill)",
        "piece 2 (hill)",
        "pieces/3/height",
        "piece 3 (book)",
        "piece 3 (book)",
        "piece 4 (pond)",
        "pieces/5",
    ]
    assert caught.value.problems[9] == "piece 4 (pond): width and depth must be above 0, not 0 x 6"


def test_an_unknown_kind_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "table.yaml"
    file.write_text("pieces: [{kind: forst, at: [9, 9], size: [4, 4]}]", encoding="utf-8")
    assert "not counted: forst is not a known kind; give it types; did you mean forest?" in (
        run("check", str(file)).output
    )


def test_a_book_says_what_its_kinds_of_terrain_do(tmp_path: Path) -> None:
    file = tmp_path / "table.yaml"
    file.write_text("pieces: [{kind: canyon, at: [9, 9], size: [4, 4]}]", encoding="utf-8")
    assert "canyon: impassable" in run("check", str(file), "--edition", "skirmish-3.2").output
    assert "canyon: no effect" in run("check", str(file), "--edition", "regiments-3.5").output


def test_a_picture_is_written(tmp_path: Path) -> None:
    file = tmp_path / "table.svg"
    assert run("generate", "--seed", "1", "--svg", str(file)).exit_code == 0
    assert file.read_text(encoding="utf-8").startswith("<svg ")


def test_plans_without_an_edition() -> None:
    """R35-SETUP-01: 72 by 48 for blocks. SK32-PREP-01: 48 by 48 for loose groups."""
    assert plan_for("", "", "") == (WIDE, 48_000, BLOCK_ADVICE)
    assert plan_for("", "", "loose") == (48_000, 48_000, LOOSE_ADVICE)
    assert plan_for("", "36x40.5", "loose")[:2] == (36_000, 40_500)


@pytest.mark.parametrize(
    ("edition", "size"), [("regiments-3.5", (72_000, 48_000)), ("skirmish-3.2", (48_000, 48_000))]
)
def test_plans_of_editions(edition: str, size: tuple[int, int]) -> None:
    """R35-SETUP-01: 72 wide and 48 deep. SK32-PREP-01: 48 by 48."""
    pytest.importorskip(f"shieldwall.editions.{edition.replace('-', '_').replace('.', '_')}")
    assert plan_for(edition, "", "")[:2] == size


def test_faults_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "generate", "--size", "big"]) == 2
    assert "'big' is not of the form 72x48" in capsys.readouterr().err
    assert main(["table", "generate", "--advice", "heaps"]) == 2
    assert "neither block nor loose" in capsys.readouterr().err


def test_all_faults_of_a_command_line_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "generate", "--size", "7", "--advice", "x", "--edition", "regiments"]) == 2
    told = capsys.readouterr().err
    assert all(option in told for option in ("--size:", "--advice:", "--edition:"))
    assert "did you mean regiments-3.5 or regiments-3.4?" in told


def test_a_table_without_room_is_refused_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "generate", "--size", "10x10"]) == 2
    assert (
        "there is no room for the recommended terrain on 10 by 10 inches; try another --size"
        in capsys.readouterr().err
    )
    assert run("generate", "--pieces", "200").exit_code == 2
