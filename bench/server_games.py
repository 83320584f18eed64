"""Games for the load test: played by bots, and continued by the players of the test from some moment.

Every game has the same secret and nonces, so the server rolls the same dice as the recording did, and players can give
the recorded answers without understanding anything. That keeps them cheap on the machine they measure.
"""

from __future__ import annotations

import asyncio
import random
from typing import NamedTuple

import msgspec
from msgspec.structs import astuple, replace

from bench.server_dice import NONCES, SECRET
from shieldwall.bots import numbers_for, seen_by
from shieldwall.core.codec import encode
from shieldwall.core.engine import check
from shieldwall.server.dice_key import commitment_of
from shieldwall.server.identity import player_with
from shieldwall.server.live import LiveGame, LogEntry, rules_version
from shieldwall.server.opponents import policy_of
from shieldwall.server.setup import ORDERS, prepared
from shieldwall.server.storage import CommandRow, GameRow, PlayerRow, SeatRow, SnapshotRow, Store, open_store
from shieldwall.server.storage.drivers import Statement
from shieldwall.server.storage.store import ADD_SNAPSHOT

EDITIONS = ("skirmish-3.2", "aof-1.6", "aof-2", "regiments-3.4", "regiments-3.5")
BOT = "tactician"
AHEAD = 40  # answers left when a stored game is continued


class Recording(NamedTuple):
    """One game from its first command to its last. `answers[i]` is given at step `i + 1` by seat `seats[i]`."""

    order: bytes
    row: GameRow
    places: list[SeatRow]
    commands: list[CommandRow]
    summaries: list[dict[str, object]]
    snapshots: list[SnapshotRow]
    seats: list[int]
    answers: list[str]


class _Kept:
    """Stands in for a database: remembers what would be stored."""

    def __init__(self) -> None:
        self.commands: list[CommandRow] = []
        self.summaries: list[dict[str, object]] = []
        self.snapshots: list[SnapshotRow] = []

    async def append(
        self, row: CommandRow, summary: dict[str, object], snapshot: SnapshotRow | None = None
    ) -> CommandRow:
        self.commands.append(row)
        self.summaries.append(summary)
        if snapshot is not None:
            self.snapshots.append(snapshot)
        return row


def recordings(seeds: int = 2) -> list[Recording]:
    """A few games of every edition."""
    return [asyncio.run(_recorded(edition, seed)) for seed in range(1, seeds + 1) for edition in EDITIONS]


async def _recorded(edition: str, seed: int) -> Recording:
    order = {
        "edition": edition,
        "seats": [{"who": "me"}, {"who": "friend"}],
        "nonce": NONCES[0],
        "table": {"kind": "generate", "seed": seed},
    }
    both = ORDERS.decode(msgspec.json.encode({**order, "seats": [{"who": "me"}, {"who": "me"}]}))
    row = GameRow(
        "game", "owner", "", edition, "running", "", "", encode(both), b"", SECRET, commitment_of(SECRET), ""
    )
    places, setup = prepared(row, PlayerRow("owner", "", "Guest", ""), [], "")
    places = [replace(place, nonce=nonce) for place, nonce in zip(places, NONCES, strict=True)]
    row = replace(row, setup=setup)
    kept = _Kept()
    live = LiveGame(kept, row, places)  # type: ignore[arg-type]
    row = replace(row, rules_version=live.version)
    assert live.version == rules_version(live.rules)
    seats, answers = await _played(live, seed)
    return Recording(
        encode(order), row, places, kept.commands, kept.summaries, kept.snapshots, seats, answers
    )


async def _at_once(job: object) -> LogEntry:
    found: LogEntry = job()  # type: ignore[operator]
    return found


async def _played(live: LiveGame, seed: int) -> tuple[list[int], list[str]]:
    policies = [policy_of(BOT, f"load {seed}") for _ in live.seats]
    seats, answers = list[int](), list[str]()
    await live.begin(_at_once)
    while (pending := live.head.pending) is not None:
        seen = seen_by(live.head.state, pending.seat)
        numbers = numbers_for(f"load {seed} {live.head.seq}", pending.seat)
        answer = policies[pending.seat].decide(seen, pending, numbers)
        if check(pending, answer):
            answer = pending.default()
        seats.append(pending.seat)
        answers.append(encode(answer).decode())
        await live.answer(pending.seat, f"recorded-{live.head.seq}", answer, "", _at_once)
    return seats, answers


class StoredGame(NamedTuple):
    """A game in the database: which recording, how many of its commands are stored, and the cookies of its players."""

    id: str
    recording: int
    head: int
    cookies: tuple[str, str]


def cookie_of(number: int, seat: int) -> str:
    """The token of a player in the test."""
    return f"player-{number:06}-{seat}-".ljust(43, "x")


async def fill(database: str, known: list[Recording], games: int) -> list[StoredGame]:
    """Store a number of games, each at some moment after deployment."""
    numbers = random.Random(games)
    store = await open_store(database)
    found = []
    try:
        for number in range(games):
            place = number % len(known)
            recording = known[place]
            head = numbers.randrange(len(recording.answers) // 4, max(len(recording.answers) - AHEAD, 60))
            found.append(await _stored(store, number, recording, place, head))
    finally:
        await store.close()
    return found


async def _stored(store: Store, number: int, recording: Recording, place: int, head: int) -> StoredGame:
    id = f"{number:024x}"
    cookies = cookie_of(number, 0), cookie_of(number, 1)
    players = [player_with(cookie) for cookie in cookies]
    for player in players:
        await store.add_player(PlayerRow(player.id, player.token_hash, "Guest", ""))
    shown = recording.summaries[head - 1]
    row = replace(recording.row, id=id, owner=players[0].id, head=head, **shown)  # type: ignore[arg-type]
    seats = [
        replace(seat, game=id, player=player.id)
        for seat, player in zip(recording.places, players, strict=True)
    ]
    commands = [replace(command, game=id) for command in recording.commands[:head]]
    await store.add_game(row, seats, commands)
    snapshot = next((kept for kept in reversed(recording.snapshots) if kept.seq <= head), None)
    if snapshot is not None:
        kept = replace(snapshot, game=id)
        await store.database.write([Statement(ADD_SNAPSHOT, astuple(kept))])
    return StoredGame(id, place, head, cookies)
