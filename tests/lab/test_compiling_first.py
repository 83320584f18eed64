"""Many games of bots that think: kernels are compiled first, in a process of its own, unless that is not worth it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from shieldwall.bots.registry import BOTS, NEED_COMPILED
from shieldwall.cli.main import main
from shieldwall.cli.speed import PONDERING, QUICK, THINKING, WORTH_COMPILING, compile_first, hint
from shieldwall.core.errors import ShieldwallError
from shieldwall.lab import runners
from shieldwall.table import warmth

Compiler = Callable[[int], Path]


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Compiler:
    """Plain kernels, and a compiler that only leaves a mark and ends with a code."""
    mark = tmp_path / "compiled"

    def ends_with(code: int) -> Path:
        program = f"import sys; open({str(mark)!r}, 'w').close(); sys.exit({code})"
        monkeypatch.setattr(warmth, "WARM_UP", (sys.executable, "-c", program))
        monkeypatch.setattr(warmth, "could_compile", lambda: True)
        return mark

    return ends_with


@pytest.mark.parametrize(
    ("games", "bots", "compiles"),
    [
        (WORTH_COMPILING, ("tactician", "solo"), True),
        (WORTH_COMPILING, ("tactician", "random"), True),
        (WORTH_COMPILING - 1, ("tactician", "solo"), False),
        (10 * WORTH_COMPILING, ("random", "random"), False),
        (1, ("search:seconds=0.25", "random"), True),
        (2, ("random", "greedy"), True),
        (WORTH_COMPILING, ("tactican", "greedy"), False),
    ],
)
def test_compiles_where_it_pays(
    compiler: Compiler, games: int, bots: tuple[str, str], compiles: bool
) -> None:
    mark = compiler(0)
    compile_first(games, bots)
    assert mark.exists() == compiles


def test_every_bot_is_known_to_the_commands_without_loading_it() -> None:
    assert {*BOTS, "program"} == QUICK | THINKING | PONDERING
    assert PONDERING == NEED_COMPILED


def test_says_so_where_compiling_fails(compiler: Compiler) -> None:
    compiler(1)
    with pytest.raises(ShieldwallError, match="compiling failed"):
        compile_first(WORTH_COMPILING, ("solo", "solo"))


@pytest.mark.parametrize("could", [True, False])
def test_slow_battles_get_a_hint_while_kernels_are_plain(
    could: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(warmth, "could_compile", lambda: could)
    hint()
    assert ("shieldwall warm-up" in capsys.readouterr().err) == could


def test_kernels_are_not_loaded_before_it_is_known_whether_to_compile_them() -> None:
    loads = "import sys, shieldwall.cli.battle, shieldwall.cli.speed, shieldwall.cli.outputs"
    program = f"{loads}; sys.exit('shieldwall.table.compiled' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_wrong_order_is_refused_before_anything_is_compiled(
    compiler: Compiler, capsys: pytest.CaptureFixture[str]
) -> None:
    mark = compiler(0)
    assert main(["duel", "--bots", "tactican,solo"]) == 2
    assert "tactican" in capsys.readouterr().err
    assert not mark.exists()


def test_one_worker_is_started_afresh_where_kernels_were_compiled_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """This process would go on with the plain ones."""

    class Pool(Executor):
        def submit(self, call: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
            done: Future[Any] = Future()
            done.set_result(("in the pool", *given))
            return done

    @contextmanager
    def executor(workers: int, cluster: str) -> Iterator[tuple[Executor, int]]:
        assert (workers, cluster) == (1, "")
        yield Pool(), workers

    monkeypatch.setattr(runners, "executor", executor)
    monkeypatch.setattr(runners, "is_behind", lambda: True)
    played: list[Any] = list(runners.play_all([object()], 1, "", lambda: False))  # type: ignore[list-item]
    assert [one[0] for one in played] == ["in the pool"]
