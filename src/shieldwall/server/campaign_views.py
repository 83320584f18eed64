"""Campaigns for the page: their battles, and the outcome of those that were played."""

from __future__ import annotations

from msgspec import Struct

from shieldwall.editions import ruleset
from shieldwall.lessons.battles import CAMPAIGN, campaign_behind
from shieldwall.lessons.campaign import BattleFile, Campaign, campaigns, goal_met, is_won, side_names
from shieldwall.rules.missions import SIX
from shieldwall.server.archive import play_again
from shieldwall.server.lessons_in_play import battle_of
from shieldwall.server.opponents import levels
from shieldwall.server.storage import CommandRow, GameRow
from shieldwall.story.missions import mission_words


class GoalView(Struct, frozen=True):
    """A goal in words; `met` is None until the battle is over."""

    say: str
    extra: bool
    met: bool | None = None


class CampaignBattle(Struct, frozen=True):
    """A battle of a campaign; `battle` is the key that starts it."""

    id: str
    battle: str
    title: str
    edition: str
    edition_title: str
    mission: str
    mission_words: str
    bot: str
    sides: tuple[str, ...]
    story: str
    goals: tuple[GoalView, ...]


class CampaignView(Struct, frozen=True):
    """A campaign with its battles in order."""

    id: str
    title: str
    summary: str
    about: str
    battles: tuple[CampaignBattle, ...]


class CampaignMoment(Struct, frozen=True):
    """A game's place in its campaign. `words` is the closing text, `next` the battle that winning unlocks."""

    campaign: str
    campaign_title: str
    battle: CampaignBattle
    goals: tuple[GoalView, ...]
    over: bool
    won: bool
    words: str
    next: str


def campaign_views() -> list[CampaignView]:
    """All campaigns."""
    return [
        CampaignView(
            one.id,
            one.file.campaign,
            one.file.summary,
            one.file.about,
            tuple(_battle_view(one, battle) for battle in one.file.battles),
        )
        for one in campaigns().values()
    ]


def _battle_view(found: Campaign, battle: BattleFile) -> CampaignBattle:
    mission = next((known.name for known in SIX if known.id == battle.mission), "Standard")
    return CampaignBattle(
        id=battle.id,
        battle=f"{CAMPAIGN}{found.id}/{battle.id}",
        title=battle.battle,
        edition=battle.edition,
        edition_title=ruleset(battle.edition).title,
        mission=mission,
        mission_words=mission_words(battle.mission),
        bot=next((level.label for level in levels() if level.key == battle.bot), battle.bot),
        sides=side_names(battle),
        story=battle.story,
        goals=tuple(GoalView(goal.say, goal.extra) for goal in battle.goals),
    )


def campaign_moment(row: GameRow, commands: list[CommandRow]) -> CampaignMoment | None:
    """A game's place in its campaign; None if it belongs to none."""
    known = campaign_behind(battle_of(row))
    if known is None:
        return None
    found, battle = known
    over = row.status == "over"
    ids = [one.id for one in found.file.battles]
    after = ids[ids.index(battle.id) + 1 : ids.index(battle.id) + 2]
    goals, won = tuple(GoalView(goal.say, goal.extra) for goal in battle.goals), False
    if over and commands:
        state = play_again(row, tuple(commands))[-1].carried.state
        goals = tuple(GoalView(g.say, g.extra, goal_met(g, state, row.winner)) for g in battle.goals)
        won = is_won(battle, state, row.winner)
    return CampaignMoment(
        campaign=found.id,
        campaign_title=found.file.campaign,
        battle=_battle_view(found, battle),
        goals=goals,
        over=over,
        won=won,
        words=(battle.won if won else battle.lost) if over else "",
        next=after[0] if after else "",
    )
