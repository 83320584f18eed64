"""Output on terminals with small character sets: characters they lack are replaced by similar ones."""

from __future__ import annotations

import codecs
import io
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

NEAR = {
    **dict.fromkeys("█▉▊▋▌", "#"),
    **dict.fromkeys("▍▎▏", "."),
    **dict.fromkeys("─━–—", "-"),
    **dict.fromkeys("│┃", "|"),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("“”″", '"'),
    **dict.fromkeys("→↗↘", ">"),
    **dict.fromkeys("←↖↙", "<"),
    **dict(zip("✗✓·•↑↓×…▓▒░±°", "x+-*^vx.%%:~o", strict=True)),
}
HANDLER = "shieldwall-near"


def near(error: UnicodeError) -> tuple[str, int]:
    """An error handler that replaces characters an encoding lacks by similar ones."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(NEAR.get(letter, "?") for letter in error.object[error.start : error.end]), error.end


def plain_console(stderr: bool = False) -> Console:
    """A console that prints player input literally: `[x]` and `:x:` are not markup."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, stderr=stderr)


def replace_missing_characters() -> None:
    """Make output replace characters that the terminal lacks, instead of failing."""
    codecs.register_error(HANDLER, near)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not codecs.lookup(stream.encoding).name.startswith("utf"):
            stream.reconfigure(errors=HANDLER)
