"""Games between two people: clocks, taking back, rematches. The tests set the time."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from shieldwall.core.codec import encode
from shieldwall.server import clocks
from shieldwall.server.clocks import DAY, MINUTE, SECOND, GameClock, Uptime, fresh_clock
from shieldwall.server.pages import ClockOrder
from shieldwall.server.rematch import Offer
from tests.server.conftest import Running
from tests.server.player import NONCE, PATIENCE, Person, Table

HOUR_AND_A_BIT = {"kind": "game", "minutes": 60, "increment": 30}
THREE_DAYS = {"kind": "turn", "days": 3}


class Hands:
    """A wall clock that tests move forward."""

    def __init__(self) -> None:
        self.ms = 1_800_000_000_000

    def __call__(self) -> int:
        return self.ms

    def pass_by(self, ms: int) -> None:
        self.ms += ms


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    moved = Hands()
    monkeypatch.setattr(clocks, "wall_ms", moved)
    return moved


class Pair(NamedTuple):
    """A game between two people."""

    game: str
    host: Person
    friend: Person
    tables: tuple[Table, Table]

    @property
    def asked(self) -> Table:
        """The table of the player who is asked, once both have received everything."""
        for table in self.tables:
            read_everything(table)
        return next(table for table in self.tables if table.question and table.question["mine"])

    def close(self) -> None:
        for table in self.tables:
            table.close()

    @property
    def other(self) -> Table:
        """The table of the player who is not asked."""
        asked = self.asked
        return next(table for table in self.tables if table is not asked)


def person_of(pair: Pair, table: Table) -> Person:
    return pair.host if table is pair.tables[0] else pair.friend


def read_everything(table: Table) -> None:
    """Read everything sent so far, by waiting for the refusal of a command for an impossible moment."""
    assert table.command(type="undo", expected_seq=-5)["code"] == "stale"


def friends(server: Running, **more: Any) -> Pair:
    host, friend = Person(server.address), Person(server.address)
    order = {"setup": "at_once", "table": {"kind": "empty"}, **more}
    made = host.make("skirmish-3.2", "me", "friend", **order)
    body = {"invite": made["invite"], "nonce": NONCE, "name": "Bram"}
    friend.post("/api/join", body)
    pair = Pair(made["game"], host, friend, (host.sit(made["game"]), friend.sit(made["game"])))
    while not any(table.question and table.question["mine"] for table in pair.tables):
        for table in pair.tables:
            read_everything(table)
    return pair


def clock_of(person: Person, game: str) -> dict[str, Any]:
    found: dict[str, Any] = person.get(f"/api/games/{game}")["clock"]
    return found


def play_activation(pair: Pair) -> None:
    """The player who is asked plays one activation by hand."""
    table, side = pair.asked, 0
    while table.question and table.question["mine"]:
        side = table.question["side"]
        assert table.play_default()
        read_everything(table)
    assert side in (0, 1)


# --- the clock itself ---


def test_only_the_time_in_which_a_server_ran_counts(hands: Hands) -> None:
    uptime = Uptime([(0, 100), (50, 200), (400, 500)], began=1_000)
    assert uptime.between(0, 1_100) == 200 + 100 + 100
    assert uptime.between(150, 450) == 50 + 50
    assert uptime.between(1_050, 1_100) == 50
    assert Uptime().between(10, 30) == 20


def test_the_time_of_a_game_runs_from_the_first_answer_and_grows_after_an_activation(hands: Hands) -> None:
    uptime = Uptime()
    clock = fresh_clock(ClockOrder("game", minutes=10, increment=20))
    assert clock is not None
    clock = clock.after(uptime, answered=-1, asked=0, ended=-1)
    hands.pass_by(5 * MINUTE)  # the host waits for a friend who is late
    clock = clock.after(uptime, answered=0, asked=0, ended=-1)
    assert clock.left == (10 * MINUTE, 10 * MINUTE)
    hands.pass_by(MINUTE)
    clock = clock.after(uptime, answered=0, asked=1, ended=0)
    assert clock.left == (9 * MINUTE + 20 * SECOND, 10 * MINUTE)
    assert clock.running == -1, "the other side has not answered yet"


def test_a_side_that_is_out_gets_nothing_added(hands: Hands) -> None:
    uptime = Uptime()
    clock = GameClock("game", MINUTE, 30 * SECOND, (MINUTE, MINUTE), 0, hands.ms, (True, True))
    hands.pass_by(2 * MINUTE)
    after = clock.after(uptime, answered=0, asked=1, ended=0)
    assert after.is_out(0)
    assert not after.is_out(1)


def test_the_days_start_again_with_every_turn(hands: Hands) -> None:
    uptime = Uptime()
    clock = fresh_clock(ClockOrder("turn", days=2))
    assert clock is not None
    clock = clock.after(uptime, answered=-1, asked=1, ended=-1)
    hands.pass_by(DAY)
    still = clock.after(uptime, answered=1, asked=1, ended=-1)
    assert still.left[1] == DAY, "another question in the same turn"
    assert clock.after(uptime, answered=1, asked=0, ended=1).left == (2 * DAY, DAY)
    assert clock.after(uptime, answered=1, asked=1, ended=1).left[1] == 2 * DAY, "two activations in a row"


# --- the clock in a game ---


def test_a_player_out_of_time_loses_when_the_other_claims_it(server: Running, hands: Hands) -> None:
    pair = friends(server, clock=HOUR_AND_A_BIT)
    play_activation(pair)
    play_activation(pair)
    late, early = pair.asked, pair.other
    assert late.question is not None
    side = late.question["side"]
    hands.pass_by(59 * MINUTE)
    refused = early.command(type="claim_time")
    assert refused["type"] == "refused"
    assert "still has" in refused["reasons"][0]["text"]
    hands.pass_by(2 * MINUTE)
    assert late.command(type="claim_time")["type"] == "refused", "not whoever is out"
    assert early.command(type="claim_time")["type"] == "accepted"
    read_everything(late)
    assert late.status == "over"
    assert early.until("steps")["lost"] == {"side": side, "how": "time"}
    line = early.steps[-1]["lines"][-1]["text"]
    assert "ran out of time" in line
    assert early.steps[-1]["board"]["winner"] == 1 - side
    card = pair.host.get(f"/api/games/{pair.game}")
    assert (card["status"], card["winner"], card["out_of_time"], card["resigned"]) == (
        "over",
        1 - side,
        side,
        None,
    )
    result = pair.host.get(f"/api/games/{pair.game}/result")
    assert "ran out of time" in result["words"]
    assert result["out_of_time"] == side
    assert pair.host.get(f"/api/games/{pair.game}/dice")["verified"]


def test_a_clock_stands_still_while_the_server_is_down_and_goes_on_afterwards(
    tmp_path: Path, hands: Hands
) -> None:
    database = f"sqlite:///{tmp_path / 'games.db'}"
    first = Running(database)
    pair = friends(first, clock=HOUR_AND_A_BIT)
    play_activation(pair)
    play_activation(pair)
    asked = pair.asked
    assert asked.question is not None
    side = asked.question["side"]
    left = clock_of(pair.host, pair.game)["left"][side]
    hands.pass_by(10 * MINUTE)
    pair.close()
    first.stop()
    hands.pass_by(2 * DAY)
    second = Running(database)
    try:
        pair.host.moved_to(second.address)
        clock = clock_of(pair.host, pair.game)
        assert clock["running"] == side
        assert clock["left"][side] == left - 10 * MINUTE
        hands.pass_by(MINUTE)
        table = pair.host.sit(pair.game)
        assert table.first["clock"]["left"][side] == left - 11 * MINUTE
        table.close()
    finally:
        second.stop()


def test_slow_games_show_whose_turn_it_is_and_the_time_left(server: Running, hands: Hands) -> None:
    pair = friends(server, clock=THREE_DAYS)
    asked = pair.asked
    assert asked.question is not None
    seat = asked.question["seat"]
    hands.pass_by(DAY)
    card = pair.friend.get("/api/games")[0]
    assert card["asked"] == seat
    assert card["clock"]["words"] == "3 days per turn"
    assert card["clock"]["left"][asked.question["side"]] == 2 * DAY
    play_activation(pair)
    asked = pair.asked
    assert asked.question is not None
    assert pair.friend.get("/api/games")[0]["clock"]["left"][asked.question["side"]] == 3 * DAY


def test_a_clock_is_for_two_people(server: Running) -> None:
    person = Person(server.address)
    order = {"clock": THREE_DAYS, "seats": [{"who": "me"}, {"who": "bot", "bot": "random"}]}
    body = {"edition": "skirmish-3.2", "nonce": secrets.token_hex(16), **order}
    assert "two people" in person.post("/api/games", body, 400)["reasons"][0]["text"]
    made = person.make("skirmish-3.2", "me", "friend", clock=HOUR_AND_A_BIT)
    invitation = person.post("/api/invitation", {"invite": made["invite"]})
    assert invitation["clock"] == "60 minutes per side, plus 30 s per activation"
    table = person.sit(person.make("skirmish-3.2", "me", "me")["game"])
    assert table.first["clock"] is None
    assert table.command(type="claim_time")["type"] == "refused"


# --- taking back ---


def test_taking_back_is_logged_and_a_request_survives_a_reload(server: Running) -> None:
    pair = friends(server, setup="by_hand")
    asked, other = pair.asked, pair.other
    name, person = ("Bram", pair.host) if asked is pair.tables[1] else ("Guest", pair.friend)
    assert asked.play_default()
    assert asked.command(type="undo")["type"] == "accepted"
    read_everything(asked)
    assert asked.steps[-1]["lines"][-1]["text"] == f"{name} took back a move."
    while pair.asked is asked:  # once the other has answered too, they have to agree
        assert asked.play_default()
    assert other.play_default()
    read_everything(asked)
    assert asked.command(type="undo")["code"] == "nothing_to_undo"
    assert person.sit(pair.game).first["can_ask_back"] is False, "they can take it back alone"
    assert (person_of(pair, asked)).sit(pair.game).first["can_ask_back"]
    asked.send(type="ask_back")
    read_everything(other)
    other.send(type="answer_back", yes=False)
    assert asked.until("back_asked")["open"]
    assert asked.until("back_asked")["declined_by"]
    asked.send(type="ask_back")
    read_everything(asked)
    again = person.sit(pair.game)
    assert again.until("back_asked")["open"]
    again.send(type="answer_back", yes=True)
    read_everything(again)
    assert again.steps[-1]["undone"]
    late = person.sit(pair.game)
    texts = [line["text"] for line in late.first["lines"]]
    assert f"{name} took back a move." in texts, "what was taken back before still stands there"
    assert texts[-1].startswith(f"{name} took back a move; ")


# --- rematches ---


def ended(pair: Pair) -> None:
    assert pair.asked.command(type="resign")["type"] == "accepted"
    for table in pair.tables:
        while table.status != "over":
            table.take()


def offer(person: Person, game: str, swap: bool = False, status: int = 200) -> Any:
    return person.post(f"/api/games/{game}/rematch", {"nonce": secrets.token_hex(16), "swap": swap}, status)


def test_a_rematch_is_offered_announced_accepted_and_played_with_new_dice(
    server: Running,
) -> None:
    pair = friends(server, clock=THREE_DAYS)
    assert "once the game is over" in offer(pair.host, pair.game, status=409)["reasons"][0]["text"]
    ended(pair)
    offered = offer(pair.host, pair.game)["rematch"]
    assert (offered["state"], offered["seat"]) == ("offered", 0)
    assert pair.tables[1].until("rematched")["rematch"]["state"] == "offered"
    again = pair.friend.sit(pair.game)
    assert again.first["rematch"]["state"] == "offered", "a page that is loaded anew"
    assert again.first["lost"]["how"] == "resigned"
    assert again.first["board"]["winner"] is not None
    made = offer(pair.friend, pair.game)["rematch"]
    assert made["state"] == "made"
    assert offer(pair.host, pair.game)["rematch"]["game"] == made["game"], "twice is once"
    assert pair.tables[0].until("rematched")["rematch"]["state"] in ("offered", "made")
    old, new = pair.host.get(f"/api/games/{pair.game}"), pair.host.get(f"/api/games/{made['game']}")
    assert [seat["army"] for seat in new["seats"]] == [seat["army"] for seat in old["seats"]]
    assert new["mine"] == old["mine"]
    assert new["clock"]["words"] == "3 days per turn"
    proofs = [pair.host.get(f"/api/games/{game}/dice") for game in (pair.game,)]
    table = pair.host.sit(made["game"])
    assert table.first["commitment"] != proofs[0]["commitment"]
    assert table.first["seats"] == [0]
    assert pair.friend.sit(made["game"]).first["seats"] == [1]


def test_armies_are_swapped_where_both_want_that_and_a_counter_offer_is_an_offer(
    server: Running,
) -> None:
    pair = friends(server)
    ended(pair)
    offer(pair.host, pair.game)
    counter = offer(pair.friend, pair.game, swap=True)["rematch"]
    assert (counter["state"], counter["seat"], counter["swap"]) == ("offered", 1, True)
    made = offer(pair.host, pair.game, swap=True)["rematch"]
    old, new = pair.host.get(f"/api/games/{pair.game}"), pair.host.get(f"/api/games/{made['game']}")
    assert [seat["army"] for seat in new["seats"]] == [seat["army"] for seat in old["seats"]]
    assert (old["mine"], new["mine"]) == ([0], [1])
    assert new["seats"][0]["name"] == "Bram"


def test_a_rematch_may_be_declined_or_withdrawn_by_its_players_only(server: Running) -> None:
    pair = friends(server)
    ended(pair)
    assert offer(Person(server.address), pair.game, status=403)["code"] == "not_your_seat"
    offer(pair.host, pair.game)
    assert pair.host.http.delete(f"/api/games/{pair.game}/rematch").json()["rematch"] is None
    offer(pair.host, pair.game)
    declined = pair.friend.http.delete(f"/api/games/{pair.game}/rematch").json()["rematch"]
    assert (declined["state"], declined["name"]) == ("declined", "Bram")
    assert "does not want" in offer(pair.host, pair.game, status=409)["reasons"][0]["text"]
    assert offer(pair.friend, pair.game)["rematch"]["state"] == "offered", "whoever declined may think again"


def test_a_rematch_offered_on_another_server_is_announced_here(server: Running) -> None:
    pair = friends(server)
    ended(pair)
    lobby = server.app.state.lobby
    written = encode(Offer(1, False, "ab" * 16)).decode()  # by the other server, into the database they share
    for work in (lobby.store.set_rematch(pair.game, "", written), lobby.news(pair.game)):
        asyncio.run_coroutine_threadsafe(work, server.loop).result(PATIENCE)
    told = pair.tables[0].until("rematched")["rematch"]
    assert (told["state"], told["name"]) == ("offered", "Bram")


def test_alone_a_rematch_is_begun_at_once(server: Running) -> None:
    person = Person(server.address)
    game = person.make("skirmish-3.2", "me", "random", setup="at_once")["game"]
    table = person.sit(game)
    table.send(type="pace", delay=0)
    assert table.until_asked()
    assert table.command(type="resign")["type"] == "accepted"
    made = offer(person, game, swap=True)["rematch"]
    assert made["state"] == "made"
    assert person.get(f"/api/games/{made['game']}")["mine"] == [1]


def test_bots_are_not_asked_for_permission(server: Running) -> None:
    person = Person(server.address)
    game = person.make("skirmish-3.2", "me", "random", setup="at_once")["game"]
    table = person.sit(game)
    table.send(type="pace", delay=0)
    for _ in range(12):  # some of them before the bot has thrown dice
        assert table.until_asked()
        assert person.sit(game).first["can_ask_back"] is False
        assert table.play_default()
