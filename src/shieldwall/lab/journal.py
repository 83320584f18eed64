"""Outcomes on disk, one line for each finished game, so that an interrupted series loses nothing."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import msgspec

from shieldwall import __version__
from shieldwall.core.errors import ShieldwallError
from shieldwall.lab.games import GameOutcome, Task
from shieldwall.rulebook.conversion import decode_json

FORMAT = "shieldwall-games/1"


class JournalError(ShieldwallError):
    """A journal that belongs to other games, or cannot be read."""


class JournalHeader(msgspec.Struct, frozen=True):
    """The first line of a journal: what it is and to which games it belongs."""

    format: str
    engine: str
    games: int
    digest: str
    what: str


def digest_of(tasks: list[Task]) -> str:
    """A fingerprint of the games of a series."""
    return hashlib.sha256(msgspec.json.encode(tasks)).hexdigest()[:16]


class Journal:
    """The journal of one series. Opening it again returns the finished games and continues after them."""

    def __init__(self, path: Path, tasks: list[Task], what: str) -> None:
        self.path = path
        self.header = JournalHeader(FORMAT, __version__, len(tasks), digest_of(tasks), what)
        self.done: dict[int, GameOutcome] = {}
        self._file: BinaryIO | None = None

    def __enter__(self) -> Journal:
        kept = self._read() if self.path.exists() else 0
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("r+b" if kept else "wb")
        if kept:
            self._file.truncate(kept)  # a line that was being written when the power went
            self._file.seek(kept)
        else:
            self._write(msgspec.json.encode(self.header))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, outcome: GameOutcome) -> None:
        """Keep an outcome; it is on the disk when this returns."""
        self._write(msgspec.json.encode(outcome))
        self.done[outcome.number] = outcome

    def _write(self, line: bytes) -> None:
        assert self._file is not None
        self._file.write(line + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self) -> int:
        """Take in what is there; how many bytes of it are whole lines."""
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        lines = whole.splitlines()
        if not lines:
            return 0
        try:
            header = decode_json(lines[0], JournalHeader)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise JournalError(f"{self.path} is not a journal of games: {error}") from error
        if (header.format, header.digest) != (self.header.format, self.header.digest):
            raise JournalError(
                f"{self.path} holds other games ({header.what}); this series is {self.header.what}. "
                "Name another file, or delete that one to start again"
            )
        if header.engine != self.header.engine:
            raise JournalError(
                f"{self.path} was written by engine {header.engine}, this is {self.header.engine}: "
                "games of two engines cannot be mixed"
            )
        for number, line in enumerate(lines[1:], start=2):
            try:
                outcome = decode_json(line, GameOutcome)
            except (msgspec.DecodeError, msgspec.ValidationError) as error:
                raise JournalError(f"{self.path}, line {number}: {error}") from error
            self.done[outcome.number] = outcome
        return len(whole)
