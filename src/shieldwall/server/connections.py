"""Connections before the application sees them: how many an address may have, and how long each may take.

A request whose headers do not arrive, a body that only trickles after its answer was sent, a reader that does not read:
all are cut off within seconds. Sockets of games are counted separately, with room kept for those who play. Where
several servers share a database, the socket of a game is passed on to the server that plays it (`passing_on.py`).
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
from shieldwall.server.passing_on import INSIDE, CannotPassOnError, PassedOn, pass_on
from shieldwall.server.storage.errors import StorageError

LOOK_EVERY = 1.0  # seconds
LINE = "shieldwall.line"  # where the scope of a socket holds its connection
GAME_SOCKET = re.compile(rb"/api/games/([A-Za-z0-9]{1,32})/socket(?:\?.*)?")


class Watched(Protocol):
    """A connection that may have had its time."""

    transport: asyncio.Transport

    def is_overdue(self, at: float) -> bool:
        """Whether it has."""


class ConnectionGuard:
    """All connections of one server. `proxies` are addresses whose connections stand for many people.

    `cluster` is set where other servers share the database; they come in by `inside_port`, and nobody else does.
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
        """Other servers share the database from now on."""
        self.cluster = cluster
        cluster.watchers.append(self._cut_off_dead)

    def _cut_off_dead(self, alive: frozenset[str]) -> None:
        """A server is gone: clients passed on to it must look for their game elsewhere."""
        for connection in tuple(self.open):
            if isinstance(connection, PassedOn) and connection.server not in alive:
                connection.transport.abort()

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
        while self.open:
            await asyncio.sleep(LOOK_EVERY)
            at = now()
            for connection in tuple(self.open):
                if connection.is_overdue(at):
                    connection.transport.abort()


class _Guarded:
    """What both protocols share: counting, and how long the other side has not been reading."""

    guard: ConnectionGuard
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    paused_at: float | None = None
    counted = ""
    inside_for = ""  # the client's address, where another server passed the connection on

    def count(self) -> None:
        """Count this connection and watch it, or cut it off where there are too many."""
        peer = self.transport.get_extra_info("peername")
        address = self.inside_for or (address_group(peer[0]) if isinstance(peer, tuple) else "")
        if not self.is_inside and not self.guard.admit(address):
            self.transport.abort()
            return
        self.counted = "" if self.is_inside else address
        self.guard.open.add(self)

    @property
    def is_inside(self) -> bool:
        """Whether it came in where only other servers do. The server that passed it on has counted it."""
        at = self.transport.get_extra_info("sockname")
        port = self.guard.inside_port
        return bool(port) and isinstance(at, tuple) and at[1] == port

    def uncount(self) -> None:
        """The connection is over or goes on as another protocol."""
        self.guard.open.discard(self)
        if self.counted:
            self.guard.gone(self.counted)
            self.counted = ""

    def pause_writing(self) -> None:
        """The other side does not keep up."""
        self.paused_at = self.loop.time()
        super().pause_writing()  # type: ignore[misc]

    def resume_writing(self) -> None:
        """It does again."""
        self.paused_at = None
        super().resume_writing()  # type: ignore[misc]

    def is_overdue(self, at: float) -> bool:
        """Whether data has been waiting for the other side for too long."""
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

    def is_overdue(self, at: float) -> bool:
        """Whether this connection has had its time."""
        late = self.waiting_since is not None and at - self.waiting_since > self.guard.limits.header_seconds
        return late or super().is_overdue(at)

    # --- sockets of games ---

    def _should_upgrade(self) -> bool:
        """Other servers pass on sockets and nothing else."""
        return self.is_inside or super()._should_upgrade()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """The socket's protocol counts the connection from here on, or another server has it."""
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
        """Another server passed it on: it must know our secret and says whose connection it is."""
        secret, _, client = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
        cluster = self.guard.cluster
        if cluster is None or not hmac.compare_digest(secret, cluster.secret.encode()):
            self.transport.abort()
            return
        kind: Any = self.ws_protocol_class
        self.ws_protocol_class = partial(_made_for, kind, client.decode())  # type: ignore[assignment]
        self._serve_here(event)

    async def _lead(self, event: h11.Request, game: str, cluster: Cluster) -> None:
        """Find the server that plays a game: this one, or another to which all bytes go from now on."""
        for _ in range(2):
            try:
                owner = await cluster.owner(game)
                if self.transport.is_closing():
                    return
                if owner is None or owner.id == cluster.id:
                    break
                await pass_on(self, self.guard, event, owner)
                return
            except CannotPassOnError:
                await self._suspect(cluster, owner.id if owner is not None else "")
            except StorageError:
                break  # which the application will find out, too, and knows words for
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
        """Let the application write to this connection without any layer between (`viewer.py`)."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][LINE] = self  # type: ignore[assignment]

    def tell(self, data: bytes) -> None:
        """Send a text message at once, or as soon as the other side reads."""
        if not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.transport.write(frame_head(len(data)) + data)

    @property
    def backlog(self) -> int:
        """Bytes that the other side has not taken yet."""
        return self.transport.get_write_buffer_size()


def frame_head(size: int) -> bytes:
    """What stands before a text message of so many bytes: a whole frame, neither masked nor compressed (RFC 6455)."""
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


class SocketPlaces:
    """Who holds a socket. When all are taken, watchers make room for players, those with the most sockets first."""

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
