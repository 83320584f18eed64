"""`shieldwall odds`: exact odds of an attack, a charge or a whole activation."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shieldwall.cli.groups import EDITION_NAMES
from shieldwall.cli.options import DEFAULT_EDITION, edition_option, with_options

if TYPE_CHECKING:
    from shieldwall.odds.api import Budget
    from shieldwall.odds.duel import Terms
    from shieldwall.odds.report import OddsReport

BETWEEN = ("vs", "vs.", "v", "against")
SCENES = (".yaml", ".yml")
CHARTS = (".svg", ".png", ".html")
QUICK_STATES = 2000  # larger fights are not computed again to see whether an option matters

WORDS = "ATTACKER vs TARGET, each a short line in quotes; or scenario files; or `luck` and the log of a game."
EDITIONS_HELP = f"{EDITION_NAMES}, or all; may be repeated. [default: {DEFAULT_EDITION}]"

Words = Annotated[list[str], typer.Argument(help=WORDS, metavar="WORDS", show_default=False)]
Editions = Annotated[list[str] | None, edition_option(EDITIONS_HELP)]


@dataclass(frozen=True)
class TermsOptions:
    """How two units meet."""

    charging: Annotated[
        bool | None,
        typer.Option("--charging/--shooting", help="Charge or shoot; by default whatever the weapons allow."),
    ] = None
    range: Annotated[
        float,
        typer.Option(
            "--range",
            min=0.0,
            metavar="INCHES",
            show_default=False,
            help='The distance of shots; by default 12", or the range of the weapon if shorter.',
        ),
    ] = 0
    arc: Annotated[
        str, typer.Option("--arc", metavar="SIDE", help="The charged side: front, flank or rear.")
    ] = "front"
    cover: Annotated[bool, typer.Option("--cover", help="The target is in cover.")] = False
    moved: Annotated[bool, typer.Option("--moved", help="The attacker moved before shooting.")] = False
    strike_back: Annotated[
        bool, typer.Option("--strike-back/--no-strike-back", help="Whether the target strikes back.")
    ] = True

    def terms(self) -> Terms:
        """The same for the engine."""
        from shieldwall.odds.duel import Terms

        return Terms(**asdict(self))


@dataclass(frozen=True)
class BudgetOptions:
    """How much may be spent on exact odds before games are sampled."""

    samples: Annotated[
        int,
        typer.Option(
            "--samples", min=100, metavar="GAMES", help="Games to play if there is too much to count exactly."
        ),
    ] = 10_000
    memory: Annotated[
        int,
        typer.Option(
            "--memory",
            min=0,
            metavar="MEGABYTES",
            help="Memory for exact odds; beyond it games are sampled. 0 always samples.",
        ),
    ] = 1024
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds",
            min=0.0,
            metavar="SECONDS",
            help="Time for the exact odds of one question; beyond it games are sampled, for at most as long again. "
            "0 means no limit.",
        ),
    ] = 60.0

    def budget(self) -> Budget:
        """The same for the engine."""
        from shieldwall.odds.api import Budget

        return Budget(**asdict(self))


AsScenario = Annotated[
    bool,
    typer.Option("--as-scenario", help="Print a scenario file for the short lines instead of odds."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, with exact fractions.")]
Chart = Annotated[
    Path | None,
    typer.Option("--chart", metavar="FILE", help="Also draw a chart: a .svg, .png or .html file."),
]


@with_options
def odds(
    words: Words,
    *,
    edition: Editions = None,
    how: TermsOptions,
    limits: BudgetOptions,
    as_scenario: AsScenario = False,
    as_json: AsJson = False,
    chart: Chart = None,
) -> None:
    """Exact odds of an attack between two units, of a scenario, or the luck of a recorded game.

    A short line has, in any order, the number of models (10x), Quality and Defense (Q4 D5; 4+ if omitted), the
    attacks (A2) and range (24") of one weapon, special rules, and complete weapons as lists print them: Great Axe
    (A2, AP(1)). Other models of the unit, or a joined hero, follow a plus: 10x A1 + 3x A2 AP(1), 10x A1 + Q3
    A4 Hero. A unit with a range shoots, others charge. Several attackers, targets or editions are compared side by
    side.

    \b
    shieldwall odds "10x Q4 A1 AP(1)" vs "10x D4 A1"
    shieldwall odds '10x Q4 24" A2' vs "10x D4" "5x D2 Tough(3)" --cover -e all
    shieldwall odds scene.yaml
    shieldwall odds luck battle.jsonl
    """
    _check_chart_path(chart)
    editions = edition or [DEFAULT_EDITION]
    if words[0] == "luck":
        _print_luck(words[1:], as_json)
    elif all(Path(word).suffix in SCENES for word in words):
        if edition or how != TermsOptions():
            typer.echo(
                "note: a scenario names its own edition and situation; the options given here are ignored",
                err=True,
            )
        _show_scenes(words, limits.budget(), as_json, chart)
    elif as_scenario:
        print_drafts(words, editions, how.terms())
    else:
        reports = duel_reports(words, editions, how.terms(), limits.budget())
        for note in notes_on(words, editions, how.terms(), reports):
            typer.echo(f"note: {note}", err=True)
        _show(reports, as_json, chart)


def _print_luck(logs: list[str], as_json: bool) -> None:
    from shieldwall.cli import odds_table
    from shieldwall.core.errors import ShieldwallError

    if not any(log.strip() for log in logs):
        raise ShieldwallError("luck needs the log of a game: shieldwall odds luck battle.jsonl")
    odds_table.print_luck([Path(log) for log in logs], as_json)


def _show_scenes(files: list[str], budget: Budget, as_json: bool, chart: Path | None) -> None:
    """The odds of scenario files; exits with 2 if any was refused."""
    from shieldwall.cli.odds_scene import scene_reports

    reports, refused = scene_reports([Path(file) for file in files], budget)
    _show(reports, as_json, chart)
    for problem in refused:
        typer.echo(f"shieldwall: {problem}", err=True)
    if refused:
        raise typer.Exit(2)


def print_drafts(words: list[str], editions: list[str], terms: Terms) -> None:
    """Every question as a scenario, in one file."""
    from shieldwall.cli.odds_draft import drafts
    from shieldwall.editions import ruleset
    from shieldwall.odds.duel import duel

    firsts, seconds = _split_at_vs(words)
    named = _named(editions)
    _check_lines([*firsts, *seconds], named)
    meetings = [
        duel(ruleset(edition), first, second, terms)
        for edition in named
        for first in firsts
        for second in seconds
    ]
    typer.echo(drafts(meetings), nl=False)


def _check_chart_path(chart: Path | None) -> None:
    from shieldwall.cli.outputs import require_file_path
    from shieldwall.core.errors import ShieldwallError

    if chart is not None and chart.suffix not in CHARTS:
        endings = ", ".join(CHARTS)
        raise ShieldwallError(f"a chart file ends with one of {endings}, not {chart.name!r}")
    require_file_path(chart, "the chart")


def _show(reports: list[OddsReport], as_json: bool, chart: Path | None) -> None:
    """Print the reports as a table or as JSON, and write a chart if requested."""
    from shieldwall.cli import odds_table

    if as_json:
        odds_table.print_json(reports)
    else:
        odds_table.print_reports(reports)
    if chart is not None:
        from shieldwall.cli.odds_chart import draw

        draw(reports, chart)
        typer.echo(f"chart: {chart}", err=True)


def duel_reports(words: list[str], editions: list[str], terms: Terms, budget: Budget) -> list[OddsReport]:
    """Every attacker against every target in every edition."""
    from msgspec.structs import replace

    from shieldwall.cli.waiting import Waiting
    from shieldwall.editions import ruleset
    from shieldwall.odds.duel import duel
    from shieldwall.odds.report import report

    firsts, seconds = _split_at_vs(words)
    named = _named(editions)
    _check_lines([*firsts, *seconds], named)
    found = []
    for edition in named:
        for first in firsts:
            for second in seconds:
                meeting = duel(ruleset(edition), first, second, terms)
                circumstances = terms.words(meeting.charging)
                title = f"{meeting.first.words} {'charges' if meeting.charging else 'shoots at'} {meeting.second.words}"
                title += f", {circumstances}" if circumstances else ""
                with Waiting() as waiting:
                    computed = report(meeting.odds(budget, waiting), title, (1, 0))
                named_units = replace(computed, attacker=meeting.first.words, target=meeting.second.words)
                found.append(replace(named_units, terms=circumstances))
    return found


def _check_lines(lines: list[str], editions: list[str]) -> None:
    """Report every problem with any line in any edition once."""
    from shieldwall.core.errors import MalformedError
    from shieldwall.editions import ruleset
    from shieldwall.odds.shorthand import read_shorthand

    blank = "{these editions}"  # so that the same problem in several editions reads the same
    faults: dict[str, dict[str, list[str]]] = {}
    for edition in editions:
        specials = ruleset(edition).specials
        for line in dict.fromkeys(lines):
            try:
                read_shorthand(line, specials, blank)
            except MalformedError as error:
                for problem in error.problems:
                    faults.setdefault(error.what, {}).setdefault(problem, []).append(edition)
    reported = {
        what: [problem.replace(blank, ", ".join(where)) for problem, where in problems.items()]
        for what, problems in faults.items()
    }
    if len(reported) == 1:
        raise MalformedError(*next(iter(reported.items())))
    if reported:
        raise MalformedError(
            "odds", [f"{what}: {one}" for what, problems in reported.items() for one in problems]
        )


def _named(editions: list[str]) -> list[str]:
    from shieldwall.editions import EDITIONS

    named = (one for edition in editions for one in (EDITIONS if edition == "all" else (edition,)))
    return list(dict.fromkeys(named))


def notes_on(words: list[str], editions: list[str], terms: Terms, reports: list[OddsReport]) -> list[str]:
    """Notes for the user: options without effect, and Defense that works the other way round."""
    from shieldwall.armies.overlay import overlays
    from shieldwall.editions import ruleset

    named = _named(editions)
    idle = idle_options(terms, reports)
    notes = [f"{option} has no effect here" for option in idle]
    for option, plain in _without_each(terms).items():
        if option not in idle:
            where = [one for one in named if _changes_nothing(words, one, terms, plain)]
            notes += [f"{option} has no effect here in {', '.join(where)}"] if where else []
    turned = [edition for edition in named if overlays()[ruleset(edition).like].wounds_on]
    if turned and len(turned) < len(named):
        notes.append(
            f"Defense works the other way round in {', '.join(turned)}: it is what the attacker rolls to "
            "wound, so the best is D6 there and D2 elsewhere; the same line is a different unit"
        )
    return notes


def _without_each(terms: Terms) -> dict[str, Terms]:
    """The terms without each given option, except the range."""
    from msgspec.structs import replace

    found = {
        "--cover": replace(terms, cover=False),
        "--moved": replace(terms, moved=False),
        "--arc": replace(terms, arc="front"),
        "--no-strike-back": replace(terms, strike_back=True),
    }
    return {option: plain for option, plain in found.items() if plain != terms}


def _changes_nothing(words: list[str], edition: str, terms: Terms, plain: Terms) -> bool:
    """Whether an option makes no difference to any fight of an edition; only checked if that is quick."""
    from shieldwall.editions import ruleset
    from shieldwall.odds.api import Budget
    from shieldwall.odds.duel import duel
    from shieldwall.odds.report import report

    quick = Budget(states=QUICK_STATES, samples=1, seconds=1.0)
    for first in _split_at_vs(words)[0]:
        for second in _split_at_vs(words)[1]:
            both = [duel(ruleset(edition), first, second, one).odds(quick) for one in (terms, plain)]
            if not all(one.exact for one in both):
                return False
            with_it, without = (report(one, "", (1, 0)).units for one in both)
            if with_it != without:
                return False
    return True


def idle_options(terms: Terms, reports: list[OddsReport]) -> list[str]:
    """Given options that do not apply: those for shooting in a charge, or the other way round."""
    charges = {" charges " in found.title for found in reports}
    of_shots = {"--range": bool(terms.range), "--cover": terms.cover, "--moved": terms.moved}
    of_charges = {"--arc": terms.arc != "front", "--no-strike-back": not terms.strike_back}
    idle = (of_shots if False not in charges else {}) | (of_charges if True not in charges else {})
    return [option for option, is_given in idle.items() if is_given]


def _split_at_vs(words: list[str]) -> tuple[list[str], list[str]]:
    """The attackers and the targets: what is before and after `vs`."""
    from shieldwall.core.errors import MalformedError

    if len(words) == 1:  # everything in one pair of quotes
        words = [part for part in re.split(r"(?i)\s+(vs\.?|v|against)\s+", words[0]) if part]
    places = [place for place, word in enumerate(words) if word.casefold() in BETWEEN]
    camps = (words[: places[0]], words[places[0] + 1 :]) if len(places) == 1 else ([], [])
    if not all(camps):
        expected = "ATTACKER vs TARGET, each in quotes: '10x Q4 A1 AP(1)' vs '10x D4 Tough(3)'"
        problem = f"{_why_not(words, places)}; expected {expected}, a scenario file, or `luck LOG`"
        raise MalformedError(f"odds of {' '.join(words)!r}", [problem])
    return _lines(camps[0]), _lines(camps[1])


def _why_not(words: list[str], places: list[int]) -> str:
    """What is wrong with words that are not ATTACKER vs TARGET."""
    if not places:
        return "there is no `vs` in it, so it names no target" if words else "it is empty"
    if len(places) > 1:
        return f"`vs` occurs {len(places)} times; list several targets after a single `vs`"
    return f"there is nothing {'before' if places[0] == 0 else 'after'} the `vs`"


def _lines(words: list[str]) -> list[str]:
    """The short lines of one side; words of an unquoted line are joined."""
    bits = [re.sub(r"[\d+(].*", "", word).casefold() for word in words if not word[:1].isdecimal()]
    sizes = [word for word in words if re.fullmatch(r"\d+[x×]", word)]
    is_cut = not any(re.search(r"\s", word) for word in words) and len(set(bits)) == len(bits)
    return [" ".join(words)] if is_cut and len(sizes) <= 1 else words
