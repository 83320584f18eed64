"""Connections before the application sees them: how many an address may have, and how long each may take.

A request whose headers do not arrive, a body that only trickles after its answer was sent, a reader that does not read:
all are cut off within seconds. Sockets of games are counted separately, with room kept for those who play.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from shieldwall.server.budgets import Limits, address_group

LOOK_EVERY = 1.0  # seconds


class ConnectionGuard:
    """All connections of one server. `proxies` are addresses whose connections stand for many people."""

    def __init__(self, limits: Limits, proxies: Collection[str] = ()) -> None:
        self.limits = limits
        self.proxies = frozenset(proxies)
        self.http: set[GuardedHttp] = set()
        self.sockets: set[GuardedSocket] = set()
        self.each: Counter[str] = Counter()
        self._task: asyncio.Task[None] | None = None

    def protocols(self) -> tuple[type[H11Protocol], type[WebSocketsSansIOProtocol]]:
        """The two protocol classes for uvicorn, bound to this guard."""
        http = type("BoundHttp", (GuardedHttp,), {"guard": self})
        socket = type("BoundSocket", (GuardedSocket,), {"guard": self})
        return http, socket

    def admit(self, address: str) -> bool:
        """Count a new connection; False where there are too many."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._watch())
        full = self.each.total() >= self.limits.connections_in_all
        if address not in self.proxies:
            full = full or self.each[address] >= self.limits.connections_each
        if not full:
            self.each[address] += 1
        return not full

    def gone(self, address: str) -> None:
        """A connection that was counted is over."""
        self.each[address] -= 1
        if self.each[address] <= 0:
            del self.each[address]

    async def _watch(self) -> None:
        """Cut off whatever takes too long; ends by itself when no connection is left."""
        now = asyncio.get_running_loop().time
        while self.http or self.sockets:
            await asyncio.sleep(LOOK_EVERY)
            at = now()
            watched: list[GuardedHttp | GuardedSocket] = [*self.http, *self.sockets]
            for connection in watched:
                if connection.is_overdue(at):
                    connection.transport.abort()


class _Watched:
    """What both protocols share: counting, and how long the other side has not been reading."""

    guard: ConnectionGuard
    paused_at: float | None = None
    counted = ""

    def count(self, transport: asyncio.Transport) -> bool:
        """Count this connection; False where it must be cut off."""
        peer = transport.get_extra_info("peername")
        address = address_group(peer[0]) if isinstance(peer, tuple) else ""
        if not self.guard.admit(address):
            transport.abort()
            return False
        self.counted = address
        return True

    def uncount(self) -> None:
        """The connection is over or goes on as another protocol."""
        if self.counted:
            self.guard.gone(self.counted)
            self.counted = ""

    def does_not_read(self, at: float) -> bool:
        """Whether data has been waiting for the other side for too long."""
        return self.paused_at is not None and at - self.paused_at > self.guard.limits.write_seconds


class GuardedHttp(_Watched, H11Protocol):
    """HTTP with a limit on how long headers may take."""

    waiting_since: float | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection; its first request must arrive in time."""
        super().connection_made(transport)
        self.waiting_since = self.loop.time()
        if self.count(transport):
            self.guard.http.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.guard.http.discard(self)
        self.uncount()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """From the first byte of a request the time for its headers counts."""
        if self.waiting_since is None and self._is_between_requests():
            self.waiting_since = self.loop.time()
        super().data_received(data)
        if not self._is_between_requests():
            self.waiting_since = None

    def _is_between_requests(self) -> bool:
        return self.conn.their_state is h11.IDLE

    def on_response_complete(self) -> None:
        """A body that still trickles in after its answer is not waited for."""
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY:
            self.waiting_since = self.loop.time()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """The socket's protocol counts the connection from here on."""
        self.guard.http.discard(self)
        self.uncount()
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        """The other side does not keep up."""
        self.paused_at = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """It does again."""
        self.paused_at = None
        super().resume_writing()

    def is_overdue(self, at: float) -> bool:
        """Whether this connection has had its time."""
        late = self.waiting_since is not None and at - self.waiting_since > self.guard.limits.header_seconds
        return late or self.does_not_read(at)


class GuardedSocket(_Watched, WebSocketsSansIOProtocol):
    """A WebSocket whose reader must keep up."""

    def connection_made(self, transport: Any) -> None:
        """Count the connection."""
        super().connection_made(transport)
        if self.count(transport):
            self.guard.sockets.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.guard.sockets.discard(self)
        self.uncount()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The other side does not keep up."""
        self.paused_at = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """It does again."""
        self.paused_at = None
        super().resume_writing()

    def is_overdue(self, at: float) -> bool:
        """Whether this connection has had its time."""
        return self.does_not_read(at)


class Place:
    """One open socket of a game."""

    __slots__ = ("address", "drop", "player", "seated", "used_at")

    def __init__(self, address: str, player: str, at: float) -> None:
        self.address, self.player, self.used_at = address, player, at
        self.seated = False
        self.drop: Callable[[], None] | None = None


class SocketPlaces:
    """Who has a socket. When all are taken, watchers make room for players, and whoever has most makes room first."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.open: set[Place] = set()
        self._each: Counter[str] = Counter()

    def reserve(self, address: str, player: str, at: float) -> Place | None:
        """A place for a new socket, counted from this moment; None where the address has all it may have."""
        if self._each[address] >= self.limits.sockets_each:
            return None
        place = Place(address, player, at)
        self.open.add(place)
        self._each[address] += 1
        return place

    def settle(self, place: Place, seated: bool, drop: Callable[[], None]) -> bool:
        """The socket is known by now; False where it must go, and otherwise somebody else may have to."""
        place.seated, place.drop = seated, drop
        if len(self.open) <= self.limits.sockets_in_all:
            return True
        known = [other for other in self.open if other.drop is not None]
        least = min(known, key=self._standing)
        if least is place:
            return False
        assert least.drop is not None
        least.drop()
        self.release(least)
        return True

    def _standing(self, place: Place) -> tuple[bool, int, float]:
        return place.seated, -self._each[place.address], place.used_at

    def release(self, place: Place) -> None:
        """The socket is closed."""
        if place in self.open:
            self.open.discard(place)
            self._each[place.address] -= 1
            if self._each[place.address] <= 0:
                del self._each[place.address]
