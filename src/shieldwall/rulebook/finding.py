"""Full-text search over the catalogue, which is small enough to rank every row without an index.

Questions work as well as keywords: words that say nothing about a rule are left out, endings do not matter (`winning`
finds `winner`), and words that players use for the same thing find each other.
"""

import math
import re
from functools import cache, lru_cache

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

EMPTY_WORDS = frozenset(
    WORD.findall(
        """
        a about after all am an and any are as at be been but by can could did do does for from get go had has
        have how i if in into is it its just let like many may me might more much must my no not of off on one or
        our out should so some than that the their them then there these they this to too up us use was we were
        what when where which who why will with would you your happen happens mean means tell explain rule rules
        """
    )
)
SAME_MEANING = (
    ("win", "winner", "victory", "won", "mission"),
    ("shaken", "wavering", "broken"),
    ("marker", "objective"),
    ("shoot", "fire", "ranged", "shot"),
    ("melee", "fight", "combat"),
    ("charge", "assault"),
    ("caster", "wizard", "mage", "magic", "spell", "cast"),
    ("kill", "destroy", "casualty"),
    ("terrain", "scenery"),
    ("morale", "nerve"),
    ("deploy", "deployment"),
    ("see", "sight", "los"),
    ("pivot", "wheel"),
)
ENDINGS = ("ations", "ation", "ings", "ing", "iest", "ies", "ers", "er", "ed", "es", "s", "e", "y")
SHORTEST_STEM = 3
MOST_WORDS = 16  # of a search; nobody reads more

Fields = tuple[tuple[int, frozenset[str]], ...]


def search(words: str, edition: str | None = None, limit: int = 20) -> tuple[Row, ...]:
    """Rows with the words, best first: by the words they have, of which rare ones count for more, then by where the
    words occur, then by id. A word also matches longer words that start with it.
    """
    wanted = [(stems, _rarity(stems[0])) for stems in _wanted(words)[:MOST_WORDS]]
    ranked: list[tuple[float, int, str, Row]] = []
    for searched in (edition,) if edition else editions():
        for row, fields in _searchable(searched):
            worth = [max(_worth(one, fields) for one in stems) for stems, _ in wanted]
            if any(worth):
                told = sum(rarity for (_, rarity), points in zip(wanted, worth, strict=True) if points)
                ranked.append((-round(told, 6), -sum(worth), row.id, row))
    ranked.sort(key=lambda entry: entry[:3])
    return tuple(entry[3] for entry in ranked[: max(limit, 0)])


def _wanted(words: str) -> list[tuple[str, ...]]:
    """The stems to look for: one group for each word, with those that mean the same."""
    given = list(dict.fromkeys(WORD.findall(words.lower())))
    telling = [word for word in given if word not in EMPTY_WORDS] or given
    return list(dict.fromkeys(_alike().get(stem(word), (stem(word),)) for word in telling))


@cache
def _alike() -> dict[str, tuple[str, ...]]:
    """For each stem, the stems that mean the same, itself first."""
    groups = [tuple(dict.fromkeys(stem(word) for word in group)) for group in SAME_MEANING]
    return {one: (one, *(other for other in group if other != one)) for group in groups for one in group}


def stem(word: str) -> str:
    """A word without its ending, so that forms of the same word are equal."""
    if word.isdigit():
        return word
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            word = word[: -len(ending)]
            break
    doubled = len(word) > SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "sl"
    return word[:-1] if doubled else word


def _worth(wanted: str, fields: Fields) -> int:
    """The score of one stem for a row: the sum of the weights of the fields that contain it."""
    total = 0
    for weight, stems in fields:
        if wanted in stems:
            total += weight * WHOLE_WORD_FACTOR
        elif any(one.startswith(wanted) for one in stems):
            total += weight
    return total


@lru_cache(10_000)
def _rarity(wanted: str) -> float:
    """How telling a word is: 1 if nearly every rule has it, more if few do."""
    rules = [fields[1][1] for edition in editions() for _, fields in _searchable(edition)]
    return 1 + math.log(len(rules) / (1 + sum(wanted in stems for stems in rules)))


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
    return tuple((weight, frozenset(map(stem, WORD.findall(text.lower())))) for weight, text in texts)
