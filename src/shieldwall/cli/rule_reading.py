"""Output of `rules read` and `army coverage`: how texts are understood, and how much of army books is played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shieldwall.core.blocks import Blocks
    from shieldwall.rules.reading import Misread, Read

Page = dict[str, Any]


def reading_page(text: str, spell: bool = False) -> Page:
    """How a text is understood: the meaning of each part, and where reading stopped."""
    from shieldwall.armies.army_rules import can_be_played
    from shieldwall.editions import EDITIONS, ruleset
    from shieldwall.rules.reading import read, read_spell
    from shieldwall.rules.reading.describe import describe_blocks

    def plays(blocks: Blocks) -> bool:
        return any(can_be_played(blocks, ruleset(edition)) for edition in EDITIONS)

    names = {name for edition in EDITIONS for name in ruleset(edition).specials.bindings}
    found = read_spell("rule", text, names) if spell else read("rule", text, names)
    understood = [
        {
            "text": _up_to_the_next(text, part.start, [*found.parts, *found.missed]),
            "means": describe_blocks(part.blocks),
            "blocks": msgspec.to_builtins(part.blocks),
            "is_played": plays(part.blocks),
        }
        for part in found.parts
    ]
    missed = [
        {
            "text": miss.text,
            "read": text[miss.start : miss.stopped],
            "stopped_at": text[miss.stopped : miss.end],
            "hint": hint(text, miss),
        }
        for miss in found.missed
    ]
    played = found.is_whole and all(part["is_played"] for part in understood)
    return {
        "understood": understood,
        "not_understood": missed,
        "is_whole": found.is_whole,
        "is_played": played,
    }


def _up_to_the_next(text: str, start: int, pieces: Sequence[Read | Misread]) -> str:
    """A piece of a text with the words behind it that were read together with it."""
    end = min([piece.start for piece in pieces if piece.start > start], default=len(text))
    return text[start:end].strip().rstrip(".;, ")


def hint(text: str, miss: Misread) -> str:
    """What somebody may try instead of a part of a text that was not understood."""
    from shieldwall.rules.reading import vocabulary
    from shieldwall.rules.reading.words import words_of

    words = [word for word in words_of(text[miss.start : miss.end]) if word.kind == "word"]
    strange = [word.text for word in words if word.plain not in vocabulary() and not word.text[0].isupper()]
    if strange:
        known = ", ".join(f'"{word}"' for word in dict.fromkeys(strange))
        return f"unknown here: {known}. Try plainer words, or leave out what changes nothing in play."
    if miss.stopped >= miss.end:
        return "the sentence ends too early: say what happens, to whom, and when."
    return (
        "every word is known, but not in this order. Try one sentence for each effect, in the order: when, who, what,"
        " how long."
    )


def print_reading(page: Page, as_json: bool) -> None:
    """Print how a text was understood."""
    if as_json:
        typer.echo(json.dumps(page, indent=2, ensure_ascii=False))
        return
    for part in page["understood"]:
        typer.echo(f"Understood: {part['text']}")
        for line in part["means"]:
            typer.echo(f"  {line}")
        if not part["is_played"]:
            typer.echo("  (understood, but not played yet)")
    for miss in page["not_understood"]:
        typer.echo(f"Not understood: {miss['text']}")
        typer.echo(f"  {' ' * (len('Not understood: ') - 2 + len(miss['read']))}^")
        typer.echo(f"  stopped at: {miss['stopped_at'] or 'the end of the sentence'}")
        typer.echo(f"  {miss['hint']}")
    if page["not_understood"]:
        typer.echo("docs/army-rules.md lists every pattern with an example.")
    if not page["understood"] and not page["not_understood"]:
        typer.echo("There is nothing to read.")


def coverage_page(folder: Path, edition: str = "") -> Page:
    """How much of each book in a folder is played, and of all of them together."""
    from shieldwall.armies.coverage import books_in, cover_book, edition_of, together

    books, passed = books_in(folder)
    covered = [cover_book(book, edition_of(book, edition)) for book in books]
    return {
        "books": [_figures(one) for one in covered],
        "all": _figures(together(covered)),
        "passed_over": passed,
    }


def _figures(one: Any) -> Page:
    shares = ("instances", "names", "units", "units_with_options", "spells")
    figures: Page = {"name": one.name, "version": one.version, "system": one.system, "edition": one.edition}
    for share in shares:
        figure = getattr(one, share)
        figures[share] = {"of": figure.of, "played": figure.played, "percent": round(figure.percent, 1)}
    return figures | {"by_way": one.by_way, "unplayed": one.unplayed}


def print_coverage(page: Page, as_json: bool) -> None:
    """Print coverage as a table, one line for each book."""
    if as_json:
        typer.echo(json.dumps(page, indent=2, ensure_ascii=False))
        return
    typer.echo(f"{'book':32} {'edition':14} {'rules':>12} {'names':>9} {'units':>9} {'spells':>7}")
    for one in (*page["books"], page["all"]):
        cells = [
            f"{one[key]['played']}/{one[key]['of']}" for key in ("instances", "names", "units", "spells")
        ]
        title = f"{one['name']} {one['version']}".strip()[:32]
        edition = one["edition"] if one is not page["all"] else ""
        typer.echo(f"{title:32} {edition:14} {cells[0]:>12} {cells[1]:>9} {cells[2]:>9} {cells[3]:>7}")
    total = page["all"]
    said = ", ".join(
        f"{total[key]['percent']} % of {key}" for key in ("instances", "names", "units", "spells")
    )
    typer.echo(f"Played: {said}.")
    typer.echo("By way: " + ", ".join(f"{way} {count}" for way, count in total["by_way"].items()))
    most = list(total["unplayed"].items())[:20]
    if most:
        typer.echo(
            "Not played, most frequent first: " + ", ".join(f"{name} ({count})" for name, count in most)
        )
    for rule in page["passed_over"]:
        typer.echo(f"Passed over: {rule.splitlines()[0]}")
