"""The bots by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from shieldwall.bots.greedy import BATTLES, GreedyBot
from shieldwall.bots.policy import Policy
from shieldwall.bots.program import PREFIX, ProgramBot
from shieldwall.bots.random_bot import RandomBot
from shieldwall.bots.search import PLAYOUTS, SearchBot
from shieldwall.bots.solo import SoloBot
from shieldwall.bots.tactician import TacticianBot
from shieldwall.core.errors import ShieldwallError
from shieldwall.rulebook.nearest import did_you_mean


class UnknownBotError(ShieldwallError):
    """A bot that does not exist."""


Maker = Callable[[int, Mapping[str, float]], Policy]


class BotSettingError(ShieldwallError):
    """A setting that a bot does not have, or a value it cannot have."""


def _plain(kind: Callable[[int], Policy]) -> Maker:
    """A bot without settings."""

    def make(seed: int, settings: Mapping[str, float]) -> Policy:
        if settings:
            raise BotSettingError(f"this bot has no settings; it was given: {', '.join(settings)}")
        return kind(seed)

    return make


def _greedy(seed: int, settings: Mapping[str, float]) -> Policy:
    if set(settings) - {"battles"} or settings.get("battles", 1) < 1:
        raise BotSettingError(f"the greedy bot takes battles=NUMBER, at least 1, not {_as_given(settings)}")
    return GreedyBot(seed, int(settings.get("battles", BATTLES)))


def _search(seed: int, settings: Mapping[str, float]) -> Policy:
    unknown = set(settings) - {"playouts", "seconds"}
    if unknown or len(settings) > 1 or any(value <= 0 for value in settings.values()):
        raise BotSettingError(
            "the search bot takes playouts=NUMBER (the same everywhere) or seconds=NUMBER, "
            f"not {_as_given(settings)}"
        )
    return SearchBot(seed, int(settings.get("playouts", PLAYOUTS)), settings.get("seconds", 0.0))


def _as_given(settings: Mapping[str, float]) -> str:
    return ",".join(f"{name}={value:g}" for name, value in settings.items())


MAKERS: Mapping[str, Maker] = {
    "random": _plain(lambda seed: RandomBot()),
    "solo": _plain(SoloBot),
    "tactician": _plain(TacticianBot),
    "greedy": _greedy,
    "search": _search,
}

BOTS: tuple[str, ...] = tuple(MAKERS)


def policy(name: str, seed: int = 0) -> Policy:
    """The bot of a name, the weakest first in `BOTS`; a new one each time.

    Settings follow a colon, as in `search:seconds=0.25`. `program:COMMAND` is a bot of its own that talks by lines
    of JSON.
    """
    if name.startswith(PREFIX):
        return ProgramBot(name.removeprefix(PREFIX))
    plain, _, settings = name.partition(":")
    maker = MAKERS.get(plain)
    if maker is None:
        there = ", ".join(BOTS)
        tip = did_you_mean(plain, BOTS)
        raise UnknownBotError(
            f"there is no bot called {plain!r}; there are: {there} (or {PREFIX}COMMAND){tip}"
        )
    return maker(seed, _settings(settings))


def _settings(text: str) -> dict[str, float]:
    """Settings written as name=number, separated by semicolons."""
    found: dict[str, float] = {}
    for part in filter(None, text.split(";")):
        name, _, value = part.partition("=")
        try:
            found[name.strip()] = float(value)
        except ValueError as error:
            raise BotSettingError(
                f"a setting of a bot is name=number, as in search:seconds=0.25, not {part!r}"
            ) from error
    return found


def dismiss(policies: Iterable[Policy]) -> None:
    """Let go of what policies hold outside this process, such as running programs."""
    for one in policies:
        if isinstance(one, ProgramBot):
            one.close()
