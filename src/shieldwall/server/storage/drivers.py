"""The two databases through their own drivers: SQLite in a dedicated thread, PostgreSQL with asyncpg.

A write is a list of statements that succeed or fail together, and it is durable when `write` returns. SQL is
written once, with `?` for values. Simultaneous writes of several games share one commit.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import re
import sqlite3
import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import asyncpg  # type: ignore[import-untyped]

from shieldwall.server.storage.errors import ConflictError, DamagedError, StorageError, TakenError

BUSY_MS = 5000
BATCH = 64  # writes that share a commit
POSTGRES_CONNECTIONS = 8
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_MS}")
WRONG = (
    sqlite3.Error,
    OverflowError,
    UnicodeError,
)  # the last two: values that cannot be stored, damaged text
FULL = re.compile(r"full|readonly|read-only|disk I/O", re.IGNORECASE)

Rows = list[tuple[Any, ...]]


class Statement(NamedTuple):
    """One change. If `rows` is given, exactly that many rows must change, or the whole write is rolled back."""

    sql: str
    values: tuple[Any, ...] = ()
    rows: int | None = None


class Database(Protocol):
    """What a store needs of a database."""

    backend: str
    failures: int  # how many reads or writes have failed

    async def fetch(self, sql: str, *values: Any) -> Rows:
        """The rows of a query."""

    async def write(self, statements: Sequence[Statement]) -> list[int]:
        """Make changes together and durably; returns how many rows each one changed."""

    async def close(self) -> None:
        """Close the database."""


# --- SQLite ---


class _Request(NamedTuple):
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop
    statements: Sequence[Statement] | None  # None for a query
    query: Statement | None


class Sqlite:
    """One connection in one thread. Queued writes are committed together."""

    backend = "sqlite"

    def __init__(self, path: str) -> None:
        self._path = path
        self.failures = 0
        self._line: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._opened: queue.SimpleQueue[Exception | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="sqlite", daemon=True)
        self._thread.start()
        problem = self._opened.get()
        if problem is not None:
            raise problem

    async def fetch(self, sql: str, *values: Any) -> Rows:
        """The rows of a query."""
        found: Rows = await self._asked(None, Statement(sql, values))
        return found

    async def write(self, statements: Sequence[Statement]) -> list[int]:
        """Make changes together and durably."""
        found: list[int] = await self._asked(statements, None)
        return found

    async def _asked(self, statements: Sequence[Statement] | None, query: Statement | None) -> Any:
        if not self._thread.is_alive():
            raise StorageError("the database is closed")
        loop = asyncio.get_running_loop()
        request = _Request(loop.create_future(), loop, statements, query)
        self._line.put(request)
        try:
            return await request.future
        except StorageError:
            self.failures += 1
            raise

    async def close(self) -> None:
        """Close the file, after everything in the queue is done."""
        self._line.put(None)
        await asyncio.to_thread(self._thread.join)

    # in the thread

    def _run(self) -> None:
        try:
            connection = sqlite3.connect(self._path, isolation_level=None, cached_statements=256)
            for pragma in PRAGMAS:
                connection.execute(f"PRAGMA {pragma}")
        except WRONG as error:
            self._opened.put(_known(error))
            return
        self._opened.put(None)
        with contextlib.closing(connection):
            while self._serve(connection):
                pass

    def _serve(self, connection: sqlite3.Connection) -> bool:
        """Handle everything in the queue: queries at once, writes in one commit. False when the queue is closed."""
        batch: list[_Request] = []
        request = self._line.get()
        while request is not None:
            if request.statements is None:
                self._commit(connection, batch)  # a query after a write must see what was written
                batch = []
                self._query(connection, request)
            else:
                batch.append(request)
            if len(batch) >= BATCH or self._line.empty():
                break
            request = self._line.get()
        self._commit(connection, batch)
        return request is not None

    def _query(self, connection: sqlite3.Connection, request: _Request) -> None:
        assert request.query is not None
        try:
            found: Any = connection.execute(request.query.sql, request.query.values).fetchall()
        except WRONG as error:
            found = _known(error)
        _tell([(request, found)])

    def _commit(self, connection: sqlite3.Connection, batch: list[_Request]) -> None:
        if not batch:
            return
        results: list[tuple[_Request, Any]] = []
        try:
            connection.execute("BEGIN IMMEDIATE")
            for request in batch:
                results.append((request, self._one(connection, request)))
            connection.execute("COMMIT")
        except WRONG as error:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            results = [(request, _known(error)) for request in batch]
        _tell(results)

    @staticmethod
    def _one(connection: sqlite3.Connection, request: _Request) -> Any:
        """One write among several: an error in it rolls back only that write. A full disk rolls back all of them."""
        connection.execute("SAVEPOINT one")
        counts = []
        try:
            for sql, values, rows in request.statements or ():
                changed = connection.execute(sql, values).rowcount
                if rows is not None and changed != rows:
                    raise ConflictError(f"{changed} rows where {rows} were expected")
                counts.append(changed)
        except (ConflictError, sqlite3.IntegrityError, OverflowError, UnicodeError) as error:
            connection.execute("ROLLBACK TO one")
            connection.execute("RELEASE one")
            return error if isinstance(error, ConflictError) else _known(error)
        connection.execute("RELEASE one")
        return counts


def _tell(results: list[tuple[_Request, Any]]) -> None:
    """Hand results to the event loop, all of a commit at once."""

    def settle() -> None:
        for request, found in results:
            if request.future.done():
                continue
            if isinstance(found, Exception):
                request.future.set_exception(found)
            else:
                request.future.set_result(found)

    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is waiting
        results[0][0].loop.call_soon_threadsafe(settle)


def _known(error: Exception) -> Exception:
    """An error of SQLite as one of ours."""
    words = str(error)
    if isinstance(error, sqlite3.IntegrityError):
        return TakenError(words)
    if isinstance(error, UnicodeDecodeError):
        return DamagedError(f"the database file is damaged: {words}")
    if isinstance(error, sqlite3.OperationalError) and FULL.search(words):
        return StorageError(f"the disk cannot be written: {words}")
    if "malformed" in words or "not a database" in words or "decode to UTF-8" in words:
        return DamagedError(f"the database file is damaged: {words}")
    return StorageError(words)


# --- PostgreSQL ---


class Postgres:
    """A few connections; asyncpg prepares each statement once for each of them."""

    backend = "postgresql"

    def __init__(self, pool: asyncpg.Pool) -> None:
        self.pool = pool
        self.failures = 0

    @classmethod
    async def open(cls, address: str) -> Postgres:
        """Connect."""
        try:
            pool = await asyncpg.create_pool(address, min_size=1, max_size=POSTGRES_CONNECTIONS, reset=_kept)
        except (OSError, asyncpg.PostgresError) as error:
            raise StorageError(f"PostgreSQL cannot be reached: {error}") from error
        return cls(pool)

    async def fetch(self, sql: str, *values: Any) -> Rows:
        """The rows of a query."""
        with self._translated():
            return [tuple(row) for row in await self.pool.fetch(numbered(sql), *values)]

    async def write(self, statements: Sequence[Statement]) -> list[int]:
        """Make changes together and durably."""
        with self._translated():
            if len(statements) == 1:  # is a transaction by itself; no row changed: nothing to undo
                return [_counted(statements[0], await _executed(self.pool, statements[0]))]
            async with self.pool.acquire() as connection, connection.transaction():
                return [_counted(one, await _executed(connection, one)) for one in statements]

    async def close(self) -> None:
        """Close all connections."""
        await self.pool.close()

    @contextlib.contextmanager
    def _translated(self) -> Any:
        try:
            yield
        except asyncpg.IntegrityConstraintViolationError as error:
            raise TakenError(str(error)) from error
        except asyncpg.DataCorruptedError as error:
            raise DamagedError(f"the database is damaged: {error}") from error
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
            self.failures += 1
            raise StorageError(str(error) or type(error).__name__) from error


async def _executed(on: Any, statement: Statement) -> str:
    told: str = await on.execute(numbered(statement.sql), *statement.values)
    return told


def _counted(statement: Statement, told: str) -> int:
    """How many rows PostgreSQL says were changed; an unexpected number raises `ConflictError`."""
    changed = int(told.rsplit(" ", 1)[-1]) if told[-1].isdigit() else 0
    if statement.rows is not None and changed != statement.rows:
        raise ConflictError(f"{changed} rows where {statement.rows} were expected")
    return changed


async def _kept(connection: Any) -> None:
    """Reset nothing: nothing is set on a connection, and this saves a round trip for each write."""


@lru_cache(maxsize=256)
def numbered(sql: str) -> str:
    """`?` as `$1`, `$2` and so on."""
    parts = sql.split("?")
    return "".join(f"{part}${n}" for n, part in enumerate(parts[:-1], start=1)) + parts[-1]
