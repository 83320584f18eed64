"""Options that several commands share, each with one meaning and one line of help. Nothing here loads the engine."""

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
        help=f"The rulebook: {EDITION_NAMES}. That of the lists, or {DEFAULT_EDITION}, if left out.",
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
        help="A house rule. Once: both lists play by it. Twice with one name: the two values are compared.",
    ),
]
Books = Annotated[
    list[str] | None,
    typer.Option(
        "--book", metavar="FILE", help="A file with an army book that a list needs; may be repeated."
    ),
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
        help=f"The bots, with commas between them: {BOT_NAMES}.",
    ),
]
Games = Annotated[int, typer.Option("--games", min=1, metavar="GAMES", help="How many games.")]
PairedGames = Annotated[
    int,
    typer.Option(
        "--games", min=2, metavar="GAMES", help="How many games of each meeting; two for each table."
    ),
]
Seed = Annotated[int, typer.Option("--seed", metavar="SEED", help="The first seed.")]
Workers = Annotated[int, typer.Option("--workers", min=0, metavar="N", help="Processes; 0: one a processor.")]
Cluster = Annotated[
    str, typer.Option("--cluster", metavar="HOST:PORT", help="Play on the Dask scheduler there.")
]
Results = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help="Keep every game there, and go on with it next time: .parquet, .csv or .jsonl.",
    ),
]
Report = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE.html",
        help="Write a page there, with .json and .parquet beside it; the same command goes on where it stopped.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
