"""What the database promises, the same on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import itertools
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from msgspec.structs import replace

from shieldwall.server.storage import (
    ArmyRow,
    BusyError,
    CommandRow,
    ConflictError,
    DatabaseError,
    GameRow,
    PlayerRow,
    SeatRow,
    SnapshotRow,
    StorageError,
    Store,
    TakenError,
    open_store,
)
from shieldwall.server.storage.address import address_of
from shieldwall.server.storage.drivers import Statement
from shieldwall.server.storage.engine import engine_for
from shieldwall.server.storage.schema import METADATA
from tests.server.databases import Postgres

T = TypeVar("T")
Use = Callable[[Callable[[Store], Awaitable[T]]], T]
_names = (f"games{number}" for number in itertools.count())


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'games.db'}"
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.address(next(_names))


def use(address: str, work: Callable[[Store], Awaitable[T]]) -> T:
    """Open the store, do something, close it again."""

    async def opened() -> T:
        store = await open_store(address)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(opened())


def game(id: str = "g1", **more: object) -> GameRow:
    row = GameRow(
        id=id, owner="p1", name="A battle", edition="skirmish-3.2", status="running", created="2026", changed="2026",
        ordered=b"{}", setup=b"{}", secret=bytes(32), commitment="c", rules_version="v",
    )  # fmt: skip
    return replace(row, **more)


def command(seq: int, id: str = "", **more: object) -> CommandRow:
    row = CommandRow(
        "g1", seq, 0, id or f"command-{seq}", b'{"command":"begin"}', "v", b"[]", f"hash{seq}", "2026"
    )
    return replace(row, **more)


async def with_game(store: Store) -> None:
    await store.add_player(PlayerRow("p1", "token", "Ann", "2026"))
    seats = [SeatRow("g1", 0, "person", "Ann", player="p1"), SeatRow("g1", 1, "open", "", invite_hash="code")]
    await store.add_game(game(), seats)


def test_a_stored_command_is_there_after_opening_the_database_again(address: str) -> None:
    async def write(store: Store) -> None:
        await with_game(store)
        await store.append(command(1), {"round": 3, "score": "1 2"}, SnapshotRow("g1", 1, b"state"))

    async def read(store: Store) -> tuple[object, ...]:
        row = await store.game("g1")
        assert row is not None
        return await store.commands("g1"), row.head, row.round, row.score, await store.snapshot("g1")

    use(address, write)
    commands, head, round, score, snapshot = use(address, read)
    assert commands == [command(1)]
    assert (head, round, score) == (1, 3, "1 2")
    assert snapshot == SnapshotRow("g1", 1, b"state")


def test_the_same_command_id_gives_the_stored_row_and_no_second_one(address: str) -> None:
    async def work(store: Store) -> None:
        await with_game(store)
        first = await store.append(command(1, "same-id"), {})
        again = await store.append(command(2, "same-id", state_hash="other"), {})
        assert again == first == command(1, "same-id")
        assert await store.commands("g1") == [first]
        row = await store.game("g1")
        assert row is not None
        assert row.head == 1

    use(address, work)


def test_a_command_that_does_not_follow_the_head_is_refused_and_leaves_nothing(address: str) -> None:
    async def work(store: Store) -> None:
        await with_game(store)
        await store.append(command(1), {})
        for seq in (1, 3):
            with pytest.raises(ConflictError):
                await store.append(command(seq, f"new-{seq}"), {"round": 9}, SnapshotRow("g1", seq, b"x"))
        row = await store.game("g1")
        assert row is not None
        assert (row.head, row.round) == (1, 0)
        assert await store.snapshot("g1") is None

    use(address, work)


def test_of_two_commands_at_once_exactly_one_is_stored(address: str) -> None:
    async def work(store: Store) -> None:
        await with_game(store)
        tries = [store.append(command(1, f"rival-{n}"), {}) for n in range(8)]
        found = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(isinstance(one, CommandRow) for one in found) == 1
        assert sum(isinstance(one, ConflictError) for one in found) == 7
        assert len(await store.commands("g1")) == 1

    use(address, work)


def test_an_open_seat_is_taken_once(address: str) -> None:
    async def work(store: Store) -> None:
        await with_game(store)
        seat = await store.seat_by_invite("code")
        assert seat is not None
        taken = replace(seat, who="person", player="p2", name="Bob")
        await store.take_seat(taken)
        with pytest.raises(BusyError):
            await store.take_seat(replace(taken, player="p3"))
        assert [row.player for row in await store.seats("g1")] == ["p1", "p2"]

    use(address, work)


def test_a_hidden_game_leaves_one_list_only(address: str) -> None:
    async def work(store: Store) -> None:
        await with_game(store)
        await store.add_player(PlayerRow("p2", "token2", "Bob", "2026"))
        seat = await store.seat_by_invite("code")
        assert seat is not None
        await store.take_seat(replace(seat, who="person", player="p2"))
        await store.hide_game("p2", "g1")
        await store.hide_game("p2", "g1")
        assert [row.id for row in await store.games_of("p1")] == ["g1"]
        assert await store.games_of("p2") == []

    use(address, work)


def test_another_players_army_cannot_be_overwritten_or_deleted(address: str) -> None:
    async def work(store: Store) -> None:
        await with_game(store)
        await store.add_player(PlayerRow("p2", "token2", "Bob", "2026"))
        mine = ArmyRow("a1", "p1", "Mine", "skirmish-3.2", b"{}", "2026")
        await store.save_army(mine)
        with pytest.raises(TakenError, match=r"(?i)unique"):
            await store.save_army(replace(mine, player="p2", name="Stolen"))
        assert not await store.delete_army("p2", "a1")
        await store.save_army(replace(mine, name="Mine again"))
        assert [row.name for row in await store.armies_of("p1")] == ["Mine again"]
        assert await store.delete_army("p1", "a1")

    use(address, work)


def test_the_migrations_make_exactly_the_tables_of_the_program(address: str) -> None:
    async def work(store: Store) -> list[object]:
        engine = engine_for(address)
        try:
            async with engine.connect() as connection:
                return await connection.run_sync(
                    lambda sync: compare_metadata(MigrationContext.configure(sync), METADATA)
                )
        finally:
            await engine.dispose()

    assert use(address, work) == []


def test_a_second_server_on_the_same_file_is_refused_with_a_tip(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'games.db'}"

    async def work(store: Store) -> None:
        with pytest.raises(DatabaseError, match="another Shieldwall is already using"):
            await open_store(address)

    use(address, work)
    use(address, with_game)  # the lock is gone with the first one


def test_sqlite_is_set_to_lose_nothing(tmp_path: Path) -> None:
    async def work(store: Store) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return [(await store.database.fetch(f"PRAGMA {name}"))[0][0] for name in names]

    full = 2
    assert use(f"sqlite:///{tmp_path / 'games.db'}", work) == ["wal", full, 1]


def test_what_no_database_can_hold_is_refused_and_the_next_is_served(address: str) -> None:
    async def work(store: Store) -> None:
        await with_game(store)
        for value in (2**63, "\ud800"):
            with pytest.raises((StorageError, TakenError)):
                await store.database.fetch("SELECT id FROM game WHERE head = ? OR name = ?", value, value)
            with pytest.raises((StorageError, TakenError)):
                await store.database.write([Statement("UPDATE game SET name = ?, head = ?", (value, value))])
        assert await store.game_ids() == ["g1"]

    use(address, work)


def test_tables_of_a_newer_program_are_refused_in_words(address: str) -> None:
    async def work(store: Store) -> None:
        await store.database.write([Statement("UPDATE alembic_version SET version_num = '9999'", (), 1)])

    use(address, work)
    with pytest.raises(DatabaseError, match="belongs to a newer Shieldwall"):
        use(address, work)


def test_opening_a_database_of_today_imports_no_tools_for_changing_tables(tmp_path: Path) -> None:
    """They would take more than a third of a server's start-up time."""
    address = f"sqlite:///{tmp_path / 'games.db'}"
    use(address, with_game)
    program = "import asyncio, sys; from shieldwall.server.web import create_app, open_store; "
    program += "asyncio.run(open_store(sys.argv[1])); print(*{'alembic', 'sqlalchemy'} & {*sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", program, address], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


@pytest.mark.parametrize(
    "wrong", ["", "games.db", "mysql://localhost/games", "oracle://x", "sqlite://host/x"]
)
def test_other_databases_are_refused_by_name(wrong: str) -> None:
    with pytest.raises(DatabaseError):
        address_of(wrong)
