"""Bots: the interface of a policy, the bots themselves, and the driver of a match."""

from shieldwall.bots.explanation import Considered, Explanation, thought_of
from shieldwall.bots.match import (
    ForfeitError,
    GameStuckError,
    IllegalAnswerError,
    MatchResult,
    Watcher,
    play_game,
    seen_by,
)
from shieldwall.bots.numbers import SplitMix, numbers_for
from shieldwall.bots.policy import Policy
from shieldwall.bots.random_bot import RandomBot
from shieldwall.bots.registry import BOTS, UnknownBotError, dismiss, known_bots, policy, register_bot

__all__ = [
    "BOTS",
    "Considered",
    "Explanation",
    "ForfeitError",
    "GameStuckError",
    "IllegalAnswerError",
    "MatchResult",
    "Policy",
    "RandomBot",
    "SplitMix",
    "UnknownBotError",
    "Watcher",
    "dismiss",
    "known_bots",
    "numbers_for",
    "play_game",
    "policy",
    "register_bot",
    "seen_by",
    "thought_of",
]
