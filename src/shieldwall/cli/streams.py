"""Output on terminals that know few letters: what they cannot show is shown by something near; nothing breaks off."""

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
    """Letters that resemble those an encoding does not have."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(NEAR.get(letter, "?") for letter in error.object[error.start : error.end]), error.end


def plain_console(stderr: bool = False) -> Console:
    """A console for words that players wrote: `[x]` and `:x:` in a name are letters, not marks of style."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, stderr=stderr)


def show_what_can_be_shown() -> None:
    """Let the output of this process never break off for a letter its terminal does not know."""
    codecs.register_error(HANDLER, near)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not codecs.lookup(stream.encoding).name.startswith("utf"):
            stream.reconfigure(errors=HANDLER)
