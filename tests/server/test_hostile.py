"""What a hostile client gets: a typed refusal, and a game whose fingerprint has not changed."""

from __future__ import annotations

import contextlib
import json
import secrets
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from shieldwall.core.errors import MalformedError
from shieldwall.server.limits import read
from tests.server.conftest import Running
from tests.server.player import Person, Table, new_game

People = Callable[[], Person]


@pytest.fixture(scope="module")
def victim(server: Running) -> Table:
    """A hot-seat game about to place its armies; every test leaves it as it was."""
    player = Person(server.address)
    return player.sit(player.make("skirmish-3.2", "me", "me")["game"])


def unchanged(table: Table) -> None:
    """Check that the game reports the same state as before."""
    refused = table.command(type="answer", answer={"answer": "pick", "option": "no such option"})
    assert refused["type"] == "refused"
    assert (refused["seq"], refused["hash"]) == (table.seq, table.hash)


def command(table: Table, **more: Any) -> dict[str, Any]:
    question = table.question
    assert question is not None
    message = {"type": "answer", "command_id": secrets.token_hex(8), "expected_seq": table.seq}
    return {**message, "answer": question["default"], **more}


def assert_closed(table: Table) -> None:
    """Check that the server ends the connection, whatever it sends first."""

    def read_on() -> None:
        while True:
            table.take()

    with pytest.raises(ConnectionClosed):
        read_on()


BAD = {
    "no json": "{",
    "not an object": "[]",
    "unknown type": '{"type":"explode"}',
    "unknown field": lambda t: json.dumps(command(t, dice=[6, 6, 6])),
    "dice of one's own": lambda t: json.dumps(command(t, answer={"answer": "faces", "faces": [6]})),
    "not a number": lambda t: json.dumps(command(t, expected_seq=float("nan"))),
    "a fraction": lambda t: json.dumps(command(t, expected_seq=1.5)),
    "beyond 64 bits": lambda t: json.dumps(
        command(t, answer={"answer": "placed", "poses": [[10**30, 0, 0, 0]]})
    ),
    "5,000 digits": lambda t: json.dumps(command(t))[:-1] + ',"x":' + "9" * 5000 + "}",
    "deep nesting": '{"type":"answer","answer":' + "[" * 20_000 + "]" * 20_000 + "}",
    "an id that is too long": lambda t: json.dumps(command(t, command_id="x" * 100)),
    "a stale number": lambda t: json.dumps(command(t, expected_seq=t.seq - 1)),
    "a number from the future": lambda t: json.dumps(command(t, expected_seq=t.seq + 1)),
    "off the table": lambda t: json.dumps(
        command(t, answer={"answer": "placed", "poses": [[-9_000_000, 5, 0, 0]]})
    ),
    "a million points": lambda t: json.dumps(
        command(t, answer={"answer": "walk", "paths": [[1, [[0, 0, 0, 0]] * 3000]]})
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_messages_are_refused_and_change_nothing(victim: Table, case: str) -> None:
    bad = BAD[case]
    victim.socket.send(bad if isinstance(bad, str) else bad(victim))
    refused = victim.until("refused")
    assert refused["reasons"], case
    assert (refused["seq"], refused["hash"]) == (victim.seq, victim.hash)
    unchanged(victim)


def test_a_stale_refusal_carries_the_current_number(victim: Table) -> None:
    refused = victim.command(**command(victim, expected_seq=0))
    assert refused["code"] == "stale"
    assert refused["seq"] == victim.seq


def test_frames_over_the_limit_end_the_connection_and_not_the_game(server: Running, person: People) -> None:
    player = person()
    table = player.sit(player.make("skirmish-3.2", "me", "me")["game"])
    table.socket.send("x" * 70_000)
    assert_closed(table)
    game = player.get("/api/games")[0]["id"]
    assert player.sit(game).status == "running"


def test_endless_nonsense_ends_the_connection(server: Running, person: People) -> None:
    player = person()
    table = player.sit(player.make("skirmish-3.2", "me", "me")["game"])
    with contextlib.suppress(ConnectionClosed):  # it may end before all of it is sent
        for _ in range(25):
            table.socket.send("nonsense")
    assert_closed(table)


def test_previews_have_a_budget(victim: Table) -> None:
    for number in range(40):
        victim.send(type="overlay", id=number, what="sight", unit=99_000)
    codes = {victim.until("refused", "overlaid").get("code") for _ in range(40)}
    assert codes <= {"illegal", "busy", "too_fast"}
    unchanged(victim)


def test_another_players_seat_token_is_needed_to_act(server: Running, victim: Table) -> None:
    game = victim.first["game"]
    stranger = Person(server.address)
    watching = stranger.sit(game)
    assert watching.question is not None
    assert not watching.question["mine"]
    for message in (
        {"type": "answer", "answer": {"answer": "pick", "option": "s0"}},
        {"type": "undo"},
        {"type": "resign"},
        {"type": "do_for_me", "until": "setup"},
    ):
        assert watching.command(**message)["code"] == "not_your_seat"
    for number, message in enumerate(({"type": "preview", "drag": [1, 1, 0, 0]}, {"type": "hint"})):
        assert watching.ask(id=number, **message)["code"] == "not_your_seat"
    watching.send(type="pace", paused=True)
    assert watching.until("refused")["code"] == "not_your_seat"
    unchanged(victim)


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1:1", "null"])
def test_other_pages_get_no_socket(server: Running, victim: Table, origin: str) -> None:
    address = server.address.replace("http", "ws")
    with pytest.raises(InvalidStatus) as refused:
        connect(f"{address}/api/games/{victim.first['game']}/socket", origin=origin)  # type: ignore[arg-type]
    assert refused.value.response.status_code == 403


def test_other_pages_and_other_host_names_change_nothing(server: Running, person: People) -> None:
    player = person()
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert player.http.post("/api/me", json={"name": "x"}, headers=headers).status_code == 403
    assert player.http.get("/api/home", headers={"Host": "evil.example"}).status_code == 403
    assert player.get("/api/home")["player"] == "Guest"


def test_the_token_is_out_of_reach_of_pages_and_never_in_an_address(server: Running) -> None:
    answer = Person(server.address).http.get("/api/games", headers={"Cookie": ""})
    cookie = answer.headers["set-cookie"]
    for word in ("HttpOnly", "SameSite=Strict", "Path=/api"):
        assert word in cookie
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert "unsafe-inline" not in answer.headers["content-security-policy"].split("style-src-attr")[0]


def test_bodies_over_the_limit_are_refused_before_they_are_read(person: People) -> None:
    player = person()
    answer = player.http.post("/api/armies/import", content=b'{"text":"' + b"x" * 400_000 + b'"}')
    assert answer.status_code == 413
    assert player.http.post("/api/files", content=b"PK\x03\x04" + b"\0" * 5000).status_code == 400


def test_the_page_gives_away_no_file_outside_its_folder(person: People) -> None:
    player = person()
    for path in ("/../web.py", "/..%2f..%2fweb.py", "/%2e%2e/%2e%2e/pyproject.toml", "/assets/../../web.py"):
        answer = player.http.get(path)
        assert "create_app" not in answer.text
        assert "build-system" not in answer.text


@pytest.mark.parametrize(
    "path", ["/%00", "/" + "a" * 300, "/%ff%fe", "/a%0ab", "/assets/%00", "/assets/" + "a" * 300]
)
def test_addresses_that_name_no_file_get_the_page_or_nothing(person: People, path: str) -> None:
    assert person().http.get(path).status_code in (200, 404)


@pytest.mark.parametrize("header", ["Host", "Origin"])
def test_names_that_are_none_are_refused(person: People, header: str) -> None:
    answer = person().http.post("/api/me", json={"name": "x"}, headers={header: "http://["})
    assert answer.status_code == 403


@pytest.mark.parametrize("body", ['"' + '\\"' * 30_000, '{"type":"' + "\\\\" * 30_000, '["' * 16_000])
def test_quotes_and_backslashes_without_end_are_refused_at_once(victim: Table, body: str) -> None:
    began = time.thread_time()
    with pytest.raises(MalformedError):
        read(body.encode(), msgspec.json.Decoder(dict), "message")
    assert time.thread_time() - began < 2, "every byte is looked at once"
    unchanged(victim)


def test_files_of_games_that_never_were_are_refused(person: People) -> None:
    player = person()
    table = player.sit(player.make("skirmish-3.2", "me", "me")["game"])
    good = player.http.get(f"/api/games/{table.first['game']}/file").content
    header, rest = good.split(b"\n", 1)
    setup = json.loads(header)
    without_units = setup | {"setup": setup["setup"] | {"units": []}}
    without_seats = setup | {"setup": setup["setup"] | {"seats": []}}
    strange = setup | {"setup": setup["setup"] | {"round": 10**9, "width": -5}}
    made_up = [json.dumps(wrong).encode() + b"\n" + rest for wrong in (without_units, without_seats, strange)]
    for data in (b"[" * 20_000, b'{"record":' * 5_000, b"\xff\xfe\x00", header, *made_up):
        answer = player.http.post("/api/files", content=data)
        assert answer.status_code == 400, data[:60]
        assert answer.json()["reasons"][0]["text"]


def test_armies_without_end_are_refused_with_their_size(person: People) -> None:
    player = person()
    unit = "{name} [{size}] Q4+ D5+ | 20pts |\nSpear (A1)\n"
    head = "++ Horde [AOFS 150pts] ++\n\n"
    many = head + "\n".join(unit.format(name=f"Band {n}", size=1) for n in range(300))
    refused = player.post(
        "/api/armies/import", {"text": many, "edition": "skirmish-3.2", "name": "x"}, status=400
    )
    assert "at most 200" in refused["reasons"][0]["text"]
    hordes = head + "\n".join(unit.format(name=name, size=300) for name in ("Left horde", "Right horde"))
    army = player.post("/api/armies/import", {"text": hordes, "edition": "aof-2", "name": "Horde"})
    order = new_game("aof-2", "me", "random")
    order["seats"][0]["army"] = army["id"]
    refused = player.post("/api/games", order, status=400)
    assert "600 models" in refused["reasons"][0]["text"]
