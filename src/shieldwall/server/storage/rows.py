"""The rows of the database as values."""

from __future__ import annotations

from functools import lru_cache
from types import UnionType
from typing import Any, TypeVar, get_args, get_type_hints

from msgspec import Struct

from shieldwall.server.storage.errors import DamagedError

T = TypeVar("T", bound=Struct)


@lru_cache(maxsize=32)
def _kinds(row: type[Struct]) -> tuple[tuple[str, tuple[type, ...]], ...]:
    """Each field with the types that may be stored in it; a truth value is stored as a number."""

    def kinds(hint: Any) -> tuple[type, ...]:
        known = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        return tuple(int if kind is bool else kind for kind in known)

    return tuple((name, kinds(hint)) for name, hint in get_type_hints(row).items())


def row_of(kind: type[T], values: tuple[Any, ...]) -> T:
    """A row as it was read; a value of the wrong type means that the file is damaged."""
    for (name, kinds), value in zip(_kinds(kind), values, strict=True):
        if not isinstance(value, kinds):
            raise DamagedError(f"{kind.__name__}: {name} holds {type(value).__name__}")
    return kind(*values)


class PlayerRow(Struct, frozen=True):
    """A player with a cookie; only the hash of the token is stored."""

    id: str
    token_hash: str
    name: str
    created: str


class GameRow(Struct, frozen=True):
    """One game. `setup` is the state before the first command, empty while a seat is open.

    `head`, `round`, `score` and `turn_seat` repeat what follows from the commands, for lists. `server` is the process
    that plays it now, if several share a database. `origin` says where it comes from if it did not start from a
    set-up: "what-if GAME SEQ" or "puzzle ID".
    """

    id: str
    owner: str
    name: str
    edition: str
    status: str
    created: str
    changed: str
    ordered: bytes
    setup: bytes
    secret: bytes
    commitment: str
    rules_version: str
    head: int = 0
    round: int = 0
    score: str = ""
    turn_seat: int = -1
    winner: int | None = None
    resigned: int | None = None
    watch_only: bool = False
    server: str = ""
    clock: str = ""  # each side's remaining time, as `clocks.GameClock`
    out_of_time: int | None = None
    rematch: str = ""  # a rematch offered after the game, as `rematch.Offer`
    origin: str = ""


class SpanRow(Struct, frozen=True):
    """The period in which a server ran, in milliseconds since 1970; `until` is its latest heartbeat."""

    id: str
    began: int
    until: int


class SeatRow(Struct, frozen=True):
    """One seat of a game: a person (`player`), a bot (`bot`), or open to anybody with the invitation."""

    game: str
    seat: int
    who: str
    name: str
    player: str = ""
    bot: str = ""
    army: bytes = b""
    army_name: str = ""
    invite_hash: str = ""
    nonce: str = ""
    automatic: str = ""


class CommandRow(Struct, frozen=True):
    """One stored command; a game's commands are the source of truth."""

    game: str
    seq: int
    actor: int
    client_command_id: str
    payload: bytes
    rules_version: str
    dice: bytes
    state_hash: str
    at: str
    lines: bytes = b"[]"
    told: bytes = b""  # its recorded effects (`match.RecordedCommand`); empty in rows of earlier programs


class SnapshotRow(Struct, frozen=True):
    """The state after a command; a cache that may be deleted."""

    game: str
    seq: int
    state: bytes


class AnalysisRow(Struct, frozen=True):
    """The findings of a game's analysis, as JSON, and the version of the analysis."""

    game: str
    version: int
    data: bytes
    made: str


class ArmyRow(Struct, frozen=True):
    """A player's army list, as plain data of the armies package."""

    id: str
    player: str
    name: str
    edition: str
    data: bytes
    changed: str
