"""The server's log: plain lines or JSON on standard error, without complete ids, and never delaying a game.

A separate thread writes the lines. If nobody reads them (a full pipe, a stopped terminal), new lines are dropped and
counted, and the log reports how many as soon as it is read again.
"""

from __future__ import annotations

import json
import logging
import os
import re
import threading
import time
from collections import deque

WAITING_BYTES = 1_000_000  # unread bytes
LAST_SECONDS = 1.0  # seconds at exit, for what is still to be written
SHORT = 8  # letters of a game's id: enough to find the game, too few to watch it
IDS = re.compile(r"\b[0-9a-f]{24,64}\b")  # ids of games and players, hashes of tokens
FIELDS = ("game", "server", "kind", "ms", "pool", "code")  # fields that may accompany a message
STANDARD_ERROR = 2


# --- words ---


def shortened(words: str) -> str:
    """Ids cut to their first letters: a complete id lets anybody watch the game."""
    return IDS.sub(lambda found: found[0][:SHORT], words)


class PlainLines(logging.Formatter):
    """Plain lines, for a person at the terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """The message, with the time if something went wrong."""
        words = shortened(record.getMessage())
        if record.levelno < logging.WARNING:
            return words
        given = [f"{name} {getattr(record, name)}" for name in FIELDS if hasattr(record, name)]
        at = self.formatTime(record, "%Y-%m-%d %H:%M:%S")
        line = f"{at} {record.levelname.lower()}: {words}" + (f" ({', '.join(given)})" if given else "")
        return f"{line}\n{shortened(self.formatException(record.exc_info))}" if record.exc_info else line


class JsonLines(logging.Formatter):
    """One JSON object per line: time, level, message, and the fields given with it."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as JSON."""
        found: dict[str, object] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S") + f".{int(record.msecs):03}",
            "level": record.levelname.lower(),
            "event": shortened(record.getMessage()),
        }
        found |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info:
            found["error"] = shortened(self.formatException(record.exc_info))
        return json.dumps(found)


# --- writing ---


class LogWriter(logging.Handler):
    """Queues lines for the writer thread; logging never blocks."""

    def __init__(self, file: int = STANDARD_ERROR, waiting_bytes: int = 0) -> None:
        super().__init__()
        self.lost = 0
        self._file, self._room = file, waiting_bytes or WAITING_BYTES
        self._lines: deque[bytes] = deque()
        self._changed = threading.Condition()
        self._told = 0  # lost lines already reported
        threading.Thread(target=self._write, name="log", daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a line, or count it as lost if the queue is full."""
        try:
            line = self.format(record).encode(errors="replace") + b"\n"
        except Exception:
            line = b"something that cannot be written down was logged\n"
        with self._changed:
            if len(line) > self._room:
                self.lost += 1
                return
            self._room -= len(line)
            self._lines.append(line)
            self._changed.notify_all()

    def flush(self) -> None:
        """Wait, briefly, until everything is written."""
        end = time.monotonic() + LAST_SECONDS
        with self._changed:
            while self._lines and (left := end - time.monotonic()) > 0:
                self._changed.wait(left)

    def _write(self) -> None:
        while True:
            with self._changed:
                while not self._lines:
                    self._changed.wait()
                line = self._lines[0]
            written = self._put(line)
            lost = self.lost  # also what was dropped while the line waited for its reader
            written = written and (lost == self._told or self._put(self._about_lost(lost)))
            with self._changed:
                self._lines.popleft()
                self._room += len(line)
                if written:
                    self._told = lost
                else:
                    self.lost += 1
                self._changed.notify_all()

    def _about_lost(self, lost: int) -> bytes:
        words = f"{lost - self._told} lines of the log were lost because nobody read them"
        record = logging.makeLogRecord({"levelno": logging.WARNING, "levelname": "WARNING", "msg": words})
        return self.format(record).encode() + b"\n"

    def _put(self, line: bytes) -> bool:
        try:
            while line:
                line = line[os.write(self._file, line) :]
        except OSError:
            return False
        return True


def log_to_standard_error(as_json: bool) -> None:
    """Send everything this process logs to standard error."""
    writer = LogWriter()
    writer.setFormatter(JsonLines() if as_json else PlainLines())
    logging.getLogger().handlers = [writer]


def tell(words: str) -> None:
    """Print a line for the person who started the server."""
    record = logging.makeLogRecord({"levelno": logging.INFO, "levelname": "INFO", "msg": words})
    for writer in _writers():
        writer.handle(record)


def lines_lost() -> int:
    """The number of lines dropped."""
    return sum(writer.lost for writer in _writers())


def _writers() -> list[LogWriter]:
    return [handler for handler in logging.getLogger().handlers if isinstance(handler, LogWriter)]
