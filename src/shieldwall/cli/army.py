"""`shieldwall army`: show, check, import and export army lists and books."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shieldwall.cli.army_review import review
from shieldwall.cli.groups import EDITION_NAMES, command_app
from shieldwall.cli.options import (
    AsJson,
    Books,
    HouseRules,
    OnlyEdition,
    edition_option,
    house_rule_pairs,
    with_options,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shieldwall.armies import Book, MusteredArmy
    from shieldwall.armies.importing import Imported
    from shieldwall.armies.lists import ArmyList
    from shieldwall.armies.repairs import Checking

USAGE_ERROR = 2
ILLEGAL = 1

app = command_app("Show, check, import and export army lists and books.")


LIST_NAME = (
    "A list or a book: a file, - for pasted text, a ready-made list such as aof-2/kilnfolk-750, the name of a list "
    "you imported, or a faction together with --edition."
)
ListName = Annotated[str, typer.Argument(metavar="FILE", help=LIST_NAME)]
Edition = Annotated[str, edition_option(f"Play it in this edition: {EDITION_NAMES}.")]


@dataclass(frozen=True)
class CheckOptions:
    """How a list is found and checked."""

    book: Books = None
    edition: Edition = ""
    points: Annotated[
        int,
        typer.Option(
            "--points",
            min=0,
            metavar="POINTS",
            show_default=False,
            help="The agreed game size; by default the list's own.",
        ),
    ] = 0
    strict: Annotated[bool, typer.Option("--strict", help="Also check force organisation.")] = False
    setting: HouseRules = None

    @property
    def house_rules(self) -> dict[str, str]:
        """House rules by name."""
        return dict(house_rule_pairs(self.setting or ()))

    def find(self, name: str) -> "Imported":
        """The list or book of a name."""
        return find(name, self.book, self.edition)

    def checking(self, books: "Sequence[Book]") -> "Checking":
        """How lists from these books are checked."""
        from shieldwall.armies.repairs import Checking

        return Checking(tuple(books), self.points, self.house_rules, self.strict)


Against = Annotated[
    str | None,
    typer.Option(
        "--against",
        metavar="TARGETS",
        help="Also show each unit's odds against typical, infantry, heavy or monsters, or the units of a list.",
    ),
]
Allies = Annotated[
    list[str] | None,
    typer.Option(
        "--ally", metavar="FILE", help="The list of another player on the same side; may be repeated."
    ),
]


@app.command("list", short_help="List factions, ready-made lists, and what you imported.")
def list_armies(edition: OnlyEdition = "", as_json: AsJson = False) -> None:
    """List the factions, the ready-made lists, and your own lists and books."""
    from shieldwall.armies.finding import original_of
    from shieldwall.armies.store import saved_books, saved_lists
    from shieldwall.cli.army_pages import print_json, print_shelf, shelf

    edition = original_of(edition)
    problems: list[str] = []
    page = shelf(edition, saved_lists(problems), saved_books(problems), problems)
    print_json(page) if as_json else print_shelf(page)


@app.command()
def show(name: ListName, book: Books = None, edition: Edition = "", as_json: AsJson = False) -> None:
    """Show a list unit by unit, or a book with everything it offers."""
    from shieldwall.armies.finding import original_of
    from shieldwall.armies.overlay import as_played
    from shieldwall.cli.army_pages import book_page, list_page, print_book, print_json, print_list

    found = find(name, book, edition)
    if found.army is not None:
        page = list_page(found.army, found.books, found.remarks)
        print_json(page) if as_json else print_list(page)
    else:
        source = as_played(found.books[0], original_of(edition)) if edition else found.books[0]
        offer = book_page(source, found.remarks)
        print_json(offer) if as_json else print_book(offer)


@app.command(short_help="Check a list: every problem with its rule and a repair.")
@with_options
def check(
    name: ListName,
    *,
    how: CheckOptions,
    against: Against = None,
    ally: Allies = None,
    as_json: AsJson = False,
) -> None:
    """Check a list: every problem at once, each with its rule and a repair. Exits with 1 if it is not legal."""
    from shieldwall.armies.check import check_side
    from shieldwall.armies.repairs import repairs_of
    from shieldwall.cli.army_pages import check_page, print_check, print_json, repair_data

    found = how.find(name)
    army = needs_list(found, name)
    checking = how.checking(found.books)
    if ally:
        allies = [how.find(other) for other in ally]
        lists = [needs_list(one, other) for one, other in zip(allies, ally, strict=True)]
        books = [known for one in (found, *allies) for known in one.books]
        checked = check_side([army, *lists], books, points=how.points, options=how.house_rules)
    else:
        checked = checking.of(army)
    page = check_page(checked, found.remarks)
    if not ally and not checked.is_legal:
        page["repairs"] = repair_data(repairs_of(army, checking, checked))
    if against is not None:
        from shieldwall.cli.army_doctor import doctor_page, print_doctor

        page["against"] = doctor_page(army, found.books, against)
    if as_json:
        print_json(page)
    else:
        print_check(page)
        if against is not None:
            print_doctor(page["against"])
    raise typer.Exit(0 if checked.is_legal else ILLEGAL)


@app.command(short_help="Repair a list.")
@with_options
def repair(
    name: ListName,
    *,
    how: CheckOptions,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the list to this file instead of your folder."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Apply the repairs that `army check` suggests, and save the list. Exits with 1 if problems remain."""
    from shieldwall.armies.files import write_whole
    from shieldwall.armies.list_file import write_list
    from shieldwall.armies.repairs import repaired
    from shieldwall.armies.store import save_list
    from shieldwall.cli.army_pages import check_page, print_check, print_json, repair_data
    from shieldwall.cli.outputs import require_file_path

    found = how.find(name)
    checking = how.checking(found.books)
    army, made = repaired(needs_list(found, name), checking)
    checked = checking.of(army)
    kept = ""
    if made and output is not None:
        require_file_path(output, "the list")
        write_whole(output, write_list(army))
        kept = str(output)
    elif made:
        kept = str(save_list(army))
    page = {**check_page(checked, ()), "repairs": repair_data(made), "written": kept or None}
    if as_json:
        print_json(page)
    else:
        for one in made:
            typer.echo(f"{one.words}: {one.problem}")
        typer.echo(f"wrote {kept}" if made else "nothing to repair")
        print_check({**page, "repairs": []})
    raise typer.Exit(0 if checked.is_legal else ILLEGAL)


@app.command()
def points(name: ListName, book: Books = None, edition: Edition = "", as_json: AsJson = False) -> None:
    """Show what a list costs, unit by unit."""
    from shieldwall.cli.army_pages import points_page, print_json, print_points

    found = find(name, book, edition)
    page = points_page(needs_list(found, name), found.books)
    print_json(page) if as_json else print_points(page)


@app.command()
def export(
    name: ListName,
    book: Books = None,
    edition: Edition = "",
    form: Annotated[
        str, typer.Option("--format", metavar="FORM", help="forge (Army Forge file), text or shieldwall.")
    ] = "forge",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write to this file instead of printing."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Export a list for other programs or as text."""
    from shieldwall.armies.files import write_whole
    from shieldwall.cli.army_pages import exported, print_json
    from shieldwall.cli.outputs import require_file_path

    found = find(name, book, edition)
    text = exported(needs_list(found, name), found.books, form)
    if output is not None:
        require_file_path(output, "the list")
        write_whole(output, text)
    if as_json:
        print_json({"format": form, "written": str(output) if output else None, "text": text})
    elif output is None:
        typer.echo(text, nl=False)
    else:
        typer.echo(f"wrote {output}")


@app.command("import", short_help="Import a list or a book into your own folder.")
def import_file(
    name: ListName,
    book: Books = None,
    edition: Edition = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Report only; save nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Import a list or a book into your own folder, and report what could not be imported."""
    from shieldwall.armies.factions import FACTIONS
    from shieldwall.armies.store import save_book, save_list
    from shieldwall.cli.army_pages import import_page, print_import, print_json

    found = find(name, book, edition)
    kept = []
    if not dry_run:
        kept = [str(save_book(one)) for one in found.books if one.id not in FACTIONS]
        kept += [str(save_list(found.army))] if found.army is not None else []
    page = import_page(found, kept, dry_run)
    print_json(page) if as_json else print_import(page)


@app.command(short_help="Count how much of the army books in a folder is played.")
def coverage(
    folder: Annotated[Path, typer.Argument(help="A folder with army books, or one book.", metavar="FOLDER")],
    edition: Edition = "",
    as_json: AsJson = False,
) -> None:
    """Count how much of army books is played: rules by occurrence and by name, whole units, spells."""
    from shieldwall.armies.finding import original_of
    from shieldwall.cli.rule_reading import coverage_page, print_coverage

    edition = original_of(edition)
    if not folder.exists():
        print(f"shieldwall: there is no folder {folder}", file=sys.stderr)
        raise typer.Exit(USAGE_ERROR)
    page = coverage_page(folder, edition)
    print_coverage(page, as_json)
    if not page["books"]:
        print(f"shieldwall: there is no army book in {folder}", file=sys.stderr)
        raise typer.Exit(ILLEGAL)


app.command(short_help="Show what each unit earned over many games, and what to swap.")(review)


def find(name: str, books: list[str] | None, edition: str) -> "Imported":
    """What a name refers to; for pasted text, explain how to end it."""
    from shieldwall.armies.finding import PASTED, find_army

    if name == PASTED and sys.stdin.isatty():
        end = "Ctrl+Z and Enter" if sys.platform == "win32" else "Ctrl+D"
        typer.echo(f"Paste the list or the book, then press Enter and {end}.", err=True)
    return find_army(name, books=books or (), edition=edition)


def needs_list(found: "Imported", name: str) -> "ArmyList":
    """The list, or an error if the name refers to something else."""
    if found.army is None:
        print(f"shieldwall: {name} is an army book; this needs a list", file=sys.stderr)
        raise typer.Exit(USAGE_ERROR)
    return found.army


def armies_for(
    edition: str, names: "Sequence[str]", usual: str, books: list[str] | None = None
) -> "tuple[str, tuple[MusteredArmy, MusteredArmy]]":
    """The edition of a battle and its armies, from the names of two lists.

    The edition is the one named, or that of the lists, or the default. Each list is read once for all games, with
    `books` in addition to those in the player's folder. Prints what is not played, unit by unit.
    """
    from shieldwall.armies.factions import NoArmyError
    from shieldwall.armies.recruit import recruit, rules_played

    if len(names) != 2:
        raise NoArmyError(
            f"a battle takes two lists, one for each side, not {len(names)}: --army FIRST --army SECOND"
        )
    found = {} if edition else _that_name_their_edition(names, books)
    named = {name: needs_list(one, name).edition for name, one in found.items()}
    if len(set(named.values())) > 1:
        (first, one), (second, two) = named.items()
        raise NoArmyError(
            f"{first} is a list of {one} and {second} one of {two}; "
            "a battle is played with one edition, so choose two lists of the same one"
        )
    played = edition or next(iter(named.values()), usual)
    for name in names:
        if name not in found:
            found[name] = find(name, books, played)
    for name in dict.fromkeys(names):
        said = rules_played(needs_list(found[name], name), found[name].books)
        if not said.is_whole:
            typer.echo(f"{name}: {said.words}", err=True)
    first_army, second_army = (recruit(needs_list(found[name], name), found[name].books) for name in names)
    return played, (first_army, second_army)


def _that_name_their_edition(names: "Sequence[str]", books: list[str] | None) -> "dict[str, Imported]":
    """The lists whose edition is clear; a short name may fit several."""
    from shieldwall.armies.factions import NoArmyError

    found = {}
    for name in dict.fromkeys(names):
        try:
            found[name] = find(name, books, "")
        except NoArmyError:
            continue  # resolved again, and perhaps refused, once the edition is known
    return found
