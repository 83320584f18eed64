"""The cost of keeping a state, changing one unit of it, and encoding it."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec.structs import replace

from bench.rows import Row
from shieldwall.armies.demo import demo_setup
from shieldwall.core.codec import decode_state, encode, state_hash
from shieldwall.core.state import State, with_unit
from shieldwall.editions import EDITIONS


def run() -> list[Row]:
    """Copies of a whole state, from sharing a reference to a round trip through JSON."""
    return [row for edition in EDITIONS for row in _rows(edition, demo_setup(edition, 1))]


def _rows(edition: str, state: State) -> list[Row]:
    text = encode(state)
    return [
        measured(f"{edition}: copy of a state (a shared reference)", 1_000_000, lambda: _share(state)),
        measured(f"{edition}: copy with one field changed", 200_000, lambda: replace(state, round=2)),
        measured(f"{edition}: copy with one unit changed", 200_000, lambda: _one_unit(state)),
        measured(f"{edition}: hash of a state", 2_000, lambda: state_hash(state)),
        measured(f"{edition}: round trip through JSON", 1_000, lambda: decode_state(text)),
    ]


def _one_unit(state: State) -> State:
    return with_unit(state, replace(state.units[3], activated=True))


def _share(state: State) -> State:
    return state


def measured(name: str, count: int, action: Callable[[], object]) -> Row:
    """Do something many times."""
    began = time.process_time()
    for _ in range(count):
        action()
    return Row(name, count, time.process_time() - began)
