"""Which database an address means, and its tables brought up to date at the start."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from shieldwall.server.storage.errors import DatabaseError
from shieldwall.server.storage.lock import plain_path

__all__ = [
    "DatabaseError",
    "address_of",
    "bring_up_to_date",
    "driver_address",
    "engine_for",
    "is_postgresql",
    "sqlite_path",
]

MIGRATIONS = Path(__file__).parent / "migrations"
MEMORY = ("", ":memory:")
UPGRADING = 0x5368_6965_6C64  # the advisory lock of PostgreSQL that a server holds while it changes tables


def address_of(text: str) -> URL:
    """An address as it is used: `sqlite:///path` or `postgresql://...`; only these two are supported."""
    try:
        url = make_url(text)
    except ArgumentError as error:
        raise DatabaseError(f"{text!r} is not a database URL; try sqlite:///games.db") from error
    backend = url.get_backend_name()
    if backend == "postgresql":
        return url
    if backend != "sqlite":
        raise DatabaseError(f"databases of kind {backend!r} are not supported; use sqlite or postgresql")
    if (url.database or "") in MEMORY:
        raise DatabaseError("games must be stored in a file; try sqlite:///games.db")
    others = set(url.query) - {"uri"}
    if others:
        raise DatabaseError(f"{text!r} has parameters ({', '.join(sorted(others))}); give the plain path")
    return URL.create("sqlite", database=str(plain_path(str(url.database))))


def sqlite_path(url: URL) -> Path:
    """The file of a SQLite database."""
    return Path(str(url.database))


def is_postgresql(address: str) -> bool:
    """Whether an address leads to PostgreSQL."""
    return address_of(address).get_backend_name() == "postgresql"


def driver_address(address: str) -> str:
    """The address of a PostgreSQL database as its driver takes it, password and all."""
    return address_of(address).set(drivername="postgresql").render_as_string(hide_password=False)


def engine_for(address: str) -> AsyncEngine:
    """An engine for migrations; games themselves are read and written through the drivers."""
    url = address_of(address)
    driver = "sqlite+aiosqlite" if url.get_backend_name() == "sqlite" else "postgresql+asyncpg"
    return create_async_engine(url.set(drivername=driver))


async def bring_up_to_date(address: str) -> None:
    """Create the tables, or lift those of an older version."""
    engine = engine_for(address)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_upgrade)
    finally:
        await engine.dispose()


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":  # several servers may start at once
        connection.execute(text(f"SELECT pg_advisory_xact_lock({UPGRADING})"))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
