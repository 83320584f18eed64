"""The bots by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from shieldwall.bots.greedy import GreedyBot
from shieldwall.bots.policy import Policy
from shieldwall.bots.program import PREFIX, ProgramBot
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
    "greedy": GreedyBot,
}

BOTS: tuple[str, ...] = tuple(MAKERS)


def policy(name: str, seed: int = 0) -> Policy:
    """The bot of a name, the weakest first in `BOTS`; a new one each time.

    `program:COMMAND` is a bot of its own that talks by lines of JSON.
    """
    if name.startswith(PREFIX):
        return ProgramBot(name.removeprefix(PREFIX))
    maker = MAKERS.get(name)
    if maker is None:
        raise UnknownBotError(
            f"there is no bot called {name!r}; there are: {', '.join(BOTS)} (or {PREFIX}COMMAND)"
        )
    return maker(seed)


def dismiss(policies: Iterable[Policy]) -> None:
    """Let go of what policies hold outside this process, such as running programs."""
    for one in policies:
        if isinstance(one, ProgramBot):
            one.close()
