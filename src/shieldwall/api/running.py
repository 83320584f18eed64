"""Games and series of games between bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from msgspec.structs import replace

from shieldwall.api.game import AnyArmy, BotLike, Game, mustered, new_game
from shieldwall.bots.registry import BotFactory, policy, register_bot
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.extras import extra_package
from shieldwall.core.state import Piece
from shieldwall.editions import ruleset
from shieldwall.lab.games import GameOutcome, Options, Task, default_lists, hand_in, pairs
from shieldwall.lab.series import Runner
from shieldwall.rulebook.house_rules import Setting, settle

if TYPE_CHECKING:
    import polars

SeriesBot = str | type | BotFactory


class SeriesKeywords(TypedDict, total=False):
    """Keywords of every function that plays a series of games.

    `house_rules` are those that differ from their defaults, `mission` is what the games are about. `workers` is the
    number of processes (1 by default; 0 for one per processor), `cluster` the address of a Dask scheduler; the
    outcomes are the same.
    """

    house_rules: Mapping[str, Setting] | None
    mission: str
    workers: int
    cluster: str


def play(
    edition: str = "regiments-3.5",
    bots: Sequence[BotLike] = ("solo", "solo"),
    armies: Sequence[AnyArmy] = (),
    table: Sequence[Piece] | int | None = None,
    seed: int = 1,
    *,
    house_rules: Mapping[str, Setting] | None = None,
    mission: str = "",
) -> Game:
    """Play one game between two bots (names or objects) to its end, and return it.

    >>> import shieldwall as sw
    >>> game = sw.play("regiments-3.4", ["random", "random"], seed=1)
    >>> game.is_over
    True
    """
    game = new_game(edition, armies, table, seed, house_rules=house_rules, mission=mission)
    return game.play(*bots)


def run_games(
    edition: str = "regiments-3.5",
    bots: Sequence[SeriesBot] = ("solo", "solo"),
    games: int = 100,
    armies: Sequence[AnyArmy] = (),
    seed: int = 1,
    *,
    swap: str = "bots",
    out: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    **keywords: Unpack[SeriesKeywords],
) -> polars.DataFrame:
    """Play many games between two contenders, a and b, and return a polars DataFrame with one row per game.

    Games come in pairs on one table with the same dice: in the second game of a pair the bots swap seats
    (`swap="bots"`), or the lists with them (`swap="both"`, to compare lists). Bots are names, or classes and functions
    that make your own bot. `out` is a file for finished games, with which the same call continues after an
    interruption. `progress` is called with the number of games done and the total. For other keywords see
    `SeriesKeywords`.

    | column | meaning |
    |---|---|
    | `game`, `pair`, `seed`, `swapped` | which game it is; `swapped` marks the second of a pair |
    | `edition`, `mission`, `house_rules` | what was played |
    | `bot_a`, `bot_b`, `list_a`, `list_b` | the contenders; with `swap="bots"` lists belong to the seats |
    | `seat_a` | the seat of a: 0 or 1 |
    | `winner` | `"a"`, `"b"`, or null for a draw |
    | `score_a` | 1, 0.5 or 0 |
    | `markers_a`, `markers_b` | markers held at the end |
    | `points_lost_a`, `points_lost_b` | points of models lost |
    | `units_lost_a`, `units_lost_b` | units destroyed |
    | `attacks_a`, `charges_a`, `idle_units_a`, and b | attacks and charges declared, units that never acted |
    | `rounds`, `activations`, `answers`, `seconds` | how long it took |
    | `forfeit` | why a side forfeited, usually empty |

    >>> import shieldwall as sw
    >>> frame = sw.run_games("regiments-3.4", ["random", "random"], games=2, seed=5)
    >>> frame["seat_a"].to_list(), frame.height
    ([0, 1], 2)
    """
    extra_package("polars", "A DataFrame of games")
    if swap not in ("bots", "both"):
        raise ShieldwallError(f"swap is 'bots' or 'both', not {swap!r}")
    if games < 1:
        raise ShieldwallError(f"a series needs at least one game, not {games}")
    names = two_bots(bots)
    lists = two_lists(edition, armies)
    options, mission, runner = options_of(**keywords)
    settle(ruleset(edition).like, dict(options))
    swaps_lists = swap == "both"
    task = Task(0, edition, lists, names, seed, swap_lists=swaps_lists, options=options, mission=mission)
    tasks = list(pairs(task, range(seed, seed + (games + 1) // 2)))[:games]
    tell = (lambda done, total: progress(len(done), total)) if progress is not None else None
    what = f"{names[0]} v {names[1]}, {edition}, {games} games from seed {seed}"
    runner = replace(runner, out=Path(out) if out is not None else None, tell=tell)
    return frame_of(runner.play(tasks, what))


def options_of(
    house_rules: Mapping[str, Setting] | None = None,
    mission: str = "",
    workers: int = 1,
    cluster: str = "",
) -> tuple[Options, str, Runner]:
    """The parsed keywords of a series: house rules by name, the mission, and where games are played."""
    options = tuple(sorted((name, setting_word(value)) for name, value in (house_rules or {}).items()))
    return options, mission, Runner(workers=workers, cluster=cluster)


def setting_word(value: Setting) -> str:
    """The value of a house rule as a word."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else value


def two_bots(bots: Sequence[SeriesBot]) -> tuple[str, str]:
    """The names of two bots; classes and functions are registered under their names."""
    given = [bots, bots] if isinstance(bots, str) else list(bots)
    if len(given) != 2:
        raise ShieldwallError(f"a series needs two bots, not {len(given)}")
    found = []
    for bot in given:
        if isinstance(bot, str):
            policy(bot)  # an unknown bot is refused before any game is played
            found.append(bot)
            continue
        name = getattr(bot, "name", None)
        name = name if isinstance(name, str) else getattr(bot, "__name__", "")
        register_bot(name, bot)
        found.append(name)
    return found[0], found[1]


def two_lists(edition: str, armies: Sequence[AnyArmy]) -> tuple[str, str]:
    """The names of two lists; ready-made ones if none are named."""
    if not armies:
        return default_lists(edition)
    if isinstance(armies, str) or len(armies) != 2:
        raise ShieldwallError(f"a series takes two armies, not {armies!r}")
    first, second = named_lists(edition, armies)
    return first, second


def named_lists(edition: str, armies: Sequence[AnyArmy]) -> list[str]:
    """The names of lists; `Army` objects are registered under the names of their lists, numbered if those are equal."""
    found: list[str] = []
    for at, army in enumerate(armies):
        if isinstance(army, str):
            found.append(army)
            continue
        same = next((found[other] for other in range(at) if armies[other] is army), "")
        name = same or army.name
        number = 2
        while not same and name in found:
            name, number = f"{army.name} ({number})", number + 1
        hand_in(edition, name, mustered(ruleset(edition), army))
        found.append(name)
    return found


def frame_of(outcomes: Sequence[GameOutcome]) -> polars.DataFrame:
    """Outcomes as a DataFrame with one row per game (see `run_games`)."""
    import polars

    rows = []
    for one in outcomes:
        seat = int(one.swapped)
        row: dict[str, object] = {
            "game": one.number,
            "pair": one.number // 2,
            "seed": one.seed,
            "swapped": one.swapped,
            "edition": one.edition,
            "mission": one.mission,
            "house_rules": one.options,
            "bot_a": one.bots[0],
            "bot_b": one.bots[1],
            "list_a": one.lists[0],
            "list_b": one.lists[1],
            "seat_a": seat,
            "winner": None if one.score == 0.5 else "a" if one.score == 1.0 else "b",
            "score_a": one.score,
        }
        counts = {
            "markers": one.markers,
            "points_lost": one.points_lost,
            "units_lost": one.losses,
            "attacks": one.attacks,
            "charges": one.charges,
            "idle_units": one.idle_units,
        }
        for name, (first, second) in counts.items():
            row |= {f"{name}_a": first, f"{name}_b": second}
        row |= {"rounds": one.rounds, "activations": one.turns, "answers": one.answers}
        rows.append(row | {"seconds": one.seconds, "forfeit": one.forfeit})
    return polars.DataFrame(rows, schema_overrides={"winner": polars.String})


__all__ = ["Task", "frame_of", "play", "run_games"]
