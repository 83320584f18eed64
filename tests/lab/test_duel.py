"""Duels: paired seats, the same results however they are run, nothing lost when they are interrupted."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import polars
import pytest

from shieldwall.bots import UnknownBotError
from shieldwall.cli.main import main
from shieldwall.core.errors import ShieldwallError
from shieldwall.lab import DuelPlan, GameOutcome, JournalError, Runner, Task, play_task, run_duel
from shieldwall.lab.duel import settled_at
from shieldwall.lab.stats import Sprt, tally

EDITION = "regiments-3.4"  # the quickest one


def lasting(outcomes: list[GameOutcome]) -> list[GameOutcome]:
    """Outcomes without the time they took."""
    return [msgspec.structs.replace(outcome, seconds=0.0) for outcome in outcomes]


def test_a_bot_against_itself_is_exactly_even_in_every_pair() -> None:
    found = tally(run_duel(DuelPlan(EDITION, ("solo", "solo"), games=2, seed=3), Runner(workers=1)))
    assert found.pairs == (0.5,)


def test_two_processes_and_one_give_the_same_results() -> None:
    duel = DuelPlan(EDITION, ("random", "random"), games=4, seed=1)
    alone = run_duel(duel, Runner(workers=1))
    assert lasting(run_duel(duel, Runner(workers=2))) == lasting(alone)
    assert [outcome.swapped for outcome in alone] == [False, True, False, True]
    assert not multiprocessing.active_children()  # a series ends with its processes


def test_a_cluster_gives_the_same_results() -> None:
    from distributed import LocalCluster

    duel = DuelPlan(EDITION, ("random", "random"), games=2, seed=1)
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        there = run_duel(duel, Runner(cluster=cluster.scheduler_address))
    assert lasting(there) == lasting(run_duel(duel, Runner(workers=1)))


def test_a_duel_resumes_and_replays_a_torn_line(tmp_path: Path) -> None:
    duel = DuelPlan(EDITION, ("random", "random"), games=4, seed=1)
    out = tmp_path / "games.parquet"
    whole = run_duel(duel, Runner(out=out, workers=1))
    journal = tmp_path / "games.parquet.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:3]) + lines[3][:20])
    told: list[int] = []
    again = run_duel(
        duel, Runner(out=out, workers=1, tell=lambda outcomes, games: told.append(len(outcomes)))
    )
    assert told[0] == 2
    assert lasting(again) == lasting(whole)
    assert polars.read_parquet(out)["score"].to_list() == [outcome.score for outcome in whole]


def test_a_killed_duel_keeps_its_finished_games(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    order = ["duel", "--edition", EDITION, "--bots", "random,random", "--games", "200", "--workers", "1"]
    code = f"from shieldwall.cli.main import main; main({[*order, '--out', str(out)]!r})"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL, env=dict(os.environ))
    until = time.monotonic() + 60
    while time.monotonic() < until and (not out.exists() or out.read_bytes().count(b"\n") < 3):
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = [json.loads(line) for line in out.read_bytes().splitlines()[1:] if line.endswith(b"}")]
    assert len(kept) >= 2
    first = msgspec.convert(kept[0], GameOutcome)
    task = Task(first.number, first.edition, first.lists, first.bots, first.seed, first.swapped)
    assert lasting([play_task(task)]) == lasting([first])


def test_a_journal_of_other_games_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    run_duel(DuelPlan(EDITION, ("random", "random"), games=2, seed=1), Runner(out=out, workers=1))
    with pytest.raises(JournalError, match="holds other games"):
        run_duel(DuelPlan(EDITION, ("random", "random"), games=2, seed=2), Runner(out=out, workers=1))


@pytest.mark.parametrize(
    ("duel", "error"),
    [
        (DuelPlan(EDITION, ("solo", "sollo")), UnknownBotError),
        (DuelPlan("regiments-9", ("solo", "random")), ShieldwallError),
        (DuelPlan(EDITION, ("solo", "random"), lists=("no-such-list", "kilnfolk-1500")), ShieldwallError),
        (DuelPlan(EDITION, ("solo", "random"), lists=("here/nothing.yaml", "x.yaml")), ShieldwallError),
        (DuelPlan(EDITION, ("solo", "random"), games=0), ShieldwallError),
    ],
)
def test_an_impossible_duel_is_refused_before_the_first_game(
    duel: DuelPlan, error: type[ShieldwallError]
) -> None:
    with pytest.raises(error):
        duel.tasks()


def test_the_early_stop_counts_games_in_order_only() -> None:
    """Games after a missing one are ignored, so that faster workers cannot change the verdict."""
    tasks = [Task(n, EDITION, ("a", "b"), ("x", "y"), n // 2, bool(n % 2)) for n in range(60)]
    sample = play_outcome()
    done = {n: msgspec.structs.replace(sample, number=n, score=1.0) for n in range(60)}
    stop = settled_at(Sprt(), tasks, done)
    assert 0 < stop < 60
    del done[0]
    assert settled_at(Sprt(), tasks, done) == 0


def play_outcome() -> GameOutcome:
    return GameOutcome(
        number=0, edition=EDITION, lists=("a", "b"), bots=("x", "y"), seed=0, swapped=False, score=1.0, winner=0,
        markers=(1, 0), turns=1, answers=1, seconds=0.1, attacks=(0, 0), charges=(0, 0), losses=(0, 0),
        idle_units=(0, 0),
    )  # fmt: skip


def test_the_command_prints_a_score_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    order = ["duel", "--edition", EDITION, "--bots", "random,random", "--games", "2", "--workers", "1"]
    assert main([*order, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 2
    assert report["score"] == 0.5
    assert len(report["outcomes"]) == 2
    assert main([*order[:-4], "--bots", "solo", "--games", "2"]) == 2
    assert "a duel needs two bots" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["duel", "--out", "x.txt"], "a file that ends with .parquet, .csv or .jsonl, not 'x.txt'"),
        (["duel", "--out", "no/such/folder/x.csv"], "there is no folder 'no/such/folder' for the results"),
        (["ladder", "--out", "x.txt"], "a file that ends with .parquet, .csv or .jsonl, not 'x.txt'"),
        (["ladder", "--bots", ""], "two or more different bots, as in --bots random,solo, not ''"),
        (["ladder", "--bots", "solo,solo"], "not 'solo,solo'"),
    ],
)
def test_a_duel_that_cannot_be_saved_or_played_is_refused_before_the_first_game(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert says in capsys.readouterr().err


def test_the_help_names_all_bots() -> None:
    from shieldwall.bots.registry import BOTS
    from shieldwall.cli.groups import BOT_NAMES

    assert BOT_NAMES.startswith(", ".join(BOTS) + ", or program:COMMAND")
