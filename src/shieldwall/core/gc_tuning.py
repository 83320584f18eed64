"""Tunes Python's garbage collector for many short-lived states."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG_AT_MOST = 200_000  # objects; more than a game or the exact odds of a charge make


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Run the collector of young objects less often while a game is played or walked. States, answers and events are
    freed by reference counting; looking for cycles among them every few hundred objects, the default, finds next to
    nothing and takes a tenth of the time. Cycles left by a game are collected at its end, so that it does not trigger
    a full collection.
    """
    usual = gc.get_threshold()
    gc.set_threshold(max(usual[0], YOUNG_AT_MOST) if usual[0] else 0, *usual[1:])
    try:
        yield
    finally:
        if gc.isenabled():
            gc.collect(0)
        gc.set_threshold(*usual)
