"""A server on its own port for each module that asks for one, and people to play on it.

Nothing is random: servers in this process roll the same dice and have the same bots in every run.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import uvicorn

from shieldwall.bots import numbers_for
from shieldwall.server import from_position, jobs, lobby, opponents, rematch, setup
from shieldwall.server.budgets import Limits, unlimited
from shieldwall.server.serving import listen, server_config
from shieldwall.server.web import create_app
from tests.server.databases import Postgres
from tests.server.killing import ForkServer
from tests.server.player import PATIENCE, Person

_chance = random.Random(1)


def _secret() -> bytes:
    return _chance.randbytes(32)


def _nonce() -> str:
    return _chance.randbytes(16).hex()


@pytest.fixture(scope="session", autouse=True)
def _same_chance() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (lobby, rematch, from_position):
            patch.setattr(module, "new_secret", _secret)
        for module in (setup, rematch, from_position):
            patch.setattr(module, "new_nonce", _nonce)
        # keyed by the step of a game, because its id differs in every run
        patch.setattr(jobs, "numbers_for", lambda seed, seat: numbers_for(str(seed).split()[-1], seat))
        patch.setattr(jobs, "policy_of", lambda bot, _: opponents.policy_of(bot, ""))
        yield


@pytest.fixture(autouse=True)
def _from_the_start() -> None:
    """Make the order of tests irrelevant."""
    _chance.seed(1)


class Running:
    """A server in a thread of this process, with threads for workers: fast to start, otherwise real."""

    def __init__(
        self,
        database: str,
        limits: Limits | None = None,
        proxies: Sequence[str] = (),
        watched: bool = False,
    ) -> None:
        limits = limits or unlimited()  # the whole suite comes from one address
        self.app = create_app(database, processes=False, limits=limits, watched=watched)
        self._socket = listen("127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._server = uvicorn.Server(server_config(self.app, limits, proxies))
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        while not self._server.started:
            self._thread.join(0.02)
            assert self._thread.is_alive(), "the server did not start"

    def _run(self) -> None:
        async def serve() -> None:
            self.loop = asyncio.get_running_loop()
            await self._server.serve(sockets=[self._socket])

        asyncio.run(serve())

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the server did not stop"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("games")
    running = Running(f"sqlite:///{folder / 'games.db'}")
    yield running
    running.stop()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One for all tests of this process; each test uses its own databases."""
    running = Postgres()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def fork_server() -> Iterator[ForkServer]:
    """Starts server processes that have already imported everything."""
    running = ForkServer()
    yield running
    running.close()


@pytest.fixture
def person(server: Running) -> Iterator[Callable[[], Person]]:
    """Makes people, each with their own cookie."""
    made: list[Person] = []

    def one() -> Person:
        made.append(Person(server.address))
        return made[-1]

    yield one
    for each in made:
        each.close()
