"""The five catalogues: complete, consistent, and found by id.

Ids are put together from a prefix (`f"{R35}-..."`) so that these files do not count as tests of the rules
they mention: `shieldwall rules coverage` counts whatever is spelled out below tests/.
"""

import re
import subprocess
import sys
import time
from collections import Counter

import msgspec
import pytest
import yaml

from shieldwall import rulebook
from shieldwall.rulebook import catalogue

R35, SK32, A2 = "R35", "SK32", "A2"

ROWS = {"regiments-3.5": 415, "regiments-3.4": 183, "skirmish-3.2": 407, "aof-2": 269, "aof-1.6": 209}
PREFIXES = {
    "regiments-3.5": "R35",
    "regiments-3.4": "R34",
    "skirmish-3.2": "SK32",
    "aof-2": "A2",
    "aof-1.6": "A16",
}
ANY_ID = re.compile(r"\b(?:R35|R34|SK32|A2|A16)(?:-[A-Z]+)+-\d+\b")
BARE_ID = re.compile(r"(?<![A-Z0-9-])(?!(?:R35|R34|SK32|A2|A16)-)[A-Z]{2,}(?:-[A-Z]+)*-\d{2}\b")

every_edition = pytest.mark.parametrize("edition", rulebook.editions())


def all_rows() -> list[rulebook.Row]:
    return [row for edition in rulebook.editions() for row in rulebook.book(edition).rows]


def texts(row: rulebook.Row) -> str:
    return "\n".join([row.rule, *row.checks, row.ruling or "", *row.differs.values()])


def test_there_are_five_editions_with_1483_rows() -> None:
    assert {edition: len(rulebook.book(edition).rows) for edition in rulebook.editions()} == ROWS
    assert sum(ROWS.values()) == 1483


def test_every_id_is_unique() -> None:
    repeated = [row_id for row_id, count in Counter(row.id for row in all_rows()).items() if count > 1]
    assert repeated == []


@every_edition
def test_every_id_has_the_prefix_of_its_edition_a_group_and_two_digits(edition: str) -> None:
    shape = re.compile(rf"{PREFIXES[edition]}(-[A-Z]+){{1,2}}-\d\d")
    assert [row.id for row in rulebook.book(edition).rows if not shape.fullmatch(row.id)] == []
    assert {row.edition for row in rulebook.book(edition).rows} == {edition}


@every_edition
def test_the_numbers_of_a_group_have_no_holes(edition: str) -> None:
    numbers: dict[str, list[int]] = {}
    for row in rulebook.book(edition).rows:
        group, _, number = row.id.rpartition("-")
        numbers.setdefault(group, []).append(int(number))
    assert {g: n for g, n in numbers.items() if sorted(n) != list(range(1, len(n) + 1))} == {}


def test_every_row_has_a_rule_a_section_and_checks_with_text() -> None:
    empty = [
        row.id
        for row in all_rows()
        if not (row.rule.strip() and row.section.strip() and row.checks and all(map(str.strip, row.checks)))
    ]
    assert empty == []


def test_every_check_says_given_and_then() -> None:
    loose = [
        row.id for row in all_rows() for check in row.checks if not re.search(r"Given\b.*\bThen\b", check)
    ]
    assert loose == []


def test_a_ruling_is_never_an_empty_text() -> None:
    assert [row.id for row in all_rows() if row.ruling is not None and len(row.ruling) < 10] == []


def test_rows_only_refer_to_rows_that_exist() -> None:
    missing = [
        (row.id, cited)
        for row in all_rows()
        for cited in ANY_ID.findall(texts(row))
        if not rulebook.has_row(cited)
    ]
    assert missing == []


def test_rows_refer_to_each_other_by_full_id() -> None:
    assert [(row.id, BARE_ID.findall(texts(row))) for row in all_rows() if BARE_ID.search(texts(row))] == []


def test_differences_name_other_editions_that_exist() -> None:
    wrong = [
        (row.id, other)
        for row in all_rows()
        for other in row.differs
        if other not in rulebook.editions() or other == row.edition
    ]
    assert wrong == []


@every_edition
def test_a_book_has_a_title_a_table_and_its_constants(edition: str) -> None:
    book = rulebook.book(edition)
    square = edition == "skirmish-3.2"
    assert (book.table.width_in, book.table.depth_in) == ((48, 48) if square else (72, 48))
    assert book.constants["rounds"] == 4
    assert "Age of Fantasy" in book.title


def test_a_row_is_found_by_its_id_with_everything_in_it() -> None:
    row = rulebook.row(f"{A2}-DICE-02")
    assert row.edition == "aof-2"
    assert row.section == "The Most Important Rule"
    assert row.kind == "mechanic"
    assert row.rule.endswith("4, 5 or 6 lets player B decide.")
    assert len(row.checks) == 2
    assert row.ruling is not None
    assert "active player" in row.ruling
    assert row.differs == {"aof-1.6": "No dispute roll exists."}


def test_a_single_check_becomes_a_tuple() -> None:
    assert rulebook.row(f"{SK32}-DICE-07").checks == (
        "Given scripted D6 results 1,2,3,4,5,6, When each is read as a D3, Then the values are 1,1,2,2,3,3.",
    )


@pytest.mark.parametrize("absent", ["", R35, "r35-round-01", f"{R35}-ROUND-1", f"{R35}-ROUND", "X9-ROUND-01"])
def test_a_malformed_id_has_no_row(absent: str) -> None:
    assert not rulebook.has_row(absent)
    with pytest.raises(rulebook.UnknownRowError):
        rulebook.row(absent)


def test_an_unknown_id_is_answered_with_the_nearest_ones_of_its_edition() -> None:
    with pytest.raises(rulebook.UnknownRowError) as caught:
        rulebook.row(f"{R35}-RONUD-01")
    assert caught.value.given == f"{R35}-RONUD-01"
    assert caught.value.nearest[0] == f"{R35}-ROUND-01"
    assert f"{R35}-ROUND-01" in str(caught.value)


def test_the_nearest_ids_are_of_the_edition_that_the_prefix_names() -> None:
    nearest = rulebook.nearest_ids(f"{A2}-SR-AMBUSH-01")
    assert {row_id.partition("-")[0] for row_id in nearest} == {A2}


def test_an_unknown_prefix_is_answered_with_ids_of_any_edition() -> None:
    assert f"{R35}-ROUND-01" in rulebook.nearest_ids("R36-ROUND-01")


def test_an_unknown_edition_is_answered_with_the_known_ones() -> None:
    with pytest.raises(rulebook.UnknownEditionError, match=r"'aof-3'.*aof-2, aof-1\.6"):
        rulebook.book("aof-3")


def test_a_row_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        rulebook.row(f"{A2}-DICE-02").rule = "no"  # type: ignore[misc]


def test_a_file_with_an_unknown_field_is_refused() -> None:
    on_file = yaml.safe_load("{id: x, section: s, kind: mechanic, rule: r, check: c, chekc: typo}")
    with pytest.raises(msgspec.ValidationError, match="chekc"):
        msgspec.convert(on_file, catalogue._RowOnFile)


def test_a_look_up_reads_the_file_of_its_own_edition_only() -> None:
    """In a fresh interpreter, because other tests have filled the cache of this one."""
    code = (
        "from shieldwall.rulebook import catalogue\n"
        "catalogue.row('A16-DICE' + '-01')\n"
        "print(catalogue.book.cache_info().currsize)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"


def test_the_largest_edition_loads_well_under_a_third_of_a_second() -> None:
    fastest = min(seconds_to_load("regiments-3.5") for _ in range(3))
    assert fastest < 0.3


def seconds_to_load(edition: str) -> float:
    started = time.thread_time()
    loaded = rulebook.book.__wrapped__(edition)  # type: ignore[attr-defined]
    assert len(loaded.rows) == ROWS[edition]
    return time.thread_time() - started
