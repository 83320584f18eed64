"""The bots by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shieldwall.bots.policy import Policy
from shieldwall.bots.random_bot import RandomBot
from shieldwall.bots.solo import SoloBot
from shieldwall.bots.tactician import TacticianBot
from shieldwall.core.errors import ShieldwallError


class UnknownBotError(ShieldwallError):
    """A bot that does not exist."""


def _random(seed: int) -> Policy:
    return RandomBot()


MAKERS: Mapping[str, Callable[[int], Policy]] = {
    "random": _random,
    "solo": SoloBot,
    "tactician": TacticianBot,
}

BOTS: tuple[str, ...] = tuple(MAKERS)


def policy(name: str, seed: int = 0) -> Policy:
    """The bot of a name, the weakest first in `BOTS`; a new one each time."""
    maker = MAKERS.get(name)
    if maker is None:
        raise UnknownBotError(f"there is no bot called {name!r}; there are: {', '.join(BOTS)}")
    return maker(seed)
