"""Counting which rows the tests cite."""

from pathlib import Path

import pytest

from shieldwall import rulebook
from shieldwall.rulebook.coverage import KindCoverage, citations, cited_in, coverage

R35, R34, SK32, A2, A16 = "R35", "R34", "SK32", "A2", "A16"  # see test_catalogue_rows.py

REAL_TESTS = Path(__file__).parents[1]


def ids(edition: str, kind: str) -> list[str]:
    return [row.id for row in rulebook.book(edition).rows if row.kind == kind]


@pytest.fixture
def small_tests(tmp_path: Path) -> Path:
    """A tests folder citing two constants and all four round rules of 3.4, and two ids that do not exist."""
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "test_rows.py").write_text(f'"""{R34}-FORM-01, {R34}-FORM-09."""\n')
    (tmp_path / "scene.yaml").write_text(f"cite: [{R34}-FORM-02]\n")
    (tmp_path / "other.yml").write_text(f"cites: {R34}-ROUND-01..99 and {A2}-NOPE-01\n")
    (tmp_path / "notes.md").write_text(f"{R34}-DICE-01\n")
    (tmp_path / "data.txt").write_text(f"{R34}-DICE-02\n")
    return tmp_path


def test_rows_cited_and_missing_are_counted_by_edition_and_kind(small_tests: Path) -> None:
    counted = coverage(small_tests).editions
    assert counted["regiments-3.4"]["constant"] == KindCoverage(rows=2, cited=2, missing=())
    assert counted["regiments-3.4"]["mechanic"] == KindCoverage(
        rows=138,
        cited=4,
        missing=tuple(i for i in ids("regiments-3.4", "mechanic") if not i.startswith(f"{R34}-ROUND")),
    )
    assert counted["aof-2"]["constant"] == KindCoverage(
        rows=2, cited=0, missing=tuple(ids("aof-2", "constant"))
    )


def test_every_row_is_counted_once(small_tests: Path) -> None:
    counted = coverage(small_tests).editions
    assert sum(kind.rows for by_kind in counted.values() for kind in by_kind.values()) == 1483
    assert sum(kind.cited for by_kind in counted.values() for kind in by_kind.values()) == 6


def test_prose_and_other_files_do_not_count(small_tests: Path) -> None:
    assert f"{R34}-DICE-01" not in citations(small_tests).by_row
    assert f"{R34}-DICE-02" not in citations(small_tests).by_row


def test_unknown_ids_are_named_with_their_files(small_tests: Path) -> None:
    assert coverage(small_tests).unknown == {
        f"{A2}-NOPE-01": ("other.yml",),
        f"{R34}-FORM-09": ("rules/test_rows.py",),
    }


def test_one_edition_can_be_counted_alone(small_tests: Path) -> None:
    counted = coverage(small_tests, "aof-2")
    assert list(counted.editions) == ["aof-2"]
    assert list(counted.unknown) == [f"{A2}-NOPE-01"]


def test_a_citation_tells_which_files_hold_it(small_tests: Path) -> None:
    (small_tests / "a.py").write_text(f"# {R34}-FORM-01")
    assert citations(small_tests).by_row[f"{R34}-FORM-01"] == ("a.py", "rules/test_rows.py")


@pytest.mark.parametrize(
    ("text", "known", "unknown"),
    [
        (f"{R35}-ROUND-02..04", [f"{R35}-ROUND-02", f"{R35}-ROUND-03", f"{R35}-ROUND-04"], []),
        (f"{A16}-SR-AMBUSH-02..{A16}-SR-AMBUSH-04", [f"{A16}-SR-AMBUSH-0{n}" for n in (2, 3, 4)], []),
        (f"{R35}-ROUND-09..42", [f"{R35}-ROUND-09"], []),
        (f"{R35}-ROUND-04..02", [], [f"{R35}-ROUND-04..02"]),
        (f"{R35}-ROUND-50..60", [], [f"{R35}-ROUND-50..60"]),
        (f"{A16}-SR-AP-01, {A16}-SR-AP-01", [f"{A16}-SR-AP-01"], []),
        (f"see {SK32}-SR-TOUGH-07.", [f"{SK32}-SR-TOUGH-07"], []),
        (f"ends with {R35}-ROUND-02...", [f"{R35}-ROUND-02"], []),
        (f"{R35}-ROUND-2", [], [f"{R35}-ROUND-2"]),
        (f"X{R35}-ROUND-02 and A-{A2}-DICE-01", [], []),
        (f"{R35.lower()}-round-02", [], []),
    ],
)
def test_citations_in_a_text(text: str, known: list[str], unknown: list[str]) -> None:
    assert cited_in(text) == (set(known), set(unknown))


def test_a_missing_folder_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(NotADirectoryError, match="nowhere"):
        coverage(tmp_path / "nowhere")


def test_the_tests_of_this_project_cite_only_rows_that_exist() -> None:
    """To write an id that must not exist, assemble it from parts, as these files do."""
    assert citations(REAL_TESTS).unknown == {}
