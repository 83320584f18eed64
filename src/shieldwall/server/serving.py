"""Running the server: a port, a line for the person at the keyboard, the page, compiling in the background."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import webbrowser
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import uvicorn
from fastapi import FastAPI
from rich.console import Console

from shieldwall.core.errors import ShieldwallError
from shieldwall.server.budgets import Limits
from shieldwall.server.connections import ConnectionGuard
from shieldwall.server.limits import FRAME_BYTES
from shieldwall.server.metrics import log_as_json
from shieldwall.server.middleware import LOCAL_HOSTS
from shieldwall.server.storage import open_store
from shieldwall.server.web import create_app

EVERYWHERE = ("0.0.0.0", "::", "")
PINGS = 20.0


class Serving(NamedTuple):
    """What the command line asked for."""

    host: str
    port: int
    database: str
    browser: bool
    limits: Limits | None = None
    names: tuple[str, ...] = ()  # host names that the server answers to
    proxies: tuple[str, ...] = ()  # addresses of reverse proxies whose forwarded addresses are believed
    secure: bool = False  # the page is reached by https
    watched: bool = False  # /health and /metrics
    json_log: bool = False


class PortTakenError(ShieldwallError):
    """The port cannot be had."""


def serve(order: Serving) -> None:
    """Serve until somebody presses Ctrl+C."""
    console = Console(stderr=True, highlight=False)
    asyncio.run(_try_database(order.database))
    listening = listen(order.host, order.port)
    port = listening.getsockname()[1]
    hosts: tuple[str, ...] = ("*",) if order.host in EVERYWHERE else (*LOCAL_HOSTS, order.host)
    limits = order.limits or Limits()
    if order.names:
        hosts = (*LOCAL_HOSTS, *order.names)
    app = create_app(order.database, hosts=hosts, limits=limits, secure=order.secure, watched=order.watched)
    config = server_config(app, limits, order.proxies)
    if order.json_log:
        config.log_config = None
        log_as_json()
    address = f"http://{'127.0.0.1' if order.host in EVERYWHERE else order.host}:{port}/"
    server = _Announcing(config, console, address, order)
    asyncio.run(server.serve(sockets=[listening]))


def server_config(app: FastAPI, limits: Limits, proxies: Sequence[str] = ()) -> uvicorn.Config:
    """How connections are served. Forwarded addresses are believed only where they come from one of `proxies`."""
    http, socket_protocol = ConnectionGuard(limits, proxies).protocols()
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,  # addresses of requests may hold what only players should know
        http=http,
        ws=socket_protocol,
        ws_max_size=FRAME_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=PINGS,
        ws_ping_timeout=PINGS,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=2,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
    )


async def _try_database(address: str) -> None:
    """Open the database once before anything is announced, so that what is wrong with it is one clear message."""
    await (await open_store(address)).close()


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; the port is known before anything else starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
    except OSError as error:
        found.close()
        raise PortTakenError(
            f"cannot listen on {host} port {port}: {error.strerror or error}; try another with --port"
        ) from error
    found.listen(256)
    return found


class _Announcing(uvicorn.Server):
    """A server that says where it is once it is there."""

    def __init__(self, config: uvicorn.Config, console: Console, address: str, order: Serving) -> None:
        super().__init__(config)
        self._console, self._address, self._order = console, address, order

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End in peace on Ctrl+C or a request to stop, instead of dying of the same signal once more afterwards."""
        signals = (signal.SIGINT, signal.SIGTERM)
        before = {sign: signal.signal(sign, self.handle_exit) for sign in signals}
        try:
            yield
        finally:
            for sign, handler in before.items():
                signal.signal(sign, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then tell and open the page."""
        await super().startup(sockets)
        if not self.started:
            return
        self._console.print(f"Shieldwall is at {self._address}  (Ctrl+C ends it)")
        if self._order.host in EVERYWHERE:
            self._console.print("Everybody who reaches this computer can join.")
        if self._order.browser:
            await asyncio.to_thread(webbrowser.open, self._address)
