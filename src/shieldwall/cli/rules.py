"""`shieldwall rules`: show and search the rules, and see which rows the tests cite."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from shieldwall.cli.editions import editions
from shieldwall.cli.groups import command_app
from shieldwall.cli.house_rules import switches
from shieldwall.cli.options import AsJson, OnlyEdition

if TYPE_CHECKING:
    from rich.console import RenderableType

    from shieldwall.rulebook import Row
    from shieldwall.rulebook.coverage import Coverage, KindCoverage

USAGE_ERROR = 2

app = command_app("Look up rules by id, word or edition.")
app.command("switches", short_help="List the rulings that players can change.")(switches)
app.command("editions", short_help="Compare the rulebooks side by side.")(editions)

TestsOption = Annotated[
    Path | None, typer.Option("--tests", metavar="FOLDER", help="Folder whose files cite rules.")
]


@app.command(short_help="Show rules in full, with our rulings and the tests behind them.")
def show(
    ids: Annotated[list[str], typer.Argument(help="Row ids, e.g. R35-ROUND-08.", metavar="ID")],
    tests: TestsOption = None,
) -> None:
    """Show rules in full: text, checks, our ruling, other editions, switches and the tests that cite them."""
    from rich.console import Console

    from shieldwall.rulebook import UnknownRowError, has_row, row
    from shieldwall.rulebook.coverage import Citations, citations

    unknown = [given for given in ids if not has_row(given.upper())]
    if unknown:
        tip = "; `shieldwall rules search` finds rules by keyword"
        refuse(*(f"{UnknownRowError(given)}{tip if '-' not in given else ''}" for given in unknown))
    folder = tests or default_tests_folder()
    if tests and not tests.is_dir():
        refuse(missing_tests(tests))
    cited = citations(folder) if folder.is_dir() else Citations(by_row={}, unknown={})
    console = Console(highlight=False)
    for given in ids:
        shown = row(given.upper())
        console.print(page(shown, cited.by_row.get(shown.id, ())))


@app.command(short_help="Show how the text of an army rule is understood.")
def read(
    text: Annotated[
        str, typer.Argument(help='The text of a rule, e.g. "When charging, this model gets AP(+1)."')
    ],
    spell: Annotated[bool, typer.Option("--spell", help="Read it as the text of a spell.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show how the text of an army rule is understood, block by block, or where reading stopped.

    Exits with 1 if part of the text is not understood or not played.
    """
    from shieldwall.cli.rule_reading import print_reading, reading_page

    page = reading_page(text, spell)
    print_reading(page, as_json)
    if not page["is_played"]:
        raise typer.Exit(1)


@app.command()
def search(
    words: Annotated[list[str], typer.Argument(help="Words to look for.", metavar="WORDS")],
    edition: OnlyEdition = "",
    limit: Annotated[
        int, typer.Option("--limit", min=1, metavar="ROWS", help="The maximum number of rows.")
    ] = 20,
    json: AsJson = False,
) -> None:
    """Find rules by keyword, best match first."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from shieldwall import rulebook

    require_edition(edition)
    if not " ".join(words).strip():
        refuse("no words given; try: shieldwall rules search flank charge")
    found = rulebook.search(" ".join(words), edition or None, limit)
    if json:
        print_json(found)
        return
    if not found:
        where = f" of {edition}" if edition else ""
        typer.echo(f"No rule{where} mentions {' '.join(words)!r}; try fewer or other words.")
        return
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    for row in found:
        table.add_row(Text(row.id, style="bold"), Text(row.rule))
    Console(highlight=False).print(table)


@app.command("list")
def list_rows(
    edition: OnlyEdition = "",
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="KIND", help="Only this kind, e.g. mechanic.")
    ] = None,
) -> None:
    """List rules, one line each: id, kind, text."""
    from shieldwall.rulebook import KINDS, book, editions

    require_edition(edition)
    if kind is not None and kind not in KINDS:
        refuse(f"unknown kind {kind!r}; there are {', '.join(KINDS)}")
    for listed in (edition,) if edition else editions():
        for row in book(listed).rows:
            if kind in (None, row.kind):
                typer.echo(f"{row.id:<22} {row.kind:<10} {row.rule}")


@app.command(short_help="Count the rules that tests cite.")
def coverage(
    json: AsJson = False,
    edition: OnlyEdition = "",
    tests: TestsOption = None,
) -> None:
    """Count the rules that tests cite, by edition and kind, and name cited ids that do not exist."""
    from shieldwall.rulebook.coverage import coverage as count

    require_edition(edition)
    folder = tests or default_tests_folder()
    if not folder.is_dir():
        refuse(missing_tests(folder))
    counted = count(folder, edition or None)
    if json:
        print_json({**counted.editions, "unknown": list(counted.unknown)})
    else:
        print_coverage(counted)


def page(row: "Row", citing: tuple[str, ...]) -> "RenderableType":
    """One rule as a readable panel."""
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    from shieldwall.rulebook import book
    from shieldwall.rulebook.house_rules import house_rules_of_row

    parts: list[RenderableType] = [
        Text(row.rule, style="bold"),
        Text(f"{row.section} · {row.kind}", style="dim"),
    ]
    parts += section("Checks", row.checks)
    parts += section("Where the book is silent", (row.ruling,) if row.ruling else ())
    parts += section("Other editions", tuple(f"{other}: {text}" for other, text in row.differs.items()))
    parts += section(
        "House rule",
        tuple(
            f"{rule.name} (default {rule.default}; {' | '.join(rule.values)}): {rule.question}"
            for rule in house_rules_of_row(row.id)
        ),
    )
    parts += section("Cited by", citing or ("no test",))
    title = Text(f"{row.id} · {book(row.edition).title}")
    return Panel(Group(*parts), title=title, title_align="left")


def section(heading: str, lines: tuple[str, ...]) -> "list[RenderableType]":
    """A heading with indented paragraphs; nothing if there are none."""
    from rich.padding import Padding
    from rich.text import Text

    if not lines:
        return []
    return [Text(f"\n{heading}", style="bold cyan"), *(Padding(Text(line), (0, 0, 0, 2)) for line in lines)]


def print_coverage(counted: "Coverage") -> None:
    """A table with totals by edition and overall."""
    from rich.console import Console
    from rich.table import Table

    table = Table("edition", "kind", title="Rules cited by tests")
    for heading in ("rows", "cited", "missing", "%"):
        table.add_column(heading, justify="right")
    everything: list[KindCoverage] = []
    for edition, by_kind in counted.editions.items():
        for kind, counts in by_kind.items():
            table.add_row(edition, kind, *coverage_cells([counts]))
        table.add_row(edition, "all kinds", *coverage_cells(list(by_kind.values())), style="bold")
        table.add_section()
        everything += by_kind.values()
    table.add_row("total", "", *coverage_cells(everything), style="bold")
    Console(highlight=False).print(table)
    if counted.unknown:
        typer.echo("Cited but in no catalogue:")
    for cited, files in counted.unknown.items():
        typer.echo(f"  {cited} in {', '.join(files)}")


def coverage_cells(counted: "list[KindCoverage]") -> tuple[str, ...]:
    """Rows, cited, missing and the cited share, rounded down so that 100% means all of them."""
    rows = sum(counts.rows for counts in counted)
    cited = sum(counts.cited for counts in counted)
    return str(rows), str(cited), str(rows - cited), f"{100 * cited // rows if rows else 100}%"


def default_tests_folder() -> Path:
    """`tests` in the working folder, or in the source checkout this package runs from."""
    here = Path("tests")
    checkout = Path(__file__).parents[3] / "tests"
    return checkout if checkout.is_dir() and not here.is_dir() else here


def missing_tests(folder: Path) -> str:
    return f"no tests folder at {folder}; run this in a source checkout or give one with --tests DIR"


def require_edition(edition: str) -> None:
    from shieldwall.rulebook import UnknownEditionError, editions

    if edition and edition not in editions():
        refuse(str(UnknownEditionError(edition)))


def print_json(value: object) -> None:
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def refuse(*problems: str) -> NoReturn:
    """Print what is wrong with the command line and exit."""
    for problem in problems:
        typer.echo(f"shieldwall: {problem}", err=True)
    raise typer.Exit(USAGE_ERROR)
