"""The `shieldwall` command.

A subcommand's module is imported only when it runs, so that `shieldwall --help` is instant. To add one, write its
module and a line in `COMMANDS`.
"""

import errno
import importlib
import importlib.util
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from shieldwall import __version__
from shieldwall.cli.groups import CommandGroup
from shieldwall.cli.streams import replace_missing_characters

if TYPE_CHECKING:
    # Typer keeps its own copy of click private; only the types' names are needed here.
    from typer._click import Command, Context

FAILED = 1
USAGE_ERROR = 2
SHELLS = ("bash", "zsh", "fish", "powershell")
COMPLETE = "_SHIELDWALL_COMPLETE"  # set by a shell that completes a command line
# Errors of the machine, not of this program: a full disk, a file that may not be read or written.
OF_THE_MACHINE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.ENAMETOOLONG)


class CommandEntry(NamedTuple):
    """Where a subcommand is defined, and its line in the help."""

    module: str
    attribute: str  # a typer app, which becomes a group of commands, or a function, which becomes one
    help: str


COMMANDS: Mapping[str, CommandEntry] = {
    "play": CommandEntry("shieldwall.cli.play", "play", "Play in the browser."),
    "serve": CommandEntry("shieldwall.cli.serve", "serve", "Run a public server behind a reverse proxy."),
    "games": CommandEntry("shieldwall.cli.games", "app", "Check, export, rescue and back up stored games."),
    "battle": CommandEntry("shieldwall.cli.battle", "battle", "Watch bots play a battle in the terminal."),
    "duel": CommandEntry("shieldwall.cli.duel", "duel", "Let two bots play many games."),
    "ladder": CommandEntry("shieldwall.cli.ladder", "ladder", "Rank bots over editions and armies."),
    "compare": CommandEntry(
        "shieldwall.cli.compare", "compare", "Compare two lists, or two values of a house rule."
    ),
    "balance": CommandEntry(
        "shieldwall.cli.balance", "balance", "Rate all lists in a folder against each other."
    ),
    "rules": CommandEntry("shieldwall.cli.rules", "app", "Look up rules by id, word or edition."),
    "scenario": CommandEntry("shieldwall.cli.scenario", "app", "Run scenario files."),
    "campaign": CommandEntry(
        "shieldwall.cli.campaign", "app", "Check campaign files, or let bots play them."
    ),
    "odds": CommandEntry("shieldwall.cli.odds", "odds", "Compute the exact odds of an attack or a scenario."),
    "replay": CommandEntry("shieldwall.cli.replay", "app", "Watch and verify recorded games."),
    "analyse": CommandEntry("shieldwall.cli.analyse", "analyse", "Show what decided a recorded game."),
    "puzzles": CommandEntry("shieldwall.cli.puzzles", "app", "List, show, check and make puzzles."),
    "army": CommandEntry(
        "shieldwall.cli.army", "app", "Show, check, import and export army lists and books."
    ),
    "table": CommandEntry("shieldwall.cli.table", "app", "Generate, check and draw tables."),
}


class StandIn(TyperCommand):
    """A placeholder with a name and a help line; loads the real command when it is run or completed."""

    def __init__(self, name: str, place: CommandEntry) -> None:
        super().__init__(name, help=place.help)
        self.place = place

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: "Context | None" = None,
        **extra: object,
    ) -> "Context":
        real = load(self.place)
        return real.make_context(info_name, args, parent, **extra)


def load(place: CommandEntry) -> "Command":
    """Import a subcommand; apps stay groups even with a single command."""
    target = getattr(importlib.import_module(place.module), place.attribute)
    if isinstance(target, typer.Typer):
        return get_group(target)
    wrapper = typer.Typer(add_completion=False, rich_markup_mode=None)
    wrapper.command()(target)
    return get_command(wrapper)


def is_present(place: CommandEntry) -> bool:
    return importlib.util.find_spec(place.module) is not None


def print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"shieldwall {__version__}")
        raise typer.Exit


def print_completion(shell: str) -> None:
    """Print the script that lets a shell complete commands, options, editions and bots."""
    if not shell:
        return
    from typer._completion_shared import get_completion_script

    if shell not in SHELLS:
        raise typer.BadParameter(f"{shell!r} is not one of {', '.join(SHELLS)}")
    typer.echo(get_completion_script(prog_name="shieldwall", complete_var=COMPLETE, shell=shell))
    raise typer.Exit


def shieldwall(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Show the version.")
    ] = False,
    completion: Annotated[
        str,
        typer.Option(
            "--completion",
            metavar="SHELL",
            callback=print_completion,
            is_eager=True,
            show_default=False,
            help="Print the completion script for bash, zsh, fish or powershell.",
        ),
    ] = "",
) -> None:
    """Play the Age of Fantasy family of tabletop wargames by the book."""


def command_tree(commands: Mapping[str, CommandEntry] = COMMANDS) -> TyperGroup:
    """The whole command line, with a placeholder for every subcommand whose module exists."""
    app = typer.Typer(add_completion=False, no_args_is_help=True, rich_markup_mode=None, cls=CommandGroup)
    app.callback()(shieldwall)
    group = get_group(app)
    for name, place in commands.items():
        if is_present(place):
            group.add_command(StandIn(name, place))
    return group


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (this process's own by default) and return its exit code."""
    replace_missing_characters()
    if COMPLETE in os.environ:  # called by a shell to complete a command line
        from typer._completion_classes import completion_init

        completion_init()
    try:
        command_tree().main(arguments, prog_name="shieldwall")
    except SystemExit as ending:
        return exit_code(ending)
    except OSError as error:
        if os.environ.get("SHIELDWALL_DEBUG") == "1" or error.errno not in OF_THE_MACHINE:
            raise
        where = f": {str(error.filename)[:80]}" if error.filename else ""
        print(f"shieldwall: {error.strerror}{where}", file=sys.stderr)
        return FAILED
    except Exception as error:
        if os.environ.get("SHIELDWALL_DEBUG") == "1" or not is_ours(error):
            raise
        print(f"shieldwall: {error}", file=sys.stderr)
        return USAGE_ERROR
    return 0


def is_ours(error: Exception) -> bool:
    """Whether the message is meant for the user; any other error is a bug."""
    from shieldwall.core.errors import ShieldwallError

    return isinstance(error, ShieldwallError)


def exit_code(ending: SystemExit) -> int:
    if isinstance(ending.code, str):  # sys.exit("message") prints the message and fails
        print(ending.code, file=sys.stderr)
        return 1
    return ending.code or 0


if __name__ == "__main__":
    sys.exit(main())
