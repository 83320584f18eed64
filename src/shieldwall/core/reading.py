"""Reading text files with clear errors."""

from __future__ import annotations

from pathlib import Path

from shieldwall.core.errors import MalformedError


def read_text(path: Path) -> str:
    """The text of a file, or an error that says why it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise MalformedError(str(path), [f"cannot be read: {error.strerror or error}"]) from error
    except UnicodeDecodeError as error:
        raise MalformedError(str(path), [f"is not UTF-8 text (byte {error.start})"]) from error
