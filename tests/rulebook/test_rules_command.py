"""The `shieldwall rules` command."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from shieldwall import rulebook
from shieldwall.cli.rules import app
from shieldwall.rulebook.house_rules import house_rules

R35, SK32, A2, A16 = "R35", "SK32", "A2", "A16"  # see test_catalogue_rows.py: ids are not spelled out here

USAGE_ERROR = 2


def rules(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "200"})


@pytest.fixture
def tests_folder(tmp_path: Path) -> Path:
    (tmp_path / "test_a.py").write_text(f"# {SK32}-CMD-01 {SK32}-ROUND-01..03 {SK32}-NOPE-07")
    return tmp_path


def test_show_prints_the_whole_page_of_a_rule(tests_folder: Path) -> None:
    result = rules("show", f"{SK32}-CMD-01", "--tests", str(tests_folder))
    assert result.exit_code == 0
    row = rulebook.row(f"{SK32}-CMD-01")
    for text in (
        row.id,
        "Skirmish 3.2.0",
        row.section,
        row.kind,
        row.rule,
        *row.checks,
        *row.differs.values(),
    ):
        assert text in result.stdout
    assert "The sentence can mean one command model in total" in result.stdout
    assert "command-models (default one; one | one-of-each)" in result.stdout
    assert "test_a.py" in result.stdout


def test_show_says_when_no_test_cites_a_rule(tests_folder: Path) -> None:
    assert "no test" in rules("show", f"{SK32}-CMD-02", "--tests", str(tests_folder)).stdout


def test_show_keeps_square_brackets() -> None:
    row = rulebook.row(f"{A16}-DICE-06")
    assert "[inferred]" in row.section, "a row whose text looks like markup"
    assert row.section in rules("show", row.id).stdout


def test_show_takes_several_ids_in_any_case() -> None:
    result = rules("show", f"{A2}-dice-01".lower(), f"{R35}-DICE-02")
    assert result.exit_code == 0
    assert f"{A2}-DICE-01" in result.stdout
    assert f"{R35}-DICE-02" in result.stdout


def test_show_names_every_unknown_id_with_its_nearest_and_exits_with_2() -> None:
    result = rules("show", f"{R35}-RONUD-01", f"{A2}-DICE-01", "nonsense")
    assert result.exit_code == USAGE_ERROR
    assert result.stdout == ""
    assert f"unknown rule '{R35}-RONUD-01'; nearest: {R35}-ROUND-01" in result.stderr
    assert f"unknown rule 'nonsense'; an id looks like {R35}-ROUND-01" in result.stderr


def test_show_refuses_a_tests_folder_that_is_not_there(tmp_path: Path) -> None:
    result = rules("show", f"{A2}-DICE-01", "--tests", str(tmp_path / "nowhere"))
    assert result.exit_code == USAGE_ERROR
    assert "nowhere" in result.stderr


def test_search_prints_the_best_rows() -> None:
    result = rules("search", "fatigue", "natural", "--edition", "aof-2", "--limit", "2")
    assert result.exit_code == 0
    expected = rulebook.search("fatigue natural", "aof-2", 2)
    assert [line.split()[0] for line in result.stdout.splitlines() if line.startswith(A2)] == [
        row.id for row in expected
    ]


def test_search_gives_whole_rows_as_json() -> None:
    result = rules("search", "fatigue", "--edition", "aof-2", "--limit", "1", "--json")
    (row,) = json.loads(result.stdout)
    assert set(row) == {"id", "edition", "section", "kind", "rule", "checks", "ruling", "differs"}
    assert row["edition"] == "aof-2"


def test_search_says_when_nothing_was_found() -> None:
    result = rules("search", "xyzzy")
    assert result.exit_code == 0
    assert result.stdout == "No rule mentions 'xyzzy'; try fewer or other words.\n"


def test_search_wants_words() -> None:
    result = rules("search", "")
    assert result.exit_code == 2
    assert "no words given" in result.stderr
    assert json.loads(rules("search", "xyzzy", "--json").stdout) == []


def test_list_prints_one_line_for_each_row() -> None:
    assert len(rules("list").stdout.splitlines()) == 1483
    lines = rules("list", "--edition", "aof-2", "--kind", "constant").stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [
        [row.id, "constant"] for row in rulebook.book("aof-2").rows if row.kind == "constant"
    ]


def test_list_refuses_an_unknown_kind() -> None:
    result = rules("list", "--kind", "mechanics")
    assert result.exit_code == USAGE_ERROR
    assert "unknown kind 'mechanics'; there are mechanic, definition" in result.stderr


@pytest.mark.parametrize("command", [["list"], ["search", "x"], ["coverage"], ["switches"]])
def test_an_unknown_edition_is_refused_by_every_command(command: list[str]) -> None:
    result = rules(*command, "--edition", "aof-3")
    assert result.exit_code == USAGE_ERROR
    assert "there is no edition 'aof-3'; there are: regiments-3.5" in result.stderr


def test_coverage_gives_counts_and_ids_as_json(tests_folder: Path) -> None:
    result = rules("coverage", "--json", "--tests", str(tests_folder))
    assert result.exit_code == 0
    counted = json.loads(result.stdout)
    assert list(counted) == [*rulebook.editions(), "unknown"]
    assert counted["unknown"] == [f"{SK32}-NOPE-07"]
    definitions = [row.id for row in rulebook.book("skirmish-3.2").rows if row.kind == "definition"]
    assert counted["skirmish-3.2"]["definition"] == {
        "rows": 36,
        "cited": 3,
        "missing": [row_id for row_id in definitions if not row_id.startswith(f"{SK32}-ROUND-")],
    }
    assert counted["skirmish-3.2"]["setup"]["cited"] == 1
    assert counted["aof-2"]["setup"]["cited"] == 0


def test_coverage_prints_a_table_with_percentages_a_total_and_unknown_ids(tests_folder: Path) -> None:
    lines = rules("coverage", "--tests", str(tests_folder), "--edition", "skirmish-3.2").stdout.splitlines()
    cells = [[cell.strip() for cell in line.strip("│").split("│")] for line in lines if "│" in line]
    assert ["skirmish-3.2", "definition", "36", "3", "33", "8%"] in cells
    assert ["skirmish-3.2", "all kinds", "407", "4", "403", "0%"] in cells
    assert ["total", "", "407", "4", "403", "0%"] in cells
    assert f"  {SK32}-NOPE-07 in test_a.py" in lines


def test_coverage_says_when_there_is_no_tests_folder(tmp_path: Path) -> None:
    result = rules("coverage", "--tests", str(tmp_path / "nowhere"))
    assert result.exit_code == USAGE_ERROR
    assert f"no tests folder at {tmp_path / 'nowhere'}" in result.stderr


def test_coverage_looks_at_the_tests_of_the_checkout_by_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "A2-DICE-01" not in json.loads(rules("coverage", "--json").stdout)["aof-2"]["guideline"]["missing"]


def test_switches_show_default_other_values_and_row() -> None:
    """A2-DICE-01 and A16-DICE-01: each named switch with its default, its other values and its row."""
    for edition in ("aof-2", "aof-1.6"):
        printed = rules("switches", "--edition", edition).stdout
        for rule in house_rules(edition):
            assert rule.name in printed
            assert f"* {rule.default} " in printed
            assert all(f"{choice.value}" in printed and choice.meaning in printed for choice in rule.choices)
            own = [row_id for row_id in rule.edition_rows if rulebook.row(row_id).edition == edition]
            assert f"{rule.question} ({', '.join(own)})" in printed


def test_switches_of_one_edition_leave_the_others_out() -> None:
    printed = rules("switches", "--edition", "aof-2").stdout
    assert "coherency-shape" in printed
    assert "sight-method" not in printed
    assert "sight-method" not in rules("switches", "--edition", "aof-2", "--markdown").stdout


def test_without_a_command_the_help_is_shown() -> None:
    assert "coverage" in rules("--help").stdout
