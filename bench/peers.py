"""`python3 dev.py bench peers`: whole games compared with other engines in one run, and the waits a player feels.

All times are processor time of one core, measured alternately and repeated; the best round counts, so other
work on the machine disturbs little. Ratios are games per second divided by those of python-chess in the same run.
Lists are the ready-made ones of the full size: 1500 points, 250 in Skirmish.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import NamedTuple

from bench import previews as bench_previews
from shieldwall import odds
from shieldwall.armies.demo import demo_setup
from shieldwall.bots import play_game, policy
from shieldwall.dice.seeded import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.odds.duel import duel

TABLES = 4
CHESS_GAMES = 8
CHESS_REFERENCE = 67.0  # python-chess games per second that the targets for bots refer to
RANDOM_AIMS = {"regiments-3.5": 2.5, "aof-2": 2.5}
OTHER_RANDOM_AIM = 1.8
BOT_AIMS = {"solo": 20.0, "tactician": 8.0}  # games a second where python-chess plays 67
BOT_GAMES = {"random": 8, "solo": 4, "tactician": 2}
CHARGE = ("20x Q4 A1 AP(1)", "20x D4 Q4 A1")
CHARGE_AIMS = {"regiments-3.5": 15.0, "regiments-3.4": 15.0}  # milliseconds
OTHER_CHARGE_AIM = 30.0
GREEDY_AIM = 40.0  # milliseconds an activation
PREVIEW_AIM = 4.0  # milliseconds, for 95 of 100


class Contest(NamedTuple):
    """Something played repeatedly: `play` plays one round and returns its number of games or activations."""

    name: str
    play: Callable[[], int]
    aim: float = 0.0  # as a ratio to python-chess


def run(repeats: int = 3) -> None:
    """Measure and print everything."""
    print_contests(contests(), repeats)
    print_waits("Exact odds of one charge, 20 v 20 models, first time", charges(repeats))
    print_waits("Greedy bot, one activation", greedy(max(1, repeats - 1)))
    print_waits("Drag previews at the server, 95 of 100 are faster than", drags(repeats))


def contests() -> list[Contest]:
    """All games that are compared, python-chess first."""
    found = [Contest("python-chess, random", python_chess, 1.0)]
    botbowl = botbowl_contest()
    if botbowl is not None:
        found.append(botbowl)
    for bot in BOT_GAMES:
        for edition in EDITIONS:
            aim = BOT_AIMS[bot] / CHESS_REFERENCE if bot in BOT_AIMS else random_aim(edition)
            found.append(Contest(f"{edition}, {bot} v {bot}", games(edition, bot), aim))
    return found


def random_aim(edition: str) -> float:
    """The target ratio of an edition's random games to those of python-chess."""
    return RANDOM_AIMS.get(edition, OTHER_RANDOM_AIM)


def print_contests(found: list[Contest], repeats: int) -> None:
    """Play the contests alternately, so that all of them meet the same conditions, and print the best round of each."""
    for contest in found:
        contest.play()  # what is done only once is not part of a game
    best = [0.0] * len(found)
    for _ in range(repeats):
        for number, contest in enumerate(found):
            began = time.process_time()
            count = contest.play()
            best[number] = max(best[number], count / (time.process_time() - began))
    print("\nWhole games, one core, beside python-chess")
    width = max(len(contest.name) for contest in found)
    for contest, rate in zip(found, best, strict=True):
        ratio = rate / best[0]
        aim = f"aim {contest.aim:.2f}  {verdict(ratio >= contest.aim)}" if contest.aim else ""
        print(
            f"  {contest.name:<{width}}  {rate:8.1f} /s  {1e3 / rate:8.2f} ms each  ratio {ratio:5.2f}  {aim}"
        )


def verdict(is_met: bool) -> str:
    """A word about a target."""
    return "met" if is_met else "missed"


def games(edition: str, bot: str) -> Callable[[], int]:
    """A few whole games of a bot against itself, on tables that were generated beforehand."""
    rules = ruleset(edition)
    starts = [demo_setup(edition, seed) for seed in range(TABLES)]

    def play() -> int:
        for seed in range(BOT_GAMES[bot]):
            bots = [policy(bot, seed), policy(bot, seed)]
            play_game(rules, starts[seed % TABLES], bots, SeededDice.from_seed(seed), seed=seed)
        return BOT_GAMES[bot]

    return play


def python_chess() -> int:
    """Random games by python-chess, which lists every legal move and plays one."""
    import chess

    numbers = random.Random(1)
    for _ in range(CHESS_GAMES):
        board = chess.Board()
        while not board.is_game_over(claim_draw=False) and board.fullmove_number < 300:
            board.push(numbers.choice(list(board.legal_moves)))
    return CHESS_GAMES


def botbowl_contest() -> Contest | None:
    """A random game of botbowl, if it is installed."""
    try:
        import botbowl
    except ImportError:
        print("botbowl is not installed; it is left out")
        return None

    def play() -> int:
        config = botbowl.load_config("bot-bowl")
        config.competition_mode = False
        rules = botbowl.load_rule_set(config.ruleset)
        arena = botbowl.load_arena(config.arena)
        teams = [botbowl.load_team_by_filename("human", rules) for _ in range(2)]
        players = [botbowl.make_bot("random") for _ in range(2)]
        game = botbowl.Game("bench", *teams, *players, config, arena=arena, ruleset=rules, seed=1)
        game.init()
        return 1

    return Contest("botbowl, random", play)


class Wait(NamedTuple):
    """How many milliseconds something takes, and how many it may take."""

    name: str
    milliseconds: float
    aim: float


def print_waits(title: str, waits: list[Wait]) -> None:
    """A table of waits."""
    print(f"\n{title}")
    for wait in waits:
        met = verdict(wait.milliseconds <= wait.aim)
        print(f"  {wait.name:<14}  {wait.milliseconds:8.2f} ms  aim {wait.aim:4.0f}  {met}")


def charges(repeats: int) -> list[Wait]:
    """Odds of a charge, the blows struck back and morale, with all caches cleared before each question."""
    waits = []
    for edition in EDITIONS:
        fight = duel(ruleset(edition), *CHARGE)
        best = float("inf")
        for _ in range(2 * repeats + 1):
            odds.forget()
            began = time.process_time()
            fight.odds()
            best = min(best, time.process_time() - began)
        waits.append(Wait(edition, best * 1e3, CHARGE_AIMS.get(edition, OTHER_CHARGE_AIM)))
    return waits


def greedy(repeats: int) -> list[Wait]:
    """One game of the greedy bot against itself: processor time by activations."""
    waits = []
    for edition in EDITIONS:
        rules, start = ruleset(edition), demo_setup(edition, 1)
        best = float("inf")
        for _ in range(repeats):
            began = time.process_time()
            bots = [policy("greedy", 1), policy("greedy", 1)]
            turns = play_game(rules, start, bots, SeededDice.from_seed(1), seed=1).turns
            best = min(best, (time.process_time() - began) / max(1, turns))
        waits.append(Wait(edition, best * 1e3, GREEDY_AIM))
    return waits


def drags(repeats: int) -> list[Wait]:
    """The 95th percentile of previews of a dragged move."""
    waits = []
    for edition in EDITIONS:
        moments = list(bench_previews.moments(edition))
        best = float("inf")
        for _ in range(repeats):
            times = sorted(bench_previews.times(moments))
            best = min(best, times[int(len(times) * 0.95)])
        waits.append(Wait(edition, best * 1e3, PREVIEW_AIM))
    return waits
