"""What the commands share: groups that name their commands where somebody asks for one they do not have, and words
of the help. Nothing here loads the engine, so that help comes at once."""

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from typer.core import TyperGroup

if TYPE_CHECKING:
    # Typer keeps its own copy of click private; only the types' names are needed here.
    from typer._click import Command, Context


BOT_NAMES = "random, solo, tactician, greedy, search, or program:COMMAND for one of your own"
EDITION_NAMES = "aof-1.6, aof-2, regiments-3.4, regiments-3.5 or skirmish-3.2"


def complete_edition(incomplete: str) -> list[str]:
    """The editions a shell may offer for what was typed so far."""
    return [name for name in re.split(r", | or ", EDITION_NAMES) if name.startswith(incomplete)]


def complete_bots(incomplete: str) -> list[str]:
    """The bots a shell may offer, also behind the comma of several."""
    before, comma, typed = incomplete.rpartition(",")
    names = BOT_NAMES.partition(", or ")[0].split(", ")
    return [before + comma + name for name in names if name.startswith(typed)]


class CommandGroup(TyperGroup):
    """A group that says what was given, what there is, and what may have been meant."""

    def resolve_command(
        self, ctx: "Context", args: list[str]
    ) -> "tuple[str | None, Command | None, list[str]]":
        """The command of that name; leaves with a word about it where there is none."""
        given = args[0] if args else ""
        if not given.startswith("-") and self.get_command(ctx, given) is None:
            names = self.list_commands(ctx)
            near = get_close_matches(given, names, n=1)
            tip = f" Did you mean {near[0]!r}?" if near else ""
            ctx.fail(f"There is no command {given!r}; there are: {', '.join(names)}.{tip}")
        return super().resolve_command(ctx, args)
