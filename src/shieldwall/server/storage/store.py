"""Reading and writing games. Every method is one transaction; a command is durable when its method returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import astuple

from shieldwall.server.storage.address import DatabaseAddress, address_of
from shieldwall.server.storage.drivers import Database, Postgres, Sqlite, Statement
from shieldwall.server.storage.errors import (
    BusyError,
    ConflictError,
    DamagedError,
    DatabaseError,
    LostError,
    StorageError,
    TakenError,
)
from shieldwall.server.storage.lock import FileLock
from shieldwall.server.storage.rows import (
    AnalysisRow,
    ArmyRow,
    CommandRow,
    GameRow,
    PlayerRow,
    SeatRow,
    SnapshotRow,
    SpanRow,
    row_of,
)

T = TypeVar("T", bound=Struct)
VERSIONS = Path(__file__).parent / "migrations" / "versions"
NEWEST = max(file.stem[1:5] for file in VERSIONS.glob("v[0-9]*.py"))
SUMMARY = ("status", "round", "score", "turn_seat", "winner", "resigned", "out_of_time", "clock")


def _columns(kind: type[Struct]) -> str:
    return ", ".join(kind.__struct_fields__)


def _select(kind: type[Struct], table: str, rest: str) -> str:
    return f"SELECT {_columns(kind)} FROM {table} {rest}"


def _insert(kind: type[Struct], table: str) -> str:
    marks = ", ".join("?" * len(kind.__struct_fields__))
    return f"INSERT INTO {table} ({_columns(kind)}) VALUES ({marks})"


ADD_PLAYER = _insert(PlayerRow, "player") + " ON CONFLICT DO NOTHING"
ADD_GAME, ADD_SEAT = _insert(GameRow, "game"), _insert(SeatRow, "seat")
ADD_COMMAND = _insert(CommandRow, "command")
MOVED_COMMAND = f"""INSERT INTO command ({_columns(CommandRow)})
    SELECT {", ".join("?" * len(CommandRow.__struct_fields__))} FROM moved"""
ADD_SNAPSHOT = _insert(SnapshotRow, "snapshot")
ADD_ARMY = _insert(ArmyRow, "army")
ADD_SPAN = _insert(SpanRow, "span") + " ON CONFLICT (id) DO UPDATE SET until = excluded.until"
SPANS = _select(SpanRow, "span", "ORDER BY began")
PLAYER_BY_TOKEN = _select(PlayerRow, "player", "WHERE token_hash = ?")
GAME = _select(GameRow, "game", "WHERE id = ?")
GAMES = _select(GameRow, "game", "ORDER BY id")
SEATS = _select(SeatRow, "seat", "WHERE game = ? ORDER BY seat")
SEAT_BY_INVITE = _select(SeatRow, "seat", "WHERE invite_hash = ?")
GAMES_OF = _select(
    GameRow,
    "game",
    """WHERE (owner = ? OR id IN (SELECT game FROM seat WHERE player = ?))
    AND id NOT IN (SELECT game FROM hidden WHERE player = ?) ORDER BY changed DESC, id""",
)
COMMANDS = _select(CommandRow, "command", "WHERE game = ? AND seq > ? ORDER BY seq")
COMMAND_BY_ID = _select(CommandRow, "command", "WHERE game = ? AND client_command_id = ?")
SNAPSHOT = _select(SnapshotRow, "snapshot", "WHERE game = ?")
ADD_ANALYSIS = _insert(AnalysisRow, "analysis")
ANALYSIS = _select(AnalysisRow, "analysis", "WHERE game = ? AND version = ?")
ARMIES_OF = _select(ArmyRow, "army", "WHERE player = ? ORDER BY changed DESC, id")
ARMY = _select(ArmyRow, "army", "WHERE id = ?")
TAKE_SEAT = (
    "UPDATE seat SET "
    + ", ".join(f"{name} = ?" for name in SeatRow.__struct_fields__)
    + " WHERE game = ? AND seat = ? AND who = 'open'"
)


NOW = "extract(epoch FROM clock_timestamp())::float8"  # by PostgreSQL's clock, which all servers share
HOLDS = f"game.server = ? AND EXISTS (SELECT 1 FROM server WHERE server.id = ? AND server.until > {NOW})"


class Store:
    """One database.

    `server` is set if several servers share it: a command is then stored only if that server owns the game and
    has a lease at that moment. The database checks this, in the same statement that advances the game.
    """

    def __init__(self, database: Database, lock: FileLock | None = None) -> None:
        self.database = database
        self.server = ""
        self._lock = lock

    async def close(self) -> None:
        """Close the database."""
        await self.database.close()
        if self._lock is not None:
            self._lock.release()

    async def _all(self, kind: type[T], sql: str, *values: Any) -> list[T]:
        return [row_of(kind, row) for row in await self.database.fetch(sql, *values)]

    async def _one(self, kind: type[T], sql: str, *values: Any) -> T | None:
        found = await self._all(kind, sql, *values)
        return found[0] if found else None

    async def _write(self, *statements: Statement) -> list[int]:
        return await self.database.write(statements)

    # players

    async def player_by_token(self, token_hash: str) -> PlayerRow | None:
        """The player whose token has this hash."""
        return await self._one(PlayerRow, PLAYER_BY_TOKEN, token_hash)

    async def add_player(self, row: PlayerRow) -> None:
        """Add a player; several first requests of one player may arrive at once, and all but one change nothing."""
        await self._write(Statement(ADD_PLAYER, astuple(row)))

    async def rename_player(self, player: str, name: str) -> None:
        """Change a player's name."""
        await self._write(Statement("UPDATE player SET name = ? WHERE id = ?", (name, player)))

    # games

    async def add_game(
        self, game: GameRow, seats: list[SeatRow], commands: Sequence[CommandRow] = ()
    ) -> None:
        """Add a game with its seats; one that was played elsewhere comes with its commands."""
        await self._write(
            Statement(ADD_GAME, astuple(game)),
            *(Statement(ADD_SEAT, astuple(seat)) for seat in seats),
            *(Statement(ADD_COMMAND, astuple(row)) for row in commands),
        )

    async def game(self, game: str) -> GameRow | None:
        """One game."""
        return await self._one(GameRow, GAME, game)

    async def game_ids(self) -> list[str]:
        """The ids of all games."""
        return [row[0] for row in await self.database.fetch("SELECT id FROM game ORDER BY id")]

    async def seats(self, game: str) -> list[SeatRow]:
        """The seats of a game in order."""
        return await self._all(SeatRow, SEATS, game)

    async def games_of(self, player: str) -> list[GameRow]:
        """Games that a player made or plays, newest first, without those taken off the list."""
        rows = await self.database.fetch(GAMES_OF, player, player, player)
        return [GameRow(*row) for row in rows]  # a damaged game must not hide the others

    async def hide_game(self, player: str, game: str) -> None:
        """Take a game off a player's list; others keep it."""
        sql = "INSERT INTO hidden (player, game) VALUES (?, ?) ON CONFLICT DO NOTHING"
        await self._write(Statement(sql, (player, game)))

    async def seat_by_invite(self, invite_hash: str) -> SeatRow | None:
        """The seat that an invitation leads to."""
        return await self._one(SeatRow, SEAT_BY_INVITE, invite_hash)

    async def take_seat(self, row: SeatRow) -> None:
        """Take an open seat; a second taker gets `BusyError`."""
        try:
            await self._write(Statement(TAKE_SEAT, (*astuple(row), row.game, row.seat), 1))
        except ConflictError as error:
            raise BusyError("the seat is already taken") from error

    async def set_setup(self, game: str, setup: bytes, rules_version: str, at: str) -> None:
        """All seats are taken: store the state the game starts from."""
        sql = "UPDATE game SET setup = ?, rules_version = ?, changed = ? WHERE id = ?"
        await self._write(Statement(sql, (setup, rules_version, at, game)))

    async def set_automatic(self, game: str, seat: int, automatic: str) -> None:
        """The questions that a seat wants answered by default."""
        sql = "UPDATE seat SET automatic = ? WHERE game = ? AND seat = ?"
        await self._write(Statement(sql, (automatic, game, seat)))

    # commands

    async def append(
        self, row: CommandRow, summary: Mapping[str, object], snapshot: SnapshotRow | None = None
    ) -> CommandRow:
        """Store a command durably, with what lists show of the game.

        If the command id is already stored, return the stored row and change nothing. A command that
        does not follow the head raises `ConflictError`, and one from a server that does not own the game `LostError`.
        """
        names = [name for name in SUMMARY if name in summary]
        changes = "".join(f", {name} = ?" for name in names)
        moved = f"UPDATE game SET head = ?, changed = ?{changes} WHERE id = ? AND head = ?"
        values = (row.seq, row.at, *(summary[name] for name in names), row.game, row.seq - 1)
        if self.server:
            moved, values = f"{moved} AND {HOLDS}", (*values, self.server, self.server)
        if snapshot is not None:
            statements = [
                Statement(moved, values, 1),
                Statement(ADD_COMMAND, astuple(row)),
                Statement("DELETE FROM snapshot WHERE game = ?", (row.game,)),
                Statement(ADD_SNAPSHOT, astuple(snapshot)),
            ]
        elif self.database.backend == "postgresql":  # one round trip to the database instead of four
            together = f"WITH moved AS ({moved} RETURNING id) {MOVED_COMMAND}"
            statements = [Statement(together, (*values, *astuple(row)), 1)]
        else:
            statements = [Statement(moved, values, 1), Statement(ADD_COMMAND, astuple(row))]
        try:
            await self._write(*statements)
        except (ConflictError, TakenError):
            known = await self.command_by_id(row.game, row.client_command_id)
            if self.server and not await self._is_held(row.game):
                raise LostError(f"game {row.game} is played by another server") from None
            if known is None:
                words = f"command {row.seq} does not follow the head of game {row.game}"
                raise ConflictError(words) from None
            return known
        return row

    async def _is_held(self, game: str) -> bool:
        """Whether this server owns a game and has a lease."""
        held = f"SELECT 1 FROM game WHERE id = ? AND {HOLDS}"
        return bool(await self.database.fetch(held, game, self.server, self.server))

    async def command_by_id(self, game: str, client_command_id: str) -> CommandRow | None:
        """The stored command with the client's id."""
        return await self._one(CommandRow, COMMAND_BY_ID, game, client_command_id)

    async def commands(self, game: str, after: int = -1) -> list[CommandRow]:
        """The commands of a game after a number, in order."""
        return await self._all(CommandRow, COMMANDS, game, after)

    async def snapshot(self, game: str) -> SnapshotRow | None:
        """The newest snapshot, if any."""
        return await self._one(SnapshotRow, SNAPSHOT, game)

    async def cut_after(self, game: str, last: int, summary: Mapping[str, object]) -> None:
        """Delete every command after a number, and every snapshot: a damaged game resumes from there."""
        names = [name for name in SUMMARY if name in summary]
        changes = "".join(f", {name} = ?" for name in names)
        values = (last, *(summary[name] for name in names), game)
        await self._write(
            Statement("DELETE FROM snapshot WHERE game = ?", (game,)),
            Statement("DELETE FROM command WHERE game = ? AND seq > ?", (game, last)),
            Statement(f"UPDATE game SET head = ?{changes} WHERE id = ?", values, 1),
        )

    # rematches

    async def set_rematch(self, game: str, before: str, after: str) -> bool:
        """Record what was offered after a game; False if that has changed in the meantime."""
        sql = "UPDATE game SET rematch = ? WHERE id = ? AND rematch = ?"
        return await self._write(Statement(sql, (after, game, before))) == [1]

    async def add_rematch(self, old: GameRow, after: str, game: GameRow, seats: list[SeatRow]) -> bool:
        """Add a game that follows another one, and record it there; False if somebody was faster."""
        sql = "UPDATE game SET rematch = ? WHERE id = ? AND rematch = ?"
        try:
            await self._write(
                Statement(sql, (after, old.id, old.rematch), 1),
                Statement(ADD_GAME, astuple(game)),
                *(Statement(ADD_SEAT, astuple(seat)) for seat in seats),
            )
        except ConflictError:
            return False
        return True

    # when servers were running

    async def spans(self) -> list[SpanRow]:
        """The periods in which servers ran, earliest first."""
        return await self._all(SpanRow, SPANS)

    async def add_span(self, row: SpanRow) -> None:
        """Add a span, or extend one."""
        await self._write(Statement(ADD_SPAN, astuple(row)))

    async def forget_spans(self, before: int) -> None:
        """Delete spans that are no longer needed."""
        await self._write(Statement("DELETE FROM span WHERE until < ?", (before,)))

    # analyses

    async def analysis(self, game: str, version: int) -> AnalysisRow | None:
        """The findings of this version's analysis of a game."""
        return await self._one(AnalysisRow, ANALYSIS, game, version)

    async def keep_analysis(self, row: AnalysisRow) -> None:
        """Store an analysis with its game, replacing an older one."""
        gone = Statement("DELETE FROM analysis WHERE game = ?", (row.game,))
        await self._write(gone, Statement(ADD_ANALYSIS, astuple(row)))

    # armies

    async def armies_of(self, player: str) -> list[ArmyRow]:
        """A player's armies, newest first."""
        return await self._all(ArmyRow, ARMIES_OF, player)

    async def army(self, army: str) -> ArmyRow | None:
        """One army."""
        return await self._one(ArmyRow, ARMY, army)

    async def save_army(self, row: ArmyRow) -> None:
        """Store an army, new or over its earlier version; another player's is not changed."""
        gone = Statement("DELETE FROM army WHERE id = ? AND player = ?", (row.id, row.player))
        await self._write(gone, Statement(ADD_ARMY, astuple(row)))

    async def delete_army(self, player: str, army: str) -> bool:
        """Delete an army; returns whether it existed."""
        sql = "DELETE FROM army WHERE id = ? AND player = ?"
        return await self._write(Statement(sql, (army, player))) == [1]


async def open_store(address: str) -> Store:
    """The store at an address, ready to use."""
    found = address_of(address)
    lock = FileLock(found.file) if found.file is not None else None
    try:
        database = await _connected(found)
        if not await _is_up_to_date(database):
            from shieldwall.server.storage.engine import bring_up_to_date

            await database.close()
            await bring_up_to_date(address)
            database = await _connected(found)
        return Store(database, lock)
    except BaseException as error:
        if lock is not None:
            lock.release()
        if isinstance(error, StorageError | DamagedError):
            raise DatabaseError(f"the database {found} cannot be opened: {error}") from error
        raise


async def _connected(address: DatabaseAddress) -> Database:
    return await Postgres.open(address.postgresql) if address.file is None else Sqlite(str(address.file))


async def _is_up_to_date(database: Database) -> bool:
    """Whether the tables are those of this version of the program. A new database has none."""
    try:
        return await database.fetch("SELECT version_num FROM alembic_version") == [(NEWEST,)]
    except StorageError:
        return False
