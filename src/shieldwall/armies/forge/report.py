"""The report of an import: everything that was changed, guessed, kept as text only, or not found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

RemarkKind = Literal["played", "missing", "kept as text", "changed", "guessed", "left out", "points"]
SHOWN = 500


class Remark(Struct, frozen=True):
    """One thing the importer did or could not do."""

    kind: RemarkKind
    text: str


class ImportReport:
    """Remarks in the order they came up, without duplicates."""

    def __init__(self) -> None:
        self._remarks: dict[Remark, None] = {}

    def add(self, kind: RemarkKind, text: str) -> None:
        """Add a remark; files with endless remarks get the first few hundred."""
        if len(self._remarks) < SHOWN:
            self._remarks[Remark(kind, text)] = None

    def name(self, names: Mapping[str, str]) -> None:
        """Replace ids of a file by unit names where only the ids were known."""
        split = ((remark.kind, *remark.text.partition(": ")) for remark in self._remarks)
        self._remarks = {
            Remark(kind, names.get(head, head) + colon + tail): None for kind, head, colon, tail in split
        }

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Everything noted so far."""
        return tuple(self._remarks)
