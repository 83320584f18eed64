"""What commands do about kernels that were not compiled yet: compile them where many games are asked for, and say how
where one took long."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from shieldwall.core.errors import ShieldwallError
from shieldwall.table import warmth

WORTH_COMPILING = 16  # games of bots that think, from which on compiling first is the shorter way
SLOW = 5.0  # seconds from which on a single battle is worth a word about it
QUICK = {"random"}
THINKING = {"solo", "tactician", "program"}
PONDERING = {"greedy", "search"}  # for whom a single game takes longer than compiling does
HOW = (
    "shieldwall warm-up compiles everything once, in some minutes; games are many times faster from then on."
)


def compile_first(games: int, bots: Sequence[str]) -> None:
    """Compile where the games would take longer, in a process of its own: whatever loads kernels later finds them.

    Not for bots that nobody knows: those are refused when the games begin.
    """
    names = {name.partition(":")[0].strip() for name in bots}
    pays = names & PONDERING or (games >= WORTH_COMPILING and names & THINKING)
    if not pays or not names <= QUICK | THINKING | PONDERING or not warmth.could_compile():
        return
    say("Compiling for speed first: some minutes, once. (SHIELDWALL_NO_NUMBA=1 goes without.)")
    if subprocess.run(warmth.WARM_UP, check=False).returncode:
        raise ShieldwallError(
            "compiling failed; `shieldwall warm-up` shows how, SHIELDWALL_NO_NUMBA=1 goes without"
        )


def hint() -> None:
    """A word about speed beside battles that take long."""
    if warmth.could_compile():
        say(f"Slow? {HOW}")


def say(text: str) -> None:
    """Beside what the command prints, which may be read by a program."""
    from rich.console import Console

    Console(stderr=True, highlight=False).print(text, style="dim", soft_wrap=True)
