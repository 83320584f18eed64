"""The server compiles in the background and starts its workers afresh, while a game is being played."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server.player import Person

ROOT = Path(__file__).parents[2]

# The same server, with a compiler that is done when the test says so.
WAIT = """
import os, sys, time
while not os.path.exists(sys.argv[1]):
    time.sleep(0.02)
sys.exit(int(sys.argv[2]))
"""
PROGRAM = """
import sys
from shieldwall.server import serving
serving.WARM_UP = (sys.executable, "-c", {wait!r}, {gate!r}, "{code}")
serving.could_compile = lambda: True
serving.serve(serving.Serving("127.0.0.1", 0, {database!r}, False, True))
"""


class Compiling:
    """A server of its own that compiles in the background."""

    def __init__(self, folder: Path, code: int) -> None:
        self._gate = folder / "compiled"
        database = f"sqlite:///{folder / 'games.db'}"
        program = PROGRAM.format(wait=WAIT, gate=str(self._gate), code=code, database=database)
        environment = os.environ | {"SHIELDWALL_NO_NUMBA": "1", "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", program], stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment
        )
        assert self.process.stderr is not None
        self._said = iter(self.process.stderr)
        self.address = self.wait_for("http://").split("at ", 1)[1].split()[0].rstrip("/")

    def wait_for(self, words: str) -> str:
        """The next line that says something."""
        for line in self._said:
            if words in line:
                return line
        raise AssertionError(f"the server ended without saying {words!r}")

    def compile(self) -> None:
        """Let the compiler come to its end."""
        self._gate.touch()

    def stop(self) -> None:
        """End it in peace; whatever it still says is read, so that it need not wait for that."""
        self.process.terminate()
        self.process.communicate(timeout=30)

    def workers(self) -> set[int]:
        """The processes that the server has started and that still run."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return {int(child) for task in tasks for child in task.read_text().split()}


Start = Callable[[int], Compiling]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    made: list[Compiling] = []

    def one(code: int) -> Compiling:
        made.append(Compiling(tmp_path, code))
        return made[-1]

    yield one
    for server in made:
        server.stop()


@pytest.mark.slow
def test_workers_start_afresh_after_compiling_and_the_game_goes_on(start: Start) -> None:
    server = start(0)
    server.wait_for("Compiling for speed in the background")
    person = Person(server.address)
    table = person.sit(person.make("skirmish-3.2", "me", "random", setup="at_once")["game"])
    table.send(type="pace", delay=0)
    for _ in range(3):
        assert table.play_default()
    before = server.workers()
    assert len(before) >= 3, "bots, desk and the compiler"
    server.compile()
    server.wait_for("Compiled: bots and previews are fast from now on")
    for _ in range(6):
        assert table.play_default(), "the same socket, the same game, new workers"
    assert table.ask(type="hint", id=7)["type"] in ("hinted", "refused")
    assert server.workers() - before, "nobody new is at work"


@pytest.mark.slow
def test_a_compiler_that_fails_changes_nothing(start: Start) -> None:
    server = start(3)
    server.wait_for("Compiling for speed in the background")
    person = Person(server.address)
    server.compile()
    server.wait_for("Compiling failed")
    table = person.sit(person.make("skirmish-3.2", "me", "random", setup="at_once")["game"])
    assert table.play_default()
