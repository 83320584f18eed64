"""What commands do about kernels that were not compiled yet: compile them where many games are asked for, and say how
where one took long."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from typing import TYPE_CHECKING

from shieldwall.core.errors import ShieldwallError

if TYPE_CHECKING:
    from rich.console import Console

WORTH_COMPILING = 16  # games of bots that think, from which on compiling first is the shorter way
SLOW = 5.0  # seconds from which on a single battle is worth a word about it
QUICK_BOTS = {"random"}
HOW = (
    "shieldwall warm-up compiles everything once, in some minutes; games are many times faster from then on."
)


def compile_first(games: int, bots: Sequence[str], console: Console) -> None:
    """Compile before many games, in a process of its own: workers that start later use what it leaves behind."""
    from shieldwall.bots.warm_up import WARM_UP
    from shieldwall.table.compiled import could_compile

    if games < WORTH_COMPILING or set(bots) <= QUICK_BOTS or not could_compile():
        return
    console.print(
        "Compiling for speed first: some minutes, once. (SHIELDWALL_NO_NUMBA=1 goes without.)", soft_wrap=True
    )
    if subprocess.run(WARM_UP, check=False).returncode:
        raise ShieldwallError(
            "compiling failed; `shieldwall warm-up` shows how, SHIELDWALL_NO_NUMBA=1 goes without"
        )


def hint() -> None:
    """A word about speed beside battles that take long."""
    from rich.console import Console

    from shieldwall.table.compiled import could_compile

    if could_compile():
        Console(stderr=True).print(f"Slow? {HOW}", style="dim", highlight=False, soft_wrap=True)
