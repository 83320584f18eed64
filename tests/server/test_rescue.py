"""Damaged games are named, set aside and kept; others continue. Backups are taken while the server runs."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from pathlib import Path

import pytest

from shieldwall.cli.main import main
from shieldwall.server import rescue
from shieldwall.server.storage import DatabaseError, StorageError, open_store
from shieldwall.server.storage.drivers import Sqlite, Statement
from tests.server.conftest import Running
from tests.server.databases import Postgres
from tests.server.player import Person


def played(address: str, games: int = 2, steps: int = 14) -> tuple[list[str], Person]:
    """Play a few steps of a few games on a server that is then stopped; returns their ids and players."""
    server = Running(address)
    try:
        person = Person(server.address)
        ids = []
        for _ in range(games):
            order = {"setup": "at_once", "table": {"kind": "empty"}}
            table = person.sit(person.make("skirmish-3.2", "me", "me", **order)["game"])
            while table.seq < steps or not any(step["rolls"] for step in table.steps):
                assert table.play_default()
            ids.append(table.first["game"])
            table.close()
        return ids, person
    finally:
        server.stop()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def address_of(file: Path) -> str:
    return f"sqlite:///{file}"


def changed(file: Path, sql: str, *values: object) -> None:
    connection = sqlite3.connect(file)
    with connection:
        assert connection.execute(sql, values).rowcount == 1
    connection.close()


def command_with_dice(file: Path, game: str) -> tuple[int, bytes]:
    connection = sqlite3.connect(file)
    found = connection.execute(
        "SELECT seq, dice FROM command WHERE game = ? AND dice <> CAST('[]' AS BLOB) ORDER BY seq DESC",
        (game,),
    ).fetchone()
    connection.close()
    return int(found[0]), bytes(found[1])


def other_face(dice: bytes) -> bytes:
    """The same dice with one face turned."""
    at = next(n for n in range(len(dice) - 1, 0, -1) if dice[n : n + 1].isdigit())
    return dice[:at] + (b"1" if dice[at : at + 1] != b"1" else b"2") + dice[at + 1 :]


DAMAGE = {
    "a wrong die": other_face,
    "a flipped bit in the dice": lambda dice: dice[:-1] + bytes([dice[-1] ^ 0x40]),
    "nothing where dice were": lambda dice: b"",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_game_is_named_set_aside_and_rescued_and_others_go_on(
    file: Path, tmp_path: Path, damage: str
) -> None:
    (bad, good), person = played(address_of(file))
    seq, dice = command_with_dice(file, bad)
    sql = "UPDATE command SET dice = ? WHERE game = ? AND seq = ?"
    changed(file, sql, DAMAGE[damage](dice), bad, seq)
    connection = sqlite3.connect(file)
    with connection:
        connection.execute("DELETE FROM snapshot")
    connection.close()

    server = Running(address_of(file))
    try:
        person.moved_to(server.address)
        answer = person.http.get(f"/api/games/{bad}/replay")
        assert answer.status_code == 409
        assert answer.json()["code"] == "damaged"
        for _ in range(2):
            with pytest.raises(Exception, match=r"no close frame|1000|damaged"):
                person.sit(bad)
        assert person.sit(good).status == "running"
        assert {card["id"] for card in person.get("/api/games")} == {bad, good}
    finally:
        server.stop()

    report = asyncio.run(rescue.check_all(address_of(file), []))
    assert not report.sound
    assert any(line.startswith(f"{bad}: damaged, sound up to {seq - 1}") for line in report.lines), (
        report.lines
    )
    assert not any(line.startswith(good) for line in report.lines)

    keep = tmp_path / "kept.jsonl"
    finding = asyncio.run(rescue.rescued(address_of(file), bad, keep))
    assert finding is not None
    assert finding.sound == seq - 1
    assert keep.read_bytes().count(b'"row":"CommandRow"') >= seq
    assert asyncio.run(rescue.check_all(address_of(file), [])).sound

    server = Running(address_of(file))
    try:
        person.moved_to(server.address)
        table = person.sit(bad)
        assert table.seq >= seq - 1, "where the computer sets up it may have gone on already"
        assert table.play_default()
    finally:
        server.stop()


BEYOND_RESCUE = {"the setup": ("game", "setup"), "a number that is none": ("game", "resigned")}
UNREADABLE = BEYOND_RESCUE | {
    "an answer": ("command", "payload"),
    "dice": ("command", "dice"),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_whatever_cannot_be_read_makes_its_game_damaged_and_nothing_else(
    file: Path, tmp_path: Path, what: str
) -> None:
    (bad, good), person = played(address_of(file))
    table, column = UNREADABLE[what]
    last = (
        ""
        if table == "game"
        else " AND seq = (SELECT max(seq) FROM command AS own WHERE own.game = command.game) - 2"
    )
    where = f"{'id' if table == 'game' else 'game'} = ?{last}"
    changed(file, f"UPDATE {table} SET {column} = ? WHERE {where}", b"{\xff", bad)
    connection = sqlite3.connect(file)
    with connection:
        connection.execute("DELETE FROM snapshot")
    connection.close()

    server = Running(address_of(file))
    try:
        person.moved_to(server.address)
        for page in ("replay", "dice", "file", "result"):
            answer = person.http.get(f"/api/games/{bad}/{page}")
            assert answer.status_code < 500, (page, answer.text)
            assert person.http.get(f"/api/games/{good}/{page}").status_code == 200
        with pytest.raises(Exception, match=r"no close frame|1000|damaged"):
            person.sit(bad)
        assert person.sit(good).play_default()
        assert {card["id"] for card in person.get("/api/games")} == {bad, good}
    finally:
        server.stop()

    lines = asyncio.run(rescue.check_all(address_of(file), [])).lines
    assert [line.split(":")[0] for line in lines[:-1]] == [bad], lines
    with pytest.raises(rescue.BeyondRescueError, match="rescue it first"):
        asyncio.run(rescue.exported(address_of(file), bad))
    if what in BEYOND_RESCUE:
        with pytest.raises(rescue.BeyondRescueError, match="from a backup"):
            asyncio.run(rescue.rescued(address_of(file), bad, tmp_path / "kept"))
    else:
        assert asyncio.run(rescue.rescued(address_of(file), bad, tmp_path / "kept")) is not None
        assert asyncio.run(rescue.check_all(address_of(file), [])).sound


def test_words_that_cannot_be_read_are_left_out(file: Path) -> None:
    (game,), person = played(address_of(file), 1)
    changed(file, "UPDATE command SET lines = ? WHERE game = ? AND seq = 3", b"{\xff", game)
    assert asyncio.run(rescue.check_all(address_of(file), [])).sound
    server = Running(address_of(file))
    try:
        person.moved_to(server.address)
        assert person.sit(game).play_default()
    finally:
        server.stop()


def test_a_file_that_is_no_database_is_refused_in_words(file: Path) -> None:
    file.write_bytes(b"SQLite format 3\x00" + bytes(range(256)) * 64)
    with pytest.raises(DatabaseError, match="cannot be opened"):
        asyncio.run(open_store(address_of(file)))


def test_a_game_in_which_something_was_taken_back_is_sound(file: Path) -> None:
    server = Running(address_of(file))
    try:
        person = Person(server.address)
        table = person.sit(person.make("skirmish-3.2", "me", "me", table={"kind": "empty"})["game"])
        while not table.can_undo:
            assert table.play_default()
        assert table.command(type="undo")["type"] == "accepted"
        table.close()
    finally:
        server.stop()
    report = asyncio.run(rescue.check_all(address_of(file), []))
    assert report.sound, report.lines
    assert asyncio.run(rescue.exported(address_of(file), table.first["game"])).startswith(b"{")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("check",), "there is no database at"),
        (("export", "x", "{folder}/x"), "there is no database at"),
        (("backup", "{folder}/copy.db"), "there is no database at"),
        (("backup", "{folder}/missing/copy.db"), "there is no folder"),
        (("rescue", "x", "--keep", "{folder}/missing/x"), "there is no folder"),
        (("export", "x", "{folder}/missing/x"), "there is no folder"),
    ],
)
def test_names_of_files_that_are_not_there_are_refused_in_words(
    file: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    given = [word.format(folder=file.parent) for word in words]
    assert main(["games", *given, "--db", address_of(file)]) != 0
    assert told in capsys.readouterr().err
    assert list(file.parent.iterdir()) == [], "and nothing was made"


def test_a_sound_game_is_not_touched_by_a_rescue(file: Path, tmp_path: Path) -> None:
    (game,), _ = played(address_of(file), 1)
    assert asyncio.run(rescue.rescued(address_of(file), game, tmp_path / "kept")) is None
    assert not (tmp_path / "kept").exists()
    assert asyncio.run(rescue.exported(address_of(file), game)).startswith(b"{")


def test_a_backup_taken_while_the_server_runs_can_be_played_on(file: Path, tmp_path: Path) -> None:
    server = Running(address_of(file))
    copy = tmp_path / "copy.db"
    try:
        person = Person(server.address)
        table = person.sit(person.make("skirmish-3.2", "me", "me", table={"kind": "empty"})["game"])
        for _ in range(3):
            assert table.play_default()
        seq, hash = table.seq, table.hash
        assert asyncio.run(rescue.backup(address_of(file), copy)) == 1
        assert table.play_default(), "the server went on"
    finally:
        server.stop()
    again = Running(address_of(copy))
    try:
        person.moved_to(again.address)
        table = person.sit(table.first["game"])
        assert (table.seq, table.hash) == (seq, hash)
        assert table.play_default()
    finally:
        again.stop()
    assert asyncio.run(rescue.check_all(address_of(copy), [])).sound
    with pytest.raises(Exception, match="already exists"):
        asyncio.run(rescue.backup(address_of(file), copy))


def test_a_backup_of_postgresql_is_a_file_that_can_be_played_on(postgres: Postgres, tmp_path: Path) -> None:
    address = postgres.address("backup")
    (game,), person = played(address, 1)
    copy = tmp_path / "copy.db"
    assert asyncio.run(rescue.backup(address, copy)) == 1
    assert asyncio.run(rescue.check_all(address_of(copy), [])).sound
    server = Running(address_of(copy))
    try:
        person.moved_to(server.address)
        assert person.sit(game).play_default()
    finally:
        server.stop()


# --- the lock ---


def names_of(file: Path) -> dict[str, str]:
    """Other ways to say the same file."""
    soft, hard = file.with_name("soft.db"), file.with_name("hard.db")
    soft.symlink_to(file)
    os.link(file, hard)
    return {
        "symlink": address_of(soft),
        "hard link": address_of(hard),
        "address": f"sqlite:///file:{file}?uri=true",
        "detour": f"sqlite:///{file.parent}/./../{file.parent.name}/{file.name}",
    }


@pytest.mark.parametrize("way", ["symlink", "hard link", "address", "detour"])
def test_one_file_has_one_server_whatever_its_name(file: Path, way: str) -> None:
    async def work() -> None:
        store = await open_store(address_of(file))
        try:
            with pytest.raises(DatabaseError, match="already using"):
                await open_store(names_of(file)[way])
        finally:
            await store.close()

    asyncio.run(work())


def test_parameters_that_would_lead_past_the_lock_are_refused(file: Path) -> None:
    for address in (
        f"sqlite:///file:{file}?mode=memory&uri=true",
        f"sqlite:///{file}?vfs=unix-none",
        "sqlite://",
    ):
        with pytest.raises(DatabaseError):
            asyncio.run(open_store(address))


# --- a full disk ---


def test_a_full_disk_refuses_in_plain_words_and_loses_nothing(file: Path) -> None:
    server = Running(address_of(file))
    try:
        person = Person(server.address)
        table = person.sit(person.make("skirmish-3.2", "me", "me", table={"kind": "empty"})["game"])
        assert table.play_default()
        database = server.app.state.lobby.store.database
        asyncio.run(limit_pages(database, full=True))
        answer = person.http.post("/api/games", json=order())
        assert answer.status_code == 503
        assert "disk" in answer.json()["reasons"][0]["text"]
        assert database.failures == 1
        before = (table.seq, table.hash)
        codes = set()
        for _ in range(300):
            assert table.until_asked() is not None
            assert table.question is not None
            refused = table.answer(table.question["default"])
            codes.add(refused["type"])
            if refused["type"] == "refused":
                assert refused["code"] == "failed"
                assert (refused["seq"], refused["hash"]) == before
                break
            while table.seq < refused["seq"]:
                table.take()
            before = (table.seq, table.hash)
        assert "refused" in codes, "the disk filled up"
        asyncio.run(limit_pages(database, full=False))
        assert table.play_default()
    finally:
        server.stop()


def test_a_server_starts_on_a_full_disk_and_goes_on_when_there_is_room(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (game,), person = played(address_of(file), 1)

    async def full(self: Sqlite, statements: object) -> list[int]:
        raise StorageError("the disk cannot be written: database or disk is full")

    with monkeypatch.context() as disk:
        disk.setattr(Sqlite, "write", full)
        server = Running(address_of(file))
    try:
        person.moved_to(server.address)
        assert person.sit(game).play_default()
    finally:
        server.stop()


async def limit_pages(database: Sqlite, full: bool) -> None:
    """Simulate a full disk by SQLite's limit on its file size, which raises the same error."""
    (pages,) = (await database.fetch("PRAGMA page_count"))[0]
    await database.fetch(f"PRAGMA max_page_count = {pages if full else 2**30}")


def order() -> dict[str, object]:
    seats = [{"who": "me"}, {"who": "me"}]
    return {"edition": "skirmish-3.2", "seats": seats, "nonce": "ab" * 16, "table": {"kind": "empty"}}


def test_of_several_writes_in_one_commit_a_wrong_one_undoes_itself_alone(file: Path) -> None:
    async def work() -> list[object]:
        database = Sqlite(str(file))
        await database.write([Statement("CREATE TABLE one (id INTEGER PRIMARY KEY)")])
        add = "INSERT INTO one VALUES (?)"
        writes = [
            database.write(
                [Statement(add, (n,)), Statement("UPDATE one SET id = id", (), None if n % 2 else 99)]
            )
            for n in range(20)
        ]
        found = await asyncio.gather(*writes, return_exceptions=True)
        rows = await database.fetch("SELECT id FROM one ORDER BY id")
        await database.close()
        assert sum(isinstance(one, Exception) for one in found) == 10
        with pytest.raises(StorageError):
            await database.fetch("SELECT 1")
        return [row[0] for row in rows]

    assert asyncio.run(work()) == list(range(1, 20, 2))
