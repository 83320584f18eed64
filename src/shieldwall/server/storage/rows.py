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
    """Each field with the kinds of values that may be stored there; a truth is stored as a number."""

    def kinds(hint: Any) -> tuple[type, ...]:
        known = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        return tuple(int if kind is bool else kind for kind in known)

    return tuple((name, kinds(hint)) for name, hint in get_type_hints(row).items())


def row_of(kind: type[T], values: tuple[Any, ...]) -> T:
    """A row as it was read; a value that is never stored there means that the file is damaged."""
    for (name, kinds), value in zip(_kinds(kind), values, strict=True):
        if not isinstance(value, kinds):
            raise DamagedError(f"{kind.__name__}: {name} holds {type(value).__name__}")
    return kind(*values)


class PlayerRow(Struct, frozen=True):
    """Somebody with a cookie; only the hash of its token is known."""

    id: str
    token_hash: str
    name: str
    created: str


class GameRow(Struct, frozen=True):
    """One game. `setup` is the state before the first command, empty while a seat is open.

    `head`, `round`, `score` and `turn_seat` repeat what follows from the commands, for lists. `server` is the process
    that plays it now, where several share a database. `origin` says where it comes from if it was not set up from the
    start: "what-if GAME SEQ" or "puzzle ID".
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
    clock: str = ""  # how much time each side has left, as `clocks.GameClock`
    out_of_time: int | None = None
    rematch: str = ""  # what was offered after the game, as `rematch.Offer`
    origin: str = ""


class SpanRow(Struct, frozen=True):
    """From when to when a server ran, in milliseconds since 1970; `until` is its latest heartbeat."""

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
    """One stored command; the log of a game is the truth about it."""

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
    told: bytes = b""  # what came of it (`match.ToldCommand`); empty in rows of earlier programs


class SnapshotRow(Struct, frozen=True):
    """The state after a command; a cache that may be thrown away."""

    game: str
    seq: int
    state: bytes


class AnalysisRow(Struct, frozen=True):
    """What an analysis found about a game, as JSON, and by which version of the analysis."""

    game: str
    version: int
    data: bytes
    made: str


class ArmyRow(Struct, frozen=True):
    """An army list of a player, as plain data of the armies room."""

    id: str
    player: str
    name: str
    edition: str
    data: bytes
    changed: str
