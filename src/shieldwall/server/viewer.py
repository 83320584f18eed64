"""One client's socket: unread messages, the player's budgets, and the newest preview."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol

from shieldwall.core.codec import encode
from shieldwall.server.budgets import Budgets, Kind
from shieldwall.server.connections import Place
from shieldwall.server.messages import FromServer, Goodbye, Hint, Measure, Overlay, Preview

BACKLOG_BYTES = 1_000_000  # unread bytes allowed; the board of a large game takes a tenth of this
QUESTIONS = 16
HINTS = 2

Question = Preview | Overlay | Measure | Hint


class ClientConnection(Protocol):
    """The connection of a socket. Writing never waits: what cannot be sent yet is buffered and counted."""

    def tell(self, data: bytes) -> None:
        """Send a message."""

    @property
    def backlog(self) -> int:
        """Bytes that have not been read yet."""


class Viewer:
    """A client's socket as a room sees it. Nothing here ever waits for the network."""

    def __init__(
        self, line: ClientConnection, player: str, address: str = "", budgets: Budgets | None = None
    ) -> None:
        self._line = line
        self.player = player
        self.address = address
        self.ready = False
        self.questions: asyncio.Queue[Question] = asyncio.Queue(QUESTIONS)
        self.hints: asyncio.Queue[Hint] = asyncio.Queue(HINTS)
        self.preview: Preview | None = None
        self.said_at = 0.0  # when the player last sent a chat message
        self.closing = asyncio.Event()
        self.budgets = budgets if budgets is not None else Budgets()
        self.place: Place | None = None

    def send(self, message: FromServer) -> None:
        """Send a message."""
        self.send_bytes(encode(message))

    def send_bytes(self, data: bytes) -> None:
        """Send bytes; a client that does not read is dropped and may reconnect."""
        if self.closing.is_set():
            return
        if self._line.backlog > BACKLOG_BYTES:
            self.drop("you are too far behind; reconnect")
        else:
            self._line.tell(data)

    def drop(self, words: str) -> None:
        """Say goodbye and close; the client may reconnect at once."""
        if not self.closing.is_set():
            self.closing.set()
            self._line.tell(encode(Goodbye(words, again=True)))

    def ask(self, question: Question) -> bool:
        """Queue a question; of several previews only the newest counts. False if the queue is full."""
        if isinstance(question, Preview):
            waiting = self.preview is not None
            self.preview = question
            if waiting:
                return True
        try:
            self.questions.put_nowait(question)
        except asyncio.QueueFull:
            return False
        return True

    def ask_hint(self, question: Hint) -> bool:
        """Queue a hint separately; False if enough are queued already."""
        try:
            self.hints.put_nowait(question)
        except asyncio.QueueFull:
            return False
        return True

    def newest(self, question: Question) -> Question:
        """The question to answer now: for a preview, the latest one sent."""
        if isinstance(question, Preview) and self.preview is not None:
            question, self.preview = self.preview, None
        return question

    # budgets of the player and the address

    def allows(self, kind: Kind) -> bool:
        """Whether there is budget left."""
        return self.budgets.allows(kind, self.player, self.address)

    def wait(self, kind: Kind) -> float:
        """Seconds until there is budget left."""
        return self.budgets.wait(kind, self.player, self.address)

    def spend(self, kind: Kind, amount: float) -> None:
        """Charge the budget."""
        self.budgets.charge(kind, amount, self.player, self.address)
        if self.place is not None:
            self.place.used_at = time.monotonic()

    def make_room(self) -> None:
        """The server is full, and a player needs the place."""
        self.drop("the server is full; try again later")
