"""The rule catalogue: every row of the five rulebooks, in our own words, as frozen values.

The prefix of a row's id gives its edition (`R35-`, `R34-`, `SK32-`, `A2-`, `A16-`), so a look-up reads only one file.
"""

import difflib
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
import yaml

from shieldwall.rulebook.conversion import convert
from shieldwall.rulebook.errors import ShieldwallError
from shieldwall.rulebook.nearest import did_you_mean

Kind = Literal["mechanic", "definition", "constant", "setup", "optional", "example", "guideline"]
KINDS: tuple[Kind, ...] = (
    "mechanic",
    "definition",
    "constant",
    "setup",
    "optional",
    "example",
    "guideline",
)

EDITION_BY_PREFIX = {
    "R35": "regiments-3.5",
    "R34": "regiments-3.4",
    "SK32": "skirmish-3.2",
    "A2": "aof-2",
    "A16": "aof-1.6",
}
PREFIX_BY_EDITION = {edition: prefix for prefix, edition in EDITION_BY_PREFIX.items()}

DATA = Path(__file__).parent / "data"
NEAREST_SHOWN = 5


class TableSize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The standard table of an edition, in inches."""

    width_in: int
    depth_in: int


class Row(msgspec.Struct, frozen=True):
    """One rule: what it says, how to check it, and our ruling where the book is silent."""

    id: str
    edition: str
    section: str
    kind: Kind
    rule: str
    checks: tuple[str, ...]
    ruling: str | None
    differs: dict[str, str]


class CataloguedBook(msgspec.Struct, frozen=True):
    """One edition's catalogue; `conventions` says how to read the coordinates and dice of its checks."""

    edition: str
    title: str
    table: TableSize
    constants: dict[str, int | str | dict[str, int]]
    rows: tuple[Row, ...]
    conventions: str | None = None


class UnknownEditionError(ShieldwallError, LookupError):
    """No rulebook has this edition id."""

    def __init__(self, given: str) -> None:
        self.given = given
        super().__init__(
            f"there is no edition {given!r}; there are: {', '.join(editions())}{did_you_mean(given, editions())}"
        )


class UnknownRowError(ShieldwallError, LookupError):
    """No rulebook has this row id; `nearest` holds the ids that look most like it."""

    def __init__(self, given: str) -> None:
        self.given = given
        self.nearest = nearest_ids(given)
        tip = f"; nearest: {', '.join(self.nearest)}" if self.nearest else f"; an id looks like {EXAMPLE_ID}"
        super().__init__(f"unknown rule {given!r}{tip}")


EXAMPLE_ID = "R35-ROUND-01"


class _RowOnFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row as written in the YAML."""

    id: str
    section: str
    kind: Kind
    rule: str
    check: str | tuple[str, ...]
    ambiguity: str | None = None
    differs: dict[str, str] = {}


class _BookOnFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An edition's file as written in the YAML."""

    edition: str
    title: str
    table: TableSize
    constants: dict[str, int | str | dict[str, int]]
    rules: tuple[_RowOnFile, ...]
    conventions: str | None = None


def editions() -> tuple[str, ...]:
    """The ids of the five editions, newest book of each game first."""
    return tuple(PREFIX_BY_EDITION)


@cache
def book(edition: str) -> CataloguedBook:
    """The whole catalogue of one edition."""
    if edition not in PREFIX_BY_EDITION:
        raise UnknownEditionError(edition)
    on_file = convert(read_yaml(DATA / f"{edition}.yaml"), _BookOnFile)
    return CataloguedBook(
        edition=on_file.edition,
        title=on_file.title,
        table=on_file.table,
        constants=on_file.constants,
        rows=tuple(_row_from_file(edition, row_on_file) for row_on_file in on_file.rules),
        conventions=on_file.conventions,
    )


def row(row_id: str) -> Row:
    """The row with this id; raises `UnknownRowError`, which names the nearest ids."""
    edition = edition_of(row_id)
    found = _rows_by_id(edition).get(row_id) if edition else None
    if found is None:
        raise UnknownRowError(row_id)
    return found


def has_row(row_id: str) -> bool:
    """Whether any catalogue has this id."""
    edition = edition_of(row_id)
    return edition is not None and row_id in _rows_by_id(edition)


def edition_of(row_id: str) -> str | None:
    """The edition that the prefix of an id names, whether or not the row exists."""
    return EDITION_BY_PREFIX.get(row_id.partition("-")[0])


def nearest_ids(given: str) -> tuple[str, ...]:
    """The ids most like a mistyped one, from the edition of its prefix, or from all if the prefix is unknown."""
    edition = edition_of(given.upper())
    candidates = [
        known.id for searched in ((edition,) if edition else editions()) for known in book(searched).rows
    ]
    return tuple(difflib.get_close_matches(given.upper(), candidates, n=NEAREST_SHOWN, cutoff=0.6))


def read_yaml(path: Path) -> object:
    """Parse one of our data files, with the compiled loader where PyYAML was built with it (10x faster)."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_bytes(), Loader=loader)


@cache
def _rows_by_id(edition: str) -> dict[str, Row]:
    return {known.id: known for known in book(edition).rows}


def _row_from_file(edition: str, on_file: _RowOnFile) -> Row:
    checks = (on_file.check,) if isinstance(on_file.check, str) else on_file.check
    return Row(
        id=on_file.id,
        edition=edition,
        section=on_file.section,
        kind=on_file.kind,
        rule=on_file.rule,
        checks=checks,
        ruling=on_file.ambiguity,
        differs=on_file.differs,
    )
