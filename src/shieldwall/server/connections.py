"""Connections before the application sees them: how many an address may have, and how long each may take.

Requests whose headers do not arrive, bodies that trickle in after the answer was sent, and clients that do not read
are cut off within seconds. Game sockets are counted separately, with room reserved for players. If several servers
share a database, a game's socket is forwarded to the server that plays it (`socket_proxy.py`).
"""

from __future__ import annotations

import asyncio
import hmac
import re
from collections import Counter
from collections.abc import Callable, Collection
from functools import partial
from typing import Any, Protocol

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from shieldwall.server.budgets import Limits, address_group
from shieldwall.server.cluster import Cluster
from shieldwall.server.socket_proxy import INSIDE, ForwardedSocket, ForwardingError, forward_socket
from shieldwall.server.storage.errors import StorageError

LOOK_EVERY = 1.0  # seconds
LINE = "shieldwall.line"  # the key under which a socket's scope holds its connection
GAME_SOCKET = re.compile(rb"/api/games/([A-Za-z0-9]{1,32})/socket(?:\?.*)?")


class Watched(Protocol):
    """A connection with a time limit."""

    transport: asyncio.Transport

    def is_overdue(self, at: float) -> bool:
        """Whether its time is up."""


class ConnectionGuard:
    """All connections of one server. `proxies` are addresses whose connections stand for many people.

    `cluster` is set if other servers share the database; they connect to `inside_port`, which nobody else may use.
    """

    def __init__(self, limits: Limits, proxies: Collection[str] = (), inside_port: int = 0) -> None:
        self.limits = limits
        self.proxies = frozenset(proxies)
        self.inside_port = inside_port
        self.cluster: Cluster | None = None
        self.open: set[Watched] = set()
        self.each: Counter[str] = Counter()
        self._task: asyncio.Task[None] | None = None

    def joined(self, cluster: Cluster) -> None:
        """Join a cluster: other servers share the database from now on."""
        self.cluster = cluster
        cluster.watchers.append(self._cut_off_dead)

    def _cut_off_dead(self, alive: frozenset[str]) -> None:
        """A server is gone: disconnect the clients forwarded to it, so they look for their game elsewhere."""
        for connection in tuple(self.open):
            if isinstance(connection, ForwardedSocket) and connection.server not in alive:
                connection.transport.abort()

    def protocols(self) -> tuple[type[H11Protocol], type[WebSocketsSansIOProtocol]]:
        """The two protocol classes for uvicorn, bound to this guard."""
        http = type("BoundHttp", (GuardedHttp,), {"guard": self})
        socket = type("BoundSocket", (GuardedSocket,), {"guard": self})
        return http, socket

    def admit(self, address: str) -> bool:
        """Count a new connection; False if there are too many."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._watch())
        full = self.each.total() >= self.limits.connections_in_all
        if address not in self.proxies:
            full = full or self.each[address] >= self.limits.connections_each
        if not full:
            self.each[address] += 1
        return not full

    def gone(self, address: str) -> None:
        """A counted connection has closed."""
        self.each[address] -= 1
        if self.each[address] <= 0:
            del self.each[address]

    async def _watch(self) -> None:
        """Cut off connections that take too long; ends by itself when none are left."""
        now = asyncio.get_running_loop().time
        while self.open:
            await asyncio.sleep(LOOK_EVERY)
            at = now()
            for connection in tuple(self.open):
                if connection.is_overdue(at):
                    connection.transport.abort()


class _Guarded:
    """Common to both protocols: counting, and how long the other side has not been reading."""

    guard: ConnectionGuard
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    paused_at: float | None = None
    counted = ""
    inside_for = ""  # the client's address, if another server forwarded the connection

    def count(self) -> None:
        """Count this connection and watch it, or cut it off if there are too many."""
        peer = self.transport.get_extra_info("peername")
        address = self.inside_for or (address_group(peer[0]) if isinstance(peer, tuple) else "")
        if not self.is_inside and not self.guard.admit(address):
            self.transport.abort()
            return
        self.counted = "" if self.is_inside else address
        self.guard.open.add(self)

    @property
    def is_inside(self) -> bool:
        """Whether it came from another server, on the internal port. That server has already counted it."""
        at = self.transport.get_extra_info("sockname")
        port = self.guard.inside_port
        return bool(port) and isinstance(at, tuple) and at[1] == port

    def uncount(self) -> None:
        """The connection has closed, or continues under another protocol."""
        self.guard.open.discard(self)
        if self.counted:
            self.guard.gone(self.counted)
            self.counted = ""

    def pause_writing(self) -> None:
        """The other side has stopped keeping up."""
        self.paused_at = self.loop.time()
        super().pause_writing()  # type: ignore[misc]

    def resume_writing(self) -> None:
        """The other side has caught up."""
        self.paused_at = None
        super().resume_writing()  # type: ignore[misc]

    def is_overdue(self, at: float) -> bool:
        """Whether data has waited too long for the other side to read it."""
        return self.paused_at is not None and at - self.paused_at > self.guard.limits.write_seconds


class GuardedHttp(_Guarded, H11Protocol):
    """HTTP with a limit on how long headers may take."""

    waiting_since: float | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection; its first request must arrive in time."""
        super().connection_made(transport)
        self.waiting_since = self.loop.time()
        self.count()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.uncount()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """The time limit for headers starts with the first byte of a request."""
        if self.waiting_since is None and self._is_between_requests():
            self.waiting_since = self.loop.time()
        super().data_received(data)
        if not self._is_between_requests():
            self.waiting_since = None

    def _is_between_requests(self) -> bool:
        return self.conn.their_state is h11.IDLE

    def on_response_complete(self) -> None:
        """Do not wait for a body that still trickles in after its answer was sent."""
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY:
            self.waiting_since = self.loop.time()

    def is_overdue(self, at: float) -> bool:
        """Whether this connection's time is up."""
        late = self.waiting_since is not None and at - self.waiting_since > self.guard.limits.header_seconds
        return late or super().is_overdue(at)

    # --- sockets of games ---

    def _should_upgrade(self) -> bool:
        """Other servers may only forward sockets."""
        return self.is_inside or super()._should_upgrade()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection to the socket's protocol, or to another server."""
        given = [value for name, value in self.headers if name == INSIDE]
        self.headers = [(name, value) for name, value in self.headers if name != INSIDE]
        game = GAME_SOCKET.fullmatch(event.target)
        if self.is_inside:
            self._came_from_inside(event, given)
        elif self.guard.cluster is None or game is None:
            self._serve_here(event)
        else:
            self.transport.pause_reading()
            self._leading = self.loop.create_task(self._lead(event, game[1].decode(), self.guard.cluster))

    def _serve_here(self, event: h11.Request) -> None:
        self.uncount()
        super().handle_websocket_upgrade(event)

    def _came_from_inside(self, event: h11.Request, given: list[bytes]) -> None:
        """Check that a forwarded connection knows our secret, and read the client's address from it."""
        secret, _, client = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
        cluster = self.guard.cluster
        if cluster is None or not hmac.compare_digest(secret, cluster.secret.encode()):
            self.transport.abort()
            return
        kind: Any = self.ws_protocol_class
        self.ws_protocol_class = partial(_made_for, kind, client.decode())  # type: ignore[assignment]
        self._serve_here(event)

    async def _lead(self, event: h11.Request, game: str, cluster: Cluster) -> None:
        """Find the server that plays a game: this one, or another one to which all bytes are forwarded."""
        for _ in range(2):
            try:
                owner = await cluster.owner(game)
                if self.transport.is_closing():
                    return
                if owner is None or owner.id == cluster.id:
                    break
                await forward_socket(self, self.guard, event, owner)
                return
            except ForwardingError:
                await self._suspect(cluster, owner.id if owner is not None else "")
            except StorageError:
                break  # the application will find out too, and has a message for it
        else:
            self.transport.abort()  # the client tries again
            return
        self.transport.resume_reading()
        self._serve_here(event)

    @staticmethod
    async def _suspect(cluster: Cluster, server: str) -> None:
        try:
            await cluster.suspect(server)
        except StorageError:
            return


def _made_for(kind: type[GuardedSocket], client: str, **given: Any) -> GuardedSocket:
    made = kind(**given)
    made.inside_for = client
    return made


class GuardedSocket(_Guarded, WebSocketsSansIOProtocol):
    """A WebSocket whose reader must keep up."""

    def connection_made(self, transport: Any) -> None:
        """Count the connection."""
        super().connection_made(transport)
        if self.inside_for:
            self.client = (self.inside_for, 0)
        self.count()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.uncount()
        super().connection_lost(exc)

    def handle_connect(self, event: Any) -> None:
        """Let the application write to this connection directly (`viewer.py`)."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][LINE] = self  # type: ignore[assignment]

    def tell(self, data: bytes) -> None:
        """Send a text message now, or as soon as the other side reads."""
        if not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.transport.write(frame_head(len(data)) + data)

    @property
    def backlog(self) -> int:
        """Bytes the other side has not taken yet."""
        return self.transport.get_write_buffer_size()


def frame_head(size: int) -> bytes:
    """The frame header of a text message of this length: one whole frame, neither masked nor compressed (RFC 6455)."""
    if size < 126:
        return bytes((0x81, size))
    return b"\x81\x7e" + size.to_bytes(2, "big") if size < 2**16 else b"\x81\x7f" + size.to_bytes(8, "big")


class Place:
    """One open socket of a game."""

    __slots__ = ("address", "drop", "player", "seated", "used_at")

    def __init__(self, address: str, player: str, at: float) -> None:
        self.address, self.player, self.used_at = address, player, at
        self.seated = False
        self.drop: Callable[[], None] | None = None


class SocketSlots:
    """Who holds a socket. When all are taken, watchers make room for players, from the address with the most first."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.open: set[Place] = set()
        self._each: Counter[str] = Counter()

    def reserve(self, address: str, player: str, at: float) -> Place | None:
        """Reserve a place for a new socket, counted from now on; None if the address already has its maximum."""
        if self._each[address] >= self.limits.sockets_each:
            return None
        place = Place(address, player, at)
        self.open.add(place)
        self._each[address] += 1
        return place

    def settle(self, place: Place, seated: bool, drop: Callable[[], None]) -> bool:
        """The socket's role is known now: keep it, if need be at another's expense, or return False if it must go."""
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
        """The socket has closed."""
        if place in self.open:
            self.open.discard(place)
            self._each[place.address] -= 1
            if self._each[place.address] <= 0:
                del self._each[place.address]
