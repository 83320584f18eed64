"""Games on workers: an error names its game."""

from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool

import pytest

from shieldwall.core.errors import ShieldwallError
from shieldwall.lab import Task
from shieldwall.lab.runners import WorkerError, _spread

TASK = Task(7, "regiments-3.4", ("first", "second"), ("solo", "random"), 41)


class Failing(Executor):
    """A pool on which every game goes wrong."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def submit(self, *_: object, **__: object) -> "Future[object]":  # type: ignore[override]
        future: Future[object] = Future()
        future.set_exception(self.error)
        return future


@pytest.mark.parametrize(
    "error", [BrokenProcessPool("gone"), ShieldwallError("no such list"), StopIteration()]
)
def test_an_error_names_the_game_and_how_to_repeat_it(error: Exception) -> None:
    with pytest.raises(WorkerError) as told:
        list(_spread(Failing(error), [TASK], 1, lambda: False))
    assert "game 7" in str(told.value)
    assert TASK.command in str(told.value)
