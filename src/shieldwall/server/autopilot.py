"""What a game does on its own: it starts, gives default answers, runs bots, and helps players who ask for it.

Nothing here changes the game directly: answers go through the room's queue like those of players.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from typing import TYPE_CHECKING, NamedTuple

from shieldwall.core.answers import AnyAnswer
from shieldwall.core.pending import Decision
from shieldwall.core.state import acting
from shieldwall.server import jobs
from shieldwall.server.logs import SHORT
from shieldwall.server.messages import Answer, Pace, Thinking
from shieldwall.server.opponents import helper
from shieldwall.server.storage import SeatRow
from shieldwall.server.turns import Turn

if TYPE_CHECKING:
    from shieldwall.server.room import Room

LOG = logging.getLogger("shieldwall.server")
HELP_AT_MOST = 400
QUICK_KINDS = 0.25  # share of the usual pause, between minor decisions within an activation
AT_ONCE = b'"setup":"at_once"'


class Help(NamedTuple):
    """A seat for which the computer answers until something is over."""

    until: str
    left: int
    round: int
    unit: int  # the unit that is activated; -1 until one is picked
    prefix: str = "help-"  # of its command ids; answers with "auto-" cannot be taken back


class Autopilot:
    """Advances one room whenever no person has to be asked."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.pace = Pace()
        self._helped: dict[int, Help] = {}
        self._acted_at = 0.0
        self._task: asyncio.Task[None] | None = None

    def stop(self) -> None:
        """Cancel a bot that is thinking."""
        if self._task is not None:
            self._task.cancel()

    def acted(self) -> None:
        """Something happened: the next pause starts here, and help now knows which unit it is for."""
        self._acted_at = time.monotonic()
        unit = acting(self.room.state)
        for seat, help in tuple(self._helped.items()):
            if help.until == "activation" and help.unit < 0 and help.left < HELP_AT_MOST:
                self._helped[seat] = help._replace(unit=unit, left=help.left if unit >= 0 else 0)

    def set_pace(self, pace: Pace) -> None:
        """Set the pace, or pause."""
        self.pace = pace
        self._restart()

    async def wake(self) -> None:
        """Somebody connected: a game that was paused without viewers continues."""
        if self._task is None or self._task.done():
            await self.go_on()

    def is_due(self) -> bool:
        """Whether the game waits for an answer that only the autopilot gives."""
        live = self.room.live
        pending = live.head.pending if live is not None else None
        if live is None or live.status == "over" or self.room.row.watch_only or pending is None:
            return False
        if self._row(pending).who == "bot":
            return not self.pace.paused and self._is_watched()
        return self.answers_alone(pending) or self.is_helping(pending.seat)

    async def go_on(self) -> None:
        """Take the next automatic action."""
        live = self.room.live
        if live is None or live.status == "over" or self.room.row.watch_only:
            return
        if live.head.state.round == 0 and AT_ONCE in self.room.row.ordered:
            for row in self.room.seats:
                if row.who == "person":
                    self.help(row.seat, "setup", "auto-")
        if live.head.seq == 0:
            await self.room.broadcast((await live.begin(self.room.workers.engine)).entry)
        pending = live.head.pending
        if pending is None:
            return
        row = self._row(pending)
        if self.answers_alone(pending):
            answer = await self.room.workers.engine(pending.default)
            self._give(answer, "auto-", self.room.seq, pending.seat)
        elif row.who == "bot" or self.is_helping(pending.seat):
            self._restart()

    def answers_alone(self, pending: Decision) -> bool:
        """Whether a person has set this kind of question to be answered as suggested."""
        row = self._row(pending)
        return row.who == "person" and pending.kind in row.automatic.split()

    def _row(self, pending: Decision) -> SeatRow:
        return next(row for row in self.room.seats if row.seat == pending.seat)

    def _give(self, answer: AnyAnswer, prefix: str, seq: int, seat: int, why: str = "") -> None:
        command_id = f"{prefix}{secrets.token_hex(8)}"
        self.room.post(Turn(None, Answer(command_id, seq, answer), seat, why))

    # --- help ---

    def help(self, seat: int, until: str, prefix: str = "help-") -> None:
        """Answer for a person from now on: one question, or until set-up or the activation is over."""
        state = self.room.state
        left = 1 if until == "question" else HELP_AT_MOST
        self._helped[seat] = Help(until, left, state.round, acting(state), prefix)

    def stop_helping(self, seats: tuple[int, ...]) -> None:
        """These seats took something back: stop answering for them."""
        for seat in seats:
            self._helped.pop(seat, None)

    def is_helping(self, seat: int) -> bool:
        """Whether the computer is answering for a person."""
        help = self._helped.get(seat)
        if help is None or help.left <= 0:
            return False
        state = self.room.state
        if help.until == "setup":
            return state.round == 0
        if help.until == "activation":
            return acting(state) == help.unit and state.round == help.round
        return True

    def _helped_once(self, seat: int) -> str:
        """Count an answer and return the id of its command."""
        help = self._helped[seat]
        self._helped[seat] = help._replace(left=help.left - 1)
        return help.prefix

    # --- bots ---

    def _restart(self) -> None:
        self.stop()
        self._task = asyncio.create_task(self._think(), name=f"bot {self.room.row.id}")

    async def _think(self) -> None:
        """Let a bot answer the current question, at a pace that people can follow."""
        room, live = self.room, self.room.live
        pending = live.head.pending if live is not None else None
        if live is None or pending is None or live.status == "over":
            return
        seq = live.head.seq
        row = self._row(pending)
        is_bot = row.who == "bot"
        if is_bot:
            if self.pace.paused or not self._is_watched():
                return
            room.tell_all(Thinking(row.seat, row.name, acting(live.head.state)))
        elif not self.is_helping(pending.seat):
            return
        bot = row.bot if is_bot else helper()
        try:
            thought = await room.think(jobs.think, bot, pending.seat)
        except asyncio.CancelledError:
            raise
        except Exception:  # whatever goes wrong in a bot, the game continues with the default answer
            LOG.exception("the bot %s failed", bot, extra={"game": room.row.id[:SHORT]})
            thought = jobs.Thought(await room.workers.engine(pending.default), "")
        if is_bot:
            await asyncio.sleep(self._pause(pending))
        if thought is None or room.live is not live or live.head.seq != seq:
            return
        if is_bot:
            self._give(thought.answer, "bot-", seq, pending.seat, thought.why)
        else:
            self._give(thought.answer, self._helped_once(pending.seat), seq, pending.seat)

    def _pause(self, pending: Decision) -> float:
        """Seconds to wait so that people can follow; thinking time counts towards them."""
        usual = self.pace.delay / 1000
        if pending.kind != "activate":
            usual *= QUICK_KINDS
        return max(0.0, usual - (time.monotonic() - self._acted_at))

    def _is_watched(self) -> bool:
        """Whether anybody is watching; bots play each other only then."""
        return bool(self.room.viewers) or any(row.who == "person" for row in self.room.seats)
