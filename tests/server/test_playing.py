"""A game over real sockets: questions, answers, taking back, reconnecting, playing with a friend, watching."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.server.player import Person, Table, new_game

People = Callable[[], Person]


def in_battle(person: Person, *who: str, edition: str = "skirmish-3.2") -> Table:
    """A game in which the armies stand and this player is asked something."""
    made = person.make(edition, *who, setup="at_once")
    table = person.sit(made["game"])
    table.send(type="pace", delay=0)
    while True:
        question = table.until_asked()
        assert question is not None
        board = table.steps[-1]["board"] if table.steps else table.first["board"]
        if board["round"] > 0 and question["kind"] == "activate":
            return table
        table.play_default()


def test_the_home_page_offers_every_edition_with_armies_and_bots(person: People) -> None:
    home = person().home
    assert {edition["id"] for edition in home["editions"]} >= {"regiments-3.5", "skirmish-3.2"}
    for edition in home["editions"]:
        assert edition["armies"], edition["id"]
        assert all(army["problems"] == 0 for army in edition["armies"])
        assert edition["missions"][0]["key"] == ""
    assert next(bot["key"] for bot in home["bots"]) == "random"
    assert home["games"] == []


def test_a_question_comes_with_a_sentence_a_form_and_a_default_that_is_legal(person: People) -> None:
    table = in_battle(person(), "me", "random")
    question = table.question
    assert question is not None
    assert question["sentence"] == "Pick a unit to activate"
    assert question["form"]["form"] == "pick"
    assert {option["unit"] for option in question["form"]["options"]} <= set(table.units)
    answer = table.answer(question["default"])
    assert answer["type"] == "accepted"
    assert answer["seq"] == table.seq + 1 or answer["seq"] == table.seq


def test_a_whole_game_against_a_bot_ends_with_a_result_proof_and_file(person: People) -> None:
    player = person()
    table = in_battle(player, "me", "random")
    while table.play_default():
        pass
    game = player.get("/api/games")[0]
    assert game["status"] == "over"
    base = f"/api/games/{game['id']}"
    result = player.get(f"{base}/result")
    assert result["winner"] == game["winner"]
    assert [len(marker["by_round"]) for marker in result["markers"]] == [4] * len(result["markers"])
    proof = player.get(f"{base}/dice")
    assert proof["verified"] is True
    assert sum(luck["dice"] for luck in result["luck"]) <= proof["dice"]
    replay = player.get(f"{base}/replay")
    assert replay["steps"][0]["board"]["whole"]
    assert replay["steps"][-1]["seq"] == table.seq
    assert len(replay["marks"]) == sum(
        event["event"] == "activation_ended" for step in replay["steps"] for event in step["events"]
    )
    file = player.http.get(f"{base}/file")
    opened = player.http.post("/api/files", content=file.content).json()
    again = player.get(f"/api/games/{opened['game']}/replay")
    assert again["steps"][-1]["hash"] == replay["steps"][-1]["hash"]
    refused = player.sit(opened["game"])
    assert refused.status == "over"


def test_taking_back_restores_the_state_until_dice_are_thrown(person: People) -> None:
    table = in_battle(person(), "me", "me")
    before, question = table.hash, table.question
    assert question is not None
    assert not table.can_undo or table.seq > 1
    table.play_default()
    assert table.can_undo
    while table.question is None or table.question["kind"] == "activate":
        table.take()
    accepted = table.command(type="undo")
    assert accepted["type"] == "accepted"
    assert accepted["hash"] == before
    while table.seq < accepted["seq"]:
        table.take()
    assert table.question is not None
    assert table.question["sentence"] == question["sentence"]
    assert table.question["form"]["options"] == question["form"]["options"]
    told = len(table.steps[-2]["lines"])
    assert (table.steps[-1]["undone"], table.steps[-1]["void"]) == (True, told)
    table.close()


def test_nothing_is_taken_back_past_dice(person: People) -> None:
    player = person()
    table = player.sit(player.make("skirmish-3.2", "me", "me")["game"])
    refused = table.command(type="undo")
    assert (refused["code"], refused["hash"]) == ("nothing_to_undo", table.hash)
    for _ in range(12):  # the last marker is followed by the roll for deployment
        table.play_default()
        if table.steps[-1]["rolls"]:
            break
        assert table.can_undo
    assert table.steps[-1]["rolls"]
    before = table.hash
    refused = table.command(type="undo")
    assert (refused["code"], refused["hash"]) == ("nothing_to_undo", before)


def test_help_for_an_activation_ends_with_it_and_what_was_set_up_at_once_is_not_taken_back(
    person: People,
) -> None:
    table = in_battle(person(), "me", "me")
    question = table.until_asked()
    assert question is not None
    assert question["kind"] == "activate"
    assert not table.can_undo, "nobody placed a unit by hand"
    asked: list[str] = []
    for _ in range(
        3
    ):  # both sides, and the first one again: help for one activation does not extend to the next
        assert table.command(type="do_for_me", until="activation")["type"] == "accepted"
        before = table.seq
        while table.seq == before or not (table.question and table.question["mine"]):
            table.take()
        asked.append(table.question["kind"])
        assert sum(unit["acted"] for unit in table.units.values()) == len(asked)
    assert asked == ["activate"] * 3


def test_a_command_sent_twice_counts_once(person: People) -> None:
    table = in_battle(person(), "me", "me")
    assert table.question is not None
    seq, default = table.seq, table.question["default"]
    first = table.answer(default, command_id="twice-the-same", expected_seq=seq)
    again = table.answer(default, command_id="twice-the-same", expected_seq=seq)
    assert first["type"] == again["type"] == "accepted"
    assert (first["seq"], first["hash"]) == (again["seq"], again["hash"])


def test_coming_back_brings_what_was_missed_and_nothing_else(person: People) -> None:
    player = person()
    table = in_battle(player, "me", "me")
    seq, hash, game = table.seq, table.hash, player.get("/api/games")[0]["id"]
    for _ in range(3):
        table.play_default()
    back = player.sit(game, seq, hash)
    assert back.first["type"] == "steps"
    assert [step["seq"] for step in back.first["steps"]] == list(range(seq + 1, table.seq + 1))
    assert back.hash == table.hash
    assert player.sit(game, seq, "0123456789abcdef").first["type"] == "welcome"
    assert player.sit(game, table.seq, table.hash).first["steps"] == []


def test_a_friend_joins_by_link_once_and_a_watcher_gives_no_orders(person: People) -> None:
    host, friend, stranger = person(), person(), person()
    order = new_game("skirmish-3.2", "me", "friend", setup="at_once")
    made = host.post("/api/games", order)
    waiting = host.sit(made["game"])
    assert waiting.status == "waiting"
    assert waiting.command(type="answer", answer={"answer": "pick", "option": "x"})["code"] == "waiting"
    invitation = friend.post("/api/invitation", {"invite": made["invite"]})
    assert (invitation["seat"], invitation["taken"], invitation["yours"]) == (1, False, "")
    assert (invitation["status"], invitation["mission"]) == ("waiting", "")
    assert "markers" in invitation["goal"]
    assert host.post("/api/invitation", {"invite": made["invite"]})["yours"] == "host"
    joining = {"invite": made["invite"], "nonce": "ab" * 16, "army": "ready:kilnfolk-150", "name": "Bo"}
    assert host.get("/api/games")[0]["name"] == "Player 1 against Friend"
    assert friend.post("/api/join", joining) == {"game": made["game"], "seat": 1}
    assert host.get("/api/games")[0]["name"] == "Player 1 against Bo", "whoever came has a name"
    assert friend.post("/api/join", joining)["seat"] == 1
    stranger.post("/api/join", {**joining, "nonce": "cd" * 16}, status=409)
    links = [who.post("/api/invitation", {"invite": made["invite"]}) for who in (host, friend, stranger)]
    assert [(link["yours"], link["taken"]) for link in links] == [
        ("player", True),
        ("player", True),
        ("", True),
    ]
    assert waiting.until("welcome")["status"] == "running"
    watcher = stranger.sit(made["game"])
    assert watcher.first["seats"] == []
    assert watcher.command(type="answer", answer={"answer": "pick", "option": "x"})["code"] == "not_your_seat"
    guest = friend.sit(made["game"])
    assert guest.first["seats"] == [1]
    both = {0: waiting, 1: guest}
    while not waiting.steps or waiting.steps[-1]["board"]["round"] == 0:
        waiting.take()
    while waiting.question is None or waiting.question["kind"] != "activate":
        waiting.take()
    asked = both[waiting.question["seat"]]
    other = both[1 - waiting.question["seat"]]
    while asked.question is None or not asked.question["mine"]:
        asked.take()
    while other.seq < asked.seq:
        other.take()
    refused = other.answer(asked.question["default"])
    assert (refused["code"], refused["hash"]) == ("not_your_seat", asked.hash)
    assert other.question is not None
    assert other.question["form"] is None
    assert asked.answer(asked.question["default"])["type"] == "accepted"


def test_resigning_ends_the_game_for_the_other_side(person: People) -> None:
    player = person()
    table = in_battle(player, "me", "random")
    assert table.command(type="resign")["type"] == "accepted"
    card = player.get("/api/games")[0]
    assert (card["status"], card["winner"], card["resigned"]) == ("over", 1, 0)
    assert table.command(type="resign")["code"] in ("over", "stale")
    words = player.get(f"/api/games/{card['id']}/result")["words"]
    assert "gave up" in words


def test_automatic_answers_are_given_by_the_server(person: People) -> None:
    table = in_battle(person(), "me", "me")
    table.send(type="automatic", kinds=["activate", "action", "path"])
    seen: set[str] = set()
    start = table.seq
    while table.seq < start + 6:
        table.take()
        if table.question is not None:
            seen.add(table.question["kind"])
    assert {"activate", "action"} & seen


def test_two_bots_play_while_watched_and_give_reasons(person: People) -> None:
    player = person()
    made = player.make("skirmish-3.2", "solo", "solo")
    assert made["seats"] == []
    table = player.sit(made["game"])
    table.send(type="pace", delay=0)
    while table.seq < 30 or not any(step["why"] for step in table.steps):
        table.take()
    assert all(step["actor"] in ("bot", "server") for step in table.steps)
    table.send(type="pace", paused=True, delay=0)


@pytest.mark.parametrize(
    "name", ["<svg/onload=alert(1)>", "Robert'); DROP TABLE game;--", "a\u202eb\u0000c\nd", "  " * 40]
)
def test_names_are_plain_text_whatever_is_in_them(person: People, name: str) -> None:
    player = person()
    home: dict[str, Any] = player.post("/api/me", {"name": name[:60]})
    kept = home["player"]
    assert kept == kept.strip()
    assert not any(ord(char) < 32 or char == "\u202e" for char in kept)
    if name.startswith("<svg"):
        assert kept == name
