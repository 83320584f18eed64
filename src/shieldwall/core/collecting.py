"""Python's collector of cycles, kept quiet while many short-lived states are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG_AT_MOST = 50_000  # objects; about as many as a game makes


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Let the collector look at young objects only now and then while a game is played or walked through.

    States, answers and events go as soon as nobody holds them; looking for cycles among them every few hundred
    objects, as is usual, finds next to nothing and takes a tenth of the time. What cycles a game leaves are swept up
    at its end, so that it does not set off a look at everything that was ever loaded.
    """
    usual = gc.get_threshold()
    gc.set_threshold(max(usual[0], YOUNG_AT_MOST) if usual[0] else 0, *usual[1:])
    try:
        yield
    finally:
        if gc.isenabled():
            gc.collect(0)
        gc.set_threshold(*usual)
