"""Full-text search over the catalogue, which is small enough to rank every row without an index."""

import re
from functools import cache

from shieldwall.rulebook.catalogue import Row, book, editions

WORD = re.compile(r"[a-z0-9]+")

# What a word found in a field is worth. The id and the rule itself say what a row is about; checks and
# notes on other editions mention many things in passing.
ID_WEIGHT = 12
RULE_WEIGHT = 8
SECTION_WEIGHT = 4
RULING_WEIGHT = 2
CHECKS_WEIGHT = 1
DIFFERS_WEIGHT = 1
WHOLE_WORD_FACTOR = 2  # "charge" in "charge" rather than in "charger"

Fields = tuple[tuple[int, frozenset[str]], ...]


def search(words: str, edition: str | None = None, limit: int = 20) -> tuple[Row, ...]:
    """Rows with the words, best first: those with every word, then by where the words occur, then by id. A word also
    matches longer words that start with it.
    """
    wanted = list(dict.fromkeys(WORD.findall(words.lower())))
    ranked: list[tuple[int, int, str, Row]] = []
    for searched in (edition,) if edition else editions():
        for row, fields in _searchable(searched):
            worth = [_worth(word, fields) for word in wanted]
            matched = sum(1 for points in worth if points)
            if matched:
                ranked.append((-matched, -sum(worth), row.id, row))
    ranked.sort(key=lambda entry: entry[:3])
    return tuple(entry[3] for entry in ranked[: max(limit, 0)])


def _worth(word: str, fields: Fields) -> int:
    """The score of one word for a row: the weights of all fields that contain it."""
    total = 0
    for weight, tokens in fields:
        if word in tokens:
            total += weight * WHOLE_WORD_FACTOR
        elif any(token.startswith(word) for token in tokens):
            total += weight
    return total


@cache
def _searchable(edition: str) -> tuple[tuple[Row, Fields], ...]:
    return tuple((row, _fields(row)) for row in book(edition).rows)


def _fields(row: Row) -> Fields:
    texts = (
        (ID_WEIGHT, row.id),
        (RULE_WEIGHT, row.rule),
        (SECTION_WEIGHT, row.section),
        (RULING_WEIGHT, row.ruling or ""),
        (CHECKS_WEIGHT, " ".join(row.checks)),
        (DIFFERS_WEIGHT, " ".join(row.differs.values())),
    )
    return tuple((weight, frozenset(WORD.findall(text.lower()))) for weight, text in texts)
