"""`shieldwall campaign`: check campaign files, and let bots play their battles."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shieldwall.cli.groups import command_app

if TYPE_CHECKING:
    from shieldwall.lessons.campaign import Campaign

app = command_app("Check campaign files, and let bots play their battles.")


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Campaign files (.yaml).")],
) -> None:
    """Check campaign files and list every problem. Exits with 2 if there are any."""
    from shieldwall.lessons.campaign import battle_problems

    wrong = False
    for file in files:
        found = _read(file)
        problems = [problem for battle in found.file.battles for problem in battle_problems(battle)]
        for problem in problems:
            typer.echo(f"{file}: {problem}")
        wrong = wrong or bool(problems)
        if not problems:
            many = len(found.file.battles)
            words = "1 battle" if many == 1 else f"{many} battles"
            typer.echo(f"{file}: {found.file.campaign}, {words}, no problems")
    raise typer.Exit(2 if wrong else 0)


@app.command(short_help="Let bots play a campaign and count the goals they meet.")
def play(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A campaign file, or the id of a built-in one.")
    ],
    battle: Annotated[str, typer.Option("--battle", metavar="ID", help="Only this battle.")] = "",
    bot: Annotated[
        str, typer.Option("--bot", metavar="BOT", help="The bot that plays the player's side.")
    ] = "tactician",
    games: Annotated[
        int, typer.Option("--games", min=1, max=1000, metavar="GAMES", help="How often to play each battle.")
    ] = 1,
    seed: Annotated[int, typer.Option("--seed", metavar="SEED", help="The seed of dice and bots.")] = 1,
) -> None:
    """Let bots play the battles of a campaign and count how often each goal was met."""
    from shieldwall.bots import play_game, registry
    from shieldwall.dice.seeded import SeededDice, key_from_seed
    from shieldwall.editions import ruleset
    from shieldwall.lessons.campaign import battle_start, campaign, campaigns, goal_met, is_won

    found = campaign(file) if file in campaigns() else _read(Path(file))
    for one in (found.battle(battle),) if battle else found.file.battles:
        start, won, met = battle_start(one), 0, [0] * len(one.goals)
        for number in range(games):
            policies = [registry.policy(bot, seed + number), registry.policy(one.bot, seed + number)]
            dice = SeededDice(key_from_seed(f"{one.id} {seed + number}"))
            end = play_game(ruleset(one.edition), start, policies, dice, seed=seed + number).state
            won += is_won(one, end, end.winner)
            for place, goal in enumerate(one.goals):
                met[place] += goal_met(goal, end, end.winner)
        typer.echo(f"{one.battle}: won {won} of {games} against {one.bot}")
        for goal, count in zip(one.goals, met, strict=True):
            typer.echo(f"  {goal.say} {count} of {games}")


def _read(path: Path) -> "Campaign":
    """Read a campaign file; print every problem and exit if there are any."""
    from shieldwall.core.errors import MalformedError
    from shieldwall.core.reading import read_text
    from shieldwall.lessons.campaign import read_campaign

    if not path.is_file():
        typer.echo(f"{path}: no such file", err=True)
        raise typer.Exit(2)
    try:
        return read_campaign(read_text(path), path.stem)
    except MalformedError as error:
        for problem in error.problems:
            typer.echo(f"{path}: {problem}")
        raise typer.Exit(2) from error
