"""Many games, pages, odds and all scenario files behave as frozen: python -m tests.corpus record --long."""

from __future__ import annotations

import pytest

from shieldwall.editions import EDITIONS
from tests.corpus.__main__ import differences


@pytest.mark.parametrize("edition", EDITIONS)
def test_behaviour_is_as_recorded_in_the_long_corpus(edition: str) -> None:
    assert differences("long", edition) == []
