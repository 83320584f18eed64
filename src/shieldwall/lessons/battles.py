"""Battles that are set up beforehand, by their key: `lesson/first-regiments`."""

from __future__ import annotations

from msgspec import Struct

from shieldwall.bots import registry
from shieldwall.bots.policy import Policy
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.state import State
from shieldwall.lessons.lesson import AUTOMATIC, Lesson, NoLessonError, ScriptedOpponent, lesson

LESSON = "lesson/"
SCRIPT = "script/"


class NoBattleError(ShieldwallError):
    """A set battle that does not exist."""


class SetBattle(Struct, frozen=True):
    """A battle ready to begin: what it is called, its table and armies, who plays the other side.

    `secret` fixes the dice where the battle is told beforehand; `automatic` are questions the player is not asked.
    """

    key: str
    title: str
    edition: str
    sides: tuple[str, str]
    start: State
    bot: str
    secret: bytes = b""
    automatic: tuple[str, ...] = ()


def set_battle(key: str) -> SetBattle:
    """A set battle by its key."""
    found = lesson_behind(key)
    if found is None:
        raise NoBattleError(f"there is no battle {key!r} here")
    return SetBattle(
        key=key,
        title=found.file.lesson,
        edition=found.edition,
        sides=found.file.sides,
        start=found.stage.start,
        bot=f"{SCRIPT}{found.id}",
        secret=found.dice_secret,
        automatic=AUTOMATIC,
    )


def lesson_behind(key: str) -> Lesson | None:
    """The lesson that a battle belongs to; None where it is no lesson."""
    if not key.startswith(LESSON):
        return None
    try:
        return lesson(key.removeprefix(LESSON))
    except NoLessonError as error:
        raise NoBattleError(str(error)) from error


def policy_for(bot: str, seed: int) -> Policy:
    """The bot of a name; `script/ID` follows the script of a lesson."""
    if bot.startswith(SCRIPT):
        return ScriptedOpponent(lesson(bot.removeprefix(SCRIPT)), seed)
    return registry.policy(bot, seed)
