"""Bots as opponents: a description of each level, and how to create one."""

from __future__ import annotations

from zlib import crc32

from shieldwall.bots import registry
from shieldwall.bots.policy import Policy
from shieldwall.lessons.battles import policy_for
from shieldwall.server.pages import BotView

# What to expect of each bot; bots not listed here are offered under their own name.
_LEVELS: dict[str, tuple[str, str]] = {
    "random": ("Recruit", "Plays random legal moves. Good for a first look at the game."),
    "solo": ("Lieutenant", "Goes for markers, shoots where it hurts most, charges when it pays off."),
    "tactician": ("Captain", "Gives every unit a task, focuses fire, keeps out of reach."),
    "greedy": ("Marshal", "Tries what each unit could do and picks the best."),
    "search": ("Warlord", "Plays out many futures of each choice; takes about two seconds."),
}
# Bots that use all the time they get: long enough to play well, short enough to watch.
_TIMED = {"search": "search:seconds=2"}


def levels() -> tuple[BotView, ...]:
    """Every bot, weakest first."""
    return tuple(BotView(name, *_LEVELS.get(name, (name.capitalize(), ""))) for name in registry.BOTS)


def no_such_bot(bot: str, offered: set[str]) -> str:
    """Says that a bot does not exist, and which ones do."""
    return f"there is no bot {bot!r} here; there are {', '.join(sorted(offered))}"


def helper() -> str:
    """The bot that suggests answers, and plays for a player who asks for that."""
    return "tactician" if "tactician" in registry.BOTS else registry.BOTS[-1]


def policy_of(bot: str, game: str) -> Policy:
    """A bot for one game."""
    return policy_for(_TIMED.get(bot, bot), crc32(game.encode()))
