"""Long tests that can be interrupted: progress is recorded, and the next run continues from there.

Set `SHIELDWALL_SOAK_FOLDER` to a folder to keep the progress; without it every run starts from scratch.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path


class SoakProgress:
    """The progress of one long test: batches with their counts."""

    def __init__(self, name: str) -> None:
        folder = os.environ.get("SHIELDWALL_SOAK_FOLDER", "")
        self._file = Path(folder) / f"{name}.jsonl" if folder else None
        self._done: list[dict[str, float]] = []
        if self._file is not None and self._file.exists():
            self._done = [json.loads(line) for line in self._file.read_text().splitlines()]

    def left(self, what: str, whole: int, batch: int) -> Iterator[tuple[int, int]]:
        """The batches still to do, with their sizes, until a count is reached."""
        while (done := self.total(what)) < whole:
            yield len(self._done), min(batch, round(whole - done))

    def add(self, **counts: float) -> None:
        """A batch is done."""
        self._done.append(counts)
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("a") as file:
                file.write(json.dumps({"at": round(time.time()), **counts}) + "\n")

    def total(self, what: str) -> float:
        """What was counted in all batches together."""
        return sum(batch.get(what, 0) for batch in self._done)

    def most(self, what: str) -> float:
        """The largest of all batches."""
        return max((batch.get(what, 0) for batch in self._done), default=0)
