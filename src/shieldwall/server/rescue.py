"""For operators: check stored games, export one to a file, rescue a damaged one, back up everything."""

from __future__ import annotations

import base64
import contextlib
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from shieldwall.core.errors import MalformedError, ShieldwallError
from shieldwall.server import archive
from shieldwall.server.damage import Damage, StoredGame, damage_of, on_stored_game
from shieldwall.server.live import LiveGame
from shieldwall.server.storage import DamagedError, Store, open_store
from shieldwall.server.storage.address import address_of, driver_address
from shieldwall.server.storage.drivers import Postgres, Sqlite, Statement
from shieldwall.server.storage.engine import bring_up_to_date
from shieldwall.server.storage.schema import METADATA, SERVER

ROWS_AT_ONCE = 500


class CheckReport(NamedTuple):
    """All findings as lines, and whether all is well."""

    lines: list[str]
    sound: bool


class NoSuchGameError(ShieldwallError):
    """The game is not in the database."""


class BeyondRescueError(ShieldwallError):
    """The game is too damaged for this operation; the message says what to do."""


@contextlib.asynccontextmanager
async def opened(address: str) -> AsyncIterator[Store]:
    """A store for use in a `with` block; refused while a server uses the same SQLite file."""
    _existing(address)
    store = await open_store(address)
    try:
        yield store
    finally:
        await store.close()


def _existing(address: str) -> Path | None:
    """The file of a SQLite database, which must exist: games are never looked for in a new one."""
    file = address_of(address).file
    if file is not None and not file.exists():
        raise ShieldwallError(f"there is no database at {file}")
    return file


async def load(store: Store, game: str) -> StoredGame:
    """Everything about one game."""
    row = await store.game(game)
    if row is None:
        raise NoSuchGameError(f"there is no game {game!r} in this database")
    return StoredGame(row, await store.seats(game), await store.commands(game))


# --- checking ---


async def check_all(address: str, games: list[str]) -> CheckReport:
    """Check some games, or all of them."""
    async with opened(address) as store:
        wrong = await integrity(store)
        ids = games or await store.game_ids()
        found = [finding for id in ids if (finding := await check(store, id)) is not None]
    lines = [f"the file itself: {wrong}"] if wrong else []
    for finding in found:
        kind = "other rules" if finding.other_rules else f"damaged, sound up to {finding.sound}"
        lines.append(f"{finding.game}: {kind}: {finding.words}")
    damaged = sum(not finding.other_rules for finding in found)
    lines.append(f"{len(ids)} games, {damaged} damaged, {len(found) - damaged} of other rules")
    return CheckReport(lines, not damaged and not wrong)


async def check(store: Store, game: str) -> Damage | None:
    """Replay a game from its first command."""
    try:
        return damage_of(await load(store, game))
    except DamagedError as error:  # its rows cannot even be read
        return Damage(game, str(error))


async def integrity(store: Store) -> str:
    """What SQLite itself finds wrong with its file; empty if nothing, and for PostgreSQL."""
    if store.database.backend != "sqlite":
        return ""
    try:
        found = await store.database.fetch("PRAGMA quick_check(5)")
    except DamagedError as error:
        return str(error)
    words = "; ".join(str(row[0]) for row in found)
    return "" if words == "ok" else words


# --- one game ---


async def exported(address: str, game: str) -> bytes:
    """A game as a file that any other Shieldwall can open."""
    async with opened(address) as store:
        try:
            stored = await load(store, game)
            return on_stored_game(stored, archive.file_of, *stored)
        except DamagedError as error:
            raise BeyondRescueError(
                f"game {game} is damaged ({error}); rescue it first, then export it"
            ) from error


def raw_lines(rows: list[Struct]) -> bytes:
    """Rows exactly as stored, one JSON object per line, bytes in base64."""

    def plain(value: object) -> object:
        return base64.b64encode(value).decode() if isinstance(value, bytes) else value

    lines = (
        {"row": type(row).__name__} | {name: plain(value) for name, value in asdict(row).items()}
        for row in rows
    )
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


async def rescued(address: str, game: str, keep: Path) -> Damage | None:
    """Write everything about a damaged game to a file, then resume the game from its last sound command.

    A sound game is left alone, and so is one of other rules: nothing is wrong with it.
    """
    async with opened(address) as store:
        finding = await check(store, game)
        if finding is None or finding.other_rules:
            return finding
        if keep.exists():
            raise ShieldwallError(f"{keep} already exists; choose another name")
        try:
            row, seats, commands = await load(store, game)
            with keep.open("xb") as file:
                file.write(raw_lines([row, *seats, *commands]))
            live = LiveGame(store, row, seats)
            live.resigned = live.out_of_time = None
            live.replay([command for command in commands if command.seq <= finding.sound], None)
        except (DamagedError, msgspec.MsgspecError, MalformedError, UnicodeError) as error:
            raise BeyondRescueError(
                f"nothing of game {game} is sound ({error}); take it from a backup"
            ) from error
        await store.cut_after(game, live.head.seq, live.summary())
        return finding


# --- everything ---


async def backup(address: str, target: Path) -> int:
    """Copy the whole database into a new SQLite file, even while a server runs. Returns the number of games."""
    if target.exists():
        raise ShieldwallError(f"{target} already exists; choose another name")
    file = _existing(address)
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    try:
        if file is not None:
            _copy_file(file, part)
        else:
            await _copy_rows(address, part)
        with contextlib.closing(sqlite3.connect(part)) as copy:
            found: int = copy.execute("SELECT count(*) FROM game").fetchone()[0]
            copy.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        part.rename(target)
    finally:
        for left in (part, *(part.with_name(part.name + end) for end in ("-wal", "-shm"))):
            left.unlink(missing_ok=True)
    return found


def _copy_file(source: Path, target: Path) -> None:
    with (
        contextlib.closing(sqlite3.connect(source)) as live,
        contextlib.closing(sqlite3.connect(target)) as copy,
    ):
        live.backup(copy, pages=1000, sleep=0.01)


async def _copy_rows(address: str, target: Path) -> None:
    """Copy PostgreSQL to SQLite, with all tables as of one moment."""
    await bring_up_to_date(f"sqlite:///{target}")
    source, copy = await Postgres.open(driver_address(address)), Sqlite(str(target))
    try:
        async with (
            source.pool.acquire() as connection,
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            for table in METADATA.sorted_tables:
                if table is SERVER:
                    continue
                await _copy_table(connection, copy, table.name, [column.name for column in table.columns])
    finally:
        await copy.close()
        await source.close()


async def _copy_table(connection: Any, copy: Sqlite, table: str, columns: list[str]) -> None:
    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
    sql = f"INSERT INTO {table} ({names}) VALUES ({marks})"
    batch: list[Statement] = []
    async for row in connection.cursor(f"SELECT {names} FROM {table}"):
        batch.append(Statement(sql, tuple(row)))
        if len(batch) >= ROWS_AT_ONCE:
            await copy.write(batch)
            batch = []
    if batch:
        await copy.write(batch)
