"""One server per SQLite file: the file itself is locked, whatever name leads to it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO
from urllib.parse import unquote, urlsplit

from shieldwall.server.storage.errors import DatabaseError

FAR_BEYOND = 2**40  # where Windows locks a byte that SQLite never touches


def plain_path(name: str) -> Path:
    """The path of a database file, also for a `file:` address; such addresses may have no parameters."""
    if not name.startswith("file:"):
        return Path(name)
    parts = urlsplit(name)
    if parts.query or parts.fragment or parts.netloc not in ("", "localhost"):
        raise DatabaseError(f"{name!r} has parameters or a host; give the plain path of the file")
    return Path(unquote(parts.path))


class FileLock:
    """A lock on the database file. The system releases it when the process dies.

    The file stays open until `release`, which must come after SQLite has closed it: closing it earlier would
    release SQLite's own locks.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._file: IO[bytes] | None = open(path, "ab")  # noqa: SIM115 - open as long as the server runs
        except OSError as error:
            raise DatabaseError(f"{path} cannot be opened: {error.strerror or error}") from error
        try:
            self._take(self._file)
        except OSError as error:
            self._file.close()
            raise DatabaseError(
                f"another Shieldwall is already using {path}; close it, or choose another file with --db"
            ) from error

    @staticmethod
    def _take(file: IO[bytes]) -> None:
        if os.name == "nt":
            import msvcrt

            file.seek(FAR_BEYOND)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def release(self) -> None:
        """Release the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
