"""A strange word at any place of any wording is noticed; the everyday tests try every eighth place."""

from __future__ import annotations

from functools import partial

import pytest

from tests.rules.reading import test_designers_words as designers
from tests.rules.reading import test_fresh_words as fresh
from tests.rules.reading.alterations import unnoticed


@pytest.mark.parametrize(("kind", "meaning", "texts"), designers.MEANINGS)
def test_designers_words(kind: str, meaning: str, texts: list[str]) -> None:
    understand = partial(designers.understood, kind)
    assert [other for text in texts for other in unnoticed(text, understand, apart=1)] == []


@pytest.mark.parametrize(("understand", "usual", "texts"), fresh.CASES)
def test_fresh_words(understand: fresh.Understand, usual: str, texts: tuple[str, ...]) -> None:
    assert [other for text in texts for other in unnoticed(text, understand, apart=1)] == []
