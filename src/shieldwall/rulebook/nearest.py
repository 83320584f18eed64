"""Suggestions for mistyped names."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

CUTOFF = 0.6


def nearest(given: str, known: Iterable[str], most: int = 2) -> list[str]:
    """The names most similar to the given one, best first; ignores case, spaces and punctuation."""
    plain: dict[str, str] = {}
    for name in known:
        plain.setdefault(_letters(name), name)
    return [plain[one] for one in get_close_matches(_letters(given), plain, n=most, cutoff=CUTOFF)]


def did_you_mean(given: str, known: Iterable[str], most: int = 2) -> str:
    """The end of an error message about an unknown name: "; did you mean this or that?", or nothing."""
    found = nearest(given, known, most)
    return f"; did you mean {' or '.join(found)}?" if found else ""


def _letters(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum() or letter in ".:/")
