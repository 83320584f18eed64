"""Running the server: a port, a line for the person at the keyboard, and one process or several."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import multiprocessing.process
import os
import signal
import socket
import time
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import NamedTuple

import uvicorn
from fastapi import FastAPI

from shieldwall.core.errors import ShieldwallError
from shieldwall.server.budgets import Limits
from shieldwall.server.connections import ConnectionGuard
from shieldwall.server.limits import FRAME_BYTES
from shieldwall.server.logs import log_to_standard_error, tell
from shieldwall.server.middleware import LOCAL_HOSTS
from shieldwall.server.storage import open_store
from shieldwall.server.storage.address import is_postgresql
from shieldwall.server.web import create_app
from shieldwall.server.worker_lifetime import end_with_parent, tune_collector

EVERYWHERE = ("0.0.0.0", "::", "")
PINGS = 20.0
LOOK_SECONDS = 1.0
SHORT_LIFE = 5.0  # seconds: a process that died sooner is likely to die again
END_SECONDS = 8.0
NEVER = 1_000_000
LOG = logging.getLogger("shieldwall.server")


class Serving(NamedTuple):
    """The options of the command line."""

    host: str
    port: int
    database: str
    browser: bool
    limits: Limits | None = None
    names: tuple[str, ...] = ()  # host names that the server answers to
    proxies: tuple[str, ...] = ()  # addresses of reverse proxies whose forwarded addresses are trusted
    secure: bool = False  # the page is served over https
    watched: bool = False  # /health and /metrics
    json_log: bool = False
    processes: int = 1  # processes that share the port and a PostgreSQL database
    inside: str = "127.0.0.1"  # the address where servers on other machines reach this one
    threads: bool = False  # for tests: workers are threads, so one kill ends all


class PortTakenError(ShieldwallError):
    """The port cannot be used."""


class NeedsPostgresError(ShieldwallError):
    """Several processes cannot share this database."""


def serve(order: Serving) -> None:
    """Serve until Ctrl+C."""
    if order.processes > 1 and not is_postgresql(order.database):
        raise NeedsPostgresError(
            "several processes can share games only through PostgreSQL; use --db postgresql://..., or one process"
        )
    log_to_standard_error(order.json_log)
    asyncio.run(_try_database(order.database))
    listening = listen(order.host, order.port)
    address = (
        f"http://{'127.0.0.1' if order.host in EVERYWHERE else order.host}:{listening.getsockname()[1]}/"
    )
    if order.processes > 1:
        Processes(order, listening, address).run()
    else:
        serve_one(order, listening, address)


def serve_one(
    order: Serving, listening: socket.socket, address: str, ready: Callable[[], None] | None = None
) -> None:
    """Serve in this process. `ready` is called instead of announcing the address."""
    hosts: tuple[str, ...] = ("*",) if order.host in EVERYWHERE else (*LOCAL_HOSTS, order.host)
    limits = order.limits or Limits()
    if order.names:
        hosts = (*LOCAL_HOSTS, *order.names)
    sockets, inside, inside_port = [listening], "", 0
    if is_postgresql(order.database):
        sockets.append(listen(order.inside, 0))
        inside_port = sockets[1].getsockname()[1]
        inside = f"[{order.inside}]:{inside_port}" if ":" in order.inside else f"{order.inside}:{inside_port}"
    app = create_app(
        order.database,
        hosts=hosts,
        processes=not order.threads,
        limits=limits,
        secure=order.secure,
        watched=order.watched,
        inside=inside,
    )
    config = server_config(app, limits, order.proxies, inside_port)
    tune_collector(NEVER)  # collect the garbage of closed rooms when many have been closed
    asyncio.run(_Announcing(config, order, address, ready).serve(sockets=sockets))


def server_config(
    app: FastAPI, limits: Limits, proxies: Sequence[str] = (), inside_port: int = 0
) -> uvicorn.Config:
    """How connections are served. Forwarded addresses are trusted only if they come from one of `proxies`."""
    guard = app.state.guard = ConnectionGuard(limits, proxies, inside_port)
    http, socket_protocol = guard.protocols()
    return uvicorn.Config(
        app,
        log_config=None,  # use our own logging
        log_level="warning",
        access_log=False,  # request paths may contain ids that only players should know
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
    """Open the database once before announcing anything, so that a problem with it gives one clear message."""
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


@contextlib.contextmanager
def clean_shutdown(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Exit cleanly on Ctrl+C or SIGTERM, instead of being killed by the same signal again afterwards."""
    before = {sign: signal.signal(sign, handler) for sign in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for sign, earlier in before.items():
            signal.signal(sign, earlier)


def announce(order: Serving, address: str) -> None:
    """Print the server's address."""
    tell(f"Shieldwall is at {address}  (Ctrl+C ends it)")
    if order.host in EVERYWHERE:
        tell("Anyone who can reach this computer can join.")


class _Announcing(uvicorn.Server):
    """A server that announces its address once it is running."""

    def __init__(
        self, config: uvicorn.Config, order: Serving, address: str, ready: Callable[[], None] | None
    ) -> None:
        super().__init__(config)
        self._order, self._address, self._ready = order, address, ready

    def capture_signals(self) -> contextlib.AbstractContextManager[None]:  # type: ignore[override]
        """Signals only stop the server."""
        return clean_shutdown(self.handle_exit)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, announce the address, and open the page."""
        await super().startup(sockets)
        if not self.started:
            return
        if self._ready is not None:
            self._ready()
            return
        announce(self._order, self._address)
        if self._order.browser:
            await asyncio.to_thread(webbrowser.open, self._address)


# --- several processes ---


def _process(order: Serving, listening: socket.socket, parent: int, ready: Connection) -> None:
    """One of several processes; it exits with the process that started it."""
    end_with_parent(parent)
    log_to_standard_error(order.json_log)
    serve_one(order, listening, "", lambda: ready.send(True))


class _Child(NamedTuple):
    process: multiprocessing.process.BaseProcess
    ready: Connection
    began: float


class Processes:
    """Servers that share one port. One that dies is restarted; meanwhile the others take over its games."""

    def __init__(self, order: Serving, listening: socket.socket, address: str) -> None:
        self._order, self._listening, self._address = order, listening, address
        self._children: list[_Child] = []
        self._stopping = False

    def run(self) -> None:
        """Serve until told to stop."""
        with clean_shutdown(self._stop):
            self._children = [self._start() for _ in range(self._order.processes)]
            try:
                self._wait_until_ready()
                announce(self._order, self._address)
                while not self._stopping:
                    sentinels = [child.process.sentinel for child in self._children]
                    wait(sentinels, timeout=LOOK_SECONDS)
                    self._children = [self._kept(child) for child in self._children]
            finally:
                self._end()

    def _stop(self, *_: object) -> None:
        self._stopping = True

    def _start(self) -> _Child:
        ours, theirs = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.get_context("spawn").Process(
            target=_process, args=(self._order, self._listening, os.getpid(), theirs)
        )
        process.start()
        theirs.close()
        return _Child(process, ours, time.monotonic())

    def _wait_until_ready(self) -> None:
        for child in self._children:
            while not self._stopping and not child.ready.poll(LOOK_SECONDS):
                pass
            with contextlib.suppress(EOFError):
                if self._stopping or child.ready.recv():
                    continue
            raise ShieldwallError("a server process did not start; what it said is above")

    def _kept(self, child: _Child) -> _Child:
        """The same child, or a replacement; one that dies at once is restarted after a delay."""
        if self._stopping or child.process.is_alive():
            return child
        if time.monotonic() - child.began < SHORT_LIFE:
            time.sleep(LOOK_SECONDS)
        child.ready.close()
        LOG.error("a server process died (exit code %s); starting another", child.process.exitcode)
        return self._start()

    def _end(self) -> None:
        for child in self._children:
            child.process.terminate()
        for child in self._children:
            child.process.join(END_SECONDS)
            child.process.kill()
