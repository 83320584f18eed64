"""Stored games outlive the rules they were played with: they are shown as stored, and continue if they can."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from shieldwall.core.codec import encode
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.replay import parse_log, verify
from shieldwall.server import archive, live
from shieldwall.server.live import CANNOT_GO_ON, GOES_ON, LiveGame, LogEntry
from shieldwall.server.match import DriftError, same_rules
from shieldwall.server.refusals import NotNowError
from shieldwall.server.setup import ORDERS, prepared
from shieldwall.server.storage import CommandRow, GameRow, PlayerRow, SeatRow
from tests.server.conftest import Running
from tests.server.player import Person

ANSWERS = 40


class StoredList:
    """Stands in for a database."""

    def __init__(self) -> None:
        self.commands: list[CommandRow] = []

    async def append(self, row: CommandRow, *more: Any) -> CommandRow:
        self.commands.append(row)
        return row


async def at_once(job: Callable[[], LogEntry]) -> LogEntry:
    return job()


def run(work: Awaitable[Any]) -> Any:
    async def all() -> Any:
        return await work

    return asyncio.run(all())


def set_up(edition: str) -> tuple[GameRow, list[SeatRow]]:
    order = {"edition": edition, "seats": [{"who": "me"}, {"who": "me"}], "nonce": "ab" * 16}
    ordered = encode(ORDERS.decode(encode({**order, "table": {"kind": "empty"}})))
    row = GameRow("g1", "me", "", edition, "running", "", "", ordered, b"", b"s" * 32, "", "")
    seats, setup = prepared(row, PlayerRow("me", "", "Guest", ""), [], "")
    return GameRow("g1", "me", "", edition, "running", "", "", ordered, setup, b"s" * 32, "", ""), seats


async def play(game: LiveGame, answers: int) -> None:
    for _ in range(answers):
        pending = game.head.pending
        assert pending is not None
        await game.answer(pending.seat, f"a{game.head.seq}", pending.default(), "", at_once)


def played(edition: str) -> tuple[LiveGame, StoredList]:
    kept = StoredList()
    game = LiveGame(kept, *set_up(edition))  # type: ignore[arg-type]

    async def work() -> None:
        await game.begin(at_once)
        await play(game, ANSWERS)

    run(work())
    return game, kept


def opened(game: LiveGame, kept: StoredList) -> LiveGame:
    """The same game as a server finds it in its database."""
    again = LiveGame(kept, game.row, game.seats)  # type: ignore[arg-type]
    again.replay(kept.commands, None)
    return again


@pytest.fixture
def change_rules(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Pretend that an edition's rules have changed."""

    def change(edition: str) -> None:
        rules = ruleset(edition)
        monkeypatch.setattr(rules, "version", rules.version + 1)

    return change


def forbid_playing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that the rules have changed so much that no old command can be played."""

    def gone(*given: Any) -> Any:
        raise DriftError("the rules of that time are gone")

    monkeypatch.setattr(live, "carried_again", gone)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_of_earlier_rules_is_as_it_was_left_and_goes_on(
    edition: str, change_rules: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, kept = played(edition)
    change_rules(edition)
    with monkeypatch.context() as meanwhile:
        forbid_playing(meanwhile)
        again = opened(game, kept)
    assert encode(again.head.state) == encode(game.head.state)
    assert again.head.hash == game.head.hash
    assert game.head.pending is not None
    assert again.head.pending is not None
    assert (again.head.pending.kind, again.head.pending.seat) == (
        game.head.pending.kind,
        game.head.pending.seat,
    )
    assert again.lines[-1][1].text == GOES_ON
    assert again.undo_to((0, 1)) is None, "what was played by the rules before is not taken back"
    run(play(again, 3))
    first, last = kept.commands[-4:-3][0], kept.commands[-1]
    assert not same_rules(first.rules_version, last.rules_version)
    third = opened(game, kept)  # first earlier rules, then today's
    assert encode(third.head.state) == encode(again.head.state)


def test_where_other_rules_ask_something_else_a_game_can_be_watched(
    change_rules: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, kept = played("skirmish-3.2")
    change_rules("skirmish-3.2")

    def lost(*given: Any) -> Any:
        raise LookupError("no such step")

    monkeypatch.setattr(live, "pending_of", lost)
    again = opened(game, kept)
    assert encode(again.head.state) == encode(game.head.state)
    assert again.head.pending is None
    assert again.lines[-1][1].text == CANNOT_GO_ON
    with pytest.raises(NotNowError, match="earlier rules"):
        run(again.answer(0, "a", game.head.pending.default(), "", at_once))  # type: ignore[union-attr]


def test_a_game_of_earlier_rules_can_be_gone_through_and_taken_away_as_a_file(
    change_rules: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, kept = played("regiments-3.5")
    change_rules("regiments-3.5")
    forbid_playing(monkeypatch)
    steps = archive.play_again(game.row, kept.commands)
    assert encode(steps[-1].carried.state) == encode(game.head.state)
    log = parse_log(archive.file_of(game.row, game.seats, kept.commands))
    assert verify(log).ok
    found = archive.from_log(log)
    assert [command.state_hash for command in found.commands] == [row.state_hash for row in kept.commands]


def test_a_changed_record_of_earlier_rules_is_damage(change_rules: Callable[[str], None]) -> None:
    game, kept = played("skirmish-3.2")
    change_rules("skirmish-3.2")
    rows = kept.commands
    place = next(n for n in range(20, ANSWERS) if rows[n].state_hash != rows[n - 1].state_hash)
    row = rows[place]
    spoiled = CommandRow(*[getattr(row, name) for name in row.__struct_fields__[:-1]], told=b"[[]]")
    with pytest.raises(DriftError, match=f"command {row.seq} ") as found:
        LiveGame(kept, game.row, game.seats).replay([*rows[:place], spoiled], None)  # type: ignore[arg-type]
    assert not found.value.other_rules


def test_commands_stored_without_effects_are_replayed_by_the_rules() -> None:
    game, kept = played("skirmish-3.2")
    bare = [CommandRow(*[getattr(row, name) for name in row.__struct_fields__[:-1]]) for row in kept.commands]
    assert all(not row.told for row in bare)
    again = LiveGame(kept, game.row, game.seats)  # type: ignore[arg-type]
    again.replay(bare, None)
    assert again.head.hash == game.head.hash


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("0.1.0+abc+1", "0.2.0+abc+1", True),
        ("0.1.0+abc", "0.2.0+abc+1", True),  # from before versions were counted
        ("0.1.0+abc+1", "0.1.0+abc+2", False),
        ("0.1.0+abc+1", "0.1.0+abd+1", False),
        ("", "0.1.0+abc+1", False),
    ],
)
def test_rules_are_the_same_where_numbers_and_version_are(one: str, other: str, same: bool) -> None:
    assert same_rules(one, other) is same_rules(other, one) is same


def test_players_find_their_game_of_earlier_rules_and_play_on(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = Person(server.address)
    made = player.make("skirmish-3.2", "me", "me", table={"kind": "empty"})["game"]
    table = player.sit(made)
    for _ in range(8):
        assert table.play_default()
    before = (table.seq, table.hash)
    table.close()
    lobby = server.app.state.lobby
    asyncio.run_coroutine_threadsafe(lobby.close(), server.loop).result(20)
    monkeypatch.setattr(ruleset("skirmish-3.2"), "version", 7)
    again = player.sit(made)
    assert (again.seq, again.hash) == before
    assert again.first["lines"][-1]["text"] == GOES_ON
    assert again.play_default()
    again.close()
    data = player.http.get(f"/api/games/{made}/file")
    assert data.status_code == 200
    assert verify(parse_log(data.content)).ok
    assert player.http.post("/api/files", content=data.content).status_code == 200
