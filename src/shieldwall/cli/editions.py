"""`shieldwall rules editions`: the books side by side, for the terminal or as `docs/editions.md`.

Nothing about any book is written here: numbers, steps and rules come from the rulesets, descriptions from docstrings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

if TYPE_CHECKING:
    from shieldwall.core.engine import Step
    from shieldwall.rules.ruleset import Ruleset

NONE = "–"
LETTERS = "abcdefgh"
PER_INCH, PER_DEGREE = 1000, 100
NO_LIMIT = 48

PROCEDURES = (
    ("game", "Before the first round"),
    ("round", "A round"),
    ("arrival", "Units from off the table"),
    ("activation", "An activation"),
    ("move.advance", "A move"),
    ("shoot", "Shooting"),
    ("attack", "An attack, from dice to casualties"),
    ("melee", "A charge and its melee"),
    ("morale", "A morale test"),
    ("casting", "Casting a spell"),
    ("closing", "The end of a round"),
)


def editions(
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the page docs/editions.md.")] = False,
) -> None:
    """Compare the rulebooks side by side: numbers, the sequence of play, special rules."""
    page = editions_page()
    if markdown:
        typer.echo(page, nl=False)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(page))


def editions_page() -> str:
    """The whole page."""
    from shieldwall.editions import EDITIONS, ruleset

    books = [ruleset(name) for name in EDITIONS]
    parts = [HEAD, table(heads(books), [numbers_of(books)])]
    parts += ["## The sequence of play", STEPS_HEAD]
    for procedure, title in PROCEDURES:
        parts += [f"### {title}", *compared(books, steps_in(books, procedure))]
    parts += ["## Special rules", RULES_HEAD, *compared(books, rules_in(books))]
    return "\n\n".join(parts) + "\n"


HEAD = """# The editions side by side

<!-- Written by `shieldwall rules editions --markdown > docs/editions.md`. Change the rulesets, not this page. -->

Where the five books agree and where they differ, as the engine plays them. **Bold** marks a row in which they differ;
a dash means that a book has no such thing. [Rulings](rulings.md) that players may change are on their own page.

## Numbers"""

STEPS_HEAD = """Each line is a step, in the order of the first book that has it. Where books handle a step
differently, letters distinguish the variants, which are explained below the table."""

RULES_HEAD = (
    "Rules of the same name may do different things: letters distinguish them, with the row of each book."
)


# --- numbers ---


class Number(NamedTuple):
    """A constant of the books: its label, how to read it, and which books it applies to."""

    words: str
    read: Callable[[Any], str]
    applies: Callable[[Ruleset], bool]


def heads(books: Sequence[Ruleset]) -> list[tuple[str, ...]]:
    """The head of a table: the short names of the books."""
    return [("", *(book.title.removeprefix("Age of Fantasy: ") for book in books))]


def inches(value: int) -> str:
    """A length; one as long as a table means no limit."""
    return "any" if value >= NO_LIMIT * PER_INCH else f'{value / PER_INCH:g}"'


def count(value: int) -> str:
    """A count, or "any"."""
    return "any" if value >= NO_LIMIT else str(value)


def degrees(value: int) -> str:
    """An angle."""
    return f"{value / PER_DEGREE:g}°"


def plain(value: object) -> str:
    """A number or a word, unchanged."""
    return str(value)


def at_least(value: int) -> str:
    """A target number."""
    return f"{value}+"


def yes_no(value: bool) -> str:
    """Yes or no."""
    return "yes" if value else "no"


def always(book: Ruleset) -> bool:
    return True


def ranked(book: Ruleset) -> bool:
    return book.policies.uses_blocks()


def loose(book: Ruleset) -> bool:
    return not ranked(book)


def falls(book: Ruleset) -> bool:
    return "fall" in book.procedures


def separated(book: Ruleset) -> bool:
    return ranked(book) or falls(book)


def tokens(book: Ruleset) -> bool:
    return any(step.name == "cast.pay" for step in book.procedures.get("casting", ()))


def auras(book: Ruleset) -> bool:
    return any(binding.rule.scope == "aura" for binding in book.specials.bindings.values())


def late_moves(book: Ruleset) -> bool:
    names = {step.name for step in book.procedures["game"]}
    return bool(names & {"deploy.late_move", "deploy.vanguard_move"}) or ranked(book)


def far_shots(book: Ruleset) -> bool:
    from shieldwall.editions.skirmish_3_2.special_rules import StealthByShooter
    from shieldwall.rules.special.hitting import Stealth

    rules = {binding.rule for binding in book.specials.bindings.values()}
    return bool(rules & {Stealth, StealthByShooter})


NUMBERS: Mapping[str, Number] = {
    "table": Number("table", lambda value: f"{value[0] / PER_INCH:g} x {value[1] / PER_INCH:g}", always),
    "rounds": Number("rounds", plain, always),
    "points_starter": Number("points of a starter game", plain, always),
    "points_full": Number("points of a full game", plain, always),
    "terrain_min": Number("pieces of terrain, at least", plain, always),
    "terrain_advised": Number("pieces of terrain, recommended", plain, always),
    "deploy_depth": Number("depth of deployment zones", inches, always),
    "army_separation": Number("between the zones, at least", inches, separated),
    "marker_gap_over": Number("markers apart, over", inches, always),
    "seize_within": Number("markers seized within", inches, always),
    "control_lasts": Number("control lasts when no unit is near", yes_no, always),
    "advance": Number("Advance", inches, always),
    "rush": Number("Rush", inches, always),
    "charge": Number("Charge", inches, always),
    "spacing": Number("distance to other units", inches, always),
    "half_moves": Number("sideways and backwards at half pace", yes_no, ranked),
    "pivot_hold": Number("turn on Hold", degrees, ranked),
    "pivot_move": Number("turn in a move", degrees, ranked),
    "pivot_idle": Number("turn while idle", degrees, ranked),
    "pivot_survivor": Number("turn of the survivor of a melee", degrees, ranked),
    "striking_rows": Number("rows that strike", plain, ranked),
    "coherency_link": Number("coherency: to the next model", inches, loose),
    "coherency_spread": Number("coherency: across the unit", inches, loose),
    "coherency_shape": Number("coherency: shape", plain, loose),
    "mates_obstruct": Number("models of a unit obstruct each other", yes_no, loose),
    "strike_reach": Number("models strike within", inches, loose),
    "react": Number("charged units move into contact by", inches, loose),
    "survivor_move": Number("move of the survivor of a melee", inches, always),
    "separate": Number("chargers step back", inches, always),
    "difficult_cap": Number("maximum move in difficult terrain", inches, always),
    "climb_free": Number("heights climbed for free, up to", inches, always),
    "climb_max": Number("heights that can be climbed, up to", inches, always),
    "gap_walk": Number("gaps that can be stepped over, up to", inches, always),
    "jump_max": Number("longest leap", inches, falls),
    "jump_target": Number("leap succeeds on", at_least, falls),
    "fall_hurts_from": Number("falls cause damage from", inches, falls),
    "fall_place_within": Number("fallen models are placed within", inches, falls),
    "push_target": Number("push succeeds on", at_least, falls),
    "push_within": Number("longest push", inches, falls),
    "long_range_over": Number("long-range shots, over", inches, far_shots),
    "split_targets": Number("targets of one unit's fire, at most", count, always),
    "token_cap": Number("spell tokens, at most", plain, tokens),
    "cast_target": Number("spells succeed on", at_least, tokens),
    "meddle_within": Number("models affect others' spells within", inches, always),
    "aura_within": Number("auras reach", inches, auras),
    "ambush_from_round": Number("ambushers arrive from round", plain, always),
    "ambush_enemy_over": Number("ambushers from enemies, over", inches, always),
    "ambush_edge_within": Number("ambushers within this of an edge", inches, ranked),
    "scout_within": Number("scouts move or deploy ahead", inches, late_moves),
}


def numbers_of(books: Sequence[Ruleset]) -> list[tuple[str, ...]]:
    """A line for each constant; bold where books disagree."""
    lines = []
    for field, number in NUMBERS.items():
        cells = [
            number.read(getattr(book.constants, field)) if number.applies(book) else NONE for book in books
        ]
        lines.append((bold(number.words, len(set(cells)) > 1), *cells))
    return lines


# --- steps and rules ---


class ComparisonRow(NamedTuple):
    """A step or rule: the class that plays it in each book (None if missing), and a note."""

    name: str
    kinds: tuple[type | None, ...]
    notes: tuple[str, ...]


def steps_in(books: Sequence[Ruleset], procedure: str) -> list[ComparisonRow]:
    """The steps of a procedure in all books, in an order that fits each of them as far as possible."""
    named = [{step.name: type(step) for step in all_steps(book, procedure)} for book in books]
    order: list[str] = []
    for steps in named:
        at = 0
        for name in steps:
            if name in order:
                at = order.index(name) + 1
            else:
                order.insert(at, name)
                at += 1
    blank = ("",) * len(books)
    return [ComparisonRow(spelled(name), tuple(steps.get(name) for steps in named), blank) for name in order]


def all_steps(book: Ruleset, procedure: str) -> Iterator[Step[Any]]:
    """The steps of a procedure, with those of the mission set-up if a book has them separately."""
    for step in book.procedures.get(procedure, ()):
        yield step
        if step.name == "setup.mission_markers":
            yield from book.procedures["markers"]


def spelled(name: str) -> str:
    """The name of a step."""
    return name.replace(".", ": ").replace("_", " ")


def rules_in(books: Sequence[Ruleset]) -> list[ComparisonRow]:
    """The special rules of all books by name, without those granted by spells."""
    from shieldwall.rules.special.granted_by_spells import LENT

    names = sorted({name for book in books for name in book.specials.bindings} - set(LENT))
    lines = []
    for name in names:
        bindings = [book.specials.bindings.get(name) for book in books]
        kinds = tuple(binding.rule if binding is not None else None for binding in bindings)
        lines.append(
            ComparisonRow(name, kinds, tuple(binding.cite if binding else "" for binding in bindings))
        )
    return lines


def compared(books: Sequence[Ruleset], lines: Sequence[ComparisonRow]) -> list[str]:
    """A table with a letter for each variant, and a list of what the letters mean."""
    rows, meanings = [], []
    for line in lines:
        ways = list(dict.fromkeys(kind for kind in line.kinds if kind is not None))
        letters = dict(zip(ways, LETTERS, strict=False)) if len(ways) > 1 else dict.fromkeys(ways, "x")
        cells = [
            NONE if kind is None else f"{letters[kind]} {note}".strip()
            for kind, note in zip(line.kinds, line.notes, strict=True)
        ]
        differs = len(ways) > 1 or None in line.kinds
        rows.append((bold(line.name, differs), *cells))
        about_each = "; ".join(
            f"{letters[way]}: {about(way)}" if len(ways) > 1 else about(way) for way in ways
        )
        meanings.append(f"- **{line.name}** {about_each}")
    return [table(heads(books), [rows]), "\n".join(meanings)]


def about(kind: type) -> str:
    """The first sentence of a class's docstring, without the full stop."""
    words = " ".join((kind.__doc__ or "").split("\n\n")[0].split())
    return words.removesuffix(".")


def bold(words: str, is_bold: bool) -> str:
    """The text, possibly in bold."""
    return f"**{words}**" if is_bold else words


def table(head: Sequence[Sequence[str]], bodies: Sequence[Sequence[Sequence[str]]]) -> str:
    """A table in Markdown."""
    lines = [f"| {' | '.join(cells)} |" for cells in head]
    lines.append("|" + "---|" * len(head[0]))
    lines += [f"| {' | '.join(cells)} |" for rows in bodies for cells in rows]
    return "\n".join(lines)
