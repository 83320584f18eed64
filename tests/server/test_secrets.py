"""What stays hidden: sealed bids, the dice key, and all of the state that clients do not need."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from shieldwall.core.answers import Bid
from shieldwall.core.codec import encode, state_hash
from shieldwall.core.pending import Roll
from shieldwall.core.state import State
from shieldwall.replay.verifier import HONEST_DICE, OTHER_SECRET
from shieldwall.rules.features.tokens_bids import BidTokens
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server.forms import question_for
from shieldwall.server.log_lines import lines_of, rolls_of
from shieldwall.server.match import Answered, CarriedOut, carry_out
from shieldwall.server.present import board_view
from shieldwall.story import Story
from tests.rules.casting_scene import SKIRMISH, against
from tests.server.player import Person

ROOT = Path(__file__).parents[2]
People = Callable[[], Person]


def shown(rules: Ruleset, before: State, after: CarriedOut) -> bytes:
    """Everything the other seat gets to see of a step."""
    story = Story(before, dice=False)
    asked = question_for(rules, after.state, after.pending, True) if after.pending is not None else None
    board = board_view(rules, after.state, before)
    return encode(
        (
            after.events,
            lines_of(story, before, after.events),
            rolls_of(after.state, after.events),
            board,
            asked,
        )
    )


def test_a_sealed_bid_shows_in_nothing_that_others_get() -> None:
    scene = against(SKIRMISH, 10, tokens=4)
    state, pending = scene.state, scene.question
    assert isinstance(pending, BidTokens)
    none = carry_out(SKIRMISH, state, Answered("bid", Bid(0)), never)
    some = carry_out(SKIRMISH, state, Answered("bid", Bid(2)), never)
    assert none.pending is not None
    assert none.pending.seat == 1
    assert state_hash(none.state) != state_hash(some.state)
    assert shown(SKIRMISH, state, none) == shown(SKIRMISH, state, some)


def never(roll: Roll, number: int) -> tuple[int, ...]:
    raise AssertionError(f"no dice are thrown before all bids are in, not even for {roll.purpose}")


def test_the_fingerprint_for_clients_is_keyed_and_the_key_comes_last(person: People) -> None:
    player = person()
    table = player.sit(player.make("skirmish-3.2", "me", "me")["game"])
    game = table.first["game"]
    proof = player.get(f"/api/games/{game}/dice")
    assert (proof["key"], proof["verified"]) == ("", None)
    assert len(proof["commitment"]) == 64
    told = msgspec.json.encode(table.first).decode()
    for word in ("stack", "secret", "nonce", "token_hash", "rolls_made"):
        assert f'"{word}"' not in told
    assert table.command(type="resign")["type"] == "accepted"
    opened = player.get(f"/api/games/{game}/dice")
    assert opened["verified"] is True
    assert len(opened["key"]) == 64
    assert opened["throws"]
    assert verdict_of_the_documented_program(opened) == "every die is honest\n"
    opened["throws"][0]["faces"][0] = opened["throws"][0]["faces"][0] % 6 + 1
    assert "AssertionError" in verdict_of_the_documented_program(opened)


def test_a_shared_file_carries_the_key_only_when_the_game_is_over(person: People) -> None:
    player = person()
    table = player.sit(player.make("skirmish-3.2", "me", "me")["game"])
    game = table.first["game"]
    running = player.http.get(f"/api/games/{game}/file").content
    assert b'"record":"dice"' not in running
    table.command(type="resign")
    over = player.http.get(f"/api/games/{game}/file").content
    assert b'"record":"dice"' in over
    elsewhere = person()
    watched = elsewhere.http.post("/api/files", content=over).json()
    assert HONEST_DICE in watched["notes"]
    proof = elsewhere.get(f"/api/games/{watched['game']}/dice")
    assert proof["verified"] is True
    assert verdict_of_the_documented_program(proof) == "every die is honest\n"
    unproved = elsewhere.http.post("/api/files", content=running).json()
    assert elsewhere.get(f"/api/games/{unproved['game']}/dice")["verified"] is None
    key = proof["key"].encode()
    forged = elsewhere.http.post("/api/files", content=over.replace(key, b"00" * 32))
    assert forged.status_code == 400
    assert OTHER_SECRET in forged.json()["reasons"][0]["text"]


def verdict_of_the_documented_program(proof: dict[str, Any]) -> str:
    """What the program in docs/server.md says about a proof."""
    page = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
    program = page.split("```python\n", 1)[1].split("```", 1)[0]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "proof.json").write_text(json.dumps(proof), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-I", "-c", program], cwd=folder, capture_output=True, text=True, check=False
        )
    return done.stdout + done.stderr


def test_a_running_game_between_people_has_no_replay(person: People) -> None:
    host, friend = person(), person()
    made = host.make("skirmish-3.2", "me", "friend")
    joining = {"invite": made["invite"], "nonce": "ab" * 16, "army": "ready:kilnfolk-150"}
    friend.post("/api/join", joining)
    host.sit(made["game"])
    for player in (host, friend, person()):
        assert player.http.get(f"/api/games/{made['game']}/replay").status_code == 409
        assert player.http.get(f"/api/games/{made['game']}/file").status_code == 409
