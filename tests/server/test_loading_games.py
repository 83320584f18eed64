"""Games loaded from the database: exactly as they were, or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
from msgspec.structs import replace

from shieldwall.armies.demo import demo_setup
from shieldwall.bots import numbers_for
from shieldwall.core import engine
from shieldwall.core.answers import Pick, Spot
from shieldwall.core.codec import encode
from shieldwall.server.archive import play_again
from shieldwall.server.dice_key import commitment_of
from shieldwall.server.live import THROWS, LiveGame
from shieldwall.server.match import COMMANDS, Answered, DriftError
from shieldwall.server.refusals import NotNowError
from shieldwall.server.storage import GameRow, PlayerRow, SeatRow, Store, open_store
from shieldwall.server.storage.drivers import Statement

T = TypeVar("T")
SECRET = bytes(range(32))


async def at_once(job: Callable[[], T]) -> T:
    return job()


async def new_live(store: Store) -> LiveGame:
    await store.add_player(PlayerRow("p", "t", "Ann", "2026"))
    setup = demo_setup("skirmish-3.2", 1)
    row = GameRow(
        id="g", owner="p", name="A battle", edition="skirmish-3.2", status="running", created="2026", changed="2026",
        ordered=b"{}", setup=encode(setup), secret=SECRET, commitment=commitment_of(SECRET), rules_version="v",
    )  # fmt: skip
    seats = [SeatRow("g", seat, "person", f"P{seat}", player="p", nonce="ab" * 16) for seat in (0, 1)]
    await store.add_game(row, seats)
    live = LiveGame(store, row, seats)
    await live.begin(at_once)
    return live


async def play(live: LiveGame, answers: int, undo_every: int = 0, prefix: str = "answer") -> None:
    numbers = numbers_for(3, 0)
    for number in range(answers):
        pending = live.head.pending
        assert pending is not None
        await live.answer(pending.seat, f"{prefix}-{live.head.seq}", pending.sample(numbers), "", at_once)
        if undo_every and number % undo_every == 0 and live.undo_to((0, 1)) is not None:
            await live.take_back((0, 1), f"undo-{live.head.seq}")


async def again(store: Store) -> LiveGame:
    row = await store.game("g")
    assert row is not None
    live = LiveGame(store, row, await store.seats("g"))
    await live.load(at_once)
    return live


def run(tmp_path: Path, work: Callable[[Store], Awaitable[T]]) -> T:
    async def opened() -> T:
        store = await open_store(f"sqlite:///{tmp_path / 'games.db'}")
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(opened())


@pytest.mark.parametrize("without_snapshot", [False, True])
def test_a_game_with_answers_taken_back_comes_back_the_same(tmp_path: Path, without_snapshot: bool) -> None:
    async def work(store: Store) -> None:
        live = await new_live(store)
        await play(live, 70, undo_every=3)
        assert await store.snapshot("g") is not None
        if without_snapshot:
            await store.database.write([Statement("DELETE FROM snapshot")])
        back = await again(store)
        assert (back.head.seq, back.head.hash) == (live.head.seq, live.head.hash)
        assert back.undo_to((0, 1)) == live.undo_to((0, 1))
        assert [line for _, line in back.lines] == [line for _, line in live.lines]
        await play(live, 1)
        with pytest.raises(NotNowError) as refused:
            await play(back, 1, prefix="other")
        assert refused.value.code == "stale"
        assert back.outdated

    run(tmp_path, work)


@pytest.mark.parametrize("damage", ["torn", "other state", "other version"])
def test_a_snapshot_that_cannot_be_trusted_is_passed_over(tmp_path: Path, damage: str) -> None:
    """The commands are the source of truth: they lead to the same state, only more slowly."""

    async def work(store: Store) -> None:
        live = await new_live(store)
        await play(live, 40)
        kept = await store.snapshot("g")
        assert kept is not None
        if damage == "other version":
            await store.database.write([Statement("UPDATE command SET rules_version = ?", ("0.0.1+before",))])
        spoilt = kept.state[:-9] if damage == "torn" else encode(live.setup)
        await store.database.write([Statement("UPDATE snapshot SET state = ?", (spoilt,))])
        back = await again(store)
        assert (back.head.seq, back.head.hash) == (live.head.seq, live.head.hash)
        assert back.head.state == live.head.state

    run(tmp_path, work)


def test_taking_back_step_by_step_ends_at_the_last_dice(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        live = await new_live(store)
        start = live.head.hash
        hashes = [start]
        numbers = numbers_for(3, 0)
        while True:
            pending = live.head.pending
            assert pending is not None
            await live.answer(pending.seat, f"answer-{live.head.seq}", pending.sample(numbers), "", at_once)
            if live.head.threw:
                break
            hashes.append(live.head.hash)
        assert live.undo_to((0, 1)) is None
        assert len(hashes) > 2

    run(tmp_path, work)


def test_a_stored_answer_is_not_judged_again_but_one_that_does_not_fit_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Checking legality takes longer than playing; the hash shows whether the result is the same."""

    async def work(store: Store) -> None:
        live = await new_live(store)
        await play(live, 12)
        row, rows = await store.game("g"), await store.commands("g")
        assert row is not None
        monkeypatch.setattr(engine, "check", lambda *_: pytest.fail("judged again"))
        assert play_again(row, rows)[-1].carried.state == live.head.state
        kind = COMMANDS.decode(rows[-1].payload).kind
        for command in (Answered("never asked", Pick("u0")), Answered(kind, Spot(1, 1))):
            changed = replace(rows[-1], payload=encode(command))
            with pytest.raises(DriftError):
                play_again(row, [*rows[:-1], changed])

    run(tmp_path, work)


def test_one_changed_die_in_the_database_is_noticed(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        live = await new_live(store)
        await play(live, 12)
        rows = await store.commands("g")
        thrown = next(row for row in rows if row.dice != b"[]" and row.seq > 1)
        first, *others = THROWS.decode(thrown.dice)
        turned = (first.faces[0] % 6 + 1, *first.faces[1:])
        changed = encode((replace(first, faces=turned), *others))
        turned = Statement("UPDATE command SET dice = ? WHERE seq = ?", (changed, thrown.seq))
        await store.database.write([Statement("DELETE FROM snapshot"), turned])
        with pytest.raises(DriftError):
            await again(store)

    run(tmp_path, work)


def test_rows_of_the_game_show_how_it_stands(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        live = await new_live(store)
        await play(live, 5)
        row = await store.game("g")
        assert row is not None
        assert row.head == live.head.seq
        assert row.turn_seat == (live.head.pending.seat if live.head.pending else -1)
        await live.resign(1, 1, "resign-now")
        row = await store.game("g")
        assert row is not None
        assert (row.status, row.winner, row.resigned) == ("over", 0, 1)

    run(tmp_path, work)
