"""How workers begin and end. Imports nothing heavy: a new worker watches its server from its first moment on."""

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
    """End this worker when the server is gone, however it went and however early, and not by Ctrl+C before that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_EVERY)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def calm_collector(full_after: int) -> None:
    """Look for garbage among new objects only: to look through all games at once would hold all of them up.

    Nearly everything is freed without it. All objects are looked through after so many looks at newer ones.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 20, full_after)


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """What is started inside does not hear Ctrl+C, which a terminal sends to all processes at once, while it loads."""
    if threading.current_thread() is not threading.main_thread():  # others cannot say what becomes of signals
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)
