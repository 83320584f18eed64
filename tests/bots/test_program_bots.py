"""Bots that are separate programs: good ones play, bad ones lose by the rules, and none harms the host."""

import os
import sys
import time
from pathlib import Path

import pytest

from shieldwall.armies.demo import demo_setup
from shieldwall.bots import MatchResult, play_game, policy
from shieldwall.bots.program import ProgramBot, ProgramLimits
from shieldwall.core.errors import ShieldwallError
from shieldwall.dice import SeededDice
from shieldwall.editions import ruleset

EDITION = "regiments-3.4"
EXAMPLE = Path(__file__).parents[2] / "examples" / "plain_bot.py"
ASLEEP = 600.0  # seconds of silence, longer than any limit
PATIENT = ProgramLimits(start=120.0, answer=120.0, game=ASLEEP, tries=2, faults=1)  # a machine may be busy
BRISK = ProgramLimits(start=120.0, answer=0.5, game=ASLEEP, tries=2, faults=1)

TALK = """
import json, sys, time
def tell(**message):
    print(json.dumps(message), flush=True)
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["say"] == "hello":
        tell(say="ready")
    if message["say"] == "decide":
        asked += 1
        default = message["question"]["default"]
"""


def play(tmp_path: Path, code: str, limits: ProgramLimits = PATIENT) -> tuple[MatchResult, ProgramBot]:
    path = tmp_path / "bot.py"
    path.write_text(code)
    bot = ProgramBot(f"{sys.executable} {path}", limits)
    try:
        result = play_game(
            ruleset(EDITION), demo_setup(EDITION, 1), [bot, policy("random")], SeededDice.from_seed(1), seed=1
        )
    finally:
        bot.close()
    return result, bot


def test_the_example_plays_a_whole_game_without_a_fault() -> None:
    bot = ProgramBot(f"{sys.executable} {EXAMPLE}", PATIENT)
    result = play_game(
        ruleset(EDITION), demo_setup(EDITION, 2), [bot, policy("random")], SeededDice.from_seed(2), seed=2
    )
    bot.close()
    assert result.state.finished
    assert result.forfeit == ""
    assert bot.faults == []


def test_a_program_that_stops_loses_the_game(tmp_path: Path) -> None:
    result, _ = play(
        tmp_path,
        TALK + "        if asked == 4: sys.exit(3)\n        tell(id=message['id'], answer=default)\n",
    )
    assert result.winner == 1
    assert "has stopped" in result.forfeit
    assert not result.state.finished


def test_a_program_that_fails_is_quoted_with_its_last_lines_on_stderr(tmp_path: Path) -> None:
    result, _ = play(
        tmp_path,
        TALK
        + "        print('x' * 300_000 + '\\n', file=sys.stderr)\n        raise RuntimeError('no idea')\n",
    )
    assert result.winner == 1
    assert "has stopped (exit code 1); its last lines on stderr:" in result.forfeit
    assert result.forfeit.endswith("\n  RuntimeError: no idea")
    assert len(result.forfeit) < 6000


def test_a_program_that_hangs_gets_default_answers_and_then_loses(tmp_path: Path) -> None:
    began = time.monotonic()
    result, bot = play(tmp_path, TALK + f"        time.sleep({ASLEEP})\n", BRISK)
    assert result.winner == 1
    assert "no answer" in result.forfeit
    assert len(bot.faults) == BRISK.faults + 1
    assert time.monotonic() - began < ASLEEP, "it was not waited for"


def test_illegal_answers_are_explained_and_may_be_corrected(tmp_path: Path) -> None:
    mends = TALK + (
        "        tell(id=message['id'], answer={'answer': 'pick', 'option': 'win the game'})\n"
        "        last = default\n"
        "    if message['say'] == 'refused':\n"
        "        assert message['reasons'], message\n"
        "        tell(id=message['id'], answer=last)\n"
    )
    result, bot = play(tmp_path, mends)
    assert result.state.finished
    assert bot.faults == []


@pytest.mark.parametrize(
    "answer",
    [
        "{'answer': 'faces', 'faces': [6, 6, 6]}",
        "{'answer': 'placed', 'poses': [[10**30, -5, 0]]}",
        "{'answer': 'march', 'legs': [['forward', 10**9]]}",
        "'no object'",
        "None",
    ],
)
def test_a_program_that_cheats_only_gets_the_default_and_then_loses(tmp_path: Path, answer: str) -> None:
    cheats = TALK + f"        tell(id=message['id'], answer={answer})\n    if message['say'] == 'refused':\n"
    cheats += f"        tell(id=message['id'], answer={answer})\n"
    result, bot = play(tmp_path, cheats)
    assert result.winner == 1
    assert "wrong answers" in bot.faults[0]


@pytest.mark.parametrize("noise", ["print('x' * 3_000_000, flush=True)", "print('not json', flush=True)"])
def test_a_program_that_sends_garbage_loses(tmp_path: Path, noise: str) -> None:
    result, _ = play(tmp_path, TALK + f"        {noise}\n        time.sleep({ASLEEP})\n")
    assert result.winner == 1


def test_a_program_never_learns_the_seed_of_the_dice(tmp_path: Path) -> None:
    heard = tmp_path / "heard.txt"
    code = TALK.replace(
        "    message = json.loads(line)\n",
        f"    open({str(heard)!r}, 'a').write(line)\n    message = json.loads(line)\n",
    )
    play(tmp_path, code + "        tell(id=message['id'], answer=default)\n")
    hello = heard.read_text().splitlines()[0]
    assert '"seed"' not in hello
    assert "dice" not in hello


def test_child_processes_end_with_their_program(tmp_path: Path) -> None:
    child = tmp_path / "child.txt"
    code = (
        "import subprocess\n"
        f"child = subprocess.Popen(['sleep', '300'])\nopen({str(child)!r}, 'w').write(str(child.pid))\n"
        + TALK
        + "        sys.exit(1)\n"
    )
    play(tmp_path, code, BRISK)  # the child keeps the pipe open, so the program's end goes unnoticed
    pid = int(child.read_text())
    until = time.monotonic() + 60
    while time.monotonic() < until and _runs(pid):
        time.sleep(0.05)
    assert not _runs(pid)


def _runs(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0]
    except OSError:
        return False


def test_a_missing_program_is_an_error_with_a_message() -> None:
    with pytest.raises(ShieldwallError, match=r"cannot be started: [A-Z]"):
        play_game(
            ruleset(EDITION),
            demo_setup(EDITION, 1),
            [policy("program:/no/such/bot"), policy("random")],
            SeededDice.from_seed(1),
            seed=1,
        )
    with pytest.raises(ShieldwallError, match="needs a command"):
        policy("program:")
    with pytest.raises(ShieldwallError, match="cannot be read: No closing quotation"):
        policy("program:python3 'bot.py")
    assert os.name == "posix"
