"""The connection to the database: one writer, durable commits, tables brought up to date at the start."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from shieldwall.core.errors import ShieldwallError

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_MS = 5000
POSTGRES_CONNECTIONS = 5


class DatabaseError(ShieldwallError):
    """The database cannot be used; the message says why and what to do."""


def engine_for(address: str) -> AsyncEngine:
    """An engine for `sqlite:///path` or `postgresql://...`; only these two are tested."""
    try:
        url = make_url(address)
    except ArgumentError as error:
        raise DatabaseError(f"{address!r} is no database address; try sqlite:///games.db") from error
    backend = url.get_backend_name()
    if backend == "sqlite":
        return _sqlite(url)
    if backend == "postgresql":
        plain = url.set(drivername="postgresql+asyncpg")
        return create_async_engine(plain, pool_size=POSTGRES_CONNECTIONS, max_overflow=0, pool_pre_ping=True)
    raise DatabaseError(f"databases of kind {backend!r} are not supported; use sqlite or postgresql")


def _sqlite(url: URL) -> AsyncEngine:
    """One connection for everything: SQLite before 3.51.3 may corrupt a database that two write to at once."""
    if url.database and url.database != ":memory:":
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_async_engine(url.set(drivername="sqlite+aiosqlite"), pool_size=1, max_overflow=0)

    @event.listens_for(engine.sync_engine, "connect")
    def set_up(connection: Any, record: object) -> None:
        connection.isolation_level = None  # transactions begin below, not by themselves
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            f"busy_timeout={BUSY_MS}",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


async def bring_up_to_date(engine: AsyncEngine) -> None:
    """Create the tables, or lift those of an older version."""
    async with engine.begin() as connection:
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


class OnlyOne:
    """A lock beside a SQLite file that says: a server is using it. The system lifts it when the server dies."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._file: IO[bytes] | None = None
        name = engine.url.database
        if engine.url.get_backend_name() == "sqlite" and name and name != ":memory:":
            self._file = open(f"{name}.lock", "ab")  # noqa: SIM115 - it stays open as long as the server runs
            self._take(name)

    def _take(self, name: str) -> None:
        assert self._file is not None
        try:
            if os.name == "nt":
                import msvcrt

                msvcrt.locking(self._file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
            else:
                import fcntl

                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise DatabaseError(
                f"another Shieldwall is already using {name}; close it, or choose another file with --db"
            ) from error

    def release(self) -> None:
        """Let another server have the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
