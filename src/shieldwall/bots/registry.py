"""The bots by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from typing import Any

from shieldwall.bots.greedy import BATTLES, GreedyBot
from shieldwall.bots.policy import Policy
from shieldwall.bots.program import PREFIX, ProgramBot
from shieldwall.bots.random_bot import RandomBot
from shieldwall.bots.search import PLAYOUTS, SearchBot
from shieldwall.bots.solo import SoloBot
from shieldwall.bots.tactician import TacticianBot
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.pending import Decision, Numbers
from shieldwall.core.state import State
from shieldwall.rulebook import plugins
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.rules.ruleset import Ruleset


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


MAKERS: dict[str, Maker] = {
    "random": _plain(lambda seed: RandomBot()),
    "solo": _plain(SoloBot),
    "tactician": _plain(TacticianBot),
    "greedy": _greedy,
    "search": _search,
}

BOTS: tuple[str, ...] = tuple(MAKERS)
BotFactory = Callable[[], Policy] | Callable[[int], Policy]
REGISTERED: dict[str, BotFactory] = {}


def register_bot(name: str, factory: BotFactory) -> None:
    """Register a bot under a name for duels, ladders, battles and games from Python.

    `factory` is a class or a function that makes a new bot; it is given the seed of the game if it takes an argument.
    """
    if not name or set(name) & set(":;,= ") or name in BOTS:
        raise BotSettingError(
            f"{name!r} cannot be the name of a bot: choose one without spaces or : ; , = that is not one of "
            f"{', '.join(BOTS)}"
        )
    if not callable(factory):
        raise BotSettingError(f"bot {name!r} needs a class or a function that makes it, not {factory!r}")
    REGISTERED[name] = factory


def known_bots() -> tuple[str, ...]:
    """All bots that can be named: ours, those registered here, and those of installed packages."""
    return tuple(dict.fromkeys((*BOTS, *REGISTERED, *plugins.announced(plugins.BOTS))))


def _made(name: str, factory: Callable[..., Any], seed: int) -> Policy:
    """A bot from a user's factory, checked."""
    try:
        parts = signature(factory).parameters.values()
    except ValueError:  # some builtins have no signature
        parts = {}.values()
    takes_seed = any(
        part.default is part.empty and part.kind in (part.POSITIONAL_ONLY, part.POSITIONAL_OR_KEYWORD)
        for part in parts
    )
    return _checked(name, factory(seed) if takes_seed else factory())


def policy_of(bot: object, seed: int) -> Policy:
    """A bot given as an object, or as the class or function that makes it."""
    name = str(getattr(bot, "__name__", type(bot).__name__))
    if callable(bot) and (isinstance(bot, type) or not hasattr(bot, "decide")):
        return _made(name, bot, seed)
    return _checked(name, bot)


def _checked(name: str, made: Any) -> Policy:
    """A user's bot, wrapped if it lacks a name or anything else that a game needs."""
    if not callable(getattr(made, "decide", None)):
        raise BotSettingError(
            f"bot {name!r} is a {type(made).__name__} without decide(view, question, numbers); a bot needs that method"
        )
    return made if hasattr(made, "name") and hasattr(made, "samples_only") else NamedBot(name, made)


class NamedBot:
    """A bot without a name, or without `samples_only`, completed with both."""

    def __init__(self, name: str, bot: Any) -> None:
        self.name = str(getattr(bot, "name", name))
        self.samples_only = bool(getattr(bot, "samples_only", False))
        self.bot = bot

    def decide(self, view: State, decision: Decision, numbers: Numbers) -> AnyAnswer:
        """The answer of the wrapped bot."""
        answer: AnyAnswer = self.bot.decide(view, decision, numbers)
        return answer

    def play_by(self, rules: Ruleset) -> None:
        """Pass the rules on to a bot that wants to know them."""
        if hasattr(self.bot, "play_by"):
            self.bot.play_by(rules)


def policy(name: str, seed: int = 0) -> Policy:
    """A new bot by its name; `BOTS` lists the names, the weakest first.

    Settings follow a colon, as in `search:seconds=0.25`. `program:COMMAND` runs a separate program that talks in
    lines of JSON.
    """
    if name.startswith(PREFIX):
        return ProgramBot(name.removeprefix(PREFIX))
    plain, _, settings = name.partition(":")
    maker = MAKERS.get(plain)
    if maker is None and not settings:
        if plain in REGISTERED:
            return _made(plain, REGISTERED[plain], seed)
        if plain in plugins.announced(plugins.BOTS):
            return _made(plain, plugins.load_plugin(plugins.BOTS, plain), seed)
    if maker is None:
        there = ", ".join(known_bots())
        tip = did_you_mean(plain, known_bots())
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
    """Close what policies hold outside this process, such as running programs."""
    for one in policies:
        if isinstance(one, ProgramBot):
            one.close()
