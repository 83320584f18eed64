"""Shared by all commands: suggestions for mistyped commands, shell completion, and lists of names for help texts.

Nothing here loads the engine, so help is instant.
"""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

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


def _value_of(names: Sequence[str], words: Sequence[str]) -> str:
    """The value of an option among the words of a command line; empty if it is not there."""
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in names:
            return value if equals else "".join(words[at + 1 : at + 2])
    return ""


def command_app(help: str) -> typer.Typer:
    """An app for a group of commands."""
    return typer.Typer(
        add_completion=False, no_args_is_help=True, rich_markup_mode=None, cls=CommandGroup, help=help
    )


class CommandGroup(TyperGroup):
    """A command group that suggests the nearest command for an unknown one, and repeats invalid values."""

    def invoke(self, ctx: "Context") -> Any:
        """Run a command; an error about an option says what was given."""
        words = [*ctx._protected_args, *ctx.args]
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            given = _value_of(error.param.opts, words) if error.param is not None else ""
            if given and given not in error.message:
                expected = error.message.partition(", unable to parse")[0]
                error.message = f"{expected}, not {given!r}"
            raise

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
