"""`shieldwall warm-up`: compile the kernels once, so that many games run fast from then on."""

from __future__ import annotations

import os
import time


def warm_up() -> None:
    """Compile everything for speed. Takes a few minutes once; single battles do well without it."""
    os.environ["SHIELDWALL_NUMBA"] = "1"
    from rich.console import Console

    console = Console(stderr=True)
    began = time.monotonic()
    with console.status("compiling") as status:
        from shieldwall.bots.warm_up import warm_up as compile_everything

        compile_everything(status.update)
    console.print(f"Everything is compiled ({time.monotonic() - began:.0f} s).")
