"""What goes through a room's queue."""

from __future__ import annotations

from typing import NamedTuple

from shieldwall.server.messages import (
    Answer,
    AnswerBack,
    AskBack,
    Automatic,
    ClaimTime,
    DoForMe,
    Hello,
    Pace,
    Play,
    Resign,
    Say,
    Undo,
)
from shieldwall.server.storage import GameRow, SeatRow
from shieldwall.server.viewer import Viewer

Order = Answer | Play | Undo | DoForMe | Resign | ClaimTime | Automatic | AskBack | AnswerBack | Say
Asked = Order | Pace | Hello


class Started(NamedTuple):
    """The last seat was taken: the game can start."""

    row: GameRow
    seats: list[SeatRow]


class Turn(NamedTuple):
    """A message on its way to the game: from a socket, or (None) from one of our bots."""

    viewer: Viewer | None
    message: Asked | Started
    seat: int = -1
    why: str = ""
