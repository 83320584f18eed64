"""Set battles by their key, such as `lesson/first-regiments`."""

from __future__ import annotations

from msgspec import Struct

from shieldwall.bots import registry
from shieldwall.bots.policy import Policy
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.state import State
from shieldwall.editions import EDITIONS
from shieldwall.lessons.campaign import (
    BattleFile,
    Campaign,
    NoCampaignError,
    battle_start,
    campaign,
    side_names,
)
from shieldwall.lessons.learn import parts_in, topic, topic_ids
from shieldwall.lessons.lesson import AUTOMATIC, Lesson, NoLessonError, ScriptedOpponent, lesson
from shieldwall.lessons.scenes import SIDES

LESSON = "lesson/"
LEARN = "learn/"
CAMPAIGN = "campaign/"
SCRIPT = "script/"


class NoBattleError(ShieldwallError):
    """There is no such set battle."""


class SetBattle(Struct, frozen=True):
    """A battle ready to start: its name, table and armies, and the bot of the other side.

    `secret` fixes the dice of scripted battles; `automatic` are questions the player is not asked.
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
    if key.startswith(CAMPAIGN):
        return _campaign_battle(key)
    if key.startswith(LEARN):
        return _scene_battle(key)
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


def campaign_behind(key: str) -> tuple[Campaign, BattleFile] | None:
    """The campaign and the battle that a key names; None if it names none."""
    if not key.startswith(CAMPAIGN):
        return None
    _, name, battle = (*key.split("/"), "", "")[:3]
    try:
        found = campaign(name)
        return found, found.battle(battle)
    except NoCampaignError as error:
        raise NoBattleError(str(error)) from error


def _campaign_battle(key: str) -> SetBattle:
    """A battle of a campaign: `campaign/lamp-and-kiln/first-firing`."""
    found = campaign_behind(key)
    assert found is not None
    battle = found[1]
    first, second = (*side_names(battle), "Yours", "Theirs")[:2]
    return SetBattle(key, battle.battle, battle.edition, (first, second), battle_start(battle), battle.bot)


def _scene_battle(key: str) -> SetBattle:
    """A scene of a page, as a battle to play: `learn/terrain/aof-2/0`."""
    _, name, edition, number = (*key.split("/"), "", "", "")[:4]
    if name not in topic_ids() or edition not in EDITIONS:
        raise NoBattleError(f"there is no battle {key!r} here")
    parts = [part for part in parts_in(name, edition) if part.scene is not None]
    scene = parts[int(number)].scene if number.isdigit() and int(number) < len(parts) else None
    if scene is None:
        raise NoBattleError(f"there is no battle {key!r} here")
    return SetBattle(key, topic(name).topic, edition, SIDES, scene.stage.start, "solo")


def lesson_behind(key: str) -> Lesson | None:
    """The lesson a battle belongs to; None if it is not a lesson."""
    if not key.startswith(LESSON):
        return None
    try:
        return lesson(key.removeprefix(LESSON))
    except NoLessonError as error:
        raise NoBattleError(str(error)) from error


def policy_for(bot: str, seed: int) -> Policy:
    """The bot with a name; `script/ID` follows the script of a lesson."""
    if bot.startswith(SCRIPT):
        return ScriptedOpponent(lesson(bot.removeprefix(SCRIPT)), seed)
    return registry.policy(bot, seed)
