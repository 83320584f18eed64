"""The rule catalogue as data: every row's id, text, checks and ruling; search; coverage; house rules.

The lowest package: it imports nothing else of ours. The switches for disputed rulings are in
`shieldwall.rulebook.house_rules`, the count of cited rows in `shieldwall.rulebook.coverage`.
"""

from shieldwall.rulebook.catalogue import (
    KINDS,
    CataloguedBook,
    Kind,
    Row,
    TableSize,
    UnknownEditionError,
    UnknownRowError,
    book,
    edition_of,
    editions,
    has_row,
    nearest_ids,
    row,
)
from shieldwall.rulebook.finding import search

__all__ = [
    "KINDS",
    "CataloguedBook",
    "Kind",
    "Row",
    "TableSize",
    "UnknownEditionError",
    "UnknownRowError",
    "book",
    "edition_of",
    "editions",
    "has_row",
    "nearest_ids",
    "row",
    "search",
]
