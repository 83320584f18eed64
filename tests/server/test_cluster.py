"""Several servers on one PostgreSQL: each game has one owner with a lease, and continues when its owner dies."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, TypeVar

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from bench.server import Server as LoadedServer
from bench.server_dice import SECRET
from shieldwall.server import cluster
from shieldwall.server.cluster import Cluster
from shieldwall.server.dice_key import commitment_of
from shieldwall.server.serving import NeedsPostgresError, Serving, serve
from shieldwall.server.socket_proxy import INSIDE
from shieldwall.server.storage import ConflictError, LostError, Store, open_store
from tests.server.databases import Postgres
from tests.server.killing import ForkServer, Server
from tests.server.player import PATIENCE, Person, Table
from tests.server.test_storage import command, game, with_game

T = TypeVar("T")
LASTING = 10 * PATIENCE  # seconds; a test that waits for a lease to expire fails
LASTING_LEASES = f"from shieldwall.server import cluster; cluster.LEASE_SECONDS = {LASTING}\n"


@pytest.fixture(autouse=True)
def _lasting_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep leases from expiring however slow the machine is, so that an instant takeover has another cause."""
    monkeypatch.setattr(cluster, "LEASE_SECONDS", LASTING)


# --- leases, without any server ---


class Member:
    """A store with its lease, as a server has them."""

    def __init__(self, store: Store, address: str) -> None:
        self.store = store
        self.lost = 0
        self.news: list[str] = []
        self.cluster = Cluster(store, address, "127.0.0.1:1", self._lose, self._hear)

    async def _lose(self) -> None:
        self.lost += 1

    async def _hear(self, game: str) -> None:
        self.news.append(game)

    async def die(self) -> None:
        """End like a killed process: the connection closes without a message."""
        assert self.cluster._task is not None
        self.cluster._task.cancel()
        self.cluster._hang_up()


@contextlib.asynccontextmanager
async def member(address: str) -> AsyncIterator[Member]:
    found = Member(await open_store(address), address)
    await found.cluster.start()
    try:
        yield found
    finally:
        await found.cluster.close()
        await found.store.close()


def with_two(address: str, work: Callable[[Member, Member], Awaitable[T]]) -> T:
    async def run() -> T:
        async with member(address) as one, member(address) as two:
            await with_game(one.store)
            return await work(one, two)

    return asyncio.run(run())


async def owned_by(one: Member) -> None:
    """Make a server the owner of the game."""
    await one.store.database.fetch("UPDATE game SET server = ? RETURNING id", one.cluster.id)


def test_a_game_has_one_owner(postgres: Postgres) -> None:
    async def work(one: Member, two: Member) -> None:
        first = await asyncio.gather(*(each.cluster.owner("g1") for each in (one, two) * 8))
        assert len(set(first)) == 1
        assert first[0] is not None
        assert first[0].id in (one.cluster.id, two.cluster.id)
        assert await one.cluster.owner("nothing") is None

    with_two(postgres.address("one_owner"), work)


def test_games_are_spread_over_the_servers(postgres: Postgres) -> None:
    async def work(one: Member, two: Member) -> None:
        for number in range(7):
            await one.store.add_game(game(f"more{number}"), [])
        owners = [await one.cluster.owner(f"more{number}") for number in range(7)]
        ids = [owner.id for owner in owners if owner is not None]
        assert sorted((ids.count(one.cluster.id), ids.count(two.cluster.id))) == [3, 4]

    with_two(postgres.address("spread"), work)


def test_storing_without_owning_the_game_fails(postgres: Postgres) -> None:
    async def work(one: Member, two: Member) -> None:
        await owned_by(one)
        await one.store.append(command(1), {})
        with pytest.raises(LostError):
            await two.store.append(command(2), {})
        with pytest.raises(ConflictError):
            await one.store.append(command(3), {})
        await one.store.append(command(2), {})
        assert [row.seq for row in await two.store.commands("g1")] == [1, 2]

    with_two(postgres.address("fenced"), work)


def test_a_command_sent_again_after_the_game_moved_is_not_answered_by_the_old_owner(
    postgres: Postgres,
) -> None:
    async def work(one: Member, two: Member) -> None:
        await owned_by(one)
        await one.store.append(command(1, "same"), {})
        await owned_by(two)
        with pytest.raises(LostError):
            await one.store.append(command(2, "same"), {})

    with_two(postgres.address("again"), work)


def test_a_lease_that_has_run_out_stores_nothing_even_before_anybody_takes_over(postgres: Postgres) -> None:
    async def work(one: Member, two: Member) -> None:
        await owned_by(one)
        await one.store.append(command(1), {})
        await two.store.database.fetch(
            "UPDATE server SET until = 0 WHERE id = ? RETURNING id", one.cluster.id
        )
        with pytest.raises(LostError):
            await one.store.append(command(2), {})
        taken = await two.cluster.owner("g1")
        assert taken is not None
        assert taken.id == two.cluster.id
        await two.store.append(command(2), {})

    with_two(postgres.address("run_out"), work)


def test_a_command_under_way_while_the_game_is_taken_over_is_stored_before_or_not_at_all(
    postgres: Postgres,
) -> None:
    """The first to come locks the game's row; the other waits and then checks again."""

    async def work(one: Member, two: Member) -> None:
        stored = 0
        for seq in range(1, 20):
            await owned_by(one)
            head = len(await two.store.commands("g1"))
            late, _ = await asyncio.gather(
                one.store.append(command(head + 1, f"late-{seq}"), {}), owned_by(two), return_exceptions=True
            )
            seen = await two.store.commands("g1")
            assert isinstance(late, LostError) == (len(seen) == head), (late, len(seen), head)
            stored += len(seen) - head
            await two.store.append(command(len(seen) + 1, f"next-{seq}"), {})

    with_two(postgres.address("race"), work)


def test_a_dead_server_is_found_by_its_lock_and_its_game_taken_over_at_once(postgres: Postgres) -> None:
    async def work(one: Member, two: Member) -> None:
        await owned_by(one)
        await two.cluster.suspect(one.cluster.id)
        owner = await two.cluster.owner("g1")
        assert owner is not None
        assert owner.id == one.cluster.id, "a living server is not put to death by a suspicion"
        await one.die()
        while (
            owner is not None and owner.id == one.cluster.id
        ):  # until PostgreSQL notices the closed connection
            await two.cluster.suspect(one.cluster.id)
            owner = await two.cluster.owner("g1")
        assert owner is not None
        assert owner.id == two.cluster.id
        with pytest.raises(LostError):
            await one.store.append(command(1), {})

    with_two(postgres.address("dead"), work)


def test_a_server_that_lost_its_lease_gives_its_games_up_and_comes_back_as_another(
    postgres: Postgres,
) -> None:
    async def work(one: Member, two: Member) -> None:
        before = one.cluster.id
        await two.store.database.fetch("UPDATE server SET until = 0 WHERE id = ? RETURNING id", before)
        async with asyncio.timeout(PATIENCE):
            while one.cluster.id == before:
                await asyncio.sleep(0.05)
        assert one.lost == 1
        assert one.store.server != before
        assert await one.cluster.owner("g1") is not None

    with_two(postgres.address("back"), work)


def test_news_reaches_the_other_server(postgres: Postgres) -> None:
    async def work(one: Member, two: Member) -> None:
        await one.cluster.tell("g1")
        async with asyncio.timeout(PATIENCE):
            while not two.news:
                await asyncio.sleep(0.01)
        assert two.news == ["g1"]

    with_two(postgres.address("news"), work)


def test_several_processes_on_sqlite_are_refused_with_a_reason() -> None:
    with pytest.raises(NeedsPostgresError, match="only through PostgreSQL"):
        serve(Serving("127.0.0.1", 0, "sqlite:///games.db", browser=False, processes=2))


# --- real servers ---


class Pair:
    """Two servers on one database, and two people who play one game, each on a different server."""

    def __init__(self, database: str, fork_server: ForkServer) -> None:
        self.database = database
        self.servers = [Server(database, before=LASTING_LEASES, fork_server=fork_server) for _ in range(2)]
        self.people = [Person(server.address) for server in self.servers]
        made = self.people[0].make("skirmish-3.2", "me", "friend", table={"kind": "empty"})
        self.game = made["game"]
        self.early = self.people[0].sit(self.game)  # waits in the room until the other arrives
        joined = {"invite": made["invite"], "nonce": "cd" * 16, "army": "", "name": "Bea"}
        self.people[1].post("/api/join", joined)

    def owner(self) -> int:
        """Which of the two owns the game, according to their metrics."""
        for number, server in enumerate(self.servers):
            with httpx2.Client(base_url=server.address, timeout=PATIENCE) as http:
                if "shieldwall_games_open 1" in http.get("/metrics").text:
                    return number
        raise AssertionError("nobody plays the game")

    def close(self) -> None:
        for person in self.people:
            person.close()
        for server in self.servers:
            server.kill()


@pytest.fixture(scope="module")
def pair(postgres: Postgres, fork_server: ForkServer) -> Iterator[Pair]:
    two = Pair(postgres.address("pair"), fork_server)
    yield two
    two.close()


def play(tables: list[Table]) -> tuple[int, str]:
    """One answer by the player who is asked; returns what was acknowledged, once both have received it."""
    while not (asked := [table for table in tables if table.question and table.question["mine"]]):
        for table in tables:  # which of the two receives something next is not known
            with contextlib.suppress(TimeoutError):
                table.take(timeout=0.05)
    accepted = asked[0].answer(asked[0].question["default"])  # type: ignore[index]
    assert accepted["type"] == "accepted", accepted
    for table in tables:
        while table.seq < accepted["seq"]:
            table.take()
    return accepted["seq"], accepted["hash"]


def sit_again(person: Person, game: str, table: Table) -> Table:
    """Reconnect like the page, until the game is available."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return person.sit(game, table.seq, table.hash)
        except (OSError, ConnectionClosed, InvalidHandshake, KeyError):
            assert time.monotonic() < end, "the game did not come back"
            time.sleep(0.1)


def refused_inside(address: str, game: str, **headers: str) -> bool:
    try:
        with connect(f"ws://{address}/api/games/{game}/socket", additional_headers=headers) as socket:
            socket.recv(timeout=PATIENCE)
    except (InvalidHandshake, ConnectionClosed, OSError, EOFError):
        return True
    return False


def inside_of(database: str) -> list[Any]:
    async def read() -> list[Any]:
        store = await open_store(database)
        try:
            return await store.database.fetch("SELECT address, secret FROM server WHERE until > 0")
        finally:
            await store.close()

    return asyncio.run(read())


@pytest.mark.slow
def test_only_servers_that_know_the_secret_come_in_by_the_inner_port(pair: Pair) -> None:
    (address, secret), (_, other) = inside_of(pair.database)
    name = INSIDE.decode()
    assert refused_inside(address, pair.game)
    assert refused_inside(address, pair.game, **{name: f"{other} 10.0.0.1"})
    assert refused_inside(address, pair.game, **{name: f"{secret[:-1]} 10.0.0.1"})
    with pytest.raises(httpx2.TransportError):
        httpx2.get(f"http://{address}/api/home", timeout=PATIENCE)


@pytest.mark.slow
def test_a_game_goes_on_at_the_other_server_when_its_owner_is_killed(pair: Pair) -> None:
    """Both players play across servers; the owner is killed; nothing acknowledged is lost and both continue.

    This happens at once, not when the dead server's lease expires, which never happens here. Must run last, because
    one of the two servers is gone afterwards.
    """
    pair.early.until("welcome")
    tables = [pair.early, pair.people[1].sit(pair.game)]
    for _ in range(6):
        promised = play(tables)
    dead = pair.owner()
    left = 1 - dead
    pair.servers[dead].kill()
    pair.people[dead].moved_to(pair.servers[left].address)
    tables = [sit_again(person, pair.game, table) for person, table in zip(pair.people, tables, strict=True)]
    assert [(table.seq, table.hash) for table in tables] == [promised, promised]
    play(tables)
    for table in tables:
        table.close()


def test_all_processes_of_the_load_test_throw_the_recorded_dice(postgres: Postgres) -> None:
    """Recorded answers only fit a new game with the recorded dice, whichever process made it."""
    server = LoadedServer(postgres.address("load"), processes=2, threads=True)
    try:
        person = Person(server.address)
        games = [person.make("skirmish-3.2", "me", "me", table={"kind": "empty"})["game"] for _ in range(2)]
        assert {person.sit(game).first["commitment"] for game in games} == {commitment_of(SECRET)}
    finally:
        server.stop()
