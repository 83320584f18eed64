"""Analyses in progress: each runs piece by piece in a worker, shows partial results, and is stored with its game."""

from __future__ import annotations

import asyncio
import logging

import msgspec

from shieldwall.analysis import Analysis
from shieldwall.core.codec import encode
from shieldwall.core.errors import ShieldwallError
from shieldwall.server.analysis_jobs import VERSION, next_piece
from shieldwall.server.analysis_views import AnalysisView
from shieldwall.server.budgets import Budgets
from shieldwall.server.live import now
from shieldwall.server.logs import SHORT
from shieldwall.server.refusals import NotNowError
from shieldwall.server.storage import AnalysisRow, CommandRow, DamagedError, GameRow, SeatRow, Store
from shieldwall.server.worker_process import OverLimitError, WorkerDiedError
from shieldwall.server.workers import ASKER, Asker, Workers

LOG = logging.getLogger("shieldwall.server")
AT_ONCE = 12  # analyses that may run at once; their pieces take turns
FAILED_KEPT = 200
FOUND: msgspec.json.Decoder[Analysis] = msgspec.json.Decoder(Analysis)


class Analyses:
    """The analyses of one server."""

    def __init__(self, store: Store, workers: Workers, budgets: Budgets) -> None:
        self.store, self.workers, self.budgets = store, workers, budgets
        self._views: dict[str, AnalysisView] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def close(self) -> None:
        """Stop working; unfinished analyses start again when requested."""
        for task in self._tasks.values():
            task.cancel()

    async def view(self, game: str) -> AnalysisView:
        """The progress of a game's analysis."""
        known = self._views.get(game)
        if known is not None:
            return known
        kept = await self.store.analysis(game, VERSION)
        if kept is None:
            return AnalysisView(game, "none")
        return AnalysisView(game, "done", found=FOUND.decode(kept.data))

    async def begin(self, row: GameRow, seats: list[SeatRow], commands: list[CommandRow]) -> AnalysisView:
        """Start an analysis unless there is one already."""
        known = await self.view(row.id)
        if known.status in ("working", "done"):
            return known
        player, address = ASKER.get() or Asker("", "")
        if len(self._tasks) >= AT_ONCE:
            raise NotNowError("too_fast", "many battles are being analysed; try again in a minute")
        if address and not self.budgets.allows("studies", player, address):
            raise NotNowError("too_fast", "you have started many analyses; wait a few minutes and try again")
        view = self._views[row.id] = AnalysisView(row.id, "working", "replaying the battle")
        self._tasks[row.id] = asyncio.create_task(self._work(row, seats, commands))
        return view

    async def _work(self, row: GameRow, seats: list[SeatRow], commands: list[CommandRow]) -> None:
        try:
            while True:
                found = await self.workers.analyse(next_piece, row, seats, commands)
                if found.done >= 1:
                    break
                self._views[row.id] = AnalysisView(row.id, "working", _doing(found), found)
            await self.store.keep_analysis(AnalysisRow(row.id, VERSION, encode(found), now()))
            del self._views[row.id]
        except (ShieldwallError, DamagedError, OverLimitError, WorkerDiedError, NotNowError) as error:
            self._fail(row.id, str(error))
        except Exception:
            LOG.exception("an analysis failed", extra={"game": row.id[:SHORT]})
            self._fail(row.id, "something went wrong; the server's log says what")
        finally:
            self._tasks.pop(row.id, None)

    def _fail(self, game: str, why: str) -> None:
        """Remember why it failed; asking again retries."""
        self._views[game] = AnalysisView(game, "failed", f"The analysis failed: {why}.")
        failed = [id for id, view in self._views.items() if view.status == "failed"]
        for old in failed[:-FAILED_KEPT]:
            del self._views[old]


def _doing(found: Analysis) -> str:
    return (
        "checking every decision"
        if found.balance is None and not found.decisions
        else ("playing out the decisions that look worst")
    )
