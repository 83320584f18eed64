"""`shieldwall battle` with missions, allies and house rules; nonsense is refused in one sentence."""

from __future__ import annotations

import pytest

from shieldwall.cli.main import main

QUICK = ["battle", "--edition", "aof-1.6", "--seed", "2", "--bots", "random", "--quiet", "--check"]


def test_a_mission_with_allies_and_secrets_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    """A16-MISSION-02, A16-MULTI-01, A16-MYST-01"""
    more = ["--mission", "Relic Hunt", "--players", "4", "--set", "mysterious-terrain=on"]
    assert main([*QUICK, *more]) == 0
    told = capsys.readouterr().out
    assert "seed 2:" in told
    assert " 1 and " in told  # two players of a side are named together


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--mission", "relic"], "did you mean 'relic-hunt'"),
        (["--players", "3"], "even number of players"),
        (["--set", "mysterious"], "'mysterious' is not of the form NAME=VALUE"),
        (["--set", "wipe-out=wins"], "not of aof-1.6"),
        (["--set", "mysterious-terrain=maybe"], "not one of off, on"),
    ],
)
def test_nonsense_options_are_refused_with_a_reason(
    more: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*QUICK, *more]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert "Traceback" not in told
