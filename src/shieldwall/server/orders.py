"""Commands of players on their way to the game: whose they are, whether they are still meant, what becomes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from shieldwall.server.limits import answer_problems
from shieldwall.server.live import LiveGame, Stored
from shieldwall.server.messages import Accepted, Answer, Automatic, DoForMe, Resign, Undo
from shieldwall.server.refusals import NotNowError
from shieldwall.server.turns import Order, Turn
from shieldwall.server.viewer import Viewer

if TYPE_CHECKING:
    from shieldwall.server.room import Room


class Orders:
    """Takes one room's commands, one at a time; every refusal is a `NotNowError` and changes nothing."""

    def __init__(self, room: Room) -> None:
        self.room = room

    async def take(self, turn: Turn, order: Order) -> None:
        """Carry out a command."""
        match order:
            case Answer():
                await self._answer(turn, order)
            case Undo():
                await self._undo(turn, order)
            case Resign():
                await self._resign(turn, order)
            case DoForMe():
                await self._do_for_me(turn, order)
            case Automatic():
                await self._automatic(turn, order)

    def _require_live(self) -> LiveGame:
        if self.room.live is None:
            raise NotNowError("waiting", "the game waits for the other player")
        return self.room.live

    def require_seat_or_owner(self, viewer: Viewer | None) -> None:
        """Refuse those who only watch."""
        if (
            viewer is not None
            and not self.room.seats_of(viewer.player)
            and viewer.player != self.room.row.owner
        ):
            raise NotNowError("not_your_seat", "only players may do that; you are watching")

    def _my_seats(self, turn: Turn) -> tuple[int, ...]:
        if turn.viewer is None:
            return (turn.seat,)
        seats = self.room.seats_of(turn.viewer.player)
        if not seats:
            raise NotNowError("not_your_seat", "you are watching; only players give orders")
        return seats

    async def _was_stored(self, turn: Turn, message: Answer | Undo | Resign | DoForMe) -> bool:
        """Whether a command was stored before, which is said once more; raises where the client is out of date."""
        live = self._require_live()
        if message.expected_seq == live.head.seq:
            return False
        row = await self.room.store.command_by_id(self.room.row.id, message.command_id)
        if row is None:
            words = (
                f"the game is at step {live.head.seq}, the command was meant for step {message.expected_seq}"
            )
            raise NotNowError("stale", words)
        if turn.viewer is not None:
            turn.viewer.send(Accepted(message.command_id, row.seq, live.public_hash(row.state_hash)))
        return True

    def _asked_seat(self, seats: tuple[int, ...]) -> int:
        """The seat that is asked, one of these; raises where the game is over or somebody else is asked."""
        live = self._require_live()
        pending = live.head.pending
        if live.status == "over" or pending is None:
            raise NotNowError("over", "the game is over; nothing is asked")
        if pending.seat not in seats:
            raise NotNowError("not_your_seat", "this question is for the other player")
        return pending.seat

    async def _answer(self, turn: Turn, message: Answer) -> None:
        seats = self._my_seats(turn)
        if await self._was_stored(turn, message):
            return
        seat = self._asked_seat(seats)
        problems = answer_problems(message.answer)
        if problems:
            raise NotNowError("malformed", *problems)
        stored = await self._require_live().answer(
            seat, message.command_id, message.answer, turn.why, self.room.workers.engine
        )
        await self._stored(turn, message.command_id, stored)

    async def _undo(self, turn: Turn, message: Undo) -> None:
        seats = self._my_seats(turn)
        if await self._was_stored(turn, message):
            return
        stored = await self._require_live().take_back(seats, message.command_id)
        self.room.pilot.stop_helping(seats)
        await self._stored(turn, message.command_id, stored)

    async def _resign(self, turn: Turn, message: Resign) -> None:
        seats = self._my_seats(turn)
        live = self._require_live()
        if await self._was_stored(turn, message):
            return
        pending = live.head.pending
        seat = pending.seat if pending is not None and pending.seat in seats else seats[0]
        side = live.head.state.seats[seat].side
        stored = await live.resign(side, seat, message.command_id)
        await self._stored(turn, message.command_id, stored)

    async def _do_for_me(self, turn: Turn, message: DoForMe) -> None:
        seats = self._my_seats(turn)
        if await self._was_stored(turn, message):
            return
        self.room.pilot.help(self._asked_seat(seats), message.until)
        self.room.forget_question()
        if turn.viewer is not None:
            turn.viewer.send(Accepted(message.command_id, self.room.seq, self.room.hash))
        await self.room.pilot.go_on()

    async def _automatic(self, turn: Turn, message: Automatic) -> None:
        seats = self._my_seats(turn)
        kinds = " ".join(sorted({"".join(k.split()) for k in message.kinds}))[:400]
        for seat in seats:
            await self.room.store.set_automatic(self.room.row.id, seat, kinds)
        self.room.seats = [replace(r, automatic=kinds) if r.seat in seats else r for r in self.room.seats]
        await self.room.pilot.go_on()

    async def _stored(self, turn: Turn, command_id: str, stored: Stored) -> None:
        """The command is durable: say so to whoever gave it, then to everybody, then go on."""
        assert self.room.live is not None
        if turn.viewer is not None:
            turn.viewer.send(Accepted(command_id, stored.seq, self.room.live.public_hash(stored.hash)))
        if stored.fresh:
            await self.room.broadcast(stored.entry)
            await self.room.pilot.go_on()
