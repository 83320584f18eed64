"""`shieldwall battle`: bots play a battle in the terminal, with every die and the rule behind it."""

from __future__ import annotations

import shlex
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from msgspec import Struct

from shieldwall.cli.groups import BOT_NAMES, complete_bots
from shieldwall.cli.options import DEFAULT_EDITION, GameOptions, Games, house_rules_of, with_options
from shieldwall.cli.streams import plain_console
from shieldwall.core.errors import ShieldwallError

if TYPE_CHECKING:
    from rich.console import Console

    from shieldwall.armies import MusteredArmy
    from shieldwall.bots import MatchResult, Watcher
    from shieldwall.core.state import State
    from shieldwall.rules.ruleset import Ruleset

FAILED = 1
PROBLEMS_SHOWN = 10
SIDES = 2


class BotCountError(ShieldwallError):
    """The number of bots does not match the seats."""


@dataclass(frozen=True)
class BattleOptions:
    """How a battle is played, shown and saved."""

    seed: Annotated[
        int,
        typer.Option("--seed", metavar="SEED", help="Determines the table, the dice and the bots' choices."),
    ] = 1
    bots: Annotated[
        str,
        typer.Option(
            "--bots",
            metavar="BOT,BOT",
            autocompletion=complete_bots,
            help=f"One bot for all seats, or one for each: {BOT_NAMES}.",
        ),
    ] = "solo"
    log: Annotated[
        Path | None, typer.Option("--log", metavar="FILE", help="Save a log for `shieldwall replay`.")
    ] = None
    quiet: Annotated[bool, typer.Option("--quiet", help="Print only the result.")] = False
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FOLDER", help="Folder for a picture of each round.")
    ] = None
    table_every_round: Annotated[
        bool,
        typer.Option("--table-every-round/--no-table-every-round", help="Draw the table after each round."),
    ] = True
    games: Games = 1
    check: Annotated[bool, typer.Option("--check", help="Check the invariants after every answer.")] = False
    players: Annotated[
        int, typer.Option("--players", metavar="PLAYERS", help="2, or 4 and more for allies on both sides.")
    ] = 2
    army: Annotated[
        list[str] | None,
        typer.Option("--army", metavar="LIST", help="A list for each side; see `shieldwall army list`."),
    ] = None
    as_json: Annotated[bool, typer.Option("--json", help="Print only JSON: the result of every game.")] = (
        False
    )

    @property
    def is_brief(self) -> bool:
        """Whether only results are printed, not the story of the battle."""
        return self.quiet or self.as_json or self.games > 1


class BattleOrder(NamedTuple):
    """A battle to be played: its options, edition and armies, read once for all games."""

    game: GameOptions
    options: BattleOptions
    edition: str
    lists: tuple[MusteredArmy, ...] = ()

    def command(self, seed: int) -> str:
        """The command line that repeats the game with this seed."""
        game, options = self.game, self.options
        more = " --check" if options.check else ""
        more += f" --mission {game.mission}" if game.mission else ""
        more += f" --players {options.players}" if options.players != 2 else ""
        more += "".join(f" --set {rule}" for rule in game.rule or ())
        more += "".join(f" --army {shlex.quote(army)}" for army in options.army or ())
        more += "".join(f" --book {shlex.quote(book)}" for book in game.book or ())
        bots = shlex.quote(options.bots)
        return f"shieldwall battle --edition {self.edition} --seed {seed} --bots {bots}{more}"


class Played(NamedTuple):
    """One game: its result, how long it took, and which invariants were broken."""

    setup: State
    result: MatchResult
    seconds: float
    problems: tuple[str, ...]


class GameRecord(Struct, frozen=True):
    """One game as data. `winner` is the number of a side, or null for a draw; `held` counts markers by side."""

    seed: int
    command: str
    winner: int | None = None
    name: str = ""
    held: tuple[int, ...] = ()
    activations: int = 0
    answers: int = 0
    rolls: int = 0
    seconds: float = 0.0
    forfeit: str = ""
    broken: tuple[str, ...] = ()
    error: str = ""


@with_options
def battle(*, game: GameOptions, options: BattleOptions) -> None:
    """Watch bots play a battle. Exits with 1 if a game fails or is forfeited, or if an invariant is broken."""
    from shieldwall.cli.army import armies_for
    from shieldwall.cli.outputs import require_file_path, require_folder_path

    require_file_path(options.log, "the log")
    require_folder_path(options.svg, "the pictures")
    if options.svg is not None and options.is_brief:
        raise ShieldwallError(
            "--svg draws one battle as it is played: do not combine it with --quiet, --json or --games"
        )
    order = BattleOrder(game, options, game.edition or DEFAULT_EDITION)
    if options.army:
        edition, lists = armies_for(game.edition, options.army, DEFAULT_EDITION, game.book)
        order = BattleOrder(game, options, edition, lists)
    if play_order(order, plain_console()):
        raise typer.Exit(FAILED)


def play_order(order: BattleOrder, console: Console) -> bool:
    """Play the order; return whether anything went wrong."""
    options = order.options
    seeds = range(options.seed, options.seed + options.games)
    check_order(order, options.seed)
    if options.as_json:
        return play_for_programs(order, seeds)
    if options.games > 1:
        return play_many(order, seeds, console)
    played = play_one(order, options.seed, console)
    return bool(played.problems or played.result.forfeit)


def check_order(order: BattleOrder, seed: int) -> None:
    """Check bots, missions and settings before any game is played."""
    from shieldwall.bots import dismiss, policy

    _, setup = starting_state(order, seed)
    dismiss([policy(name, seed) for name in bots_for(order.options.bots, len(setup.seats))])


def play_one(order: BattleOrder, seed: int, console: Console) -> Played:
    """Play one battle and print the result."""
    played = play(order, seed, console)
    console.print()
    console.print(result_words(played, seed), style="bold", soft_wrap=True)
    print_problems(order, seed, played)
    return played


def play_for_programs(order: BattleOrder, seeds: range) -> bool:
    """Play a battle for each seed and print all results as JSON; return whether anything went wrong."""
    import msgspec

    records = [record_of(order, seed) for seed in seeds]
    won = Counter(-1 if one.winner is None else one.winner for one in records if not one.error)
    page = {
        "edition": order.edition,
        "bots": order.options.bots,
        "mission": order.game.mission,
        "armies": order.options.army or (),
        "games": len(records),
        "won": [won[side] for side in range(SIDES)],
        "drawn": won[-1],
        "failed": sum(bool(one.error) for one in records),
        "results": records,
    }
    typer.echo(msgspec.json.format(msgspec.json.encode(page)).decode())
    return any(one.error or one.broken or one.forfeit for one in records)


def record_of(order: BattleOrder, seed: int) -> GameRecord:
    """Play one battle and record its result, or why it failed."""
    from shieldwall.story import Names

    command = order.command(seed)
    try:
        played = play(order, seed, plain_console(stderr=True))
    except Exception as error:  # one failed game must not hide the others
        return GameRecord(seed, command, error=f"{type(error).__name__}: {error}")
    result = played.result
    state = result.state
    return GameRecord(
        seed,
        command,
        winner=None if result.winner < 0 else result.winner,
        name="" if result.winner < 0 else Names(played.setup).side(result.winner),
        held=tuple(sum(marker.holder == side for marker in state.markers) for side in range(SIDES)),
        activations=result.turns,
        answers=result.answers,
        rolls=result.rolls,
        seconds=round(played.seconds, 3),
        forfeit=result.forfeit,
        broken=played.problems,
    )


def play_many(order: BattleOrder, seeds: range, console: Console) -> bool:
    """Play a battle for each seed, one line each, and a summary; return whether anything went wrong."""
    wins: Counter[int] = Counter()
    broken: list[int] = []
    seconds = 0.0
    problems = plain_console(stderr=True)
    for seed in seeds:
        try:
            played = play(order, seed, console)
        except Exception as error:  # one failed game must not hide the others
            broken.append(seed)
            problems.print(
                f"seed {seed}: failed, {type(error).__name__}: {error}", style="red", soft_wrap=True
            )
            continue
        wins[played.result.winner] += 1
        seconds += played.seconds
        console.print(result_words(played, seed), soft_wrap=True)
        print_problems(order, seed, played)
        if played.problems or played.result.forfeit:
            broken.append(seed)
    print_summary(len(seeds), wins, broken, seconds, console)
    return bool(broken)


def play(order: BattleOrder, seed: int, console: Console) -> Played:
    """Play one battle; narrate, check and log it as ordered."""
    from shieldwall.bots import dismiss, play_game, policy
    from shieldwall.bots.invariants import Judge
    from shieldwall.cli.narrator import Narrator
    from shieldwall.dice import SeededDice
    from shieldwall.replay import Recorder, write_log

    rules, setup = starting_state(order, seed)
    policies = [policy(name, seed) for name in bots_for(order.options.bots, len(setup.seats))]
    dice = SeededDice.from_seed(seed)
    narrator = Narrator(console, setup, tables=order.options.table_every_round, pictures=order.options.svg)
    judge = Judge(rules)
    recorder = Recorder(rules, setup, [one.name for one in policies], dice.commitment)
    watchers: list[Watcher] = [] if order.options.is_brief else [narrator]
    watchers += [judge] if order.options.check else []
    watchers += [recorder] if order.options.log is not None else []
    if not order.options.is_brief:
        console.print(
            headline(rules, setup, [one.name for one in policies], seed), style="bold", soft_wrap=True
        )
    started = time.perf_counter()
    try:
        result = play_game(
            rules, setup, policies, dice, seed=seed, watchers=watchers, trusting=not order.options.check
        )
    except Exception:
        words = f"This game failed; repeat it with: {order.command(seed)}"
        plain_console(stderr=True).print(words, style="red", soft_wrap=True)
        raise
    finally:
        dismiss(policies)
    seconds = time.perf_counter() - started
    if not order.options.is_brief:
        narrator.ended(result.state)
    if order.options.log is not None:
        write_log(recorder.log(), log_path(order.options.log, seed, order.options.games))
    return Played(setup, result, seconds, tuple(judge.problems))


def starting_state(order: BattleOrder, seed: int) -> tuple[Ruleset, State]:
    """The ruleset and the starting state: the given or demo armies on a generated table."""
    from shieldwall.armies.demo import demo_setup
    from shieldwall.editions import ruleset

    setup = demo_setup(
        order.edition,
        seed,
        options=house_rules_of(order.edition, order.game.rule or ()),
        mission=order.game.mission,
        players=order.options.players,
        lists=order.lists,
    )
    return ruleset(order.edition), setup


def bots_for(names: str, seats: int) -> list[str]:
    """One bot for each seat; a single name is used for all."""
    given = [name.strip() for name in names.split(",")]
    if len(given) == 1:
        return given * seats
    if len(given) != seats:
        raise BotCountError(f"{seats} seats need {seats} bots (or one for all), not {len(given)}: {names}")
    return given


def log_path(path: Path, seed: int, games: int) -> Path:
    """Where a game is written: the path itself, or with the seed in its name when there are several games."""
    return path if games == 1 else path.with_name(f"{path.stem}-{seed}{path.suffix}")


def headline(rules: Ruleset, setup: State, bots: Sequence[str], seed: int) -> str:
    """The edition, the players and the seed."""
    sides = [
        " and ".join(
            f"{seat.name} ({bot})" for seat, bot in zip(setup.seats, bots, strict=True) if seat.side == side
        )
        for side in range(len(setup.sides))
    ]
    return f"{rules.title}: {' against '.join(sides)}, seed {seed}"


def result_words(played: Played, seed: int) -> str:
    """How a game ended, in one line."""
    from shieldwall.cli.narrator import score_words
    from shieldwall.story import Names

    names, result = Names(played.setup), played.result
    who = "a draw" if result.winner < 0 else f"{names.side(result.winner)} won"
    score = score_words(result.state, names)
    if result.forfeit:
        who += " by forfeit"
    size = f"{result.turns} activations, {result.answers} answers, {result.rolls} rolls"
    return f"seed {seed}: {who}; markers: {score}; {size}, {played.seconds * 1000:.0f} ms"


def print_problems(order: BattleOrder, seed: int, played: Played) -> None:
    """Print forfeits, broken invariants and how to repeat the game, on stderr."""
    console, problems = plain_console(stderr=True), played.problems
    if played.result.forfeit:
        console.print(f"seed {seed}: {played.result.forfeit}", style="red", soft_wrap=True)
    for problem in problems[:PROBLEMS_SHOWN]:
        console.print(f"  broken: {problem}", style="red", soft_wrap=True)
    if len(problems) > PROBLEMS_SHOWN:
        console.print(f"  and {len(problems) - PROBLEMS_SHOWN} more")
    if problems:
        console.print(f"  repeat it with: {order.command(seed)}", soft_wrap=True)


def print_summary(
    games: int, wins: Counter[int], broken: list[int], seconds: float, console: Console
) -> None:
    """All games together."""
    whole = sum(wins.values())
    sides = ", ".join(f"side {side + 1} {wins[side]}" for side in sorted(wins) if side >= 0)
    speed = f", {whole / seconds:.1f} games/s" if seconds else ""
    console.print(f"{games} games: {sides or 'no winner'}, draws {wins[-1]}{speed}", style="bold")
    if broken:
        seeds = ", ".join(map(str, broken))
        words = f"{len(broken)} games with problems: seeds {seeds}"
        plain_console(stderr=True).print(words, style="red", soft_wrap=True)
