"""Many games: duels of two bots, ladders of many, on this machine's processors or on a cluster, with honest intervals.

Results do not depend on where or in which order games are played: every game follows from its task alone.
"""

from shieldwall.lab.duel import DuelError, DuelResult, run_duel
from shieldwall.lab.games import GameOutcome, Task, play_task
from shieldwall.lab.journal import Journal, JournalError
from shieldwall.lab.stats import ScoreTally, Sprt, elo, elo_interval, interval

__all__ = [
    "DuelError",
    "DuelResult",
    "GameOutcome",
    "Journal",
    "JournalError",
    "ScoreTally",
    "Sprt",
    "Task",
    "elo",
    "elo_interval",
    "interval",
    "play_task",
    "run_duel",
]
