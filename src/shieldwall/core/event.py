"""What every event has in common, and how a thrown die is written down."""

from __future__ import annotations

from msgspec import Struct

from shieldwall.core.state import State
from shieldwall.core.values import Mod


class Event(Struct, frozen=True, tag_field="event", kw_only=True, gc=False):
    """Base of all events. Only events change the state."""

    cite: str = ""

    def apply(self, state: State) -> State:
        """The state after the event; the same one for events that are only for the log."""
        return state


class ThrownPool(Struct, frozen=True, array_like=True, gc=False):
    """One pool as it was thrown: the faces, their labels, the target with its reasons."""

    faces: tuple[int, ...]
    labels: tuple[str, ...]
    note: str = ""
    base: int = 0
    mods: tuple[Mod, ...] = ()
