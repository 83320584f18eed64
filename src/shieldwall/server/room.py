"""A room: one game, everybody connected to it, and one task that handles all its commands in order."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Concatenate, Literal, NamedTuple, ParamSpec, TypeVar

from msgspec.structs import replace

from shieldwall.core.codec import encode
from shieldwall.core.pending import Decision
from shieldwall.core.state import State
from shieldwall.editions import ruleset
from shieldwall.lessons.battles import LESSON
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server import jobs
from shieldwall.server.autopilot import Autopilot
from shieldwall.server.clocks import Uptime
from shieldwall.server.command_handler import CommandHandler
from shieldwall.server.encoded import already_encoded, encoded_once
from shieldwall.server.forms import question_for
from shieldwall.server.lessons_in_play import battle_of, task_number
from shieldwall.server.live import LiveGame, LogEntry
from shieldwall.server.log_lines import rolls_of
from shieldwall.server.logs import SHORT
from shieldwall.server.match import Answered, Command, DriftError, RanOut, Resigned, TookBack
from shieldwall.server.messages import (
    FromServer,
    Hello,
    Pace,
    Presence,
    Refused,
    Rematched,
    Said,
    Steps,
    StepView,
    Welcome,
)
from shieldwall.server.present import board_view, seat_view, table_view, title_of
from shieldwall.server.question_views import Question
from shieldwall.server.refusals import NotNowError
from shieldwall.server.rematch import rematch_view
from shieldwall.server.storage import GameRow, LostError, SeatRow, StorageError, Store
from shieldwall.server.turns import Asked, Started, Turn
from shieldwall.server.viewer import Viewer
from shieldwall.server.views import BoardView, ClockView, LostView, SeatView
from shieldwall.server.workers import Workers

P = ParamSpec("P")
T = TypeVar("T")

LOG = logging.getLogger("shieldwall.server")
INBOX = 64
STEPS_KEPT = 200
RECENT_BYTES = 200_000  # of the steps kept for reconnecting clients
LINES_SHOWN = 120
PRESENCE_SECONDS = 0.25  # minimum interval between two presence messages
SAID_KEPT = 40
WAKE_SECONDS = 5.0  # a bot's answer that got lost, for example on a full disk, is requested again after this
MOVED = "the game has moved to another server; reconnect"
LONG_SECONDS = 0.5  # a question that takes longer is sent after the step that led to it


class ShownStep(NamedTuple):
    """A step as it is broadcast, encoded once for everybody."""

    seq: int
    hash: str
    view: StepView
    size: int  # bytes


class Room:
    """One game and its viewers. `provisional` is shown while a seat is still open."""

    def __init__(
        self,
        store: Store,
        workers: Workers,
        row: GameRow,
        seats: list[SeatRow],
        provisional: State | None = None,
        uptime: Uptime | None = None,
    ) -> None:
        self.uptime = uptime if uptime is not None else Uptime()
        self.store, self.workers = store, workers
        self.row, self.seats = row, seats
        self.provisional = provisional
        self.live: LiveGame | None = None
        self.viewers: set[Viewer] = set()
        self.inbox: asyncio.Queue[Turn] = asyncio.Queue(INBOX)
        self.recent: deque[ShownStep] = deque(maxlen=STEPS_KEPT)
        self.pilot = Autopilot(self)
        self.orders = CommandHandler(self)
        self.said: deque[Said] = deque(maxlen=SAID_KEPT)
        self.used_at = time.monotonic()
        self.battle = battle_of(row)
        self.gone = False  # another server now plays the game
        self.presence: Presence | None = None  # as last sent
        self._presence_told_at = -PRESENCE_SECONDS
        self._presence_due: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._question: tuple[int, Question | None, Question | None] | None = None
        self._heard: dict[str, int] = {}  # the last command that the workers of each kind have seen
        self._shown: dict[int, tuple[LogEntry, ShownStep]] = {}  # commands on their way to the database

    # --- life ---

    async def open(self) -> None:
        """Load the game from the database and continue it."""
        if self.row.setup:
            self.live = LiveGame(self.store, self.row, self.seats, self.uptime)
            await self.live.load(self.workers.engine)
        if self.is_lesson:  # read once, off the event loop
            await self.workers.engine(lambda: self.task)
        self._task = asyncio.create_task(self._run(), name=f"room {self.row.id}")

    async def close(self, words: str = "the server is closing") -> None:
        """Stop everything; what is stored stays stored."""
        self.gone = True
        self.pilot.stop()
        if self._task is not None:
            self._task.cancel()
        if self._presence_due is not None:
            self._presence_due.cancel()
        for viewer in tuple(self.viewers):
            viewer.drop(words)

    @property
    def is_lesson(self) -> bool:
        """Whether this is a lesson with a coach."""
        return self.battle.startswith(LESSON)

    @property
    def task(self) -> int:
        """How many tasks of its lesson are done; -1 outside lessons."""
        return task_number(self.battle, self.state) if self.is_lesson else -1

    @property
    def state(self) -> State:
        """The current state of the table."""
        if self.live is not None:
            return self.live.head.state
        assert self.provisional is not None
        return self.provisional

    @property
    def seq(self) -> int:
        """The number of the latest command."""
        return self.live.head.seq if self.live is not None else 0

    @property
    def hash(self) -> str:
        """The fingerprint of the latest state, as clients know it."""
        return self.live.public_hash(self.live.head.hash) if self.live is not None else ""

    def seats_of(self, player: str) -> tuple[int, ...]:
        """The seats of a player; empty for spectators."""
        return tuple(row.seat for row in self.seats if row.who == "person" and row.player == player)

    # --- workers ---

    async def ask(
        self, job: Callable[Concatenate[jobs.Position, P], T], *given: P.args, **named: P.kwargs
    ) -> T:
        """Run a job about the current game that a player is waiting for."""
        return await self._worked_out(self.workers.ask, job, *given, **named)

    async def think(
        self, job: Callable[Concatenate[jobs.Position, P], T], *given: P.args, **named: P.kwargs
    ) -> T:
        """The same for a job that may take seconds, such as a bot's."""
        return await self._worked_out(self.workers.think, job, *given, **named)

    async def _worked_out(
        self, how: Callable[..., Awaitable[T]], job: Callable[..., T], *given: Any, **named: Any
    ) -> T:
        """Send a worker what was played since it last saw the game, or the whole state if it does not know it."""
        live = self.live
        assert live is not None
        head, name = live.head, how.__name__
        heard, self._heard[name] = self._heard.get(name, -1), head.seq
        steps = tuple(step for step in live.steps if step.seq > heard)
        position = jobs.Position(self.row.id, head.seq, self.row.edition, steps=steps)
        if heard >= 0:
            try:
                return await how(job, position, *given, **named)
            except (jobs.StateNeededError, DriftError):
                pass
        return await how(job, position._replace(state=encode(head.state), steps=()), *given, **named)

    # --- viewers ---

    def enter(self, viewer: Viewer) -> None:
        """A viewer connects."""
        self.viewers.add(viewer)
        self.used_at = time.monotonic()

    def leave(self, viewer: Viewer) -> None:
        """A viewer disconnects."""
        self.viewers.discard(viewer)
        self.used_at = time.monotonic()
        if viewer.ready:
            self._tell_presence()

    def submit(self, viewer: Viewer, message: Asked) -> None:
        """Queue a message; if the queue is full, it is refused at once."""
        try:
            self.inbox.put_nowait(Turn(viewer, message))
        except asyncio.QueueFull:
            viewer.send(self._refused(NotNowError("busy", "the game is busy; try again"), message))

    def _tell_presence(self) -> None:
        """Tell everybody who is connected, if that has changed. Several changes at once are sent as one."""
        if self._presence_due is None:
            loop = asyncio.get_running_loop()
            due = max(loop.time(), self._presence_told_at + PRESENCE_SECONDS)
            self._presence_due = loop.call_at(due, self._tell_presence_now)

    def _tell_presence_now(self) -> None:
        self._presence_due = None
        here = [self.seats_of(viewer.player) for viewer in self.viewers if viewer.ready]
        online = sorted({seat for seats in here for seat in seats})
        presence = Presence(self._seat_views(), tuple(online), here.count(()))
        if presence != self.presence:
            self.presence = presence
            self._presence_told_at = asyncio.get_running_loop().time()
            self.tell_all(presence)

    def _seat_views(self) -> tuple[SeatView, ...]:
        return tuple(seat_view(self.state, row) for row in self.seats)

    def tell_all(self, message: FromServer) -> None:
        """Send one message to every client that has been welcomed."""
        data = encode(message)
        for viewer in tuple(self.viewers):
            if viewer.ready:
                viewer.send_bytes(data)

    # --- the one task ---

    async def _run(self) -> None:
        await self._guarded(self.pilot.go_on())
        while True:
            turn = await self._next_turn()
            if turn is None:
                await self._guarded(self.pilot.wake())
                continue
            self.used_at = time.monotonic()
            await self._guarded(self._take(turn))

    async def _next_turn(self) -> Turn | None:
        """The next turn; None if the game has waited so long for an automatic answer that it may have been lost."""
        try:
            async with asyncio.timeout(WAKE_SECONDS if self.pilot.is_due() else None):
                return await self.inbox.get()
        except TimeoutError:
            return None

    async def _guarded(self, work: Awaitable[None]) -> None:
        """A fault in one command must not end the game: it is logged, and the next command is handled."""
        try:
            await work
        except asyncio.CancelledError:
            raise
        except LostError:
            LOG.warning("a game went to another server", extra={"game": self.row.id[:SHORT]})
            await self.close(MOVED)
        except Exception:
            LOG.exception("a command failed", extra={"game": self.row.id[:SHORT]})

    async def _take(self, turn: Turn) -> None:
        began = time.perf_counter()
        try:
            await self._dispatch(turn)
        except NotNowError as error:
            if turn.viewer is not None:
                turn.viewer.send(self._refused(error, turn.message))
        except StorageError as error:
            LOG.error("storage failed: %s", error, extra={"game": self.row.id[:SHORT]})
            if turn.viewer is not None:
                words = "the server could not store this, its disk may be full; nothing has changed"
                turn.viewer.send(self._refused(NotNowError("failed", words), turn.message))
        except LostError:
            raise  # the sender is redirected to the server that has the game, and asks there
        except Exception:
            if turn.viewer is not None:
                wrong = NotNowError("failed", "the server failed; nothing has changed")
                turn.viewer.send(self._refused(wrong, turn.message))
            raise
        finally:
            if turn.viewer is not None:
                taken = time.perf_counter() - began
                turn.viewer.spend("commands", taken * 1000)
                self.workers.metrics.command(self.row.id, type(turn.message).__name__.lower(), taken)
            if self.live is not None and self.live.outdated:
                await self._begin(self.row, self.seats)

    def _refused(self, error: NotNowError, message: Asked | Started) -> Refused:
        command_id = getattr(message, "command_id", "")
        self.workers.metrics.refused[error.code] += 1
        return Refused(error.code, error.reasons, self.seq, self.hash, command_id)

    async def _dispatch(self, turn: Turn) -> None:
        message, viewer = turn.message, turn.viewer
        match message:
            case Hello():
                assert viewer is not None
                await self._greet(viewer, message)
            case Started():
                await self._begin(message.row, message.seats)
            case Pace():
                self.orders.require_seat_or_owner(viewer)
                self.pilot.set_pace(message)
            case _:
                await self.orders.take(turn, message)

    # --- greeting ---

    async def _greet(self, viewer: Viewer, message: Hello) -> None:
        missing = [step for step in self.recent if step.seq > message.last_seq]
        before = next((step for step in self.recent if step.seq == message.last_seq), None)
        mine = self.seats_of(viewer.player)
        known = message.last_seq == self.seq and message.last_hash == self.hash
        if self.live is not None and (known or (before is not None and before.hash == message.last_hash)):
            question = await self._question_for(mine)
            data = encode(self._steps(tuple(step.view for step in missing), question, mine))
        else:
            data = encode(await self.welcome(mine))
        viewer.send_bytes(data)
        viewer.spend("bytes", len(data))
        viewer.ready = True
        if self.presence is not None:
            viewer.send(self.presence)
        for words in self.said if message.last_seq < 0 else ():
            viewer.send(words)
        wish = self.orders.open_request()
        if wish is not None:
            viewer.send(wish)
        self._tell_presence()
        await self.pilot.wake()

    async def welcome(self, mine: tuple[int, ...]) -> Welcome:
        """The whole game, as these seats see it."""
        rules, state = self._rules(), self.state
        lines = tuple(line for _, line in tuple(self.live.lines)[-LINES_SHOWN:]) if self.live else ()
        automatic = next((row.automatic.split() for row in self.seats if row.seat in mine), [])
        return Welcome(
            game=self.row.id,
            name=title_of(self.row, self.seats),
            status=self._status(),
            seq=self.seq,
            hash=self.hash,
            seats=mine,
            table=table_view(rules, state, self.seats),
            board=self._with_winner(board_view(rules, state)),
            question=await self._question_for(mine),
            lines=lines,
            commitment=self.row.commitment,
            automatic=tuple(automatic),
            can_undo=self._can_undo(mine),
            clock=self._clock(),
            lost=self._lost(),
            rematch=rematch_view(self.row, self.seats),
            can_ask_back=self._can_ask_back(mine),
            battle=self.battle,
            task=self.task,
        )

    def _rules(self) -> Ruleset:
        return ruleset(self.row.edition)

    def _status(self) -> Literal["waiting", "running", "over"]:
        return self.live.status if self.live is not None else "waiting"

    def _can_undo(self, mine: tuple[int, ...]) -> bool:
        return self.live is not None and self.live.undo_to(mine) is not None

    def forget_question(self) -> None:
        """A different player answers from now on, so the question looks different to everybody."""
        self._question = None

    async def _question_for(self, mine: tuple[int, ...]) -> Question | None:
        """The question with its form for the player asked, and the bare sentence for everybody else."""
        live = self.live
        if live is None or live.status == "over" or live.head.pending is None:
            return None
        pending, seq = live.head.pending, live.head.seq
        if self._question is None or self._question[0] != seq:
            self._question = (seq, None, None)
        _, form, bare = self._question
        is_answered = self.pilot.is_helping(pending.seat) or self.pilot.answers_alone(pending)
        is_mine = pending.seat in mine and not is_answered
        if is_mine and form is None:
            form = await self._form(pending, self._can_undo(mine))
        elif not is_mine and bare is None:
            bare = encoded_once(self._bare(pending))
        self._question = (seq, form, bare)
        return form if is_mine else bare

    def _bare(self, pending: Decision) -> Question:
        """The sentence alone, without a form that would have to be computed."""
        assert self.live is not None
        return question_for(self.live.rules, self.live.head.state, pending, False)

    async def _form(self, pending: Decision, undo: bool) -> Question:
        began = time.perf_counter()
        try:
            found = await self.ask(jobs.encoded_question, undo, not self.is_lesson)
            self.workers.metrics.question(self.row.id, f"form {pending.kind}", time.perf_counter() - began)
            return already_encoded(Question, found)
        except Exception:  # whatever goes wrong in a form, the game continues with the default answer
            LOG.exception("a form failed", extra={"game": self.row.id[:SHORT], "kind": pending.kind})
            default = await self.workers.engine(pending.default)
            return replace(self._bare(pending), mine=True, default=default, can_undo=undo)

    # --- broadcasting ---

    async def played(self, job: Callable[[], LogEntry]) -> LogEntry:
        """Compute a command, and how it will be shown once it is stored, in one trip to the engine thread."""

        def both() -> LogEntry:
            entry = job()
            self._shown[entry.seq] = entry, self._shown_step(entry)
            return entry

        return await self.workers.engine(both)

    async def broadcast(self, *entries: LogEntry) -> None:
        """Tell everybody what was stored."""
        assert self.live is not None
        self.pilot.acted()
        shown, self._shown = self._shown, {}
        if not all(entry.seq in shown and shown[entry.seq][0] is entry for entry in entries):
            shown = await self.workers.engine(lambda: {e.seq: (e, self._shown_step(e)) for e in entries})
        steps = tuple(shown[entry.seq][1] for entry in entries)
        self._remember(steps)
        pending = self.live.head.pending
        asked = pending.seat if pending is not None else -1
        groups: dict[tuple[int, ...], list[Viewer]] = {}
        for viewer in self.viewers:
            if viewer.ready:
                groups.setdefault(self.seats_of(viewer.player), []).append(viewer)
        # the player asked comes last: the others need no form and should not wait for a slow one
        for mine in sorted(groups, key=lambda seats: asked in seats):
            await self._tell(mine, groups[mine], tuple(step.view for step in steps))

    def _remember(self, steps: tuple[ShownStep, ...]) -> None:
        """Keep steps for clients that reconnect, as long as sending them is cheaper than sending the whole board."""
        self.recent.extend(steps)
        kept = sum(step.size for step in self.recent)
        while kept > RECENT_BYTES and len(self.recent) > 1:
            kept -= self.recent.popleft().size

    async def _tell(self, mine: tuple[int, ...], viewers: list[Viewer], steps: tuple[StepView, ...]) -> None:
        """Send steps with the question that follows them, encoded once for all who see the same.

        If the question takes long, the steps are sent first.
        """
        pending = self.live.head.pending if self.live is not None else None
        if pending is None or pending.seat not in mine:
            question = await self._question_for(mine)
        else:
            building = asyncio.ensure_future(self._question_for(mine))
            done, _ = await asyncio.wait((building,), timeout=LONG_SECONDS)
            if not done:
                self._send(viewers, self._steps(steps, None, ()))
                steps = ()
            question = await building
        self._send(viewers, self._steps(steps, question, mine))

    def _steps(self, steps: tuple[StepView, ...], question: Question | None, mine: tuple[int, ...]) -> Steps:
        can_undo, can_ask = self._can_undo(mine), self._can_ask_back(mine)
        return Steps(
            steps, question, self._status(), can_undo, self._clock(), self._lost(), can_ask, self.task
        )

    def has_other_people(self, mine: tuple[int, ...]) -> bool:
        """Whether a person plays in any other seat."""
        return any(seat.who == "person" and seat.seat not in mine for seat in self.seats)

    def _can_ask_back(self, mine: tuple[int, ...]) -> bool:
        """Whether other people could be asked to let these seats take back what they may not take back alone."""
        if self.live is None or not self.has_other_people(mine):
            return False
        return not self._can_undo(mine) and self.live.back_to(mine) is not None

    def _clock(self) -> ClockView | None:
        clock = self.live.clock if self.live is not None else None
        return clock.view(self.uptime) if clock is not None else None

    def _lost(self) -> LostView | None:
        live = self.live
        if live is None or live.lost is None:
            return None
        return LostView(live.lost, "resigned" if live.resigned is not None else "time")

    def rematched(self, row: GameRow) -> None:
        """Send news of a rematch."""
        self.row = replace(self.row, rematch=row.rematch)
        self.tell_all(Rematched(rematch_view(row, self.seats)))

    @staticmethod
    def _send(viewers: list[Viewer], message: FromServer) -> None:
        data = encode(message)
        for viewer in viewers:
            viewer.send_bytes(data)

    def _shown_step(self, entry: LogEntry) -> ShownStep:
        view = self.step_view(entry)
        data = encode(view)
        return ShownStep(entry.seq, view.hash, already_encoded(StepView, data), len(data))

    def step_view(self, entry: LogEntry) -> StepView:
        """One command as it is shown."""
        live = self.live
        assert live is not None
        who = {row.seat: row.who for row in self.seats}.get(entry.actor, "server")
        command = entry.command
        return StepView(
            seq=entry.seq,
            hash=live.public_hash(entry.hash),
            seat=entry.actor,
            actor="bot" if who == "bot" else "person" if who == "person" else "server",
            events=entry.events,
            lines=entry.lines,
            rolls=rolls_of(entry.state, entry.events),
            board=self._with_winner(board_view(live.rules, entry.state, entry.before), command),
            why=command.why if isinstance(command, Answered) else "",
            undone=isinstance(command, TookBack),
            at=entry.at,
            void=entry.void if isinstance(command, TookBack) else 0,
        )

    def _with_winner(self, board: BoardView, command: Command | None = None) -> BoardView:
        """A board with the winner, if the other side resigned or ran out of time, now or earlier."""
        lost = command.side if isinstance(command, Resigned | RanOut) else None
        if lost is None and self.live is not None:
            lost = self.live.lost
        return board if lost is None else replace(board, winner=1 - lost)

    # --- starting ---

    def post(self, turn: Turn) -> None:
        """Queue a message from the server itself; if the queue is full, try again."""
        try:
            self.inbox.put_nowait(turn)
        except asyncio.QueueFull:
            LOG.warning("the line of a game is full; trying again", extra={"game": self.row.id[:SHORT]})
            asyncio.get_running_loop().call_later(0.2, self.post, turn)

    def start(self, row: GameRow, seats: list[SeatRow]) -> None:
        """All seats are taken; the game starts when its turn comes."""
        self.post(Turn(None, Started(row, seats)))

    async def _begin(self, row: GameRow, seats: list[SeatRow]) -> None:
        self.row, self.seats = row, seats
        self.live = LiveGame(self.store, row, seats, self.uptime)
        await self.live.load(self.workers.engine)
        for viewer in tuple(self.viewers):
            if viewer.ready:
                viewer.send(await self.welcome(self.seats_of(viewer.player)))
        self._tell_presence()
        await self.pilot.go_on()
