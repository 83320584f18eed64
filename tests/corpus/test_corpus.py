"""The engine behaves as recorded; after an intended change: python -m tests.corpus record."""

from __future__ import annotations

import pytest

from shieldwall.editions import EDITIONS
from tests.corpus.__main__ import differences


@pytest.mark.parametrize("edition", EDITIONS)
def test_behaviour_is_as_recorded(edition: str) -> None:
    assert differences("everyday", edition) == []
