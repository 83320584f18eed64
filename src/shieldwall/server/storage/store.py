"""Reading and writing games. Every method is one transaction; a command is durable when its method returns."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from shieldwall.server.storage.engine import OnlyOne, bring_up_to_date, engine_for
from shieldwall.server.storage.rows import ArmyRow, CommandRow, GameRow, PlayerRow, SeatRow, SnapshotRow
from shieldwall.server.storage.schema import ARMY, COMMAND, GAME, HIDDEN, PLAYER, SEAT, SNAPSHOT

T = TypeVar("T", bound=Struct)
ROWS_AT_ONCE = 500


class ConflictError(Exception):
    """The game has moved on meanwhile: the command does not follow the stored head."""


class BusyError(Exception):
    """The seat or name is already taken."""


class Store:
    """One database. SQLite has a single connection, so calls queue up; PostgreSQL has a few."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._only = OnlyOne(engine)
        self._writing = asyncio.Lock()

    async def start(self) -> None:
        """Bring the tables up to date."""
        await bring_up_to_date(self.engine)

    async def close(self) -> None:
        """Let go of the database."""
        await self.engine.dispose()
        self._only.release()

    @asynccontextmanager
    async def _writer(self) -> AsyncIterator[AsyncConnection]:
        async with self._writing, self.engine.begin() as connection:
            yield connection

    async def _all(self, kind: type[T], query: Any) -> list[T]:
        async with self.engine.connect() as connection:
            found = await connection.execute(query)
            return [_row(kind, row._mapping) for row in found]

    async def _one(self, kind: type[T], query: Any) -> T | None:
        found = await self._all(kind, query)
        return found[0] if found else None

    # players

    async def player_by_token(self, token_hash: str) -> PlayerRow | None:
        """Whoever has the token with this hash."""
        return await self._one(PlayerRow, select(PLAYER).where(PLAYER.c.token_hash == token_hash))

    async def add_player(self, row: PlayerRow) -> None:
        """Somebody new; several first requests of one player may come at once, and all but one change nothing."""
        try:
            async with self._writer() as connection:
                await connection.execute(insert(PLAYER).values(asdict(row)))
        except IntegrityError:
            if await self.player_by_token(row.token_hash) is None:
                raise

    async def rename_player(self, player: str, name: str) -> None:
        """Somebody goes by another name from now on."""
        async with self._writer() as connection:
            await connection.execute(update(PLAYER).where(PLAYER.c.id == player).values(name=name))

    # games

    async def add_game(
        self, game: GameRow, seats: list[SeatRow], commands: Sequence[CommandRow] = ()
    ) -> None:
        """A new game with its seats; one that was played elsewhere comes with its commands."""
        async with self._writer() as connection:
            await connection.execute(insert(GAME).values(asdict(game)))
            await connection.execute(insert(SEAT), [asdict(seat) for seat in seats])
            for at in range(0, len(commands), ROWS_AT_ONCE):
                rows = [asdict(row) for row in commands[at : at + ROWS_AT_ONCE]]
                await connection.execute(insert(COMMAND), rows)

    async def game(self, game: str) -> GameRow | None:
        """One game."""
        return await self._one(GameRow, select(GAME).where(GAME.c.id == game))

    async def seats(self, game: str) -> list[SeatRow]:
        """The seats of a game in order."""
        return await self._all(SeatRow, select(SEAT).where(SEAT.c.game == game).order_by(SEAT.c.seat))

    async def games_of(self, player: str) -> list[GameRow]:
        """Games that somebody made or plays, newest first, less those taken off the list."""
        mine = select(SEAT.c.game).where(SEAT.c.player == player)
        hidden = select(HIDDEN.c.game).where(HIDDEN.c.player == player)
        query = (
            select(GAME)
            .where(or_(GAME.c.owner == player, GAME.c.id.in_(mine)), GAME.c.id.not_in(hidden))
            .order_by(GAME.c.changed.desc(), GAME.c.id)
        )
        return await self._all(GameRow, query)

    async def hide_game(self, player: str, game: str) -> None:
        """Take a game off somebody's list; it stays for the others."""
        async with self._writer() as connection:
            await connection.execute(delete(HIDDEN).where(HIDDEN.c.player == player, HIDDEN.c.game == game))
            await connection.execute(insert(HIDDEN).values(player=player, game=game))

    async def seat_by_invite(self, invite_hash: str) -> SeatRow | None:
        """The seat that an invitation leads to."""
        return await self._one(SeatRow, select(SEAT).where(SEAT.c.invite_hash == invite_hash))

    async def take_seat(self, row: SeatRow) -> None:
        """An open seat is taken; whoever comes second raises `BusyError`."""
        async with self._writer() as connection:
            done = await connection.execute(
                update(SEAT)
                .where(SEAT.c.game == row.game, SEAT.c.seat == row.seat, SEAT.c.who == "open")
                .values(asdict(row))
            )
            if done.rowcount != 1:
                raise BusyError("the seat is already taken")

    async def set_setup(self, game: str, setup: bytes, rules_version: str, at: str) -> None:
        """All seats are taken: the game can begin from this state."""
        async with self._writer() as connection:
            await connection.execute(
                update(GAME)
                .where(GAME.c.id == game)
                .values(setup=setup, rules_version=rules_version, changed=at)
            )

    async def set_automatic(self, game: str, seat: int, automatic: str) -> None:
        """The questions that a seat wants answered by default."""
        async with self._writer() as connection:
            await connection.execute(
                update(SEAT).where(SEAT.c.game == game, SEAT.c.seat == seat).values(automatic=automatic)
            )

    # commands

    async def append(
        self, row: CommandRow, summary: Mapping[str, object], snapshot: SnapshotRow | None = None
    ) -> CommandRow:
        """Store a command for good, and what lists show of the game.

        A command id that is already stored gives the stored row back and changes nothing; a command that
        does not follow the head raises `ConflictError`.
        """
        try:
            async with self._writer() as connection:
                moved = await connection.execute(
                    update(GAME)
                    .where(GAME.c.id == row.game, GAME.c.head == row.seq - 1)
                    .values(head=row.seq, changed=row.at, **summary)
                )
                if moved.rowcount != 1:
                    raise ConflictError(f"command {row.seq} does not follow the head of game {row.game}")
                await connection.execute(insert(COMMAND).values(asdict(row)))
                if snapshot is not None:
                    await connection.execute(delete(SNAPSHOT).where(SNAPSHOT.c.game == row.game))
                    await connection.execute(insert(SNAPSHOT).values(asdict(snapshot)))
        except (ConflictError, IntegrityError):
            known = await self.command_by_id(row.game, row.client_command_id)
            if known is None:
                raise ConflictError(
                    f"command {row.seq} does not follow the head of game {row.game}"
                ) from None
            return known
        return row

    async def command_by_id(self, game: str, client_command_id: str) -> CommandRow | None:
        """The stored command with an id given by the client."""
        query = select(COMMAND).where(
            COMMAND.c.game == game, COMMAND.c.client_command_id == client_command_id
        )
        return await self._one(CommandRow, query)

    async def commands(self, game: str, after: int = -1) -> list[CommandRow]:
        """The commands of a game in order, those after a number."""
        query = select(COMMAND).where(COMMAND.c.game == game, COMMAND.c.seq > after).order_by(COMMAND.c.seq)
        return await self._all(CommandRow, query)

    async def snapshot(self, game: str) -> SnapshotRow | None:
        """The newest state that was put aside, if any."""
        return await self._one(SnapshotRow, select(SNAPSHOT).where(SNAPSHOT.c.game == game))

    # armies

    async def armies_of(self, player: str) -> list[ArmyRow]:
        """Somebody's armies, newest first."""
        query = select(ARMY).where(ARMY.c.player == player).order_by(ARMY.c.changed.desc(), ARMY.c.id)
        return await self._all(ArmyRow, query)

    async def army(self, army: str) -> ArmyRow | None:
        """One army."""
        return await self._one(ArmyRow, select(ARMY).where(ARMY.c.id == army))

    async def save_army(self, row: ArmyRow) -> None:
        """Write an army, new or over its older self; another player's is left alone."""
        async with self._writer() as connection:
            await connection.execute(delete(ARMY).where(ARMY.c.id == row.id, ARMY.c.player == row.player))
            await connection.execute(insert(ARMY).values(asdict(row)))

    async def delete_army(self, player: str, army: str) -> bool:
        """Throw an army away; whether it was there."""
        async with self._writer() as connection:
            gone = await connection.execute(delete(ARMY).where(ARMY.c.id == army, ARMY.c.player == player))
            return gone.rowcount == 1


def _row(kind: type[T], mapping: Mapping[Any, Any]) -> T:
    return kind(**{str(name): value for name, value in mapping.items()})


async def open_store(address: str) -> Store:
    """The store at an address, ready to use."""
    store = Store(engine_for(address))
    await store.start()
    return store
