"""Players' commands on their way to the game: who sent them, whether they still apply, and their effects."""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from shieldwall.core.answers import AnyAnswer
from shieldwall.core.state import State
from shieldwall.server.lessons_in_play import coach_refusal
from shieldwall.server.limits import answer_problems
from shieldwall.server.live import LiveGame, LogEntry, Stored
from shieldwall.server.messages import (
    Accepted,
    Answer,
    AnswerBack,
    AskBack,
    Automatic,
    BackAsked,
    ClaimTime,
    DoForMe,
    Play,
    Resign,
    Said,
    Say,
    Undo,
)
from shieldwall.server.refusals import NotNowError
from shieldwall.server.text import clean
from shieldwall.server.turns import Order, Turn
from shieldwall.server.viewer import Viewer

if TYPE_CHECKING:
    from shieldwall.server.room import Room


TALK_SECONDS = 0.6  # between two messages of one person


class TakeBackRequest(NamedTuple):
    """A request to take an answer back: whose seats, back to which command, and when it was made."""

    seats: tuple[int, ...]
    to: int
    seq: int
    name: str


def _hurt(entry: LogEntry) -> bool:
    """Whether a command cost anybody a wound."""

    def whole(state: State) -> list[tuple[int, int]]:
        return [(len(unit.models), sum(model.wounds for model in unit.models)) for unit in state.units]

    return whole(entry.before) != whole(entry.state)


class CommandHandler:
    """Handles one room's commands, one at a time; every refusal is a `NotNowError` and changes nothing."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._wish: TakeBackRequest | None = None

    async def take(self, turn: Turn, order: Order) -> None:
        """Carry out a command."""
        match order:
            case Answer():
                await self._answer(turn, order)
            case Play():
                await self._play(turn, order)
            case Undo():
                await self._undo(turn, order)
            case Resign():
                await self._resign(turn, order)
            case ClaimTime():
                await self._claim_time(turn, order)
            case DoForMe():
                await self._do_for_me(turn, order)
            case Automatic():
                await self._automatic(turn, order)
            case AskBack():
                self._ask_back(turn)
            case AnswerBack():
                await self._answer_back(turn, order)
            case Say():
                self._say(turn, order)

    def _require_live(self) -> LiveGame:
        if self.room.live is None:
            raise NotNowError("waiting", "the game waits for the other player")
        return self.room.live

    def require_seat_or_owner(self, viewer: Viewer | None) -> None:
        """Refuse spectators."""
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
            raise NotNowError("not_your_seat", "you are watching; only players can do that")
        return seats

    async def _was_stored(
        self, turn: Turn, message: Answer | Play | Undo | Resign | ClaimTime | DoForMe
    ) -> bool:
        """Whether a command was stored before, which is then confirmed again; raises if the client is out of date."""
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
        """The seat that is asked, one of the given ones; raises if the game is over or somebody else is asked."""
        live = self._require_live()
        pending = live.head.pending
        if live.status == "over" or pending is None:
            raise NotNowError("over", live.stopped or "the game is over; nothing is asked")
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
        await self._coached(turn, message.answer)
        stored = await self._require_live().answer(
            seat, message.command_id, message.answer, turn.why, self.room.played
        )
        await self._stored(turn, message.command_id, stored)

    async def _play(self, turn: Turn, message: Play) -> None:
        """Give one answer after another, as long as everything goes as planned."""
        seats = self._my_seats(turn)
        if await self._was_stored(turn, message):
            return
        live, engine = self._require_live(), self.room.played
        self._asked_seat(seats)
        problems = [problem for planned in message.answers for problem in answer_problems(planned.answer)]
        if problems:
            raise NotNowError("malformed", *problems)
        await self._coached(turn, *(planned.answer for planned in message.answers))
        done: list[Stored] = []
        for place, planned in enumerate(message.answers):
            pending = live.head.pending
            if place and (pending is None or pending.seat not in seats or pending.kind != planned.kind):
                break
            # the answers of a plan, and everything automatic between them, are taken back with the first one
            name = message.command_id if not place else f"auto-{message.command_id[:50]}-{place}"
            try:
                done.append(await live.answer(self._asked_seat(seats), name, planned.answer, "", engine))
            except NotNowError:
                if not done:
                    raise
                break  # the table is not as the plan assumed: stop and show the question
            if done[-1].entry.threw and (place or _hurt(done[-1].entry)):
                break
        await self._stored(turn, message.command_id, *done)

    async def _coached(self, turn: Turn, *answers: AnyAnswer) -> None:
        """In a lesson the coach decides first: anything not asked for is refused."""
        if not self.room.is_lesson or turn.viewer is None:
            return
        battle, state = self.room.battle, self.room.state
        words = await self.room.workers.engine(lambda: coach_refusal(battle, state, answers))
        if words:
            raise NotNowError("coached", words)

    async def _undo(self, turn: Turn, message: Undo) -> None:
        seats = self._my_seats(turn)
        if await self._was_stored(turn, message):
            return
        stored = await self._require_live().take_back(seats, message.command_id)
        self.room.pilot.stop_helping(seats)
        await self._stored(turn, message.command_id, stored)

    # --- between players ---

    def _ask_back(self, turn: Turn) -> None:
        """A player wants to take back an answer although others have answered since: ask them."""
        seats, live = self._my_seats(turn), self._require_live()
        to = live.back_to(seats)
        if to is None:
            raise NotNowError("nothing_to_undo", "nothing can be taken back: dice have been rolled since")
        if not self.room.has_other_people(seats):
            raise NotNowError("nothing_to_undo", "there is no other player in this game to agree to it")
        self._wish = TakeBackRequest(seats, to, live.head.seq, self._name(seats[0]))
        self.room.tell_all(BackAsked(seats[0], self._wish.name, True))

    def open_request(self) -> BackAsked | None:
        """The open request to take something back, for pages that have just loaded."""
        live, wish = self.room.live, self._wish
        if live is None or wish is None or wish.seq != live.head.seq:
            return None
        return BackAsked(wish.seats[0], wish.name, True)

    async def _answer_back(self, turn: Turn, message: AnswerBack) -> None:
        """Agree to a request or decline it; a request made at an earlier moment no longer applies."""
        seats, live, wish = self._my_seats(turn), self._require_live(), self._wish
        if wish is None or wish.seq != live.head.seq:
            self._wish = None
            raise NotNowError("nothing_to_undo", "there is no request to take anything back")
        if set(wish.seats) & set(seats):
            raise NotNowError("not_your_seat", "the other player is asked, not you")
        self._wish = None
        declined_by = "" if message.yes else self._name(seats[0])
        self.room.tell_all(BackAsked(wish.seats[0], wish.name, False, declined_by))
        if declined_by:
            return
        self.room.pilot.stop_helping(wish.seats)
        name = f"back-{secrets.token_hex(8)}"
        stored = await live.take_back_to(wish.to, wish.seats[0], seats[0], name)
        await self._stored(Turn(None, message, wish.seats[0]), name, stored)

    def _say(self, turn: Turn, message: Say) -> None:
        """Send a chat message to everybody; players who talk too fast have to wait."""
        seats, text = self._my_seats(turn), clean(message.text)
        viewer, now = turn.viewer, time.monotonic()
        if viewer is None or not text:
            return
        if now - viewer.said_at < TALK_SECONDS:
            raise NotNowError("too_fast", "one thing at a time; wait a moment")
        viewer.said_at = now
        self._tell(Said(seats[0], self._name(seats[0]), text))

    def _tell(self, said: Said) -> None:
        self.room.said.append(said)
        self.room.tell_all(said)

    def _name(self, seat: int) -> str:
        return next((row.name for row in self.room.seats if row.seat == seat), "")

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

    async def _claim_time(self, turn: Turn, message: ClaimTime) -> None:
        """Claim that the other side has run out of time; in a hot-seat game, the side that is not asked claims."""
        seats, live = self._my_seats(turn), self._require_live()
        if await self._was_stored(turn, message):
            return
        pending = live.head.pending
        seat = next((one for one in seats if pending is None or pending.seat != one), seats[0])
        stored = await live.claim_time(live.head.state.seats[seat].side, seat, message.command_id)
        await self._stored(turn, message.command_id, stored)

    async def _do_for_me(self, turn: Turn, message: DoForMe) -> None:
        seats = self._my_seats(turn)
        if await self._was_stored(turn, message):
            return
        if self.room.is_lesson:
            raise NotNowError("coached", "In a lesson you do it yourself. Press Show me to see how.")
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

    async def _stored(self, turn: Turn, command_id: str, *done: Stored) -> None:
        """The command is durable: confirm it to its sender, send it to everybody, then continue."""
        assert self.room.live is not None
        last = done[-1]
        if turn.viewer is not None:
            turn.viewer.send(Accepted(command_id, last.seq, self.room.live.public_hash(last.hash)))
        fresh = [stored.entry for stored in done if stored.fresh]
        if fresh:
            await self.room.broadcast(*fresh)
            await self.room.pilot.go_on()
