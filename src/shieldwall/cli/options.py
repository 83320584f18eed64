"""Options shared by several commands. Nothing here loads the engine."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from shieldwall.cli.groups import BOT_NAMES, EDITION_NAMES, complete_bots, complete_edition

DEFAULT_EDITION = "regiments-3.5"
SWITCHES = "`shieldwall rules switches` lists them"

Edition = Annotated[
    str,
    typer.Option(
        "--edition",
        "-e",
        metavar="EDITION",
        autocompletion=complete_edition,
        help=f"The rulebook: {EDITION_NAMES}. By default that of the lists, or {DEFAULT_EDITION}.",
        show_default=False,
    ),
]
OnlyEdition = Annotated[
    str,
    typer.Option(
        "--edition",
        "-e",
        metavar="EDITION",
        autocompletion=complete_edition,
        help=f"Only this edition: {EDITION_NAMES}.",
        show_default=False,
    ),
]
HouseRules = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help=f"A house rule; {SWITCHES}. May be repeated."),
]
ComparedRules = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A house rule. Given once, it applies to both lists; given twice, its two values are compared.",
    ),
]
Books = Annotated[
    list[str] | None,
    typer.Option("--book", metavar="FILE", help="An army book that a list needs; may be repeated."),
]
Mission = Annotated[
    str, typer.Option("--mission", metavar="MISSION", help="duel, seize-ground, relic-hunt, ... or random.")
]
Bot = Annotated[
    str,
    typer.Option(
        "--bot",
        metavar="BOT",
        autocompletion=complete_bots,
        help=f"The bot that plays both sides: {BOT_NAMES}.",
    ),
]
Bots = Annotated[
    str,
    typer.Option(
        "--bots",
        metavar="BOT,BOT",
        autocompletion=complete_bots,
        help=f"Comma-separated bots: {BOT_NAMES}.",
    ),
]
Games = Annotated[int, typer.Option("--games", min=1, metavar="GAMES", help="The number of games.")]
PairedGames = Annotated[
    int,
    typer.Option(
        "--games", min=2, metavar="GAMES", help="The number of games per pairing, two on each table."
    ),
]
Seed = Annotated[int, typer.Option("--seed", metavar="SEED", help="The first seed.")]
Workers = Annotated[
    int,
    typer.Option("--workers", min=0, metavar="N", help="The number of processes; 0 for one per processor."),
]
Cluster = Annotated[str, typer.Option("--cluster", metavar="HOST:PORT", help="Play on this Dask cluster.")]
Results = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help="Save every game to a .parquet, .csv or .jsonl file; the same command later continues it.",
    ),
]
Report = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE.html",
        help="Write an HTML report, with .json and .parquet files next to it; the same command later continues it.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def house_rule_pairs(given: Iterable[str]) -> list[tuple[str, str]]:
    """Names and values of house rules from NAME=VALUE; every malformed one is reported."""
    from shieldwall.core.errors import MalformedError

    pairs = [tuple(part.strip() for part in one.partition("=")) for one in given]
    problems = [
        f"{''.join(parts)!r} is not of the form NAME=VALUE, such as force-organisation=on"
        for parts in pairs
        if not all(parts)
    ]
    if problems:
        raise MalformedError("--set", problems)
    return [(name, value) for name, _, value in pairs]


def house_rules_of(edition: str, given: Iterable[str]) -> dict[str, str]:
    """House rules from NAME=VALUE, checked against an edition; raises one error with every problem."""
    from shieldwall.core.errors import ShieldwallError
    from shieldwall.editions import ruleset
    from shieldwall.rulebook.house_rules import check

    settings = dict(house_rule_pairs(given))
    problems = check(ruleset(edition).like, settings) if settings else []
    if problems:
        raise ShieldwallError("; ".join(problems))
    return settings
