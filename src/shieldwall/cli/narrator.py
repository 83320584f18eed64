"""Prints a game as it is played: the story, the table at the end of each round, the score."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.text import Text

from shieldwall.core.answers import AnyAnswer
from shieldwall.core.engine import Progress
from shieldwall.core.events import RoundBegan
from shieldwall.core.pending import Pending
from shieldwall.core.state import State
from shieldwall.story import LineKind, Names, Story, StoryLine

SIDE_STYLES = ("blue", "dark_orange", "green", "magenta")
KIND_STYLES: dict[LineKind, str] = {
    "loss": "bold",
    "nerve": "italic",
    "score": "bold",
    "setup": "dim",
    "note": "dim",
}
OUTER: frozenset[LineKind] = frozenset({"round", "turn", "setup", "score"})


class Narrator:
    """A watcher that prints the game. `only_round` limits it to one round; `pictures` is a folder for drawings."""

    def __init__(
        self,
        console: Console,
        setup: State,
        *,
        dice: bool = True,
        tables: bool = True,
        only_round: int | None = None,
        pictures: Path | None = None,
    ) -> None:
        self.console = console
        self.tables = tables
        self.only_round = only_round
        self.pictures = pictures
        self._setup = setup
        self._story = Story(setup, dice)
        self._names = Names(setup)
        self._round_ends: list[State] = []

    def began(self, progress: Progress) -> None:
        """Print the start of the game."""
        self.followed(self._setup, progress)

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        """Print what an answer caused."""
        self.followed(before, progress)

    def ended(self, state: State) -> None:
        """Print the rest, the final table and the score."""
        self._print(self._story.end())
        if self.only_round is None or self.only_round == state.round:
            self._show_table(state)

    def followed(self, before: State, progress: Progress) -> None:
        """Print one step of the game."""
        if any(isinstance(event, RoundBegan) for event in progress.events):
            self._round_ends.append(progress.state)
        self._print(self._story.add(before, progress.events))

    def _print(self, lines: list[StoryLine]) -> None:
        for line in lines:
            if line.kind == "round":
                self._close_round(line)
            elif self._wants(line.round):
                self.console.print(styled(line), soft_wrap=True)

    def _wants(self, round: int) -> bool:
        return self.only_round is None or self.only_round == round

    def _close_round(self, headline: StoryLine) -> None:
        """Print the table after the last round, then the headline of the next."""
        state = self._round_ends.pop(0)
        if self._wants(headline.round):
            self._show_table(state)
        if self._wants(state.round):
            self.console.print()
            self.console.rule(Text(str(headline), style="bold"))

    def _show_table(self, state: State) -> None:
        if self.tables:
            from shieldwall.cli.drawing import draw_text

            self.console.print()
            self.console.print(draw_text(state), markup=False, highlight=False, soft_wrap=True)
        if self.pictures is not None:
            from shieldwall.cli.drawing import draw_svg

            number = state.round if state.finished else state.round - 1
            self.pictures.mkdir(parents=True, exist_ok=True)
            (self.pictures / f"round-{number}.svg").write_text(draw_svg(state), encoding="utf-8")
        if state.markers:
            self.console.print(Text(f"Markers: {score_words(state, self._names)}", style="bold"))


def score_words(state: State, names: Names) -> str:
    """How many markers each side holds: "2 for Red, 1 for Blue, 1 unclaimed"."""
    held = [sum(marker.holder == side for marker in state.markers) for side in range(len(state.sides))]
    words = [f"{number} for {names.side(side)}" for side, number in enumerate(held)]
    free = sum(marker.holder < 0 for marker in state.markers)
    return ", ".join([*words, f"{free} unclaimed"] if free else words)


def styled(line: StoryLine) -> Text:
    """A line in the side's colour, with the rows dimmed."""
    indent = "" if line.kind in OUTER else "  "
    style = KIND_STYLES.get(line.kind, "")
    if line.kind == "turn" and line.side >= 0:
        style = SIDE_STYLES[line.side % len(SIDE_STYLES)]
    text = Text(indent + line.text, style=style)
    if line.cites:
        text.append(f"  [{', '.join(line.cites)}]", style="dim")
    return text
