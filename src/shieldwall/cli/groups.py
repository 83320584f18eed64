"""Shared by all commands: suggestions for mistyped commands, shell completion, and lists of names for help texts.

Nothing here loads the engine, so help is instant.
"""

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    # Typer keeps its own copy of click private; only the types' names are needed here.
    from typer._click import Command, Context


BOT_NAMES = "random, solo, tactician, greedy, search, or program:COMMAND for your own"
EDITION_NAMES = "aof-1.6, aof-2, regiments-3.4, regiments-3.5 or skirmish-3.2"


def complete_edition(incomplete: str) -> list[str]:
    """Complete an edition."""
    return [name for name in re.split(r", | or ", EDITION_NAMES) if name.startswith(incomplete)]


def complete_bots(incomplete: str) -> list[str]:
    """Complete a bot, also after a comma."""
    before, comma, typed = incomplete.rpartition(",")
    names = BOT_NAMES.partition(", or ")[0].split(", ")
    return [before + comma + name for name in names if name.startswith(typed)]


def command_app(help: str) -> typer.Typer:
    """An app for a group of commands."""
    return typer.Typer(
        add_completion=False, no_args_is_help=True, rich_markup_mode=None, cls=CommandGroup, help=help
    )


class CommandGroup(TyperGroup):
    """A command group that suggests the nearest command for an unknown one."""

    def resolve_command(
        self, ctx: "Context", args: list[str]
    ) -> "tuple[str | None, Command | None, list[str]]":
        """The command of that name; exits with a message if there is none."""
        given = args[0] if args else ""
        if not given.startswith("-") and self.get_command(ctx, given) is None:
            names = self.list_commands(ctx)
            near = get_close_matches(given, names, n=1)
            tip = f" Did you mean {near[0]!r}?" if near else ""
            ctx.fail(f"There is no command {given!r}; there are: {', '.join(names)}.{tip}")
        return super().resolve_command(ctx, args)
