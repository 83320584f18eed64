"""The server as `shieldwall play` starts it, but chance has no part in it: dice and bots are the same in every run.

Nothing here depends on how fast the machine is either: no rates, and nobody has to wait before they speak again.
"""

import os
import sys

from shieldwall.server import clocks, dice_key

SECRET = bytes(range(dice_key.SECRET_BYTES))
NONCE = "0" * 32


def fix_dice() -> None:
    """Every game throws the same dice. First of all, before others take the functions of this module to themselves."""
    dice_key.new_secret = lambda: SECRET
    dice_key.new_nonce = lambda: NONCE


def fix_bots() -> None:
    """Numbers of bots go by the step of a game instead of its name, which is another one in every run."""
    from shieldwall.bots import numbers_for
    from shieldwall.server import jobs, opponents

    jobs.numbers_for = lambda seed, seat: numbers_for(str(seed).split()[-1], seat)  # type: ignore[attr-defined]
    jobs.policy_of = lambda bot, _: opponents.policy_of(bot, "")  # type: ignore[attr-defined]


def look_briefly() -> None:
    """An analysis looks at a few decisions only: what the page makes of it is the same."""
    from functools import partial

    from shieldwall.analysis import growing_analysis
    from shieldwall.analysis.decisions import Effort
    from shieldwall.server import analysis_jobs

    brief = Effort(candidates=1, first_battles=2, blamed=1, battles=6)
    analysis_jobs.growing_analysis = partial(growing_analysis, effort=brief)  # type: ignore[attr-defined]


def lift_rates() -> None:
    """Nobody is told to wait."""
    from shieldwall.server import budgets, command_handler, serving

    serving.Limits = budgets.unlimited  # type: ignore[misc, assignment, attr-defined]
    command_handler.TALK_SECONDS = 0


def hurry_clocks() -> None:
    """Clocks that run out while a test looks on."""
    if minute := os.environ.get("MINUTE_MS"):
        clocks.MINUTE, clocks.SECOND = int(minute), int(minute) // 60


fix_dice()
look_briefly()
fix_bots()  # bots think in processes of their own, which load this file as well
if __name__ == "__main__":
    lift_rates()
    hurry_clocks()
    from shieldwall.cli.main import main

    sys.exit(main())
