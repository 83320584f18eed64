"""Limits on what one player or one address may use: connections, sockets, bytes, work."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import connect

from shieldwall.core.answers import Leg
from shieldwall.core.values import Pose
from shieldwall.server import connections
from shieldwall.server.budgets import Budgets, Limits, Rate, address_group, unlimited
from shieldwall.server.connections import SocketSlots
from shieldwall.server.limits import deepest
from shieldwall.table import block_drag
from tests.server.conftest import Running
from tests.server.player import PATIENCE, Person

People = Callable[[], Person]


@pytest.fixture(autouse=True)
def _watchful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let servers check their connections more often than usual."""
    monkeypatch.setattr(connections, "LOOK_EVERY", 0.1)


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Callable[[Limits], Running]]:
    """Servers with limits of one's own."""
    made: list[Running] = []

    def one(limits: Limits) -> Running:
        made.append(Running(f"sqlite:///{tmp_path / f'games{len(made)}.db'}", limits))
        return made[-1]

    yield one
    for running in made:
        running.stop()


def host_and_port(server: Running) -> tuple[str, int]:
    host, port = server.address.removeprefix("http://").split(":")
    return host, int(port)


# --- races ---


def test_the_first_requests_of_a_new_player_may_come_all_at_once(server: Running) -> None:
    cookie = httpx2.get(f"{server.address}/api/home", timeout=PATIENCE).cookies["shieldwall"]
    headers = {"Cookie": f"shieldwall={cookie}"}

    def rename(number: int) -> int:
        name = {"name": f"N{number}"}
        return httpx2.post(
            f"{server.address}/api/me", json=name, headers=headers, timeout=PATIENCE
        ).status_code

    with ThreadPoolExecutor(12) as threads:
        assert set(threads.map(rename, range(12))) == {200}


def test_sockets_opened_at_the_same_moment_do_not_slip_past_the_limit(
    strict: Callable[[Limits], Running],
) -> None:
    server = strict(unlimited()._replace(sockets_each=10))
    player = Person(server.address)
    game = player.make("skirmish-3.2", "me", "me")["game"]
    address = f"{server.address.replace('http', 'ws')}/api/games/{game}/socket"

    async def open_many() -> int:
        async def one() -> Any:
            try:
                cookie = {"Cookie": player.cookie}
                return await connect_async(address, additional_headers=cookie, open_timeout=PATIENCE)
            except (InvalidHandshake, OSError):
                return None

        found = [one for one in await asyncio.gather(*(one() for _ in range(60))) if one is not None]
        await asyncio.gather(*(each.close() for each in found))
        return len(found)

    assert asyncio.run(open_many()) == 10


# --- places ---


def test_watchers_make_room_for_players_starting_with_the_address_that_has_most() -> None:
    places = SocketSlots(Limits(sockets_each=40, sockets_in_all=50))
    gone: list[str] = []

    def enter(address: str, name: str, seated: bool) -> bool:
        place = places.reserve(address, name, float(len(places.open)))
        return place is not None and places.settle(place, seated, lambda: gone.append(name))

    for number in range(50):
        assert enter(f"10.0.0.{number % 5}", f"watcher {number}", seated=False)
    assert enter("10.0.0.1", "one watcher more", seated=False)
    assert gone == ["watcher 1"], "whoever comes from the address with most displaces one of its own"
    assert enter("192.0.2.1", "a new watcher from elsewhere", seated=False)
    for number in range(20):
        assert enter("192.0.2.9", f"player {number}", seated=True)
    assert len(places.open) == 50
    assert all(name.startswith("watcher") for name in gone)


def test_sixteen_hundred_idle_sockets_do_not_lock_a_player_out() -> None:
    places = SocketSlots(Limits())
    for number in range(1600):
        place = places.reserve(f"10.0.{number % 43}.1", f"idle {number}", 0.0)
        if place is not None and not places.settle(place, False, lambda: None):
            places.release(place)
    assert len(places.open) == Limits().sockets_in_all
    mine = places.reserve("192.0.2.1", "me", 1.0)
    assert mine is not None
    assert places.settle(mine, True, lambda: None)


# --- half-open requests and slow readers ---


def test_requests_that_never_finish_their_headers_are_cut_off_in_seconds(
    strict: Callable[[Limits], Running],
) -> None:
    server = strict(unlimited()._replace(header_seconds=0.5))
    half_open = [socket.create_connection(host_and_port(server)) for _ in range(50)]
    for number, each in enumerate(half_open):
        if number % 2:
            each.sendall(b"GET /api/home HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
    for each in half_open:
        each.settimeout(PATIENCE)
        with contextlib.suppress(ConnectionResetError):
            assert each.recv(100) == b""
        each.close()
    assert Person(server.address).home


def test_a_header_that_drips_in_is_cut_off_as_well(strict: Callable[[Limits], Running]) -> None:
    server = strict(unlimited()._replace(header_seconds=0.5))
    with socket.create_connection(host_and_port(server)) as slow:
        slow.sendall(b"GET /api/home HTTP/1.1\r\nX-Slow: ")
        with pytest.raises(OSError, match=r"reset|pipe"):
            drip(slow)


def drip(slow: socket.socket) -> None:
    """Send one byte at a time, as long as they are accepted."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        slow.sendall(b"x")
        time.sleep(0.05)


def test_one_address_has_so_many_connections_and_no_more(strict: Callable[[Limits], Running]) -> None:
    server = strict(unlimited()._replace(connections_each=5))
    held = [socket.create_connection(host_and_port(server)) for _ in range(5)]
    with socket.create_connection(host_and_port(server)) as sixth:
        sixth.settimeout(PATIENCE)
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            sixth.sendall(b"GET / HTTP/1.1\r\n\r\n")
            assert sixth.recv(100) == b""
    for each in held:
        each.close()
    assert served_again(server.address)


def served_again(address: str) -> bool:
    """Whether a request is served once the server notices that others have left."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with contextlib.suppress(httpx2.TransportError):
            return bool(Person(address).home)
        time.sleep(0.02)
    return False


def test_a_reader_that_does_not_read_is_cut_off(strict: Callable[[Limits], Running]) -> None:
    server = strict(unlimited()._replace(write_seconds=0.5))
    player = Person(server.address)
    game = player.make("skirmish-3.2", "me", "me")["game"]
    deaf = connect(
        f"{server.address.replace('http', 'ws')}/api/games/{game}/socket",
        additional_headers={"Cookie": player.cookie},
        max_queue=1,
        legacy=True,
    )

    def ask_and_never_read() -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            deaf.send('{"type":"hello"}')
            time.sleep(0.001)

    with pytest.raises((ConnectionClosed, OSError)):
        ask_and_never_read()
    deaf.socket.close()
    assert player.sit(game).status == "running"


# --- budgets ---


def test_requests_for_the_whole_table_are_limited(strict: Callable[[Limits], Running]) -> None:
    server = strict(unlimited()._replace(bytes=Rate(500e3, 1.0)))
    player = Person(server.address)
    table = player.sit(player.make("skirmish-3.2", "me", "me")["game"])
    welcomes = refused = size = 0
    for _ in range(60):
        table.send(type="hello")
        message = table.until("welcome", "refused")
        welcomes += message["type"] == "welcome"
        size += len(msgspec.json.encode(message)) if message["type"] == "welcome" else 0
        if message["type"] == "refused":
            refused += 1
            assert message["code"] == "too_fast"
    assert refused > 20
    assert size < 800e3


def test_too_many_requests_have_to_wait(strict: Callable[[Limits], Running]) -> None:
    server = strict(unlimited()._replace(requests=Rate(20, 1e-6)))
    player = Person(server.address)
    codes = [player.http.get("/api/games").status_code for _ in range(30)]
    assert codes[0] == 200
    assert codes[-1] == 429


def test_new_cookies_do_not_help_against_the_limit_of_an_address(strict: Callable[[Limits], Running]) -> None:
    server = strict(unlimited()._replace(requests=Rate(20, 1e-6), shared=2.0))
    codes = [httpx2.get(f"{server.address}/api/games", timeout=PATIENCE).status_code for _ in range(60)]
    assert codes.count(200) <= 45
    assert codes[-1] == 429


def test_a_budget_comes_back_with_time() -> None:
    clock = [0.0]
    budgets = Budgets(Limits(requests=Rate(2, 1)), lambda: clock[0], kept=10)
    taken = [budgets.take("requests", 1, "me", "here") for _ in range(3)]
    assert taken == [True, True, False]
    clock[0] = 1.5
    assert budgets.take("requests", 1, "me", "here")
    for number in range(1000):
        budgets.take("requests", 1, f"p{number}", f"a{number}")
    assert len(budgets) <= 11, "strangers without end take no memory without end"


def test_addresses_of_one_ipv6_network_count_as_one() -> None:
    assert address_group("2001:db8::1") == address_group("2001:db8::ffff")
    assert address_group("2001:db8::1") != address_group("2001:db8:0:1::1")
    assert address_group("::ffff:192.0.2.7") == "192.0.2.7"
    assert address_group("fe80::1%eth0") == address_group("fe80::2")


def test_forwarded_addresses_are_not_believed_from_anybody(strict: Callable[[Limits], Running]) -> None:
    server = strict(unlimited()._replace(requests=Rate(10, 1e-6), shared=1.0))
    codes = [
        httpx2.get(
            f"{server.address}/api/games", headers={"X-Forwarded-For": f"192.0.2.{n}"}, timeout=PATIENCE
        ).status_code
        for n in range(20)
    ]
    assert codes[-1] == 429


# --- numbers ---

HUGE = (2**31, -(2**40), 2**62, 2**63 - 1, 10**19)


@pytest.mark.parametrize("number", HUGE)
def test_questions_with_numbers_beyond_any_table_are_refused_like_all_that_is_malformed(
    server: Running, number: int
) -> None:
    player = Person(server.address)
    table = player.sit(player.make("regiments-3.5", "me", "me")["game"])
    asked: list[dict[str, Any]] = [
        {"type": "preview", "drag": [number, 0, 0, 0]},
        {"type": "preview", "drag": [0, 0, number, 0]},
        {"type": "preview", "answer": {"answer": "spot", "x": number, "y": 0}},
        {"type": "preview", "answer": {"answer": "march", "legs": [["forward", number]]}},
        {"type": "overlay", "what": "range", "unit": 0, "pose": [0, number, 0, 0]},
    ]
    for id, message in enumerate(asked):
        table.send(id=id, **message)
        answer = table.until("refused", "previewed", "overlaid")
        assert answer["type"] == "refused", message
        assert answer["code"] == "malformed", answer
    table.close()


def test_marches_that_lead_equally_near_are_ranked_without_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two marches of the same length to the same spot one is chosen, without comparing values that have no
    order."""
    first, second = (Leg("side", 500),), (Leg("forward", 500),)
    pose = Pose(0, 0, 0)
    ranked = block_drag.ranked_marches(pose, [first, second], Pose(500, 500, 0))
    assert sorted(ranked, key=str) == sorted([first, second], key=str)


def test_nesting_is_found_at_any_depth() -> None:
    assert deepest(b"") == 0
    assert deepest(b'[{"a":1},[]]') == 2
    assert deepest(b"[" * 33 + b"]" * 33) > 32
    assert deepest(b"[}") > 32
    began = time.thread_time()
    deepest(b"[]" * 130_000)
    deepest(b"[" * 130_000 + b"]" * 130_000)
    assert time.thread_time() - began < 0.5


def test_an_unknown_game_is_refused_before_a_socket_opens(server: Running) -> None:
    with pytest.raises(InvalidStatus):
        connect(f"{server.address.replace('http', 'ws')}/api/games/none/socket")


def test_presence_is_sent_only_when_it_changes(server: Running, person: People) -> None:
    """A client that keeps saying hello, or never does, must not cause work for all others."""
    host, other = person(), person()
    table = host.sit(host.make("skirmish-3.2", "me", "me", table={"kind": "empty"})["game"])
    game = table.first["game"]
    watcher = other.sit(game)
    while table.until("presence")["watching"] != 1:
        pass
    for _ in range(20):
        watcher.send(type="hello", last_seq=watcher.seq, last_hash=watcher.hash)
        watcher.until("steps")
    address = f"{server.address.replace('http', 'ws')}/api/games/{game}/socket"
    with connect(address, additional_headers={"Cookie": other.cookie}, legacy=True):
        pass  # without a word
    watcher.close()
    told = table.until("presence")
    assert (told["online"], told["watching"]) == ([0, 1], 0), "nothing was told before the watcher left"
