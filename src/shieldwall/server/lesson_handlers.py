"""HTTP handlers for lessons, explanations and campaigns."""

from __future__ import annotations

from shieldwall.lessons.learn import NoTopicError
from shieldwall.lessons.lesson import NoLessonError, lesson, lesson_ids
from shieldwall.server.army_handlers import require_edition
from shieldwall.server.campaign_views import CampaignMoment, CampaignView, campaign_moment, campaign_views
from shieldwall.server.identity import Player
from shieldwall.server.lesson_views import (
    EditionGuide,
    LessonCard,
    LessonView,
    SetBattleOrder,
    TopicCard,
    TopicView,
    edition_guide,
    lesson_card,
    lesson_view,
    topic_cards,
    topic_view,
)
from shieldwall.server.lobby import Lobby, NotFoundError
from shieldwall.server.pages import GameMade


class LessonHandlers:
    """Handlers of the pages that teach the game."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.workers = lobby.workers
        self._pages: dict[tuple[str, str], TopicView] = {}

    async def lessons(self, player: Player) -> list[LessonCard]:
        """All guided battles."""
        return await self.workers.engine(lambda: [lesson_card(lesson(name)) for name in lesson_ids()])

    async def lesson(self, player: Player, lesson_id: str) -> LessonView:
        """One guided battle with everything the coach says."""
        try:
            return await self.workers.engine(lambda: lesson_view(lesson(lesson_id)))
        except NoLessonError as error:
            raise NotFoundError(str(error)) from error

    async def topics(self, player: Player, words: str) -> list[TopicCard]:
        """Pages that explain the game; with words, only those about them."""
        return await self.workers.engine(lambda: topic_cards(words))

    async def topic(self, player: Player, topic_id: str, edition: str) -> TopicView:
        """One page in an edition. Pages never change, so each is built once."""
        require_edition(edition)
        key = (topic_id, edition)
        if key not in self._pages:
            try:
                self._pages[key] = await self.workers.engine(lambda: topic_view(topic_id, edition))
            except NoTopicError as error:
                raise NotFoundError(str(error)) from error
        return self._pages[key]

    async def edition_guide(self, player: Player, edition: str, known: str) -> EditionGuide:
        """What is different about an edition, for players who know another one."""
        require_edition(edition)
        return await self.workers.engine(lambda: edition_guide(edition, known))

    async def campaigns(self, player: Player) -> list[CampaignView]:
        """All campaigns with their battles."""
        return await self.workers.engine(campaign_views)

    async def campaign_moment(self, player: Player, game: str) -> CampaignMoment:
        """A game's place in its campaign."""
        row = await self.lobby.store.game(game)
        if row is None:
            raise NotFoundError("there is no such game here")
        commands = await self.lobby.store.commands(game) if row.status == "over" else []
        found = await self.workers.engine(lambda: campaign_moment(row, commands))
        if found is None:
            raise NotFoundError("this game is not part of a campaign")
        return found

    async def begin_battle(self, player: Player, body: SetBattleOrder) -> GameMade:
        """Start a set battle."""
        return await self.lobby.make_set(player, body.battle, body.nonce)
