"""Options shared by several commands, one by one and in groups. Nothing here loads the engine."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from shieldwall.cli.groups import BOT_NAMES, EDITION_NAMES, complete_bots, complete_edition

if TYPE_CHECKING:
    from shieldwall.lab.games import Options
    from shieldwall.lab.series import Runner, SeriesPlan, Tell

DEFAULT_EDITION = "regiments-3.5"
SWITCHES = "`shieldwall rules switches` lists them"


def edition_option(help: str, show_default: bool = False) -> Any:
    """An option for an edition, or for several."""
    return typer.Option(
        "--edition",
        "-e",
        metavar="EDITION",
        autocompletion=complete_edition,
        help=help,
        show_default=show_default,
    )


Edition = Annotated[
    str,
    edition_option(f"The rulebook: {EDITION_NAMES}. By default that of the lists, or {DEFAULT_EDITION}."),
]
OneEdition = Annotated[str, edition_option(f"The rulebook: {EDITION_NAMES}.", show_default=True)]
OnlyEdition = Annotated[str, edition_option(f"Only this edition: {EDITION_NAMES}.")]
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


Database = Annotated[
    str,
    typer.Option("--db", metavar="URL", help="Where games are stored: sqlite:///path or postgresql://..."),
]


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameters may be groups of options: dataclasses with one field for each option."""
    hints = get_type_hints(command, include_extras=True)
    parameters: list[inspect.Parameter] = []
    groups: dict[str, Any] = {}
    for parameter in inspect.signature(command).parameters.values():
        hint = hints[parameter.name]
        if is_dataclass(hint):
            groups[parameter.name] = hint
            parameters += _parameters_of(hint)
        else:
            parameters.append(parameter.replace(annotation=hint))

    def run(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _parameters_of(group: Any) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(group)
    ]


@dataclass(frozen=True)
class GameOptions:
    """What a game between bots is played with."""

    edition: Edition = ""
    mission: Mission = ""
    rule: HouseRules = None
    book: Books = None


@dataclass(frozen=True)
class RunOptions:
    """How a series of games between bots is played and saved."""

    seed: Seed = 1
    workers: Workers = 0
    cluster: Cluster = ""
    out: Results = None

    def runner(self, tell: "Tell") -> "Runner":
        """Where the games are played."""
        from shieldwall.lab.series import Runner

        return Runner(out=self.out, workers=self.workers, cluster=self.cluster, tell=tell)


@dataclass(frozen=True)
class SeriesOptions:
    """How a series of games between lists is played and reported."""

    bot: Bot = "solo"
    seed: Seed = 1
    mission: Mission = ""
    workers: Workers = 0
    cluster: Cluster = ""
    report: Report = None
    json: AsJson = False

    def plan(self, games: int, options: "Options" = ()) -> "SeriesPlan":
        """What the games are played with."""
        from shieldwall.lab.series import SeriesPlan

        return SeriesPlan(bot=self.bot, games=games, seed=self.seed, options=options, mission=self.mission)

    def runner(self, tell: "Tell") -> "Runner":
        """Where the games are played; finished ones are saved next to the report."""
        from shieldwall.lab.reports import check_place, journal_of
        from shieldwall.lab.series import Runner

        check_place(self.report)
        out = journal_of(self.report)
        return Runner(out=out, workers=self.workers, cluster=self.cluster, tell=tell)


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
