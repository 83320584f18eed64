"""`shieldwall rules switches`: the house rules of each edition, for the terminal or as `docs/rulings.md`."""

from typing import TYPE_CHECKING, Annotated

import typer

from shieldwall.cli.options import OnlyEdition

if TYPE_CHECKING:
    from shieldwall.rulebook.house_rules import HouseRule

USAGE_ERROR = 2


def switches(
    edition: OnlyEdition = "",
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the page docs/rulings.md.")] = False,
) -> None:
    """List the rulings that players can change, with their defaults and alternatives."""
    from shieldwall.armies.finding import original_of
    from shieldwall.editions import known_editions
    from shieldwall.rulebook import UnknownEditionError, editions

    if edition and edition not in known_editions():
        typer.echo(f"shieldwall: {UnknownEditionError(edition)}", err=True)
        raise typer.Exit(USAGE_ERROR)
    listed = (original_of(edition),) if edition else editions()
    if markdown:
        typer.echo(markdown_page(listed), nl=False)
    else:
        print_switches(listed)


def print_switches(editions: tuple[str, ...]) -> None:
    """One paragraph per switch, by edition; a star marks the default."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from shieldwall.rulebook import book
    from shieldwall.rulebook.house_rules import house_rules

    console = Console(highlight=False)
    for edition in editions:
        console.print(Text(f"{book(edition).title}  [{edition}]", style="bold underline"))
        for rule in house_rules(edition):
            rows = ", ".join(rows_in(rule, edition))
            console.print(Text.assemble("\n", (rule.name, "bold cyan"), f"  {rule.question} ({rows})"))
            choices = Table.grid(padding=(0, 2, 0, 0))
            choices.add_column(no_wrap=True)
            for choice in rule.choices:
                mark = "*" if choice.value == rule.default else " "
                choices.add_row(Text(f"  {mark} {choice.value}"), Text(choice.meaning))
            console.print(choices)
        console.print()


def markdown_page(editions: tuple[str, ...]) -> str:
    """The whole page of rulings, with every switch described once and an index by edition."""
    from shieldwall.rulebook.house_rules import every_house_rule

    by_name: dict[str, list[HouseRule]] = {}
    for rule in every_house_rule():
        if any(edition in editions for edition in rule.editions):
            by_name.setdefault(rule.name, []).append(rule)
    blocks = [INTRODUCTION, *(index_of(edition) for edition in editions), "## The switches"]
    blocks += [described(rules, editions) for rules in by_name.values()]
    return "\n\n".join(blocks) + "\n"


INTRODUCTION = """\
# Rulings and house rules

<!-- Written by `shieldwall rules switches --markdown > docs/rulings.md`. Change the data, not this page. -->

Where a rulebook is silent or ambiguous, Shieldwall has a ruling. Disputed rulings are switches: agree on them before
the game. To change one, use `--set NAME=VALUE` in a command, `house_rules` in a scenario file or in Python, or
**More…** on the first page in the browser. Switches you do not set keep their default. `shieldwall rules show ID`
prints the rule with an id."""


def index_of(edition: str) -> str:
    """The switches of one edition as a table."""
    from shieldwall.rulebook import book
    from shieldwall.rulebook.house_rules import house_rules

    lines = [
        f"## {book(edition).title} (`{edition}`)",
        "",
        "| switch | default | other values |",
        "|---|---|---|",
    ]
    for rule in house_rules(edition):
        others = ", ".join(f"`{value}`" for value in rule.values if value != rule.default)
        lines.append(f"| [{rule.name}](#{rule.name}) | `{rule.default}` | {others} |")
    return "\n".join(lines)


def described(rules: "list[HouseRule]", editions: tuple[str, ...]) -> str:
    """One switch: its question, its values, and our ruling on each row it affects."""
    from shieldwall.rulebook import row

    lines = [f"### {rules[0].name}", "", rules[0].question, ""]
    lines += [f"- `{choice.value}`: {choice.meaning}" for choice in rules[0].choices]
    lines.append("")
    for rule in rules:
        for edition in (own for own in rule.editions if own in editions):
            for row_id in rows_in(rule, edition):
                lines.append(f"> **{row_id}** (default `{rule.default}`): {row(row_id).ruling}")
                lines.append(">")
    return "\n".join(lines[:-1])


def rows_in(rule: "HouseRule", edition: str) -> tuple[str, ...]:
    """The rows of one edition that a switch affects."""
    from shieldwall.rulebook import edition_of

    return tuple(row_id for row_id in rule.edition_rows if edition_of(row_id) == edition)
