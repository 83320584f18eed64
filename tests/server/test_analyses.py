"""Analysis over HTTP: a battle analysed piece by piece and stored with its game, and a battle continued from it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import cache
from threading import Event
from typing import Any

import pytest

from shieldwall.analysis import Analysis, Effort, growing_analysis
from shieldwall.replay import Log, encode_log
from shieldwall.server import analysis_jobs
from tests.analysis.test_analysis import small_game
from tests.server.player import NONCE, PATIENCE, Person

People = Callable[[], Person]
LITTLE = Effort(candidates=1, first_battles=2, blamed=1, battles=6)


@cache
def file() -> bytes:
    return encode_log(small_game()[1])


@pytest.fixture
def looked() -> Iterator[Event]:
    """Set once an unfinished analysis has been seen."""
    found = Event()
    yield found
    found.set()


@pytest.fixture
def watched(person: People, monkeypatch: pytest.MonkeyPatch, looked: Event) -> tuple[Person, str]:
    """A player with a game from a file, and a quick analysis that does not finish before it has been seen."""

    def growing(log: Log) -> Iterator[Analysis]:
        for found in growing_analysis(log, effort=LITTLE):
            yield found
            if 0 < found.done < 1:
                assert looked.wait(PATIENCE), "nobody looked"

    monkeypatch.setattr(analysis_jobs, "growing_analysis", growing)
    player = person()
    game = player.http.post("/api/files", content=file()).json()["game"]
    return player, game


def analysed(player: Person, game: str, looked: Event) -> tuple[dict[str, Any], list[float]]:
    """The finished analysis of a game, and its progress at each request."""
    view = player.post(f"/api/games/{game}/analysis", None)
    shares = []
    while view["status"] == "working":
        shares.append(view["found"]["done"] if view["found"] else 0.0)
        if 0 < shares[-1] < 1:
            looked.set()
        time.sleep(0.05)
        view = player.get(f"/api/games/{game}/analysis")
    assert view["status"] == "done", view["words"]
    return view["found"], shares


def test_an_analysis_grows_is_stored_and_numbers_steps_like_the_replay(
    watched: tuple[Person, str], looked: Event
) -> None:
    player, game = watched
    assert player.get(f"/api/games/{game}/analysis")["status"] == "none"
    found, shares = analysed(player, game, looked)
    assert shares == sorted(shares)
    assert any(0 < share < 1 for share in shares), "it was never seen under way"
    replay = player.get(f"/api/games/{game}/replay")
    seqs = [step["seq"] for step in replay["steps"]]
    steps = [point["step"] for point in found["curve"]]
    assert steps == sorted(set(steps))
    assert set(steps) <= set(seqs)
    assert steps[-1] == seqs[-1]
    acted = [mark["unit"] for mark in replay["marks"]]
    assert [point["unit"] for point in found["curve"][:-1]] == acted
    balance = found["balance"]
    total = balance["start"] + sum(balance["choices"]) + balance["dice"]
    assert total == pytest.approx(found["curve"][-1]["chance"], abs=0.01)
    assert player.post(f"/api/games/{game}/analysis", None)["status"] == "done"


def test_a_battle_is_played_on_from_a_moment_and_says_so(watched: tuple[Person, str]) -> None:
    player, game = watched
    replay = player.get(f"/api/games/{game}/replay")
    before = replay["marks"][-2]["seq"]
    board = next(step["board"] for step in replay["steps"] if step["seq"] == before)
    assert board["round"] == 4
    order = {"seq": before, "side": 1, "bot": "random", "nonce": NONCE}
    made = player.post(f"/api/games/{game}/what-if", order)
    assert made["seats"] == [1]
    card = player.get(f"/api/games/{made['game']}")
    assert card["origin"] == f"what-if {game} {before}"
    assert card["name"].startswith("What if: round 4 of ")
    assert [seat["who"] for seat in card["seats"]] == ["bot", "person"]
    table = player.sit(made["game"])
    table.send(type="pace", delay=0)
    assert table.first["board"]["round"] == board["round"]
    while table.play_default():
        pass
    result = player.get(f"/api/games/{made['game']}/result")
    assert result["winner"] is not None
    assert result["first_round"] == 4
    assert {len(marker["by_round"]) for marker in result["markers"]} == {1}


def test_what_cannot_be_done_is_refused_with_the_reason(watched: tuple[Person, str]) -> None:
    player, game = watched
    running = player.make("skirmish-3.2", "me", "random", setup="at_once")["game"]
    refused = player.post(f"/api/games/{running}/analysis", None, 409)
    assert "once it is over" in refused["reasons"][0]["text"]
    last = player.get(f"/api/games/{game}/replay")["steps"][-1]["seq"]
    order = {"seq": last, "side": 0, "bot": "random", "nonce": NONCE}
    refused = player.post(f"/api/games/{game}/what-if", order, 409)
    assert "choose an earlier one" in refused["reasons"][0]["text"]
    refused = player.post(f"/api/games/{game}/what-if", {**order, "seq": 5, "bot": "oracle"}, 400)
    assert "there is no bot 'oracle' here" in refused["reasons"][0]["text"]


def test_a_puzzle_is_tried_and_judged_by_what_was_played(person: People) -> None:
    player = person()
    found = player.get("/api/puzzles")
    assert sorted(found["by_day"]) == sorted(card["id"] for card in found["puzzles"])
    id = found["puzzles"][0]["id"]
    view, solution = player.get(f"/api/puzzles/{id}"), player.get(f"/api/puzzles/{id}/solution")
    assert view["task"]
    assert solution["solution"]["chance"] > solution["others"][0]["chance"]
    game = player.post(f"/api/puzzles/{id}/tries", {"nonce": NONCE})["game"]
    assert game not in [card["id"] for card in player.get("/api/games")]
    table = player.sit(game)
    verdict = player.post(f"/api/puzzles/{id}/verdict", {"game": game})
    assert verdict["status"] == "waiting"
    while verdict["status"] == "waiting":
        assert table.play_default()
        verdict = player.post(f"/api/puzzles/{id}/verdict", {"game": game})
    assert verdict["best"] == solution["solution"]["chance"]
    assert verdict["words"]
    assert player.post("/api/puzzles/none/verdict", {"game": game}, 404)["code"] == "not_found"
