"""One socket: a bounded queue to send from, a budget of time for questions, and the newest preview."""

from __future__ import annotations

import asyncio
import time

from shieldwall.core.codec import encode
from shieldwall.server.messages import FromServer, Goodbye, Hint, Measure, Overlay, Preview

OUTBOX = 256
QUESTIONS = 16
BUDGET_MS = 2000.0
REFILL_MS = 700.0  # for each second

Question = Preview | Overlay | Measure | Hint


class Viewer:
    """Somebody's socket as a room sees it. Nothing here ever waits for the network."""

    def __init__(self, player: str, address: str = "") -> None:
        self.player = player
        self.address = address
        self.ready = False
        self.outbox: asyncio.Queue[bytes | None] = asyncio.Queue(OUTBOX)
        self.questions: asyncio.Queue[Question] = asyncio.Queue(QUESTIONS)
        self.preview: Preview | None = None
        self.closing = asyncio.Event()
        self._budget = BUDGET_MS
        self._filled_at = time.monotonic()

    def send(self, message: FromServer) -> None:
        """Put a message in line for the writer."""
        self.send_bytes(encode(message))

    def send_bytes(self, data: bytes) -> None:
        """Put bytes in line; who does not read is dropped and may come back."""
        if self.closing.is_set():
            return
        try:
            self.outbox.put_nowait(data)
        except asyncio.QueueFull:
            self.drop("you are too far behind; connect again")

    def drop(self, words: str) -> None:
        """Say goodbye and close; the client may come back at once."""
        if self.closing.is_set():
            return
        self.closing.set()
        while not self.outbox.empty():
            self.outbox.get_nowait()
        self.outbox.put_nowait(encode(Goodbye(words, again=True)))
        self.outbox.put_nowait(None)

    def ask(self, question: Question) -> bool:
        """Put a question in line; of several previews only the newest counts. False when the line is full."""
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

    def newest(self, question: Question) -> Question:
        """The question to answer now: for a preview the latest one that was sent."""
        if isinstance(question, Preview) and self.preview is not None:
            question, self.preview = self.preview, None
        return question

    def may_ask(self) -> bool:
        """Whether there is time left in this player's budget."""
        now = time.monotonic()
        self._budget = min(BUDGET_MS, self._budget + (now - self._filled_at) * REFILL_MS)
        self._filled_at = now
        return self._budget > 0

    def charge(self, ms: float) -> None:
        """Take the time a question took off the budget."""
        self._budget -= ms
