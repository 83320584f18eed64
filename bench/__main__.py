"""`python3 dev.py bench`: the cost of a game, a copy and a query, each with its count, on one core in one run.

Times are processor seconds of this process, so other work on the machine disturbs them little.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench import (
    blame,
    bots,
    chance,
    copies,
    crossings,
    environments,
    games,
    kernels_shapes,
    odds,
    peers,
    previews,
    server,
)
from bench.rows import Row, print_rows


def main() -> None:
    """Run the requested parts and print one table for each."""
    parser = argparse.ArgumentParser(prog="python3 dev.py bench", description=__doc__)
    parser.add_argument(
        "parts",
        nargs="*",
        default=["games", "bots", "copies", "kernels", "odds", "previews"],
        help="games, bots, copies, kernels, odds, previews; peers, games compared with other engines, with targets; "
        "environments, random agents compared with the bare engine; "
        "crossings, how often one activation changes from file to file; "
        "chance, how well the chance to win holds (slow: plays its games first); "
        "blame, whether decisions that the analysis blames were worse (slow); "
        "and server, which takes the machine for itself",
    )
    parser.add_argument("--load", default="10,50,150,300", help="server: games at once, separated by commas")
    parser.add_argument(
        "--sets", default="", help="server: only sets whose name has this in it, for example SQLite"
    )
    parser.add_argument("--seconds", type=float, default=15.0, help="server: how long each number is played")
    parser.add_argument(
        "--quick", action="store_true", help="server: 50 and 300 games for 8 s each, within four minutes"
    )
    parser.add_argument("--games", type=int, default=150, help="random games per edition")
    parser.add_argument("--repeats", type=int, default=3, help="peers: rounds, of which the best counts")
    parser.add_argument("--keep", default="build/chance", help="chance: the folder that keeps its games")
    parser.add_argument("--replays", type=int, default=200, help="blame: replays of blamed decisions")
    options = parser.parse_args()
    if "peers" in options.parts:
        peers.run(options.repeats)
    if "chance" in options.parts:
        chance.run(Path(options.keep), Path("docs/chance.svg"))
    if "blame" in options.parts:
        blame.run(options.replays, Path(options.keep))
    if "server" in options.parts:
        sizes = [50, 300] if options.quick else [int(part) for part in options.load.split(",")]
        sets = [kind for kind in server.SETS if options.sets in kind.name]
        server.run(sizes, 8.0 if options.quick else options.seconds, sets=sets)
    if "games" in options.parts:
        print_rows("Random games, one core, 2 x 10 units", games.run(options.games))
    if "bots" in options.parts:
        print_rows("Bots against themselves, one core", bots.run(max(1, options.games // 15)))
        print_rows("Random chess, one core", bots.run_chess(max(4, options.games // 8)))
    if "environments" in options.parts:
        print_rows(
            "Random agents over the environment, one core", environments.run(max(4, options.games // 4))
        )
    if "copies" in options.parts:
        print_rows("Copies of a state", copies.run())
    if "crossings" in options.parts:
        crossings.run()
    if "kernels" in options.parts:
        rows = [Row(name, count, seconds) for name, count, seconds in kernels_shapes.run()]
        print_rows("Kernels beside shapely", rows)
    if "odds" in options.parts:
        print_rows("Exact odds beside icepool", odds.run())
    if "previews" in options.parts:
        print_rows("Previews of dragged moves", previews.run())


if __name__ == "__main__":
    main()
