"""The rules page: search, single rows, and the editions side by side."""

from __future__ import annotations

from shieldwall.editions import EDITIONS
from shieldwall.rulebook.catalogue import Row, book, editions, row
from shieldwall.rulebook.finding import search
from shieldwall.server.reference import RowView, RuleColumn, RulesFound, SideBySide

MOST = 100
IN_COLUMN = 6


def row_view(found: Row) -> RowView:
    """A row as the page shows it."""
    return RowView(
        id=found.id,
        edition=found.edition,
        title=book(found.edition).title,
        section=found.section,
        kind=found.kind,
        rule=found.rule,
        checks=found.checks,
        ruling=found.ruling or "",
        differs=found.differs,
    )


def found(words: str, edition: str, limit: int) -> RulesFound:
    """Search results, best first; without words, a whole edition in the order of its book."""
    if edition in editions() and not words.strip():
        return RulesFound(words, tuple(row_view(one) for one in book(edition).rows))
    rows = search(words, edition or None, max(1, min(limit, MOST)))
    return RulesFound(words, tuple(row_view(one) for one in rows))


def single(row_id: str) -> RowView:
    """One row."""
    return row_view(row(row_id))


def side_by_side(words: str) -> SideBySide:
    """The best rows of every edition about one subject."""
    columns = tuple(
        RuleColumn(
            edition, book(edition).title, tuple(row_view(r) for r in search(words, edition, IN_COLUMN))
        )
        for edition in editions()
        if edition in EDITIONS or book(edition).rows
    )
    return SideBySide(words, columns)
