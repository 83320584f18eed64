"""Why something is refused: words for the player, and a key that an edition turns into a citation."""

from __future__ import annotations

from msgspec import Struct


class TableReason(Struct, frozen=True, array_like=True, gc=False):
    """One reason for a refusal. `cite` is a neutral key such as "move.spacing", never a row id."""

    text: str
    cite: str
