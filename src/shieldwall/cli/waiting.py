"""Progress output for slow commands: a bar on a terminal, a plain line in a pipe."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Self

import typer

from shieldwall.cli.streams import plain_console

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

PATIENCE = 1.0  # seconds before anything is shown
REASONS = {
    "memory": "counting every result takes more memory than --memory allows",
    "time": "counting every result takes longer than --seconds allows",
    "states": "there are too many results to count",
    "loop": "the game may return to an earlier position",
    "asked": "--memory 0 asks for it",
}


class Waiting:
    """Shows the progress of the odds on stderr once they take longer than a second. A context manager, called with
    the progress.

    A separate thread draws the bar, so that its clock runs even during a long step.
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self._timer = threading.Timer(patience, self._begin)
        self._timer.daemon = True
        self._lock = threading.Lock()
        self._bar: Bar | None = None
        self._is_talking = False
        self._is_over = False
        self._why = ""  # why games are sampled, if they are
        self._said = ""  # the reason given last
        self._share = 0.0
        self._done = 0

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            self._is_over = True
            if self._bar is not None:
                self._bar.stop()

    def __call__(self, share: float, done: int, why: str) -> None:
        """Record the progress; see `shieldwall.odds.walk.Progress`."""
        with self._lock:
            self._share, self._done, self._why = share, done, why
            if self._is_talking:
                self._tell()

    def _begin(self) -> None:
        with self._lock:
            if self._is_over:
                return
            self._is_talking = True
            if sys.stderr.isatty():
                self._bar = _new_bar()
                self._bar.start()
            elif not self._why:
                typer.echo("shieldwall: counting every result of the dice; this may take a while", err=True)
            self._tell()

    def _tell(self) -> None:
        if self._bar is not None:
            words = f"{self._done:,} states" if not self._why else f"{self._done:,} games"
            what = f"Sampling games: {REASONS[self._why]}" if self._why else "Counting every result"
            self._bar.update(self._bar.task_ids[0], completed=self._share, description=what, words=words)
        elif self._why != self._said:
            self._said = self._why
            if self._why:
                typer.echo(f"shieldwall: {REASONS[self._why]}; sampling games instead", err=True)


def _new_bar() -> Bar:
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TaskProgressColumn(),
        TextColumn("{task.fields[words]}"),
        TimeElapsedColumn(),
    )
    bar = Progress(*columns, console=plain_console(stderr=True), transient=True)
    bar.add_task("Counting every result", total=1.0, words="")
    return bar


class WorkBar:
    """A progress bar with the time left, on terminals only. A context manager, called with the fraction done."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._bar: Bar | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), TaskProgressColumn())
            console = plain_console(stderr=True)
            self._bar = Progress(*columns, TimeRemainingColumn(), console=console, transient=True)
            self._bar.add_task(self._what, total=1.0)
            self._bar.start()
        else:
            typer.echo(f"shieldwall: {self._what}; this may take a while", err=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, share: float) -> None:
        """Update the bar."""
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=share)
