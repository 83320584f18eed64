"""Generates the command reference from the command line itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shieldwall.cli import main as command_line

if TYPE_CHECKING:
    from typer._click import Command

HEAD = """# Commands

Every command prints the same with `--help`. Results go to stdout and problems to stderr. The exit code is 0 on
success, 1 if a problem was found, and 2 for a wrong command line.
"""


def write(page: Path) -> None:
    """Write the page if it changed, so that Sphinx does not rebuild an unchanged one."""
    text = HEAD + "\n" + "\n".join(_commands())
    page.parent.mkdir(exist_ok=True)
    if not page.is_file() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def _commands() -> Iterator[str]:
    for name, place in command_line.COMMANDS.items():
        if command_line.is_present(place):
            yield from _section(f"shieldwall {name}", command_line.load(place), 2)


def _section(path: str, command: Command, depth: int) -> Iterator[str]:
    yield f"{'#' * depth} {path}\n"
    yield _plain(command.help or "") + "\n"
    for name, inner in getattr(command, "commands", {}).items():
        yield from _section(f"{path} {name}", inner, depth + 1)
    rows = [_row(parameter) for parameter in command.params if parameter.name != "help"]
    if rows:
        yield "| | |\n|---|---|"
        yield from rows
        yield ""


def _row(parameter: Any) -> str:
    words = [*parameter.opts, *parameter.secondary_opts]
    is_option = words[0].startswith("-")
    shown = ", ".join(words) if is_option else str(parameter.metavar or parameter.name).upper()
    if is_option and parameter.metavar:
        shown += f" {parameter.metavar}"
    return f"| `{_cell(shown)}` | {_cell(_plain(getattr(parameter, 'help', '') or ''))} |"


def _plain(text: str) -> str:
    """Convert a help text to Markdown; words in angle brackets are not HTML."""
    return re.sub(r"<(\w[^>]*)>", r"`<\1>`", text.replace("\b", "").strip())


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", "\\|")
