"""Which rows the tests cite.

A test names the rows it checks; a row that is never named is a rule that is never checked.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgspec

from shieldwall.rulebook.catalogue import EDITION_BY_PREFIX, KINDS, book, edition_of, editions, has_row

CITING_SUFFIXES = (".py", ".yaml", ".yml")

# An id, or a range of one group: `..09` and `..<the same group>-09` both end it.
CITATION = re.compile(
    rf"(?<![A-Za-z0-9-])(?P<group>(?:{'|'.join(EDITION_BY_PREFIX)})(?:-[A-Z]+)+)-(?P<first>\d+)"
    r"(?:\.\.(?:(?P=group)-)?(?P<last>\d+))?"
)


class Citations(msgspec.Struct, frozen=True):
    """The citing files below the tests folder, for each row id and for each unknown id."""

    by_row: dict[str, tuple[str, ...]]
    unknown: dict[str, tuple[str, ...]]


class KindCoverage(msgspec.Struct, frozen=True):
    """How many rows of one kind there are, how many are cited, and the ids of the rest."""

    rows: int
    cited: int
    missing: tuple[str, ...]


class Coverage(msgspec.Struct, frozen=True):
    """Coverage by edition and kind, and the cited ids that no catalogue has, with the files citing them."""

    editions: dict[str, dict[str, KindCoverage]]
    unknown: dict[str, tuple[str, ...]]


def citations(tests: Path) -> Citations:
    """Read every citing file below a folder. Raises `NotADirectoryError` when it is not there."""
    if not tests.is_dir():
        raise NotADirectoryError(f"no tests folder at {tests}")
    by_row: defaultdict[str, list[str]] = defaultdict(list)
    unknown: defaultdict[str, list[str]] = defaultdict(list)
    for path in _citing_files(tests):
        known, unheard = cited_in(path.read_text(encoding="utf-8", errors="replace"))
        name = path.relative_to(tests).as_posix()
        for row_id in known:
            by_row[row_id].append(name)
        for row_id in unheard:
            unknown[row_id].append(name)
    return Citations(by_row=_sorted_table(by_row), unknown=_sorted_table(unknown))


def cited_in(text: str) -> tuple[set[str], set[str]]:
    """The known row ids a text cites, ranges spelled out, and the citations that fit no row."""
    known: set[str] = set()
    unknown: set[str] = set()
    for match in CITATION.finditer(text):
        cited = _rows_meant(match)
        known.update(cited)
        if not cited:
            unknown.add(match[0])
    return known, unknown


def coverage(tests: Path, only: str | None = None) -> Coverage:
    """What the tests below a folder cite, of all editions or of one."""
    found = citations(tests)
    counted = (only,) if only else editions()
    return Coverage(
        editions={edition: _edition_coverage(edition, found) for edition in counted},
        unknown={cited: files for cited, files in found.unknown.items() if edition_of(cited) in counted},
    )


def _edition_coverage(edition: str, found: Citations) -> dict[str, KindCoverage]:
    by_kind: dict[str, KindCoverage] = {}
    for kind in KINDS:
        ids = [row.id for row in book(edition).rows if row.kind == kind]
        missing = tuple(row_id for row_id in ids if row_id not in found.by_row)
        if ids:
            by_kind[kind] = KindCoverage(rows=len(ids), cited=len(ids) - len(missing), missing=missing)
    return by_kind


def _rows_meant(match: re.Match[str]) -> list[str]:
    """The existing rows that one citation covers; none when it fits no row."""
    group, first, last = match["group"], match["first"], match["last"]
    if last is None:
        row_id = f"{group}-{first}"
        return [row_id] if has_row(row_id) else []
    edition = edition_of(group)
    assert edition is not None  # the pattern matches known prefixes only
    inside = range(int(first), int(last) + 1)
    return [row.id for row in book(edition).rows if _is_numbered(row.id, group, inside)]


def _is_numbered(row_id: str, group: str, inside: range) -> bool:
    own_group, _, number = row_id.rpartition("-")
    return own_group == group and int(number) in inside


def _citing_files(tests: Path) -> Iterator[Path]:
    for path in sorted(tests.rglob("*")):
        if path.suffix in CITING_SUFFIXES and path.is_file():
            yield path


def _sorted_table(table: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {row_id: tuple(sorted(table[row_id])) for row_id in sorted(table)}
