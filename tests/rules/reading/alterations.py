"""Texts with a strange word or another number in them: a reader that passes over words would not notice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from shieldwall.rules.reading import Reading

STRANGE = "wobbly"
OLD = ("instead of", "and not just")  # before the numbers of the rule that is made better
APART = 8  # the everyday tests try every eighth place of a text, the soak every place


def with_strange_words(text: str, apart: int = APART) -> Iterator[str]:
    """The text with a word that means nothing, at one place after the other; texts begin at different places."""
    words = text.split(" ")
    for place in range(len(text) % apart, len(words) + 1, apart):
        yield " ".join([*words[:place], STRANGE, *words[place:]])


def with_other_numbers(text: str) -> Iterator[str]:
    """The text with another digit, one digit after the other, but for what a better rule takes the place of."""
    for found in re.finditer(r"(?<!\d)\d", text):
        if not any(old in text[: found.start()] for old in OLD):
            yield text[: found.start()] + str((int(found[0]) + 1) % 10) + text[found.end() :]


def unnoticed(text: str, understood: Callable[[str], Reading], apart: int = APART) -> list[str]:
    """The altered texts that are read as if nothing had changed."""
    before = understood(text)
    return [
        *(other for other in with_strange_words(text, apart) if not understood(other).missed),
        *(
            other
            for other in with_other_numbers(text)
            if not (after := understood(other)).missed and after.blocks == before.blocks
        ),
    ]
