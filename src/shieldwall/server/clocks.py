"""Game clocks: how much time each side has left. A side that runs out loses if the other claims it.

The rules know nothing of clocks. Time counts only while a server is running, so nobody loses time to a restart. Every
run of a server leaves a span from its start to its latest heartbeat in the database, and `Uptime` adds up the spans.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Sequence
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shieldwall.server.pages import ClockOrder
from shieldwall.server.storage import SpanRow, StorageError, Store
from shieldwall.server.views import ClockView

LOG = logging.getLogger("shieldwall.server")
T = TypeVar("T")
SECOND = 1000  # milliseconds
MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE
BEAT_SECONDS = 5.0
KEPT = 90 * DAY  # longer than any clock runs


def wall_ms() -> int:
    """System time in milliseconds."""
    return time.time_ns() // 1_000_000


class Uptime:
    """When this server and its predecessors were running. Without spans, it is assumed to have run forever."""

    def __init__(self, spans: Sequence[tuple[int, int]] = (), began: int = 0) -> None:
        self.began = began
        self._spans = sorted(spans)

    @staticmethod
    def now() -> int:
        """The time, in milliseconds since 1970."""
        return wall_ms()

    def between(self, start: int, end: int) -> int:
        """The milliseconds within an interval during which a server was running."""
        total, counted = 0, start
        for began, until in (*self._spans, (self.began, end)):
            low, high = max(began, counted), min(until, end)
            if high > low:
                total += high - low
                counted = high
        return total


class SpanKeeper:
    """Keeps this server's span in the database up to date."""

    def __init__(self, store: Store) -> None:
        self._store, self._id = store, secrets.token_hex(16)
        self.uptime = Uptime()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> Uptime:
        """Read the spans of earlier servers and start a new one."""
        now = self.uptime.now()
        spans = [(row.began, row.until) for row in await self._store.spans()]
        self.uptime = Uptime(spans, now)
        try:
            await self._store.forget_spans(now - KEPT)
            await self._beat()
        except StorageError as error:  # games can be watched, and continue once there is room
            LOG.error("storage failed: %s", error)
        self._task = asyncio.create_task(self._keep(), name="heartbeat")
        return self.uptime

    async def stop(self) -> None:
        """Record the final heartbeat."""
        if self._task is not None:
            self._task.cancel()
        with contextlib.suppress(StorageError):
            await self._beat()

    async def _beat(self) -> None:
        await self._store.add_span(SpanRow(self._id, self.uptime.began, self.uptime.now()))

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            with contextlib.suppress(StorageError):  # time that is not recorded counts for nobody
                await self._beat()


class GameClock(Struct, frozen=True):
    """The time of each side in milliseconds at the moment `since`; from then on it runs for the side `running`.

    Per game (`game`), a side has its allowance for all its answers, plus a little more after each of its activations.
    Its time starts with its first answer, so a player does not lose time to a friend who connected early. Per turn
    (`turn`), a side gets its full allowance at the start of each turn. A side that has run out stays out until the turn
    passes; per game it stays out for good.
    """

    kind: Literal["game", "turn"]
    allowance: int
    increment: int
    left: tuple[int, ...]
    running: int = -1
    since: int = 0
    begun: tuple[bool, ...] = (False, False)

    def counted(self, uptime: Uptime) -> GameClock:
        """The same clock, brought up to date."""
        now = uptime.now()
        if self.running < 0:
            return replace(self, since=now)
        spent = uptime.between(self.since, now)
        return replace(self, since=now, left=_with(self.left, self.running, self.left[self.running] - spent))

    def after(self, uptime: Uptime, *, answered: int, asked: int, ended: int) -> GameClock:
        """The clock after a command.

        `answered` is the side that gave it by hand, `asked` the side of the person to answer next, and `ended` the
        side whose activation it ended; -1 if there is none.
        """
        clock = self.counted(uptime)
        left, begun = clock.left, clock.begun
        if answered >= 0:
            begun = _with(begun, answered, True)
        if self.kind == "turn":
            if asked >= 0 and (ended >= 0 or asked != self.running):
                left = _with(left, asked, self.allowance)
            return replace(clock, left=left, begun=begun, running=asked)
        if ended >= 0 and left[ended] > 0:
            left = _with(left, ended, left[ended] + self.increment)
        running = asked if asked >= 0 and begun[asked] else -1
        return replace(clock, left=left, begun=begun, running=running)

    def stopped(self, uptime: Uptime) -> GameClock:
        """The clock of a game that is over."""
        return replace(self.counted(uptime), running=-1)

    def is_out(self, side: int) -> bool:
        """Whether a side had no time left at the last count."""
        return self.left[side] <= 0

    def view(self, uptime: Uptime) -> ClockView:
        """The clock as it is shown now."""
        clock = self.counted(uptime)
        left = tuple(max(0, one) for one in clock.left)
        return ClockView(
            self.kind, left, self.running, clock_words(self.kind, self.allowance, self.increment)
        )


CLOCKS: msgspec.json.Decoder[GameClock] = msgspec.json.Decoder(GameClock)


def fresh_clock(order: ClockOrder, sides: int = 2) -> GameClock | None:
    """The clock of a new game; None if it is played without one."""
    if order.kind == "game":
        allowance = order.minutes * MINUTE
        return GameClock("game", allowance, order.increment * SECOND, (allowance,) * sides)
    if order.kind == "turn":
        return GameClock("turn", order.days * DAY, 0, (order.days * DAY,) * sides)
    return None


def clock_of(stored: str) -> GameClock | None:
    """A stored clock; None if the game is played without one."""
    return CLOCKS.decode(stored) if stored else None


def clock_words(kind: str, allowance: int, increment: int) -> str:
    """A clock described in a few words."""
    if kind == "turn":
        days = allowance // DAY
        return f"{days} {'day' if days == 1 else 'days'} per turn"
    more = f", plus {increment // SECOND} s per activation" if increment else ""
    return f"{allowance // MINUTE} minutes per side{more}"


def ordered_words(order: ClockOrder) -> str:
    """The clock of a game order in a few words; empty for none."""
    clock = fresh_clock(order)
    return clock_words(clock.kind, clock.allowance, clock.increment) if clock is not None else ""


def _with(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])
