"""How workers start and end. Imports nothing heavy, so a new worker watches its server from the start."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

LOOK_EVERY = 0.5  # seconds


def end_with_parent(parent: int) -> None:
    """End this worker when the server is gone, for whatever reason and however early; ignore Ctrl+C until then."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_EVERY)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def tune_collector(full_after: int) -> None:
    """Collect garbage among new objects only: scanning all games at once would delay all of them.

    Reference counts free nearly everything. All objects are scanned after this many collections of newer ones.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 20, full_after)


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Ignore Ctrl+C, which a terminal sends to all processes at once, in processes started inside the block."""
    if threading.current_thread() is not threading.main_thread():  # other threads cannot set signal handlers
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)
