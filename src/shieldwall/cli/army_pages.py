"""Pages of `shieldwall army`, as plain data (for --json) and as text."""

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import typer

from shieldwall.armies.army_rules import standing_of
from shieldwall.armies.book import Book, Carried
from shieldwall.armies.check import Checked
from shieldwall.armies.coverage import edition_of
from shieldwall.armies.factions import factions, ready_lists
from shieldwall.armies.files import ArmyFileError
from shieldwall.armies.forge.export import export_file
from shieldwall.armies.forge.report import Remark
from shieldwall.armies.forge.text_form import list_text, printed
from shieldwall.armies.importing import Imported
from shieldwall.armies.list_file import write_list
from shieldwall.armies.lists import ArmyList
from shieldwall.armies.parse import describe_rule
from shieldwall.armies.recruit import books_of, loadout_of, printed_models, rules_played
from shieldwall.armies.repairs import Repair
from shieldwall.armies.things import describe
from shieldwall.core.grammar import counted
from shieldwall.editions import EDITIONS

Page = dict[str, Any]
MARKS = {"error": "✗", "warning": "!", "note": "·"}


def print_json(page: Mapping[str, Any]) -> None:
    """A page for programs."""
    typer.echo(json.dumps(page, ensure_ascii=False, indent=2))


def shelf(
    edition: str,
    lists: Sequence[tuple[str, ArmyList]],
    books: Sequence[Book],
    problems: Sequence[str],
) -> Page:
    """All factions, lists and books."""
    shown = (edition,) if edition in EDITIONS else EDITIONS
    return {
        "factions": list(factions()),
        "ready": [
            {"id": f"{name}/{ready.id}", "name": ready.name, "points": ready.points}
            for name in shown
            for ready in ready_lists(name)
        ],
        "lists": [
            {"id": name, "name": army.name, "edition": army.edition, "points": army.points}
            for name, army in lists
        ],
        "books": [
            {"id": one.id, "name": one.name, "version": one.version, "system": one.system} for one in books
        ],
        "problems": list(problems),
    }


def print_shelf(page: Page) -> None:
    typer.echo(f"Factions: {', '.join(page['factions'])}")
    typer.echo("\nReady-made lists")
    for one in page["ready"]:
        typer.echo(f"  {one['id']:40} {one['points']:>5}  {one['name']}")
    if page["lists"]:
        typer.echo("\nYour lists")
        for one in page["lists"]:
            typer.echo(f"  {one['id']:40} {one['points']:>5}  {one['name']} ({one['edition']})")
    if page["books"]:
        typer.echo("\nYour books")
        for one in page["books"]:
            typer.echo(f"  {one['id']:40} {one['name']} {one['version']} ({one['system']})")
    for problem in page["problems"]:
        typer.echo(f"\ncannot be read: {problem}")


def list_page(army: ArmyList, books: Sequence[Book], remarks: Sequence[Remark]) -> Page:
    """A list unit by unit."""
    known = books_of(army, books)
    units = []
    for entry in army.entries:
        loadout = loadout_of(army, entry, known)
        unit_page: Page = {
            "id": entry.id,
            "name": entry.name,
            "unit": entry.unit,
            "unit_id": entry.unit,
            "joins": entry.joins,
        }
        if loadout is not None:
            words = printed(loadout)
            unit_page |= {
                "unit": loadout.unit.name,
                "size": loadout.size,
                "quality": loadout.unit.quality,
                "defense": loadout.unit.defense,
                "cost": loadout.cost,
                "rules": list(words.rules),
                "bought": dict(words.bought),
                "weapons": dict(words.weapons),
            }
        units.append(unit_page | {"combined": entry.is_combined, "note": entry.note})
    return {
        "name": army.name,
        "edition": army.edition,
        "points": army.points,
        "cost": sum(unit.get("cost", 0) for unit in units),
        "books": [{"id": ref.id, "name": ref.name, "version": ref.version} for ref in army.books],
        "note": army.note,
        "units": units,
        "rules": rule_texts(army, known),
        "remarks": remark_data(remarks),
    }


def rule_texts(army: ArmyList, known: Mapping[str, Book]) -> list[dict[str, Any]]:
    """The rules of a list that its books explain, with their texts and whether they are played."""
    found: dict[str, dict[str, Any]] = {}
    sources = [known[name] for name in dict.fromkeys(map(army.book_of, army.entries)) if name in known]
    for _, rules, weapons in printed_models(army, known):
        for rule in (*rules, *(rule for weapon in weapons for rule in weapon.rules)):
            for source in sources:
                standing = standing_of(source, army.edition, rule.name)
                if standing.text and rule.name not in found:
                    found[rule.name] = {
                        "name": rule.name,
                        "text": standing.text,
                        "played": standing.is_played,
                    }
    return [found[name] for name in sorted(found)]


def print_rule_texts(rules: Sequence[Mapping[str, Any]]) -> None:
    if rules:
        typer.echo("\nRules")
    for rule in rules:
        how = "" if rule["played"] else " (not played)"
        typer.echo(f"  {rule['name']}{how}: {rule['text']}")


def remark_data(remarks: Sequence[Remark]) -> list[dict[str, str]]:
    return [{"kind": remark.kind, "text": remark.text} for remark in remarks]


def print_list(page: Page) -> None:
    books = ", ".join(f"{ref['name'] or ref['id']} {ref['version']}".strip() for ref in page["books"])
    known = "; ".join(filter(None, (books, page["edition"])))
    typer.echo(f"{page['name']}  ({known})  {points_text(page)}")
    if page["note"]:
        typer.echo(page["note"])
    names = {unit["id"]: unit["name"] or unit["unit"] for unit in page["units"]}
    for unit in page["units"]:
        typer.echo("")
        print_unit(unit, names)
    print_rule_texts(page["rules"])
    print_remarks(page["remarks"])


def points_text(page: Page) -> str:
    """What a list costs, and out of how many points if the size is known."""
    return f"{page['cost']} of {page['points']} points" if page["points"] else f"{page['cost']} points"


def print_unit(unit: Page, names: Mapping[str, str]) -> None:
    name = f"{unit['name']}, {unit['unit']}" if unit["name"] else unit["unit"]
    if "size" not in unit:
        typer.echo(f"{name}: no imported book has this unit")
        return
    how = " (two copies combined)" if unit["combined"] else ""
    head = f"{name} [{unit['size']}]{how}  Q{unit['quality']}+ D{unit['defense']}+"
    typer.echo(f"{head:70} {unit['cost']:>5}")
    typer.echo(f"  id {unit['id']}, unit {unit['unit_id']}")
    if unit["joins"]:
        typer.echo(f"  joins {names.get(unit['joins'], unit['joins'])}")
    weapons = ", ".join(text if count == 1 else f"{count}x {text}" for text, count in unit["weapons"].items())
    bought = [text if unit["size"] == 1 else f"{count}x {text}" for text, count in unit["bought"].items()]
    for line in (weapons, ", ".join([*unit["rules"], *bought]), unit["note"]):
        if line:
            typer.echo(f"  {line}")


def print_remarks(remarks: Sequence[Mapping[str, str]]) -> None:
    if remarks:
        typer.echo("\nAbout this file")
        for remark in remarks:
            typer.echo(f"  {remark['kind']}: {remark['text']}")


def carried_words(line: Carried) -> str:
    """What the models of a unit carry: `2x Knife (A1)` for each, `Bow (24", A1) on 3 models`."""
    how_many = f"{line.count}x " if line.count > 1 else ""
    on_whom = f" on {counted(line.models, 'model')}" if line.models else ""
    return f"{how_many}{describe(line.what)}{on_whom}"


def book_page(book: Book, remarks: Sequence[Remark] = ()) -> Page:
    """A book with everything it offers, prices included."""
    return {
        "id": book.id,
        "name": book.name,
        "version": book.version,
        "system": book.system,
        "about": book.about,
        "units": [
            {
                "id": unit.id,
                "name": unit.name,
                "size": unit.size,
                "quality": unit.quality,
                "defense": unit.defense,
                "cost": unit.cost,
                "equipment": [carried_words(line) for line in unit.equipment],
                "rules": [describe_rule(rule) for rule in unit.rules],
                "upgrades": [
                    {
                        "label": section.label,
                        "options": [
                            {"id": option.id, "name": option.name, "cost": option.price(unit.id)}
                            for option in section.options
                        ],
                    }
                    for section in book.sections_of(unit)
                ],
            }
            for unit in book.units
        ],
        "spells": [{"name": one.name, "cost": one.cost, "text": one.text} for one in book.spells],
        "rules": [
            {
                "name": rule.name,
                "text": rule.text,
                "played": standing_of(book, edition_of(book), rule.name).is_played,
            }
            for rule in book.rules
        ],
        "remarks": remark_data(remarks),
    }


def print_book(page: Page) -> None:
    known = (f"version {page['version']}" if page["version"] else "", page["system"])
    typer.echo(f"{page['name']}  ({', '.join(filter(None, known)) or 'of no game'})")
    if page["about"]:
        typer.echo(page["about"])
    for unit in page["units"]:
        head = f"{unit['name']} [{unit['size']}]  Q{unit['quality']}+ D{unit['defense']}+"
        typer.echo(f"\n{head:70} {unit['cost']:>5}")
        typer.echo(f"  unit {unit['id']}")
        for line in (unit["equipment"], unit["rules"]):
            if line:
                typer.echo(f"  {', '.join(line)}")
        for section in unit["upgrades"]:
            offers = ", ".join(
                f"{option['name']} +{option['cost']} ({option['id']})" for option in section["options"]
            )
            typer.echo(f"    {section['label']}: {offers}")
    if page["spells"]:
        typer.echo("\nSpells")
    for spell in page["spells"]:
        typer.echo(f"  {spell['name']} ({spell['cost']}): {spell['text']}")
    print_rule_texts(page["rules"])
    print_remarks(page["remarks"])


def check_page(checked: Checked, remarks: Sequence[Remark]) -> Page:
    """The problems that a check found."""
    return {
        "name": checked.name,
        "edition": checked.edition,
        "legal": checked.is_legal,
        "cost": checked.cost,
        "points": checked.points,
        "findings": [{"level": one.level, "text": one.text, "row": one.row} for one in checked.findings],
        "remarks": remark_data(remarks),
    }


def repair_data(repairs: Sequence[Repair]) -> list[Page]:
    """Repairs with the problems they solve."""
    return [{"problem": one.problem, "repair": one.words} for one in repairs]


def print_check(page: Page) -> None:
    verdict = "legal" if page["legal"] else "not legal"
    typer.echo(f"{page['name']} ({page['edition']}): {verdict}, {points_text(page)}")
    for one in page["findings"]:
        row = f" ({one['row']})" if one["row"] else ""
        typer.echo(f"  {MARKS[one['level']]} {one['text']}{row}")
        for mend in page.get("repairs", ()):
            if mend["problem"] == one["text"]:
                typer.echo(f"      repair: {mend['repair']}")
    if page.get("repairs"):
        typer.echo("  apply these repairs with `shieldwall army repair`")
    reported = ("kept as text", "missing")  # already reported by the check
    print_remarks([remark for remark in page["remarks"] if remark["kind"] not in reported])


def points_page(army: ArmyList, books: Sequence[Book]) -> Page:
    """What each unit costs, item by item."""
    known = books_of(army, books)
    units = []
    for entry in army.entries:
        loadout = loadout_of(army, entry, known)
        if loadout is not None:
            bought = [{"name": one.name, "cost": one.price(loadout.unit.id)} for _, one in loadout.bought]
            copies = 2 if entry.is_combined else 1
            base = {"name": loadout.unit.name, "copies": copies, "cost": loadout.unit.cost * copies}
            units.append(
                {"id": entry.id, "name": entry.name or loadout.unit.name, "cost": loadout.cost}
                | {"base": base, "upgrades": bought}
            )
        else:
            units.append({"id": entry.id, "name": entry.name or entry.unit, "cost": None})
    total = sum(unit["cost"] or 0 for unit in units)  # type: ignore[misc]
    return {"name": army.name, "total": total, "stated": army.stated, "points": army.points, "units": units}


def print_points(page: Page) -> None:
    for unit in page["units"]:
        if unit["cost"] is None:
            typer.echo(f"{unit['name']:60}     ?  (in no imported book)")
            continue
        typer.echo(f"{unit['name']:60} {unit['cost']:>5}")
        base = unit["base"]
        if unit["upgrades"] or base["copies"] > 1:
            copies = f"{base['copies']}x " if base["copies"] > 1 else ""
            typer.echo(f"    {copies + base['name']:56} {base['cost']:>5}")
        for one in unit["upgrades"]:
            typer.echo(f"    {one['name']:56} {one['cost']:>5}")
    typer.echo(f"{'total':60} {page['total']:>5}")
    if page["stated"] and page["stated"] != page["total"]:
        typer.echo(f"{'the list says':60} {page['stated']:>5}")


def exported(army: ArmyList, books: Sequence[Book], form: str) -> str:
    """A list in one of the export formats."""
    known = books_of(army, books)
    match form:
        case "forge":
            return export_file(army, known)
        case "text":
            return list_text(army, known)
        case "shieldwall":
            return write_list(army)
    raise ArmyFileError(f"there is no format {form!r}; there are: forge, text, shieldwall")


def import_page(found: Imported, kept: Sequence[str], dry: bool = False) -> Page:
    """What was imported, with all remarks."""
    page: Page = {"list": None, "books": [f"{one.name} {one.version}".strip() for one in found.books]}
    if found.army is not None:
        page["list"] = list_page(found.army, found.books, ())
        played = rules_played(found.army, found.books)
        page["rules"] = {"of": played.of, "played": played.played, "unplayed": list(played.unplayed)}
    return page | {"kept": list(kept), "dry": dry, "remarks": remark_data(found.remarks)}


def print_import(page: Page) -> None:
    army = page["list"]
    known = army is not None and all("cost" in unit for unit in army["units"])
    if army is not None:
        size = counted(len(army["units"]), "unit")
        cost = f"{army['cost']} points" if known else "points unknown without its book"
        typer.echo(f"{army['name']} ({army['edition']}): {size}, {cost}")
    if known:
        rules = page["rules"]
        told = (
            f"{rules['played']} of {rules['of']} rules are played"
            if rules["of"]
            else "it has no special rules"
        )
        typer.echo(told)
    for one in page["books"]:
        typer.echo(f"book: {one}")
    print_remarks(page["remarks"])
    for path in page["kept"]:
        typer.echo(f"saved as {path}")
    if army is not None and page["kept"]:
        name = shlex.quote(army["name"])
        play = f"shieldwall battle --army {name} --army {name}"
        first = (
            "play it:" if known else "import its book first (shieldwall army import BOOK.json), then play it:"
        )
        typer.echo(f"{first} {play}")
    if not page["kept"]:
        typer.echo(
            "nothing was saved: " + ("a dry run" if page["dry"] else "it comes with Shieldwall anyway")
        )
