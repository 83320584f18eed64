"""HTTP handlers for analyses, battles continued from a moment of another, and puzzles."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from shieldwall.puzzles import NoSuchPuzzleError
from shieldwall.server import analysis_jobs, puzzle_jobs
from shieldwall.server.analyses import Analyses
from shieldwall.server.analysis_views import (
    AnalysisView,
    PuzzleAnswer,
    PuzzleList,
    PuzzleSolution,
    PuzzleTry,
    PuzzleVerdict,
    PuzzleView,
    WhatIf,
)
from shieldwall.server.damage import on_stored_game
from shieldwall.server.from_position import SeatTaker, StartPosition, game_from
from shieldwall.server.handlers import Handlers
from shieldwall.server.identity import Player
from shieldwall.server.lobby import NotFoundError
from shieldwall.server.opponents import helper, levels, no_such_bot
from shieldwall.server.pages import GameMade
from shieldwall.server.present import title_of
from shieldwall.server.refusals import NotNowError

P = ParamSpec("P")
T = TypeVar("T")


class AnalysisHandlers:
    """Handlers of these pages for one server."""

    def __init__(self, handlers: Handlers, studies: Analyses) -> None:
        self.handlers, self.lobby, self.studies = handlers, handlers.lobby, studies

    async def analysis(self, player: Player, game: str) -> AnalysisView:
        """The progress and findings of a battle's analysis."""
        await self.handlers.shown(game)
        return await self.studies.view(game)

    async def begin_analysis(self, player: Player, game: str) -> AnalysisView:
        """Start the analysis of a finished battle."""
        row, seats, commands = await self.handlers.shown(game)
        if row.status != "over" and not row.watch_only:
            raise NotNowError("waiting", "a battle can be analysed once it is over")
        return await self.studies.begin(row, seats, commands)

    async def what_if(self, player: Player, game: str, body: WhatIf) -> GameMade:
        """Continue from a moment of a battle, against a bot."""
        row, seats, commands = stored = await self.handlers.shown(game)
        label = next((bot.label for bot in levels() if bot.key == body.bot), "")
        if not label:
            raise NotNowError("malformed", no_such_bot(body.bot, {bot.key for bot in levels()}))
        me = await self.lobby.ensure(player)
        sitters = [
            SeatTaker(
                me.name if seat.seat == body.side else label,
                "" if seat.seat == body.side else body.bot,
                seat.army,
                seat.army_name,
            )
            for seat in seats
        ]
        names = tuple(sitter.name for sitter in sitters)
        branch = await self.lobby.workers.office(
            on_stored_game, stored, analysis_jobs.branch_at, row, commands, body.seq, names
        )
        when = f"round {branch.round}" if branch.round else "the deployment"
        beginning = StartPosition(
            row.edition,
            branch.state,
            f"What if: {when} of {title_of(row, seats)}",
            f"what-if {row.id} {body.seq}",
            f"what-if/{row.id}",
        )
        return await self.lobby.begin_from(*game_from(beginning, player.id, body.nonce, sitters))

    # --- puzzles ---

    async def puzzle_list(self, player: Player) -> PuzzleList:
        """All puzzles, easy ones first."""
        return await self.lobby.workers.office(puzzle_jobs.puzzle_list)

    async def puzzle(self, player: Player, puzzle: str) -> PuzzleView:
        """The task of a puzzle."""
        return await self._asked(puzzle_jobs.puzzle_view, puzzle)

    async def puzzle_solution(self, player: Player, puzzle: str) -> PuzzleSolution:
        """The solution of a puzzle, with the odds."""
        return await self._asked(puzzle_jobs.puzzle_solution, puzzle)

    async def try_puzzle(self, player: Player, puzzle: str, body: PuzzleTry) -> GameMade:
        """A battle in the position of a puzzle; a bot answers for the other side."""
        beginning, sitters, seat = await self._asked(puzzle_jobs.puzzle_beginning, puzzle)
        await self.lobby.ensure(player)
        taken = [
            sitter._replace(bot="" if number == seat else helper()) for number, sitter in enumerate(sitters)
        ]
        row, seats = game_from(beginning, player.id, body.nonce, taken)
        made = await self.lobby.begin_from(row, seats)
        await self.lobby.store.hide_game(player.id, row.id)  # a try does not appear in the list of games
        return GameMade(made.game, (seat,), made.commitment)

    async def judge_puzzle(self, player: Player, puzzle: str, body: PuzzleAnswer) -> PuzzleVerdict:
        """The verdict on a try."""
        row = await self.lobby.store.game(body.game)
        if row is None or row.origin != f"puzzle {puzzle}":
            raise NotFoundError("this game is not an attempt at this puzzle")
        commands = await self.lobby.store.commands(row.id)
        return await self._asked(puzzle_jobs.verdict_on, puzzle, row, commands)

    async def _asked(self, job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        try:
            return await self.lobby.workers.office(job, *given, **named)
        except NoSuchPuzzleError as error:
            raise NotFoundError(str(error)) from error
