"""Logs: recorded, written whole, read back, and every fault of a file named at once."""

import os
from pathlib import Path

import msgspec
import pytest
from games import recorded
from msgspec.structs import replace
from toy import TOY, toy_setup

from shieldwall import __version__
from shieldwall.bots import RandomBot, play_game
from shieldwall.core.errors import MalformedError
from shieldwall.dice import SeededDice
from shieldwall.replay import (
    FORMAT,
    LoggedActivation,
    LoggedRoll,
    Recorder,
    encode_log,
    parse_log,
    read_log,
    replay,
    table_hash,
    write_log,
)
from shieldwall.replay import files as files_module
from shieldwall.replay.migrations import format_problem, migrated


def problems(data: bytes) -> list[str]:
    with pytest.raises(MalformedError) as caught:
        parse_log(data)
    return caught.value.problems


def test_a_log_names_what_is_needed_to_play_it_again() -> None:
    log = recorded(5)
    header = log.header
    assert (header.format, header.engine, header.ruleset) == (FORMAT, __version__, "toy")
    assert header.setup == toy_setup()
    assert header.setup.options == (("long_games", "no"),)
    assert header.players == ("random", "random")
    assert header.commitment == SeededDice.from_seed(5).commitment
    assert len(header.rules_hash) == 16
    assert log.footer.finished
    assert log.footer.winner in {-1, 0, 1}


@pytest.mark.parametrize("seed", range(8))
def test_a_log_round_trips_through_a_file(tmp_path: Path, seed: int) -> None:
    log = recorded(seed)
    write_log(log, tmp_path / "game.jsonl")
    assert read_log(tmp_path / "game.jsonl") == log
    assert encode_log(read_log(tmp_path / "game.jsonl")) == encode_log(log)


def test_a_replay_needs_no_seed_and_ends_where_the_game_ended() -> None:
    log = parse_log(encode_log(recorded(3)))
    steps = list(replay(log, TOY))
    assert table_hash(steps[-1].state) == log.footer.table
    assert steps[-1].pending is None
    assert len(steps) == log.footer.answers_given + 1


def test_recorded_dice_play_the_same_game_again() -> None:
    log = recorded(6)
    again = Recorder(TOY, log.header.setup, ("random", "random"), log.header.commitment)
    play_game(TOY, log.header.setup, (RandomBot(), RandomBot()), log.dice(), again, seed=6)
    assert encode_log(again.log()) == encode_log(log)


def test_every_activation_ends_in_a_checkpoint() -> None:
    log = recorded(2)
    numbers = [record.number for record in log.records if isinstance(record, LoggedActivation)]
    assert numbers == list(range(1, log.footer.activations + 1))


def test_a_log_may_be_taken_in_the_middle_of_a_game() -> None:
    class Halfway(Recorder):
        def went(self, *args: object) -> None:
            super().went(*args)  # type: ignore[arg-type]
            if len(self._records) == 12:
                self.middle = self.log()

    setup = toy_setup()
    recorder = Halfway(TOY, setup)
    play_game(TOY, setup, (RandomBot(), RandomBot()), SeededDice.from_seed(1), recorder, seed=1)
    assert not recorder.middle.footer.finished
    assert parse_log(encode_log(recorder.middle)) == recorder.middle
    assert len(list(replay(recorder.middle, TOY))) == recorder.middle.footer.answers_given + 1


def test_nothing_half_written_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "game.jsonl"
    write_log(recorded(1), target)
    before = target.read_bytes()

    def broken(log: object) -> bytes:
        raise OSError("the disk is full")

    monkeypatch.setattr(files_module, "encode_log", broken)
    with pytest.raises(OSError, match="disk is full"):
        write_log(recorded(2), target)
    assert target.read_bytes() == before
    assert os.listdir(tmp_path) == ["game.jsonl"]


def test_all_problems_of_a_file_are_named_with_their_lines() -> None:
    lines = encode_log(recorded(1)).split(b"\n")
    lines[3] = b'{"record":"roll","purpose":"to_hit","faces":[6,9]}'
    lines[5] = b'{"record":"roll","purpose":"to_hit","faces":"six"}'
    lines[7] = b"not json"
    lines[9] = b'{"record":"song"}'
    found = problems(b"\n".join(lines))
    assert [problem.split(":")[0] for problem in found] == ["line 4", "line 6", "line 8", "line 10"]
    assert "cannot show 9" in found[0]
    assert "`$.faces`" in found[1]
    assert "malformed" in found[2]
    assert "song" in found[3]


def test_a_file_that_was_cut_off_says_so() -> None:
    lines = encode_log(recorded(1)).split(b"\n")
    assert "cut off" in problems(b"\n".join(lines[:9]))[-1]
    given = next(number for number, line in enumerate(lines) if b'"record":"choice"' in line)
    assert "answers were given" in problems(b"\n".join([*lines[:given], *lines[given + 1 :]]))[-1]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the file is empty"),
        (b"hello\n", "line 1: is not JSON"),
        (b"[1]\n", "line 1: must be the header"),
        (b'{"record":"header","format":"x"}\n', "must be a whole number"),
        (b'{"record":"header","format":99}\n', "format 99 is newer than this program"),
        (b'{"record":"header","format":0}\n', "must be a whole number"),
        (b"\xff\xfe\x00\n", "line 1"),
    ],
)
def test_files_that_are_no_logs(data: bytes, said: str) -> None:
    assert said in problems(data)[0]


def test_a_missing_file_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(MalformedError, match="No such file"):
        read_log(tmp_path / "nothing.jsonl")


def test_lines_out_of_place_are_named() -> None:
    log = recorded(1)
    lines = encode_log(log).rstrip(b"\n").split(b"\n")
    assert "a second header" in problems(b"\n".join([lines[0], *lines]))[0]
    assert any("followed by more lines" in p for p in problems(b"\n".join([*lines, lines[1], lines[-1]])))
    lost_unit = replace(next(r for r in log.records if isinstance(r, LoggedActivation)), unit=99)
    spoiled = [
        msgspec.json.encode(lost_unit) if b'"activation","number":1,' in line else line for line in lines
    ]
    assert "there is no unit 99" in problems(b"\n".join(spoiled))[0]


def test_migrations_lead_step_by_step_to_the_newest_format() -> None:
    def rename(records: list[dict[str, object]]) -> list[dict[str, object]]:
        return [{**record, "record": "roll"} if record["record"] == "dice" else record for record in records]

    def number(records: list[dict[str, object]]) -> list[dict[str, object]]:
        return [{**record, "line": i} for i, record in enumerate(records)]

    table = {1: rename, 2: number}
    assert migrated([{"record": "dice"}], 1, 3, table) == [{"record": "roll", "line": 0}]
    assert migrated([{"record": "dice"}], 2, 3, table) == [{"record": "dice", "line": 0}]
    assert format_problem(2, table, 3) == ""
    assert "no migration leads from format 1 to 2" in format_problem(1, {2: number}, 3)


def test_dice_of_a_log_are_its_rolls() -> None:
    log = recorded(4)
    rolls = [record for record in log.records if isinstance(record, LoggedRoll)]
    assert rolls[0].purpose == "roll_off"
    assert sum(len(roll.faces) for roll in rolls) > 20
