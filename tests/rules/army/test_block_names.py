"""Blocks keep the names under which stored games know them, whatever their classes are called."""

from __future__ import annotations

import msgspec
import pytest

from shieldwall.core import blocks as b
from shieldwall.core.blocks import Block

NAMED_OTHERWISE = {
    "Choice": b.PickedEffect(()),
    "Chance": b.RolledEffect((), ()),
    "Order": b.StrikeOrder(True),
    "Shift": b.MoveThem(1000),
    "Volley": b.HitDice("fights"),
}


@pytest.mark.parametrize("name", NAMED_OTHERWISE)
def test_a_stored_block_is_read_by_its_old_name(name: str) -> None:
    block = NAMED_OTHERWISE[name]
    stored = msgspec.json.encode(block)
    assert f'"block":"{name}"' in stored.decode()
    assert msgspec.json.decode(stored, type=Block) == block
