"""Output on terminals that know few letters: what they cannot show is shown by something near; nothing breaks off."""

from __future__ import annotations

import codecs
import io
import sys

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


def show_what_can_be_shown() -> None:
    """Let the output of this process never break off for a letter its terminal does not know."""
    codecs.register_error(HANDLER, near)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not codecs.lookup(stream.encoding).name.startswith("utf"):
            stream.reconfigure(errors=HANDLER)
