"""One running game in memory: its latest state, what may be taken back, and how a command gets into the database.

The order is the promise: legality -> dice -> apply to a copy -> hash -> commit -> only then broadcast.
"""

from __future__ import annotations

import copy
import hashlib
import hmac
from collections import deque
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Literal, NamedTuple, TypeVar

import msgspec

from shieldwall import __version__
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.codec import decode_state, encode
from shieldwall.core.engine import pending_of
from shieldwall.core.errors import MalformedError, RefusedError
from shieldwall.core.events import ActivationEnded, AnyEvent
from shieldwall.core.pending import Decision
from shieldwall.core.state import State
from shieldwall.editions import ruleset
from shieldwall.replay import rules_version_of
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.objectives import markers_held
from shieldwall.server.clocks import GameClock, Uptime, clock_of
from shieldwall.server.dice_key import Throw, dice_for
from shieldwall.server.jobs import PlayedStep
from shieldwall.server.log_lines import lines_of
from shieldwall.server.match import (
    COMMANDS,
    RECORDED_COMMAND,
    THROWS,
    Answered,
    Began,
    CarriedOut,
    Command,
    DriftError,
    RanOut,
    RecordedCommand,
    Resigned,
    TookBack,
    carried_again,
    carry_out,
    replay_recorded,
    same_rules,
    stamp_of,
)
from shieldwall.server.refusals import NotNowError, from_engine
from shieldwall.server.storage import CommandRow, ConflictError, GameRow, SeatRow, SnapshotRow, Store
from shieldwall.server.views import LineView
from shieldwall.story import Story

T = TypeVar("T")
Runner = Callable[[Callable[[], T]], Awaitable[T]]

SNAPSHOT_EVERY = 12
LINES_KEPT = 400
STEPS_KEPT = 32  # steps that a worker may have missed; beyond that it gets the whole state
LINES: msgspec.json.Decoder[tuple[LineView, ...]] = msgspec.json.Decoder(tuple[LineView, ...])
SERVER = -1
GOES_ON = "This game was started with earlier rules. From here on it continues with the current ones."
CANNOT_GO_ON = (
    "This game was played with earlier rules; the current ones differ here. It can only be watched."
)
TAKEN_BACK = "back"  # the kind of line that says who took something back


class LogEntry(NamedTuple):
    """The game after one command. `before` is the state in which it was given."""

    seq: int
    state: State
    pending: Decision | None
    hash: str
    actor: int
    command: Command | None
    before: State
    events: tuple[AnyEvent, ...]
    lines: tuple[LineView, ...]
    threw: bool
    story: Story
    at: str = ""
    automatic: bool = False
    void: int = 0  # log lines that were taken back


class Stored(NamedTuple):
    """A command that is in the database, and whether this call stored it."""

    entry: LogEntry
    fresh: bool
    seq: int
    hash: str


def now() -> str:
    """The current time in stored form."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def rules_version(rules: Ruleset) -> str:
    """What a game was played with: the program, the edition's constants, and the version of its rules."""
    version = rules_version_of(rules)
    return f"{__version__}+{version.numbers_hash}+{version.number}"


def effects_of(entry: LogEntry) -> bytes:
    """The recorded effects of a command, as stored."""
    asked = entry.pending
    kind, seat = (asked.kind, asked.seat) if asked is not None else ("", SERVER)
    return encode(RecordedCommand(entry.events, entry.state.stack, kind, seat))


def has_recorded_effects(row: CommandRow, version: str) -> bool:
    """Whether a command was played with rules other than this version's and has its effects recorded."""
    return bool(row.told) and not same_rules(row.rules_version, version)


def command_again(rules: Ruleset, version: str, state: State, row: CommandRow) -> CarriedOut:
    """Repeat a stored command: by the rules, or from its recorded effects if the rules have changed since."""
    command, throws = COMMANDS.decode(row.payload), THROWS.decode(row.dice)
    assert isinstance(command, Answered | Began)
    if has_recorded_effects(row, version):
        return replay_recorded(state, RECORDED_COMMAND.decode(row.told), throws)
    return carried_again(rules, state, command, throws)


def _lines_in(row: CommandRow) -> tuple[LineView, ...]:
    """The log lines of a command. They are only text: if they cannot be read, the game continues without them."""
    try:
        return LINES.decode(row.lines)
    except (msgspec.MsgspecError, UnicodeError):
        return ()


class LiveGame:
    """A game whose set-up is complete. Commands must arrive one at a time; the room ensures that."""

    def __init__(
        self, store: Store, row: GameRow, seats: list[SeatRow], uptime: Uptime | None = None
    ) -> None:
        self.store = store
        self.uptime = uptime if uptime is not None else Uptime()
        self.clock: GameClock | None = clock_of(row.clock)
        self.row = row
        self.seats = seats
        self.rules = ruleset(row.edition)
        self.setup = decode_state(row.setup)
        self.version = rules_version(self.rules)
        self.dice = dice_for(row.secret, [seat.nonce for seat in seats])
        self.chain: list[LogEntry] = []
        self.lines: deque[tuple[int, LineView]] = deque(maxlen=LINES_KEPT)
        self.resigned: int | None = row.resigned
        self.out_of_time: int | None = row.out_of_time
        self.outdated = (
            False  # the database is ahead of memory: a commit succeeded but its confirmation was lost
        )
        self.steps: deque[PlayedStep] = deque(maxlen=STEPS_KEPT)  # for workers that know the game
        self.stopped = ""  # why no question is asked although the game is not over
        self._snapshot_at = 0
        self.head = self._entry_zero()
        self._barrier = self.head  # the latest command with dice: nothing before it can be taken back
        self._throws: tuple[Throw, ...] = ()

    def _entry_zero(self) -> LogEntry:
        story = Story(self.setup, dice=False, owners=False)
        return LogEntry(
            0, self.setup, None, stamp_of(self.setup, ()), SERVER, None, self.setup, (), (), True, story
        )

    # status

    @property
    def status(self) -> Literal["running", "over"]:
        """Whether the game is still being played."""
        return "over" if self.lost is not None or self.head.state.finished else "running"

    @property
    def lost(self) -> int | None:
        """The side that resigned or ran out of time; None if neither did."""
        return self.resigned if self.resigned is not None else self.out_of_time

    @property
    def winner(self) -> int | None:
        """The side that won, -1 for a draw, None while undecided."""
        if self.lost is not None:
            return 1 - self.lost
        return self.head.state.winner if self.head.state.finished else None

    def public_hash(self, inner: str) -> str:
        """A fingerprint for clients. It is keyed, so sealed bids cannot be guessed by hashing."""
        return hmac.new(self.row.secret, inner.encode(), hashlib.sha256).hexdigest()[:16]

    # loading

    async def load(self, run: Runner[None]) -> None:
        """Replay the stored commands from the newest snapshot on; every hash must match."""
        commands = await self.store.commands(self.row.id)
        snapshot = await self.store.snapshot(self.row.id)
        row = await self.store.game(self.row.id)
        self.clock = clock_of(row.clock) if row is not None else None
        await run(lambda: self.replay(commands, snapshot))

    def replay(self, commands: list[CommandRow], snapshot: SnapshotRow | None) -> None:
        """Replay stored commands, from a snapshot on if there is one."""
        kept = self._kept_at(commands, snapshot)
        if kept is not None:
            self._begin_at(*kept)
        for row in commands:
            if row.seq > self._snapshot_at:
                self._sound(row)
        gone = self._undone(commands)
        for row in commands:
            if row.seq not in gone:
                self.lines.extend((row.seq, line) for line in _lines_in(row))
        if commands and has_recorded_effects(commands[-1], self.version):
            self._go_on_with_other_rules(commands[-1])

    def _kept_at(
        self, commands: list[CommandRow], snapshot: SnapshotRow | None
    ) -> tuple[CommandRow, State] | None:
        """The state of a snapshot with its command; None if there is none that can be trusted.

        A snapshot only saves time: the commands lead to the same state. One from an earlier version of the program may
        be at a step that now means something else.
        """
        row = next((row for row in commands if snapshot is not None and row.seq == snapshot.seq), None)
        if snapshot is None or row is None or row.rules_version != self.version:
            return None
        try:
            state = decode_state(snapshot.state)
            return (row, state) if stamp_of(state, THROWS.decode(row.dice)) == row.state_hash else None
        except (MalformedError, msgspec.DecodeError):
            return None

    def _begin_at(self, row: CommandRow, state: State) -> None:
        self._snapshot_at = row.seq
        pending = pending_of(self.rules, state)
        assert pending is None or isinstance(pending, Decision)
        story = Story(self.setup, dice=False, owners=False)
        command = COMMANDS.decode(row.payload)
        self.head = LogEntry(
            row.seq, state, pending, row.state_hash, row.actor, command, state, (), (), True, story, row.at
        )
        self._barrier = self.head
        self._end_by(command)

    def _end_by(self, command: Command | None) -> None:
        """Remember which side resigned or ran out of time."""
        if isinstance(command, Resigned):
            self.resigned = command.side
        elif isinstance(command, RanOut):
            self.out_of_time = command.side

    def _sound(self, row: CommandRow) -> None:
        """Replay a stored command; errors name its number."""
        try:
            if row.seq != self.head.seq + 1:
                raise DriftError(f"command {self.head.seq + 1} is missing")
            self._again(row)
        except Exception as error:
            words = str(error) if isinstance(error, DriftError) else f"{type(error).__name__}: {error}"
            other = not row.told and not same_rules(row.rules_version, self.version)
            raise DriftError(f"command {row.seq} of game {row.game}: {words}", row.seq, other) from error

    def _go_on_with_other_rules(self, last: CommandRow) -> None:
        """Continue a game played with rules this program does not have, if the current rules ask the same question.

        The table is as it was left. Commands played with earlier rules cannot be taken back.
        """
        self.chain, self._barrier = [], self.head
        if self.status == "over":
            return
        told = RECORDED_COMMAND.decode(last.told) if last.told else None
        try:
            pending = pending_of(self.rules, self.head.state)
        except Exception:  # the position in the procedure means nothing to these rules
            pending = None
        asked = (told.asked, told.seat) if told is not None else None
        if isinstance(pending, Decision) and (pending.kind, pending.seat) == asked:
            self.head = self._barrier = self.head._replace(pending=pending)
            words = GOES_ON
        else:
            words = self.stopped = CANNOT_GO_ON
        line = LineView(words, "score", (), self.head.state.round, -1)
        self.lines.append((self.head.seq, line))

    def _again(self, row: CommandRow) -> None:
        """Apply a stored command in memory only."""
        command = COMMANDS.decode(row.payload)
        if isinstance(command, Answered | Began):
            carried = command_again(self.rules, self.version, self.head.state, row)
            entry = self._entry(row.seq, row.actor, command, carried, row.at, row.client_command_id)
        else:
            entry = self._without_play(row.seq, row.actor, command, row.at)
        if entry.hash != row.state_hash:
            raise DriftError("it does not match what was stored")
        self._settle(entry)

    @staticmethod
    def _undone(commands: list[CommandRow]) -> set[int]:
        """Numbers of commands that were taken back later."""
        gone: set[int] = set()
        for row in commands:
            command = COMMANDS.decode(row.payload)
            if isinstance(command, TookBack):
                gone |= set(range(command.to + 1, row.seq))
        return gone

    # commands

    async def begin(self, run: Runner[LogEntry]) -> Stored:
        """Start the game: the first command of every game, given by the server."""
        return await self._commit(await run(lambda: self._played(SERVER, Began(), "begin")), "begin")

    async def answer(
        self, actor: int, command_id: str, answer: AnyAnswer, why: str, run: Runner[LogEntry]
    ) -> Stored:
        """A seat's answer to the current question; raises `NotNowError` if it is not allowed."""
        pending = self.head.pending
        if self.status == "over" or pending is None:
            raise NotNowError("over", self.stopped or "the game is over; nothing is asked")
        if pending.seat != actor:
            raise NotNowError("not_your_seat", f"the question is for seat {pending.seat}, not for {actor}")
        command = Answered(pending.kind, answer, why)
        try:
            entry = await run(lambda: self._played(actor, command, command_id))
        except RefusedError as error:
            raise from_engine(error) from error
        return await self._commit(entry, command_id)

    async def take_back(self, actors: tuple[int, ...], command_id: str) -> Stored:
        """Return to before the latest answer of a person; not past dice, and not past anybody else's answer."""
        to = self.undo_to(actors)
        if to is None:
            raise NotNowError(
                "nothing_to_undo", "nothing can be taken back: dice were rolled, or others have acted"
            )
        entry = self._without_play(self.head.seq + 1, self.head.actor, TookBack(to), now())
        return await self._commit(entry, command_id)

    async def take_back_to(self, to: int, actor: int, agreed: int, command_id: str) -> Stored:
        """Go back further than a player may alone; the seat `agreed` has agreed to it."""
        entry = self._without_play(self.head.seq + 1, actor, TookBack(to, agreed), now())
        return await self._commit(entry, command_id)

    async def claim_time(self, side: int, actor: int, command_id: str) -> Stored:
        """Claim the game because the other side has run out of time."""
        if self.status == "over":
            raise NotNowError("over", "the game is over already")
        if self.clock is None:
            raise NotNowError("waiting", "this game is played without a clock")
        clock = self.clock.counted(self.uptime)
        late = 1 - side
        if not clock.is_out(late):
            raise NotNowError("waiting", f"{self._side_name(late)} still has {clock.left[late] // 1000} s")
        if clock.is_out(side):
            raise NotNowError("waiting", "both sides have run out of time; neither can claim the game")
        entry = self._without_play(self.head.seq + 1, actor, RanOut(late), now())
        return await self._commit(entry, command_id)

    async def resign(self, side: int, actor: int, command_id: str) -> Stored:
        """Resign for a side."""
        if self.status == "over":
            raise NotNowError("over", "the game is over already")
        entry = self._without_play(self.head.seq + 1, actor, Resigned(side), now())
        return await self._commit(entry, command_id)

    def undo_to(self, actors: tuple[int, ...]) -> int | None:
        """The command to go back to; None if nothing can be taken back."""
        if self.status == "over":
            return None
        for at in range(len(self.chain) - 1, -1, -1):
            entry = self.chain[at]
            if entry.threw or entry.actor not in actors or not isinstance(entry.command, Answered):
                return None
            if not entry.automatic:
                return self.chain[at - 1].seq if at else self._barrier.seq
        return None

    def back_to(self, actors: tuple[int, ...]) -> int | None:
        """The command to go back to if the other players agree; None once dice have been rolled."""
        if self.status == "over":
            return None
        for at in range(len(self.chain) - 1, -1, -1):
            entry = self.chain[at]
            if entry.actor in actors and isinstance(entry.command, Answered) and not entry.automatic:
                return self.chain[at - 1].seq if at else self._barrier.seq
        return None

    # making an entry

    def _played(self, actor: int, command: Began | Answered, command_id: str) -> LogEntry:
        carried = carry_out(self.rules, self.head.state, command, self.dice.faces)
        entry = self._entry(self.head.seq + 1, actor, command, carried, now(), command_id)
        self._throws = carried.throws
        return entry

    def _entry(
        self, seq: int, actor: int, command: Command, carried: CarriedOut, at: str, command_id: str
    ) -> LogEntry:
        before = self.head.state
        story = copy.copy(self.head.story)
        lines = lines_of(story, before, carried.events)
        return LogEntry(
            seq,
            carried.state,
            carried.pending,
            stamp_of(carried.state, carried.throws),
            actor,
            command,
            before,
            carried.events,
            lines,
            bool(carried.throws) or isinstance(command, Began),
            story,
            at,
            command_id.startswith("auto-"),
        )

    def _without_play(self, seq: int, actor: int, command: TookBack | Resigned | RanOut, at: str) -> LogEntry:
        """A command that moves no piece: taking back, resigning, or running out of time."""
        self._throws = ()
        head = self.head
        if isinstance(command, Resigned | RanOut):
            how = "gave up" if isinstance(command, Resigned) else "ran out of time and lost"
            words = f"{self._side_name(command.side)} {how}."
            line = LineView(words, "score", (), head.state.round, command.side)
            return head._replace(
                seq=seq, actor=actor, command=command, before=head.state, events=(), lines=(line,), at=at,
                threw=True,
            )  # fmt: skip
        old = self._barrier if command.to == self._barrier.seq else self._link(command.to)
        void = sum(number > command.to for number, _ in self.lines)
        return old._replace(
            seq=seq, actor=actor, command=command, before=head.state, events=(), at=at, threw=False,
            lines=self._back_lines(actor, command), void=void,
        )  # fmt: skip

    def _back_lines(self, actor: int, command: TookBack) -> tuple[LineView, ...]:
        """Who took something back. These lines stay in the log, each once for each place in the game."""
        words = f"{self._seat_name(actor)} took back a move"
        if command.agreed >= 0:
            words += f"; {self._seat_name(command.agreed)} agreed"
        state = self.head.state
        side = state.seats[actor].side if 0 <= actor < len(state.seats) else -1
        line = LineView(f"{words}.", TAKEN_BACK, (), state.round, side)
        told = [known for seq, known in self.lines if seq > command.to and known.kind == TAKEN_BACK]
        return (*told, line) if line not in told else tuple(told)

    def _seat_name(self, seat: int) -> str:
        return next((row.name for row in self.seats if row.seat == seat), "") or "Somebody"

    def _link(self, seq: int) -> LogEntry:
        for entry in self.chain:
            if entry.seq == seq:
                return entry
        raise DriftError(f"command {seq} is no longer in reach to go back to")

    def _side_name(self, side: int) -> str:
        return self.head.story.names.side(side)

    # storing

    async def _commit(self, entry: LogEntry, command_id: str) -> Stored:
        throws, clock = self._throws, self._clock_after(entry)
        row = CommandRow(
            game=self.row.id,
            seq=entry.seq,
            actor=entry.actor,
            client_command_id=command_id,
            payload=encode(entry.command),
            rules_version=self.version,
            dice=encode(throws),
            state_hash=entry.hash,
            at=entry.at,
            lines=encode(entry.lines),
            told=effects_of(entry),
        )
        try:
            stored = await self.store.append(row, self._summary(entry, clock), self._snapshot(entry))
        except ConflictError as error:
            self.outdated = True
            raise NotNowError("stale", "the game has moved on") from error
        if stored is not row:
            self.outdated = stored.seq > self.head.seq
            return Stored(self.head, False, stored.seq, stored.state_hash)
        self.clock = clock
        self._settle(entry)
        if isinstance(entry.command, TookBack):
            self.steps.clear()  # the steps in memory no longer lead here
        else:
            self.steps.append(PlayedStep(row.seq, row.payload, row.dice))
        self.lines.extend((entry.seq, line) for line in entry.lines)
        return Stored(entry, True, entry.seq, entry.hash)

    def summary(self) -> dict[str, object]:
        """What lists show about the game now."""
        return self._summary(self.head, self.clock)

    def _clock_after(self, entry: LogEntry) -> GameClock | None:
        """The clock after a command that has not been announced yet."""
        if self.clock is None:
            return None
        if self._is_last(entry):
            return self.clock.stopped(self.uptime)
        people = {row.seat for row in self.seats if row.who == "person"}
        sides = {seat: entry.state.seats[seat].side for seat in people}
        asked = sides.get(entry.pending.seat, -1) if entry.pending is not None else -1
        answered = -1 if entry.automatic else sides.get(entry.actor, -1)
        units = entry.state.units
        ended = next((units[e.unit].side for e in entry.events if isinstance(e, ActivationEnded)), -1)
        return self.clock.after(self.uptime, answered=answered, asked=asked, ended=ended)

    @staticmethod
    def _is_last(entry: LogEntry) -> bool:
        """Whether a command ends the game."""
        return entry.state.finished or isinstance(entry.command, Resigned | RanOut)

    def _summary(self, entry: LogEntry, clock: GameClock | None) -> dict[str, object]:
        """What lists show about the game."""
        state, command = entry.state, entry.command
        resigned = command.side if isinstance(command, Resigned) else self.resigned
        late = command.side if isinstance(command, RanOut) else self.out_of_time
        lost = resigned if resigned is not None else late
        over = state.finished or lost is not None
        winner = 1 - lost if lost is not None else state.winner
        told: dict[str, object] = {
            "status": "over" if over else "running",
            "round": state.round,
            "score": " ".join(map(str, markers_held(state))),
            "turn_seat": entry.pending.seat if entry.pending is not None and not over else -1,
            "winner": winner if over else None,
            "resigned": resigned,
        }
        if clock is not None:
            told |= {"out_of_time": late, "clock": encode(clock).decode()}
        return told

    def _snapshot(self, entry: LogEntry) -> SnapshotRow | None:
        """Save a snapshot now and then, where nothing before it can be taken back."""
        if not entry.threw or entry.seq - self._snapshot_at < SNAPSHOT_EVERY:
            return None
        self._snapshot_at = entry.seq
        return SnapshotRow(self.row.id, entry.seq, encode(entry.state))

    def _settle(self, entry: LogEntry) -> None:
        """Make an entry the latest one. The chain holds what may still be taken back."""
        command = entry.command
        self._end_by(command)
        if isinstance(command, TookBack):
            kept = [link for link in self.chain if link.seq <= command.to]
            self.lines = deque((pair for pair in self.lines if pair[0] <= command.to), maxlen=LINES_KEPT)
            # the latest entry has a new number; its link in the chain takes it over
            if kept:
                kept[-1] = kept[-1]._replace(seq=entry.seq)
            else:
                self._barrier = self._barrier._replace(seq=entry.seq)
            self.chain = kept
        elif entry.threw:
            self.chain, self._barrier = [], entry
        else:
            self.chain.append(entry)
        self.head = entry
