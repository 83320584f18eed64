"""Many games: duels of two bots, ladders of several, on the processors of this machine or on a cluster.

Results do not depend on where or in which order games are played: every game follows from its task alone.
"""

from shieldwall.lab.duel import DuelError, DuelPlan, run_duel
from shieldwall.lab.games import GameOutcome, Task, play_task
from shieldwall.lab.journal import Journal, JournalError
from shieldwall.lab.series import Runner, SeriesError, SeriesPlan
from shieldwall.lab.stats import ScoreTally, Sprt, elo, elo_interval, interval

__all__ = [
    "DuelError",
    "DuelPlan",
    "GameOutcome",
    "Journal",
    "JournalError",
    "Runner",
    "ScoreTally",
    "SeriesError",
    "SeriesPlan",
    "Sprt",
    "Task",
    "elo",
    "elo_interval",
    "interval",
    "play_task",
    "run_duel",
]
