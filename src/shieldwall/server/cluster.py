"""Several servers on one PostgreSQL: which of them are alive, and which one plays each game.

PostgreSQL decides everything, through its clock, row locks, advisory locks and notifications:

- Each server has a row with a lease of a few seconds, which it renews, and holds an advisory lock on a separate
  connection. When its process dies, PostgreSQL frees the lock at once, and the other servers end the lease. If a server
  merely hangs, its lease expires.
- A game's row names its owner. To store a command, a server must be the owner and have a lease; the statement that
  stores it checks both (`Store.append`). A new owner is written to the same row, so either the old owner's command is
  stored first and the new owner reads it, or it is not stored at all.
- A game whose owner has no lease goes to the server with the fewest games.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import asyncpg  # type: ignore[import-untyped]

from shieldwall.server.logs import SHORT
from shieldwall.server.storage.drivers import Postgres, Statement
from shieldwall.server.storage.errors import StorageError
from shieldwall.server.storage.store import NOW, Store

LOG = logging.getLogger("shieldwall.server")
LEASE_SECONDS = 4.0
RENEW_SECONDS = 1.0
FORGOTTEN_SECONDS = 3600
CHANNEL = "shieldwall"
TROUBLE = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)

JOIN = f"INSERT INTO server (id, address, secret, lock, until) VALUES ($1, $2, $3, $4, {NOW} + $5)"
RENEW = f"UPDATE server SET until = {NOW} + $2 WHERE id = $1 AND until > {NOW}"
END_DEAD = f"UPDATE server SET until = 0 WHERE id <> $1 AND until > {NOW} AND pg_try_advisory_xact_lock(lock)"
FORGET = f"DELETE FROM server WHERE until < {NOW} - $1"
ALIVE = f"SELECT id FROM server WHERE until > {NOW}"
OWNER = f"""SELECT game.server, server.address, server.secret FROM game
    LEFT JOIN server ON server.id = game.server AND server.until > {NOW} WHERE game.id = ?"""
GIVE = f"""UPDATE game SET server = (
        SELECT s.id FROM server s WHERE s.until > {NOW}
        ORDER BY (SELECT count(*) FROM game g WHERE g.server = s.id), s.id <> ?, s.id LIMIT 1
    ) WHERE id = ?
    AND EXISTS (SELECT 1 FROM server s WHERE s.until > {NOW})
    AND NOT EXISTS (SELECT 1 FROM server s WHERE s.id = game.server AND s.until > {NOW})"""
RELEASE = "UPDATE game SET server = '' WHERE id = ? AND server = ?"
RELEASE_ALL = "UPDATE game SET server = '' WHERE server = ?"


class Owner(NamedTuple):
    """The server that plays a game, and the address where other servers reach it."""

    id: str
    address: str
    secret: str


class Cluster:
    """One server among several.

    `lost` is called when its lease is gone, `told` when another server reports a change to a game.
    """

    def __init__(
        self,
        store: Store,
        url: str,
        address: str,
        lost: Callable[[], Awaitable[None]],
        told: Callable[[str], Awaitable[None]],
    ) -> None:
        assert isinstance(store.database, Postgres)
        self.store, self._url, self._address = store, url, address
        self._lost, self._told = lost, told
        self.secret = secrets.token_hex(32)
        self.id = ""
        self.alive: frozenset[str] = frozenset()
        self.watchers: list[Callable[[frozenset[str]], None]] = []  # called with the live servers
        self._keeper: Any = None
        self._task: asyncio.Task[None] | None = None
        self._news: set[asyncio.Task[None]] = set()

    # --- life ---

    async def start(self) -> None:
        """Join the cluster."""
        await self._join()
        self._task = asyncio.create_task(self._keep(), name="lease")

    async def close(self) -> None:
        """Give up the lease and all games, so that others need not wait for the lease to expire."""
        if self._task is not None:
            self._task.cancel()
        with contextlib.suppress(StorageError):
            await self.store.database.write(
                [
                    Statement(RELEASE_ALL, (self.id,)),
                    Statement("DELETE FROM server WHERE id = ?", (self.id,)),
                ]
            )
        self._hang_up()

    async def _join(self) -> None:
        """Get a new id and a lease. The lock comes first: a row without its lock would look like a dead server's."""
        id, lock = secrets.token_hex(16), secrets.randbits(62)
        keeper = None
        try:
            async with asyncio.timeout(LEASE_SECONDS):
                keeper = await asyncpg.connect(self._url)
                await keeper.execute("SELECT pg_advisory_lock($1)", lock)
                await keeper.add_listener(CHANNEL, self._heard)
                await keeper.execute(JOIN, id, self._address, self.secret, lock, LEASE_SECONDS)
                await keeper.execute(FORGET, FORGOTTEN_SECONDS)
        except BaseException as error:
            if keeper is not None:
                keeper.terminate()
            if isinstance(error, TROUBLE):
                raise StorageError(f"PostgreSQL does not answer: {error or type(error).__name__}") from error
            raise
        self.id = self.store.server = id
        self.alive |= {id}
        self._keeper = keeper

    def _hang_up(self) -> None:
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.terminate()

    async def _keep(self) -> None:
        """Keep renewing the lease. When it is lost, give up every game before asking for a new one."""
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                if self._keeper is not None and await self._renewed():
                    continue
            except TROUBLE as error:
                LOG.warning("the lease could not be renewed: %s", error or type(error).__name__)
            if self._keeper is not None:
                LOG.warning("the lease is lost; all games are given up", extra={"server": self.id[:SHORT]})
                self._hang_up()
                await self._lost()
            with contextlib.suppress(StorageError):
                await self._join()

    async def _renewed(self) -> bool:
        async with asyncio.timeout(LEASE_SECONDS - RENEW_SECONDS):
            done = await self._keeper.execute(RENEW, self.id, LEASE_SECONDS)
            if not done.endswith(" 1"):
                return False
            await self._keeper.execute(END_DEAD, self.id)
            self.alive = frozenset(row[0] for row in await self._keeper.fetch(ALIVE))
        for watcher in self.watchers:
            watcher(self.alive)
        return True

    # --- games ---

    async def owner(self, game: str) -> Owner | None:
        """The server that plays a game; if none does, one is assigned. None for an unknown game."""
        if self._keeper is None:
            raise StorageError("this server has lost its lease and waits for PostgreSQL")
        for _ in range(3):
            rows = await self.store.database.fetch(OWNER, game)
            if not rows:
                return None
            id, address, secret = rows[0]
            if address is not None:
                return Owner(id, address, secret)
            await self.store.database.write([Statement(GIVE, (self.id, game))])
        raise StorageError("no server has a lease just now")

    async def suspect(self, server: str) -> None:
        """End the lease of a server that does not respond, if its lock is free and its process therefore gone."""
        ended = "UPDATE server SET until = 0 WHERE id = ? AND pg_try_advisory_xact_lock(lock)"
        await self.store.database.write([Statement(ended, (server,))])

    async def release(self, game: str) -> None:
        """Give up a game that nobody watches: the next server asked for it may take it."""
        with contextlib.suppress(StorageError):
            await self.store.database.write([Statement(RELEASE, (game, self.id))])

    async def tell(self, game: str) -> None:
        """Notify a game's owner that something about the game has changed in the database."""
        await self.store.database.fetch("SELECT pg_notify(?, ?)", CHANNEL, game)

    def _heard(self, connection: object, process: int, channel: str, game: str) -> None:
        task = asyncio.get_running_loop().create_task(self._news_of(game))
        self._news.add(task)
        task.add_done_callback(self._news.discard)

    async def _news_of(self, game: str) -> None:
        try:
            await self._told(game)
        except Exception:
            LOG.exception("news of a game failed", extra={"game": game[:SHORT]})
