"""Options in groups: a command takes a dataclass, the command line has one option for each of its fields."""

from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from shieldwall.cli.options import SeriesOptions, with_options


@dataclass(frozen=True)
class Size:
    width: Annotated[int, typer.Option("--width", min=1, help="How wide.")] = 4
    name: Annotated[list[str] | None, typer.Option("--name", help="May be repeated.")] = None


@pytest.fixture
def called() -> list[tuple[str, Size, bool]]:
    return []


@pytest.fixture
def app(called: list[tuple[str, Size, bool]]) -> typer.Typer:
    made = typer.Typer(add_completion=False, rich_markup_mode=None)

    @made.command()
    @with_options
    def draw(
        what: Annotated[str, typer.Argument()],
        *,
        size: Size,
        loud: Annotated[bool, typer.Option("--loud")] = False,
    ) -> None:
        """Draw something."""
        called.append((what, size, loud))

    return made


def test_fields_become_options_with_their_defaults(
    app: typer.Typer, called: list[tuple[str, Size, bool]]
) -> None:
    assert CliRunner().invoke(app, ["house"]).exit_code == 0
    order = ["house", "--name", "a", "--width", "7", "--name", "b", "--loud"]
    assert CliRunner().invoke(app, order).exit_code == 0
    assert called == [("house", Size(), False), ("house", Size(7, ["a", "b"]), True)]


def test_help_and_limits_are_those_of_the_fields(
    app: typer.Typer, called: list[tuple[str, Size, bool]]
) -> None:
    page = CliRunner().invoke(app, ["--help"]).output
    assert "Draw something." in page
    assert page.index("How wide.") < page.index("May be repeated.") < page.index("--loud")
    assert CliRunner().invoke(app, ["house", "--width", "0"]).exit_code == 2
    assert called == []


def test_a_series_is_planned_with_the_options_of_its_command() -> None:
    series = SeriesOptions(bot="random", seed=7, mission="duel", workers=3)
    plan = series.plan(5, (("control-lasts", "on"),))
    assert list(plan.seeds) == [7, 8, 9]  # two games for each
    assert plan.command_options("aof-1.6") == (
        "--edition aof-1.6 --bot random --games 6 --seed 7 --set control-lasts=on --mission duel"
    )
    assert series.runner(lambda done, total: None).workers == 3
