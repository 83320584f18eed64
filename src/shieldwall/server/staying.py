"""Workers end when their server is gone. Imports nothing heavy: a new worker watches from its first moment on."""

from __future__ import annotations

import os
import threading
import time

LOOK_EVERY = 0.5  # seconds


def stay_with(parent: int) -> None:
    """End this worker when the server is gone, however it went and however early."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_EVERY)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
