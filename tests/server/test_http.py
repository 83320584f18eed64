"""The HTTP side keeps to its own description, whatever is sent."""

from __future__ import annotations

from collections.abc import Callable

from tests.server.conftest import Running
from tests.server.fuzzing import faults_of
from tests.server.player import Person, new_game

EXAMPLES = 4  # tests/soak tries 500
People = Callable[[], Person]


def test_every_request_is_answered_as_described(server: Running) -> None:
    assert faults_of(server.address, EXAMPLES) == []


def test_unknown_things_are_said_to_be_unknown(person: People) -> None:
    player = person()
    for path in (
        "/api/games/0123456789abcdef01234567",
        "/api/games/0123456789abcdef01234567/result",
        "/api/armies/0123456789abcdef01234567",
        "/api/rules/R99-NOTHING-01",
        "/api/nothing",
    ):
        answer = player.http.get(path)
        assert answer.status_code == 404, path
        assert answer.json()["reasons"][0]["text"]


def test_orders_for_impossible_games_name_every_reason(person: People) -> None:
    player = person()
    order = new_game("skirmish-3.2", "me", "no-such-bot") | {"edition": "chess"}
    told = player.post("/api/games", order, status=400)["reasons"]
    assert len(told) == 2
    player.post("/api/games", new_game() | {"nonce": "short"}, status=400)
    player.post("/api/games", new_game() | {"house_rules": {"no-such-rule": "on"}}, status=400)
    player.post("/api/games", new_game() | {"mission": "no-such-mission"}, status=400)


def test_rules_are_found_and_set_side_by_side(person: People) -> None:
    player = person()
    found = player.get("/api/rules?words=flank%20charge&edition=regiments-3.5&limit=5")
    assert 0 < len(found["rows"]) <= 5
    assert {row["edition"] for row in found["rows"]} == {"regiments-3.5"}
    row = player.get(f"/api/rules/{found['rows'][0]['id']}")
    assert row["rule"]
    columns = player.get("/api/compare?words=charge")["columns"]
    assert len(columns) == 5
    assert all(column["rows"] for column in columns)


def test_a_table_by_hand_is_judged_with_every_reason(person: People) -> None:
    player = person()
    pieces = [{"kind": "forest", "x": 20_000, "y": 20_000, "width": 6_000, "depth": 5_000}]
    told = player.post(
        "/api/tables", {"edition": "regiments-3.5", "table": {"kind": "pieces", "pieces": pieces}}
    )
    assert not told["ok"]
    assert told["problems"]
    assert told["pieces"][0]["kind"] == "forest"
    kinds = {kind["kind"] for kind in player.get("/api/terrain/regiments-3.5")}
    assert {"forest", "hill", "ruin", "river"} <= kinds


def test_an_army_is_built_checked_saved_copied_and_played(person: People) -> None:
    player = person()
    book = player.get("/api/books?edition=skirmish-3.2")[0]
    view = player.get(f"/api/books/skirmish-3.2/{book['id']}")
    hero = next(unit for unit in view["units"] if unit["hero"])
    army = {
        "name": "<b>Mine</b>",
        "edition": "skirmish-3.2",
        "points": 150,
        "entries": [{"id": "e1", "unit": hero["id"]}],
        "books": [{"id": book["id"]}],
    }
    report = player.post("/api/armies/check", {"army": army})
    assert report["cost"] == hero["cost"]
    saved = player.post("/api/armies", {"army": army})
    assert saved["army"]["name"] == "<b>Mine</b>"
    copy = player.post(f"/api/armies/{saved['id']}/copy", None)
    file = player.get(f"/api/armies/{copy['id']}/file")
    imported = player.post("/api/armies/import", {"text": file["text"], "name": "From a file"})
    assert imported["cards"][0]["cost"] == hero["cost"]
    assert {card["name"] for card in player.get("/api/armies")} == {
        "<b>Mine</b>",
        "<b>Mine</b> (copy)",
        "From a file",
    }
    assert player.http.delete(f"/api/armies/{copy['id']}").status_code == 200
    order = new_game("skirmish-3.2", "me", "random")
    order["seats"][0]["army"] = saved["id"]
    made = player.post("/api/games", order)
    units = player.sit(made["game"]).units.values()
    assert hero["name"] in {unit["name"] for unit in units if unit["side"] == 0}


def test_an_army_without_units_is_saved_but_cannot_be_played(person: People) -> None:
    player = person()
    book = player.get("/api/books?edition=skirmish-3.2")[0]
    army = {"name": "Nobody", "edition": "skirmish-3.2", "points": 150, "entries": []}
    army["books"] = [{"id": book["id"]}]
    saved = player.post("/api/armies", {"army": army})
    order = new_game("skirmish-3.2", "me", "random")
    order["seats"][0]["army"] = saved["id"]
    told = player.post("/api/games", order, status=400)["reasons"]
    assert [reason["text"] for reason in told] == ["Nobody has no units yet; add some first"]


def test_odds_between_two_units_of_armies(person: People) -> None:
    request = {
        "edition": "regiments-3.5",
        "attacker": {"army": "ready:lantern-coast-750", "unit": 1},
        "target": {"army": "ready:kilnfolk-750", "unit": 1},
        "action": "charge",
    }
    answer = person().post("/api/odds", request)
    assert answer["exact"]
    assert 0 < answer["target"]["expected"] < 50
    assert abs(sum(answer["target"]["bars"]) - 1) < 1e-9


def test_odds_are_about_the_unit_on_the_card_also_where_heroes_have_joined(person: People) -> None:
    player = person()
    cards = player.get("/api/armies/ready:kilnfolk-750?edition=regiments-3.5")["cards"]
    assert any(card["joined"] for card in cards)
    for number, card in enumerate(cards):
        fighter = {"army": "ready:kilnfolk-750", "unit": number}
        request = {"edition": "regiments-3.5", "attacker": fighter, "action": "charge"}
        request["target"] = {"army": "ready:lantern-coast-750", "unit": 1}
        assert player.post("/api/odds", request)["words"].startswith(f"{card['name']} charge")


PASTED = """++ Salt and Smoke [AOFS 150pts] ++

Marsh Captain [1] Q3+ D4+ | 60pts | Hero, Tough(3)
Long Blade (A3, AP(1))

3x Reed Spears [1] Q4+ D5+ | 20pts |
Spear (A1)
"""


def test_a_pasted_list_becomes_an_army_that_can_be_played(person: People) -> None:
    player = person()
    report = player.post("/api/armies/import", {"text": PASTED, "edition": "skirmish-3.2", "name": "Pasted"})
    assert report["army"]["name"] == "Pasted"
    assert {card["name"] for card in report["cards"]} == {"Marsh Captain", "Reed Spears"}
    order = new_game("skirmish-3.2", "me", "random")
    order["seats"][0]["army"] = report["id"]
    units = player.sit(player.post("/api/games", order)["game"]).units.values()
    spears = [unit["name"] for unit in units if unit["name"].startswith("Reed Spears")]
    assert spears == ["Reed Spears 1", "Reed Spears 2", "Reed Spears 3"], "each has a name of its own"
    refused = player.post("/api/armies/import", {"text": "no list at all"}, status=400)
    assert refused["reasons"]
