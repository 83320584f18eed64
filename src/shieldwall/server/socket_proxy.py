"""Forwards a socket that reached one server to the server that plays its game: all bytes, both ways, unread.

The other server gets the secret it published in the database, so it knows that a server is connecting, and the client's
address; the rest of the request is forwarded unchanged.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from shieldwall.server.cluster import Owner

if TYPE_CHECKING:
    import h11

    from shieldwall.server.connections import ConnectionGuard, GuardedHttp

INSIDE = b"x-shieldwall-inside"
CONNECT_SECONDS = 1.0


class ForwardingError(Exception):
    """The other server does not answer."""


class _OwnerSide(asyncio.Protocol):
    """The side of the other server."""

    def __init__(self) -> None:
        self.near: ForwardedSocket | None = None

    def data_received(self, data: bytes) -> None:
        """Forward bytes to the client."""
        if self.near is not None:
            self.near.transport.write(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """The other server has closed the connection, or is gone."""
        if self.near is not None:
            self.near.transport.close()

    def pause_writing(self) -> None:
        """The other server has stopped keeping up."""
        if self.near is not None:
            self.near.transport.pause_reading()

    def resume_writing(self) -> None:
        """The other server has caught up."""
        if self.near is not None and not self.near.transport.is_closing():
            self.near.transport.resume_reading()


class ForwardedSocket(asyncio.Protocol):
    """The side of the client."""

    def __init__(
        self, guard: ConnectionGuard, http: GuardedHttp, server: str, far: asyncio.Transport
    ) -> None:
        self.guard, self.server, self.far = guard, server, far
        self.transport = http.transport
        self._counted, http.counted = http.counted, ""
        self._connections = http.connections
        self._paused_at: float | None = None
        self._time = http.loop.time

    def data_received(self, data: bytes) -> None:
        """Forward bytes to the other server."""
        self.far.write(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self.far.close()
        self.guard.open.discard(self)
        self._connections.discard(self)
        if self._counted:
            self.guard.gone(self._counted)

    def pause_writing(self) -> None:
        """The client has stopped keeping up: stop reading for it."""
        self._paused_at = self._time()
        if not self.far.is_closing():
            self.far.pause_reading()

    def resume_writing(self) -> None:
        """The client has caught up."""
        self._paused_at = None
        if not self.far.is_closing():
            self.far.resume_reading()

    def is_overdue(self, at: float) -> bool:
        """Whether data has waited too long for the client to read it."""
        return self._paused_at is not None and at - self._paused_at > self.guard.limits.write_seconds

    def shutdown(self) -> None:
        """This server is shutting down; the client will find another."""
        self.transport.close()


async def forward_socket(http: GuardedHttp, guard: ConnectionGuard, event: h11.Request, owner: Owner) -> None:
    """Forward a socket request, and everything after it, to another server; raises if that does not respond."""
    host, _, port = owner.address.rpartition(":")
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            far, protocol = await http.loop.create_connection(_OwnerSide, host.strip("[]"), int(port))
    except (OSError, TimeoutError) as error:
        raise ForwardingError(owner.address) from error
    peer = http.client[0] if http.client is not None else ""
    near = ForwardedSocket(guard, http, owner.id, far)
    protocol.near = near
    guard.open.discard(http)
    guard.open.add(near)
    http.connections.discard(http)
    http.connections.add(near)  # type: ignore[arg-type]
    near.transport.set_protocol(near)
    lines = [b"%s %s HTTP/1.1" % (event.method, event.target)]
    lines += [b"%s: %s" % header for header in http.headers]
    lines += [b"%s: %s %s" % (INSIDE, owner.secret.encode(), peer.encode()), b"", b""]
    far.write(b"\r\n".join(lines))
    if near.transport.is_closing():
        far.close()
    else:
        near.transport.resume_reading()
