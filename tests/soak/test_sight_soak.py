"""Sight against slow, obvious code: 10,000 pairs for every method."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "table" / "sight"))

from sight_pairs import METHOD_NAMES, compare_pairs

TABLES = 250
PAIRS = 40
CLOSELY_EACH = 20  # hidden pairs of which one is searched for gaps


@pytest.mark.parametrize("method", METHOD_NAMES)
def test_sight_agrees_with_shapely(method: str) -> None:
    """250 battlefields with terrain, 40 pairs on each."""
    too_close = seen = 0
    for seed in range(TABLES):
        report = compare_pairs(method, seed, PAIRS, closely_each=CLOSELY_EACH)
        assert report.wrong == []
        too_close += report.too_close
        seen += report.seen
    assert too_close < TABLES * PAIRS // 50
    assert TABLES * PAIRS // 20 < seen < TABLES * PAIRS * 19 // 20
