"""Upgrades tables with Alembic. Importing that takes long, so this module is imported only when necessary."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import URL, Connection, make_url, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from shieldwall.server.storage.address import address_of
from shieldwall.server.storage.errors import DatabaseError

MIGRATIONS = Path(__file__).parent / "migrations"
UPGRADING = 0x5368_6965_6C64  # the advisory lock of PostgreSQL that a server holds while it upgrades tables


def engine_for(address: str) -> AsyncEngine:
    """An engine for migrations; games are read and written through the drivers."""
    found = address_of(address)
    if found.file is not None:
        return create_async_engine(URL.create("sqlite+aiosqlite", database=str(found.file)))
    return create_async_engine(make_url(found.postgresql).set(drivername="postgresql+asyncpg"))


async def bring_up_to_date(address: str) -> None:
    """Create the tables, or upgrade those of an older version."""
    try:
        engine = engine_for(address)
        try:
            async with engine.begin() as connection:
                await connection.run_sync(_upgrade)
        finally:
            await engine.dispose()
    except (SQLAlchemyError, OSError) as error:
        told = getattr(error, "orig", None) or error
        raise DatabaseError(f"the database {address_of(address)} cannot be opened: {told}") from error
    except CommandError as error:
        raise DatabaseError(
            f"the database {address_of(address)} belongs to a newer Shieldwall; use that, or a backup ({error})"
        ) from error


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":  # several servers may start at once
        connection.execute(text(f"SELECT pg_advisory_xact_lock({UPGRADING})"))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
