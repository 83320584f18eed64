"""Requests of the pages for getting better: analyses, and battles played on from a moment of another."""

from __future__ import annotations

from shieldwall.server import study_jobs
from shieldwall.server.branching import Beginning, Sitter, game_from
from shieldwall.server.handlers import Handlers
from shieldwall.server.identity import Player
from shieldwall.server.opponents import levels, no_such_bot
from shieldwall.server.pages import GameMade
from shieldwall.server.present import title_of
from shieldwall.server.refusals import NotNowError
from shieldwall.server.studies import Studies
from shieldwall.server.study_views import AnalysisView, WhatIf


class StudyHandlers:
    """Answers these pages for one server."""

    def __init__(self, handlers: Handlers, studies: Studies) -> None:
        self.handlers, self.lobby, self.studies = handlers, handlers.lobby, studies

    async def analysis(self, player: Player, game: str) -> AnalysisView:
        """How far the analysis of a battle is, and what it found."""
        await self.handlers.shown(game)
        return await self.studies.view(game)

    async def begin_analysis(self, player: Player, game: str) -> AnalysisView:
        """Have a battle analysed that is over."""
        row, seats, commands = await self.handlers.shown(game)
        if row.status != "over" and not row.watch_only:
            raise NotNowError("waiting", "a battle is analysed when it is over")
        return await self.studies.begin(row, seats, commands)

    async def what_if(self, player: Player, game: str, body: WhatIf) -> GameMade:
        """Play on from a moment of a battle, against a bot."""
        row, seats, commands = await self.handlers.shown(game)
        label = next((bot.label for bot in levels() if bot.key == body.bot), "")
        if not label:
            raise NotNowError("malformed", no_such_bot(body.bot, {bot.key for bot in levels()}))
        me = await self.lobby.ensure(player)
        sitters = [
            Sitter(
                me.name if seat.seat == body.side else label,
                "" if seat.seat == body.side else body.bot,
                seat.army,
                seat.army_name,
            )
            for seat in seats
        ]
        names = tuple(sitter.name for sitter in sitters)
        branch = await self.lobby.workers.office(study_jobs.branch_at, row, commands, body.seq, names)
        when = f"round {branch.round}" if branch.round else "the deployment"
        beginning = Beginning(
            row.edition,
            branch.state,
            f"What if: {when} of {title_of(row, seats)}",
            f"what-if {row.id} {body.seq}",
        )
        return await self.lobby.begin_from(*game_from(beginning, player.id, body.nonce, sitters))
