"""What an import has to tell: everything that was changed, guessed, kept as text only, or not found."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

RemarkKind = Literal["missing", "kept as text", "changed", "guessed", "left out", "points"]
SHOWN = 500


class Remark(Struct, frozen=True):
    """One thing the importer did or could not do."""

    kind: RemarkKind
    text: str


class Report:
    """Remarks in the order they came up, each once."""

    def __init__(self) -> None:
        self._remarks: dict[Remark, None] = {}

    def add(self, kind: RemarkKind, text: str) -> None:
        """Note something; a file that gives rise to endless remarks gets the first few hundred."""
        if len(self._remarks) < SHOWN:
            self._remarks[Remark(kind, text)] = None

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Everything noted so far."""
        return tuple(self._remarks)
