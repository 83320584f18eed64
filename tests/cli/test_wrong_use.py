"""Misuse of the command line: one clear sentence, exit code 2, before any work is done, and nothing written."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path

import pytest

from shieldwall.cli.main import main

BINARY = b"\xe5\x00\xff\xfe"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("table generate --svg {here}/none/t.svg", "there is no folder"),
        ("table generate --svg {here}", "is a folder; name a file"),
        ("table generate --size 0x0", "'0x0' is not a table size"),
        ("table generate --size 999x72", "'999x72' is not a table size"),
        ("table check {here}/binary", "is not UTF-8 text (byte 0)"),
        ("table draw", "there are: generate, check"),
        ("scenario check", "there are: run, words"),
        ("replay shw", "Did you mean 'show'?"),
        ("battle --log {here}/none/b.jsonl", "there is no folder"),
        ("battle --svg {here}/binary", "is a file; name a folder"),
        ("battle --svg {here}/pictures --quiet", "do not combine it with --quiet"),
        ("battle --army kilnfolk-750 --army kilnfolk-150", "a ready-made list of skirmish-3.2 only"),
        ("army export regiments-3.5/kilnfolk-750 -o {here}/none/a.json", "there is no folder"),
        ("duel --out {here}/none/d.csv", "there is no folder"),
        ("duel kilnfolk-750", "a duel takes two lists or none"),
        ("duel --bots solo,slo", "there is no bot called 'slo'"),
        ("compare kilnfolk-750", "a comparison needs two lists, not one"),
        ("battle --seed abc", "'--seed': Input should be a valid integer, not 'abc'"),
        ("table generate --seed=x", "'--seed': Input should be a valid integer, not 'x'"),
        ("battle --games 0", "greater than or equal to 1, not '0'"),
        ("odds 10xA1", "there is no `vs` in it, so it names no target; expected ATTACKER vs TARGET"),
        ("replay show {here}/none.jsonl", "cannot be read: No such file or directory"),
        ("odds 5xA1 vs D4 --chart {here}/none/c.svg", "there is no folder"),
        ("odds {here}/binary.yaml", "is not UTF-8 text (byte 0)"),
        ("odds {here}/missing.yaml", "missing.yaml:1: cannot be read: No such file or directory"),
    ],
)
def test_wrong_use_gives_one_clear_sentence(
    line: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("binary", "binary.yaml"):
        (tmp_path / name).write_bytes(BINARY)
    before = sorted(tmp_path.iterdir())
    assert main(line.format(here=tmp_path).split()) == 2
    told = capsys.readouterr()
    assert words in told.err
    assert "Traceback" not in told.err
    assert told.err[0] != "\n"
    assert told.out == ""
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("pasted", ["++ Mine [AOFR 80pts] ++\nWolves [5] Q4+ D4+ | 80pts", "x" * 5000])
def test_a_list_pasted_as_a_name_is_told_where_to_go(pasted: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["army", "check", pasted]) == 2
    assert "paste it into `shieldwall army import -`" in capsys.readouterr().err


@pytest.mark.parametrize("count", [1, 2])
def test_the_end_of_a_report_counts_in_good_english(
    count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(count):
        (tmp_path / f"{number}.yaml").write_text("")
    assert main(["scenario", "run", str(tmp_path)]) == 2
    words = "1 problem in the files (1 file," if count == 1 else "2 problems in the files (2 files,"
    assert words in capsys.readouterr().out


LINES = ("odds 10xA1 vs D4", "rules show R35-MOVE-09", "table generate --seed 4")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_with_few_characters_gets_all_lines(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in LINES:
        stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
        monkeypatch.setattr(sys, "stdout", stream)
        assert main(line.split()) == 0, line
        told = stream.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]
        assert "?" not in told, line
        assert len(told.splitlines()) > 5, line


def test_a_full_disk_gives_one_clear_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no device that is always full")
    with full.open("w") as stream, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        assert main(["rules", "list"]) == 1
        with contextlib.suppress(OSError):
            stream.close()
    assert capsys.readouterr().err == "shieldwall: No space left on device\n"
