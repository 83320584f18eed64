"""`shieldwall table`: make fair tables of terrain, draw them, and compare a table with the book's advice."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from shieldwall.cli.groups import EDITION_NAMES, command_app

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from shieldwall.core.state import Piece, State
    from shieldwall.table.layout import LayoutAdvice, LayoutReport
    from shieldwall.table.terrain import BareTable, PresetPiece

PROBLEMS_FOUND = 1
MOST_PIECES = 60  # no table has room for more, and the search would take minutes
SMALLEST, LARGEST = 6, 240  # limits of a table's sides in inches
SIZE = re.compile(r"^(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)$")

app = command_app("Generate, draw and check tables.")

EditionOption = Annotated[
    str,
    typer.Option(
        "-e",
        "--edition",
        metavar="EDITION",
        help=f"The edition whose table and terrain advice to use: {EDITION_NAMES}.",
    ),
]
SizeOption = Annotated[
    str, typer.Option("--size", metavar="INCHES", help="Width and depth of the table, e.g. 72x48.")
]
AdviceOption = Annotated[
    str, typer.Option("--advice", metavar="KIND", help="Terrain advice without an edition: block or loose.")
]
SvgOption = Annotated[
    Path | None, typer.Option("--svg", metavar="FILE", help="Write a picture to this file.")
]
LargeOption = Annotated[bool, typer.Option("--large-units", help="Leave wide gaps for large units.")]


class TablePlan(NamedTuple):
    """The table size of a book in thousandths of an inch, and its terrain advice."""

    width: int
    depth: int
    advice: LayoutAdvice


@app.command(short_help="Make a fair random table.")
def generate(
    *,
    edition: EditionOption = "",
    seed: Annotated[
        int, typer.Option("--seed", metavar="SEED", help="The same seed gives the same table.")
    ] = 1,
    size: SizeOption = "",
    advice: AdviceOption = "",
    pieces: Annotated[
        int,
        typer.Option(
            "--pieces",
            min=0,
            max=MOST_PIECES,
            metavar="PIECES",
            help="Place this many pieces in symmetric pairs, instead of a realistic place with roads.",
        ),
    ] = 0,
    svg: SvgOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print the table as JSON.")] = False,
    large_units: LargeOption = False,
) -> None:
    """Generate a fair random table: a realistic place, or pieces in symmetric pairs."""
    from shieldwall.cli.drawing import draw_svg, draw_text
    from shieldwall.cli.outputs import require_file_path, write_text
    from shieldwall.cli.table_file import write_table
    from shieldwall.core.errors import MalformedError
    from shieldwall.table.generator import generate_table
    from shieldwall.table.layout import check_layout
    from shieldwall.table.numbers import TableNumbers
    from shieldwall.table.places import generate_place
    from shieldwall.table.terrain import BareTable

    require_file_path(svg, "the picture")
    plan = plan_for(edition, size, advice)
    order = (plan.width, plan.depth, plan.advice, TableNumbers(seed))
    try:
        if pieces or large_units:
            made = generate_table(*order, count=pieces, large_units=large_units)
        else:
            made = generate_place(*order)
    except ValueError as error:
        raise MalformedError("table", [f"{error}; try another --size or fewer --pieces"]) from None
    table = BareTable(plan.width, plan.depth, made)
    if svg is not None:
        write_text(svg, draw_svg(bare_state(table)), "the picture")
    if json:
        typer.echo(write_table(table), nl=False)
        return
    typer.echo(draw_text(bare_state(table)), nl=False)
    report = check_layout(plan.width, plan.depth, made, plan.advice, large_units=large_units)
    typer.echo("\n".join(["", f"seed {seed}", *report_lines(report)]))


@app.command(short_help="Compare a table with the advice of its book.")
def check(
    file: Annotated[
        Path,
        typer.Argument(
            help="A table as JSON or YAML, in inches.", exists=True, dir_okay=False, metavar="FILE"
        ),
    ],
    *,
    edition: EditionOption = "",
    size: SizeOption = "",
    advice: AdviceOption = "",
    svg: SvgOption = None,
    large_units: LargeOption = False,
) -> None:
    """Compare a table with the book's advice. Exits with 1 if there are problems; hints do not count."""
    from shieldwall.cli.drawing import draw_svg, draw_text
    from shieldwall.cli.outputs import require_file_path, write_text
    from shieldwall.cli.table_file import read_table
    from shieldwall.core.reading import read_text
    from shieldwall.editions import ruleset
    from shieldwall.table.layout import check_layout
    from shieldwall.table.terrain import PRESETS, BareTable

    require_file_path(svg, "the picture")
    plan = plan_for(edition, size, advice)
    policies = ruleset(edition).policies if edition else None
    kinds = policies.terrain_presets() if policies is not None else PRESETS
    table = read_table(read_text(file), str(file), kinds)
    if not (table.width and table.depth):
        table = BareTable(plan.width, plan.depth, table.pieces)
    said = policies.terrain_in_book() if policies is not None and not advice else plan.advice
    report = check_layout(table.width, table.depth, table.pieces, said, large_units=large_units)
    if svg is not None:
        write_text(svg, draw_svg(bare_state(table)), "the picture")
    typer.echo(draw_text(bare_state(table)), nl=False)
    typer.echo("\n".join(["", *report_lines(report), *unknown_kind_lines(table.pieces, kinds)]))
    if not report.is_legal:
        raise typer.Exit(PROBLEMS_FOUND)


def plan_for(edition: str, size: str, advice: str) -> TablePlan:
    """The table of an edition, or of the options; options override the edition."""
    from shieldwall.core.errors import MalformedError
    from shieldwall.editions import known_editions, no_edition
    from shieldwall.table.outlines import thousandths

    problems = []
    if edition and edition not in known_editions():
        problems.append(f"--edition: {no_edition(edition)}")
    if advice not in ("", "block", "loose"):
        problems.append(f"--advice: {advice!r} is neither block nor loose")
    measured = SIZE.match(size)
    if size and not measured:
        problems.append(f"--size: {size!r} is not of the form 72x48")
    if measured and not all(SMALLEST <= float(inches) <= LARGEST for inches in measured.groups()):
        problems.append(
            f"--size: {size!r} is not a table size; each side must be {SMALLEST} to {LARGEST} inches"
        )
    if problems:
        raise MalformedError("table", problems)
    plan = edition_plan(edition) if edition else usual_plan(advice or "block")
    if edition and advice:
        plan = plan._replace(advice=usual_plan(advice).advice)
    if measured:
        width, depth = (thousandths(float(inches)) for inches in measured.groups())
        plan = plan._replace(width=width, depth=depth)
    return plan


def edition_plan(edition: str) -> TablePlan:
    """The table size and terrain advice of an edition."""
    from shieldwall.editions import ruleset

    rules = ruleset(edition)
    width, depth = rules.constants.table
    return TablePlan(width, depth, rules.policies.table_advice())


def usual_plan(advice: str) -> TablePlan:
    """Tables for blocks and for loose units, without an edition."""
    from shieldwall.core.state import MILLI
    from shieldwall.table.layout import BLOCK_ADVICE, LOOSE_ADVICE

    if advice == "loose":
        return TablePlan(48 * MILLI, 48 * MILLI, LOOSE_ADVICE)
    return TablePlan(72 * MILLI, 48 * MILLI, BLOCK_ADVICE)


def bare_state(table: BareTable) -> State:
    """A game with nothing but terrain, for drawing."""
    from shieldwall.core.state import State

    return State(
        ruleset="",
        options=(),
        width=table.width,
        depth=table.depth,
        profiles=(),
        seats=(),
        sides=(),
        units=(),
        pieces=table.pieces,
    )


def unknown_kind_lines(pieces: Sequence[Piece], kinds: Mapping[str, PresetPiece]) -> list[str]:
    """Pieces that count as decoration only because their kind is unknown."""
    from shieldwall.rulebook.nearest import did_you_mean
    from shieldwall.table.terrain import is_untyped

    untold = sorted({piece.kind for piece in pieces if is_untyped(piece) and piece.kind not in kinds})
    return [
        f"not counted: {kind} is not a known kind; give it types{did_you_mean(kind, tuple(kinds))}"
        for kind in untold
    ]


def report_lines(report: LayoutReport) -> list[str]:
    """The findings under four headings, with problems marked."""
    from shieldwall.table.layout import HEADINGS

    lines = [f"{report.pieces} pieces, {report.covered:.0%} of the table covered"]
    for heading in HEADINGS:
        found = report.under(heading)
        lines.append(f"{heading}: {'fine' if not found else ''}".rstrip())
        lines += [
            f"  {'PROBLEM' if entry.level == 'problem' else entry.level}: {entry.text}" for entry in found
        ]
    return lines
