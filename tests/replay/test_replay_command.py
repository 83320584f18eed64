"""`shieldwall replay` and `shieldwall battle` on the toy ruleset."""

import json
from pathlib import Path

import pytest
from games import flipped, recorded
from toy import TOY, toy_setup

import shieldwall.armies.demo
import shieldwall.editions
from shieldwall.cli.main import main
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.state import State
from shieldwall.replay import LoggedRoll, encode_log, read_log, write_log


@pytest.fixture(autouse=True)
def toy_edition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the toy an edition like any other."""

    def ruleset(edition: str) -> object:
        if edition != "toy":
            raise ShieldwallError(f"{edition!r} is not an edition that can be played")
        return TOY

    def demo_setup(edition: str, seed: int, **_: object) -> State:
        return toy_setup()

    monkeypatch.setattr(shieldwall.editions, "ruleset", ruleset)
    monkeypatch.setattr(shieldwall.armies.demo, "demo_setup", demo_setup)


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    write_log(recorded(1), path)
    return path


def test_show_tells_the_game_and_hides_the_dice(log_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "show", str(log_file), "--no-table"]) == 0
    told = capsys.readouterr().out
    assert "Red Archers 1 shot at Blue Archers 2 with Bow: 5 hits; Blue Archers 2 blocked 1" in told
    assert "Round 2: Red has the first turn." in told
    assert "Blue won the battle" in told
    assert " | " not in told


def test_show_can_show_the_dice_of_one_round(log_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "show", str(log_file), "--round", "2", "--dice", "--no-table"]) == 0
    told = capsys.readouterr().out
    assert "to hit, 6 dice, 4+ (+1 aim): 5 5 3 | 2 2 1 -> 3 hits" in told
    assert "Round 2:" in told
    assert "Round 1:" not in told
    assert "Round 3:" not in told
    assert "Roll-off" not in told


def test_a_round_that_was_not_played_is_refused(log_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "show", str(log_file), "--round", "9"]) == 2
    assert "there is no round 9" in capsys.readouterr().err


def test_show_draws_the_table(log_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "show", str(log_file)]) == 0
    plain = capsys.readouterr().out
    assert main(["replay", "show", str(log_file), "--no-table"]) == 0
    assert len(plain.splitlines()) > len(capsys.readouterr().out.splitlines()) + 30


def test_verify_says_ok_with_0(log_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "verify", str(log_file), str(log_file)]) == 0
    assert capsys.readouterr().out.count("ok, 11 activations replay as recorded") == 2


def test_verify_names_the_wrong_activation_with_1(
    log_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = recorded(1)
    index = [i for i, r in enumerate(log.records) if isinstance(r, LoggedRoll) and r.purpose == "to_hit"][2]
    spoiled = tmp_path / "spoiled.jsonl"
    write_log(flipped(log, index, 0), spoiled)
    assert main(["replay", "verify", str(log_file), str(spoiled)]) == 1
    said = capsys.readouterr().out
    assert "game.jsonl: ok" in said
    assert "spoiled.jsonl: wrong at activation 3, Red Archers 2 (round 1, line" in said
    assert "expected " in said


def test_verify_says_what_is_malformed_with_2(
    log_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.jsonl"
    data = encode_log(recorded(1))
    broken.write_bytes(data[:-40])
    assert main(["replay", "verify", str(log_file), str(broken)]) == 2
    said = capsys.readouterr().out
    assert "broken.jsonl: not a readable log" in said
    assert f"- line {data.count(bytes([10]))}:" in said
    unknown = tmp_path / "unknown.jsonl"
    unknown.write_bytes(encode_log(recorded(1)).replace(b'"ruleset":"toy"', b'"ruleset":"chess"'))
    assert main(["replay", "verify", str(unknown)]) == 2
    assert "'chess' is not an edition" in capsys.readouterr().out


def test_verify_prints_json_for_machines(log_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = read_log(log_file)
    index = next(i for i, r in enumerate(log.records) if isinstance(r, LoggedRoll) and r.purpose == "block")
    write_log(flipped(log, index, 1), log_file)
    assert main(["replay", "verify", "--json", str(log_file)]) == 1
    (report,) = json.loads(capsys.readouterr().out)
    assert report["verdict"] == "wrong"
    assert report["first_wrong"]["activation"] == 1
    assert report["first_wrong"]["unit"] == "Red Archers 1"
    assert set(report["first_wrong"]) == {"activation", "round", "unit", "line", "expected", "found", "why"}


def test_a_battle_is_printed_and_its_log_verifies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "battle.jsonl"
    assert (
        main(["battle", "--edition", "toy", "--bots", "random", "--seed", "1", "--log", str(log), "--check"])
        == 0
    )
    told = capsys.readouterr().out
    assert "6 dice, 4+ (+1 aim)" in told
    assert "[R35-SHOOT-15]" in told
    assert "seed 1: Blue won" in told
    assert main(["replay", "verify", str(log)]) == 0


def test_the_same_seed_prints_the_same_battle(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for _ in range(2):
        assert main(["battle", "--edition", "toy", "--bots", "random", "--seed", "5"]) == 0
        told.append(capsys.readouterr().out.splitlines()[:-1])  # the last line says how long it took
    assert told[0] == told[1]


def test_many_battles_print_one_line_each_and_a_total(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    order = [
        "battle",
        "--edition",
        "toy",
        "--bots",
        "random",
        "--games",
        "5",
        "--seed",
        "10",
        "--log",
        str(tmp_path / "g.jsonl"),
    ]
    assert main(order) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[:5]] == [f"seed {seed}" for seed in range(10, 15)]
    assert lines[5].startswith("5 games: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"g-{seed}.jsonl" for seed in range(10, 15)]


def test_pictures_are_written_round_by_round(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["battle", "--edition", "toy", "--bots", "random", "--svg", str(tmp_path / "pictures")]) == 0
    names = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert names == ["round-0.svg", "round-1.svg", "round-2.svg", "round-3.svg"]


def test_unknown_bots_are_refused_with_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["battle", "--edition", "toy", "--bots", "random,clever"]) == 2
    assert "there is no bot called 'clever'" in capsys.readouterr().err
    assert main(["battle", "--edition", "toy", "--bots", "random,random,random"]) == 2
    assert "2 seats need 2 bots" in capsys.readouterr().err
