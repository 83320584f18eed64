"""Lessons over HTTP."""

from __future__ import annotations

from shieldwall.lessons.lesson import NoLessonError, lesson, lesson_ids
from shieldwall.server.identity import Player
from shieldwall.server.lesson_views import LessonCard, LessonView, SetBattleOrder, lesson_card, lesson_view
from shieldwall.server.lobby import Lobby, NotFoundError
from shieldwall.server.pages import GameMade


class LessonHandlers:
    """Answers the pages that teach."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.workers = lobby.workers

    async def lessons(self, player: Player) -> list[LessonCard]:
        """All guided battles."""
        return await self.workers.engine(lambda: [lesson_card(lesson(name)) for name in lesson_ids()])

    async def lesson(self, player: Player, lesson_id: str) -> LessonView:
        """One guided battle with what the coach says."""
        try:
            return await self.workers.engine(lambda: lesson_view(lesson(lesson_id)))
        except NoLessonError as error:
            raise NotFoundError(str(error)) from error

    async def begin_battle(self, player: Player, body: SetBattleOrder) -> GameMade:
        """Begin a set battle."""
        return await self.lobby.make_set(player, body.battle, body.nonce)
