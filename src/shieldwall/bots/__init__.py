"""Who answers the game's questions: the policy every bot follows, the random bot, the driver of a match."""

from shieldwall.bots.match import (
    GameResult,
    GameStuckError,
    IllegalAnswerError,
    Watcher,
    play_game,
    seen_by,
)
from shieldwall.bots.numbers import SplitMix, numbers_for
from shieldwall.bots.policy import Policy
from shieldwall.bots.random_bot import RandomBot

__all__ = [
    "GameResult",
    "GameStuckError",
    "IllegalAnswerError",
    "Policy",
    "RandomBot",
    "SplitMix",
    "Watcher",
    "numbers_for",
    "play_game",
    "seen_by",
]
