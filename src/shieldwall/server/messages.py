"""The messages of a game's socket, in both directions. docs/protocol.md explains how they are used.

Unknown fields are refused, and so is anything beyond the limits of `limits.py`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from shieldwall.core.answers import AnyAnswer
from shieldwall.core.events import AnyEvent
from shieldwall.core.values import Pose
from shieldwall.server.question_views import PlannedAnswer, PlanView, Question, SpellChance, TargetView
from shieldwall.server.views import (
    BoardView,
    ClockView,
    FigureView,
    LineView,
    LostView,
    Point,
    Reason,
    RematchView,
    RollView,
    SeatView,
    TableView,
)

CommandId = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
RequestId = Annotated[int, Meta(ge=0, le=2**31)]
Length = Annotated[int, Meta(ge=-500_000, le=500_000)]
Number = Annotated[int, Meta(ge=-1, le=100_000)]

OverlayKind = Literal["arc", "range", "sight", "charge", "threat", "reach", "halo", "zones"]


# --- from the client ---


class FromClient(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of messages from clients."""


class Hello(FromClient, frozen=True, tag="hello"):
    """The first message on a socket: what the client already has (`last_seq` -1: nothing)."""

    last_seq: int = -1
    last_hash: str = ""


class Answer(FromClient, frozen=True, tag="answer"):
    """The answer to the current question. If sent again with the same id, it counts once."""

    command_id: CommandId
    expected_seq: int
    answer: AnyAnswer


class Undo(FromClient, frozen=True, tag="undo"):
    """Take back the latest answer; possible until dice are rolled or somebody else answers."""

    command_id: CommandId
    expected_seq: int


class Play(FromClient, frozen=True, tag="play"):
    """Several answers in a row, such as those of a plan.

    It stops early if dice are rolled, if somebody else is asked, or if a different question comes up. The answers are
    taken back together.
    """

    command_id: CommandId
    expected_seq: int
    answers: Annotated[tuple[PlannedAnswer, ...], Meta(min_length=1, max_length=8)]


class DoForMe(FromClient, frozen=True, tag="do_for_me"):
    """Let the computer answer: this question, or all of them until set-up or the activation is over."""

    command_id: CommandId
    expected_seq: int
    until: Literal["question", "setup", "activation"] = "question"


class Resign(FromClient, frozen=True, tag="resign"):
    """Resign; the other side wins."""

    command_id: CommandId
    expected_seq: int


class ClaimTime(FromClient, frozen=True, tag="claim_time"):
    """Claim the game: the other side has run out of time."""

    command_id: CommandId
    expected_seq: int


class Automatic(FromClient, frozen=True, tag="automatic"):
    """The kinds of questions that the server answers with their default for this seat from now on."""

    kinds: tuple[Annotated[str, Meta(max_length=40)], ...]


class AskBack(FromClient, frozen=True, tag="ask_back"):
    """Ask the other players for permission to take back an answer although somebody has answered since."""


class AnswerBack(FromClient, frozen=True, tag="answer_back"):
    """Whether another player may take an answer back."""

    yes: bool


class Say(FromClient, frozen=True, tag="say"):
    """A chat message to everybody in the game."""

    text: Annotated[str, Meta(min_length=1, max_length=200)]


class Preview(FromClient, frozen=True, tag="preview"):
    """What would an answer do: that of a dragged unit (`drag`), or one given in full?

    `patient`, sent when the pointer rests, asks for the odds of every target; otherwise only quick ones are computed.
    With `leap`, models leap from ledge to ledge where they could also climb. If the question `plans`, `unit` names the
    unit whose activation is tried out, `action` what it does ("" derives it from the distance) and `target` whom it
    shoots or charges (-1: the best target, -2: hold fire).
    """

    id: RequestId
    drag: Pose | None = None
    answer: AnyAnswer | None = None
    patient: bool = False
    leap: bool = False
    unit: Number = -1
    action: Annotated[str, Meta(max_length=40)] = ""
    target: Annotated[int, Meta(ge=-2, le=100_000)] = -1


class Overlay(FromClient, frozen=True, tag="overlay"):
    """Something to draw over the table for a unit, where it stands or as if it stood at `pose`."""

    id: RequestId
    what: OverlayKind
    unit: Number
    pose: Pose | None = None


class Measure(FromClient, frozen=True, tag="measure"):
    """The distance between two things: a unit (`from_unit`, `to_unit`) or a point of the table."""

    id: RequestId
    from_unit: Number = -1
    to_unit: Number = -1
    from_point: tuple[Length, Length] | None = None
    to_point: tuple[Length, Length] | None = None


class Hint(FromClient, frozen=True, tag="hint"):
    """What would a good bot answer, and why? With `answers`, only a warning if they are a clear mistake."""

    id: RequestId
    answers: Annotated[tuple[PlannedAnswer, ...], Meta(max_length=8)] = ()


class Pace(FromClient, frozen=True, tag="pace"):
    """How fast bots play: pause, or the milliseconds between their activations."""

    paused: bool = False
    delay: Annotated[int, Meta(ge=0, le=10_000)] = 900


class Ping(FromClient, frozen=True, tag="ping"):
    """Are you still there?"""

    id: RequestId = 0


ClientMessage = (
    Hello
    | Answer
    | Play
    | Undo
    | DoForMe
    | Resign
    | ClaimTime
    | Automatic
    | AskBack
    | AnswerBack
    | Say
    | Preview
    | Overlay
    | Measure
    | Hint
    | Pace
    | Ping
)

# --- from the server ---


class FromServer(Struct, frozen=True, tag_field="type"):
    """Base of messages from the server."""


class StepView(Struct, frozen=True):
    """One committed command: who did what, the events, their story, the dice, and how the board changed.

    `why` is a bot's reason in one sentence; `undone` marks a step that took an earlier one back, and `void` counts
    the log lines that no longer hold.
    """

    seq: int
    hash: str
    seat: int
    actor: Literal["person", "bot", "server"]
    events: tuple[AnyEvent, ...]
    lines: tuple[LineView, ...]
    rolls: tuple[RollView, ...]
    board: BoardView
    why: str = ""
    undone: bool = False
    at: str = ""
    void: int = 0


class Welcome(FromServer, frozen=True, tag="welcome"):
    """The whole game as this seat sees it: the first answer to `hello`."""

    game: str
    name: str
    status: Literal["waiting", "running", "over"]
    seq: int
    hash: str
    seats: tuple[int, ...]
    table: TableView
    board: BoardView
    question: Question | None
    lines: tuple[LineView, ...]
    commitment: str
    automatic: tuple[str, ...] = ()
    can_undo: bool = False
    clock: ClockView | None = None
    lost: LostView | None = None
    rematch: RematchView | None = None
    can_ask_back: bool = False
    battle: str = ""  # the key of a set battle
    task: int = -1


class Steps(FromServer, frozen=True, tag="steps"):
    """What happened since: one step when a command is committed, several after a reconnect.

    `task` counts the completed tasks of a lesson; -1 outside lessons.
    """

    steps: tuple[StepView, ...]
    question: Question | None
    status: Literal["waiting", "running", "over"]
    can_undo: bool = False
    clock: ClockView | None = None
    lost: LostView | None = None
    can_ask_back: bool = False
    task: int = -1


class Accepted(FromServer, frozen=True, tag="accepted"):
    """A command has been stored durably. The step itself follows as `steps`."""

    command_id: str
    seq: int
    hash: str


Code = Literal[
    "malformed",
    "too_large",
    "too_fast",
    "not_your_seat",
    "stale",
    "illegal",
    "over",
    "waiting",
    "nothing_to_undo",
    "busy",
    "failed",
    "coached",
]


class Refused(FromServer, frozen=True, tag="refused"):
    """Nothing changed. `reasons` has every reason; `seq` and `hash` are the game's current ones."""

    code: Code
    reasons: tuple[Reason, ...]
    seq: int
    hash: str
    command_id: str = ""
    id: int = -1


class GroundView(Struct, frozen=True):
    """A piece of terrain that a move crosses, and what that means."""

    piece: int
    difficult: bool
    dangerous: bool


class PathView(Struct, frozen=True):
    """The path of a model, or of a block's centre (`model` -1), point by point from where it stands."""

    model: int
    points: tuple[Point, ...]


class Ghost(Struct, frozen=True):
    """Figures where they would stand; blocks with their outline."""

    figures: tuple[FigureView, ...]
    outline: tuple[Point, ...] = ()
    centre: Pose | None = None


class Previewed(FromServer, frozen=True, tag="previewed"):
    """The verdict of a preview. `wanted` is where the drag points, `end` the nearest legal place.

    If `legal`, both are the same and `answer` does it; otherwise `reasons` says why not, and `answer` leads to `end`
    instead. `leaps` lists those on the way, each with its risk, and `casting` is what a patient preview computed
    for a spell. `plan` is the rest of the activation that was tried out.
    """

    id: int
    seq: int
    legal: bool
    reasons: tuple[Reason, ...]
    answer: AnyAnswer | None
    used: int
    left: int
    allowance: int
    wanted: Ghost | None
    end: Ghost | None
    paths: tuple[PathView, ...]
    ground: tuple[GroundView, ...]
    too_close: tuple[int, ...]
    targets: tuple[TargetView, ...]
    words: str
    ms: float
    leaps: tuple[Reason, ...] = ()
    casting: SpellChance | None = None
    plan: PlanView | None = None


class Shape(Struct, frozen=True):
    """An area to draw: what it means, its outlines in thousandths, and a label."""

    kind: str
    outlines: tuple[tuple[Point, ...], ...]
    label: str = ""
    value: int = 0
    unit: int = -1
    side: int = -1


class SightLine(Struct, frozen=True):
    """A line of sight: from, to, and where and by what it is blocked (no `stop`: it is clear)."""

    unit: int
    start: Point
    end: Point
    clear: bool
    stop: Point | None = None
    by_piece: int = -1
    by_unit: int = -1
    label: str = ""
    cover: bool = False
    distance: int = 0


class Overlaid(FromServer, frozen=True, tag="overlaid"):
    """What to draw for an overlay request."""

    id: int
    what: OverlayKind
    unit: int
    shapes: tuple[Shape, ...]
    lines: tuple[SightLine, ...] = ()
    ms: float = 0.0


class Measured(FromServer, frozen=True, tag="measured"):
    """A distance, the points it was measured between, and remarks about it."""

    id: int
    distance: int
    start: Point
    end: Point
    words: str


class Hinted(FromServer, frozen=True, tag="hinted"):
    """What a good player would answer, with the reason in one sentence.

    `answers` continue to the end of the activation, unless dice are rolled; the first of them answers the current
    question.
    """

    id: int
    seq: int
    answers: tuple[PlannedAnswer, ...]
    why: str


class Presence(FromServer, frozen=True, tag="presence"):
    """Who is connected, and how many watch."""

    seats: tuple[SeatView, ...]
    online: tuple[int, ...]
    watching: int


class BackAsked(FromServer, frozen=True, tag="back_asked"):
    """A player asks to take an answer back; `open` false: settled. `declined_by` names the player who said no."""

    seat: int
    name: str
    open: bool
    declined_by: str = ""


class Rematched(FromServer, frozen=True, tag="rematched"):
    """News of a rematch; none means that an offer was withdrawn."""

    rematch: RematchView | None


class Said(FromServer, frozen=True, tag="said"):
    """A chat message from somebody in the game."""

    seat: int
    name: str
    text: str


class Thinking(FromServer, frozen=True, tag="thinking"):
    """A bot is thinking; the page stays responsive."""

    seat: int
    name: str
    unit: int = -1


class Pong(FromServer, frozen=True, tag="pong"):
    """Yes: the answer to a ping."""

    id: int = 0


class Goodbye(FromServer, frozen=True, tag="goodbye"):
    """The socket is about to be closed; `again` means that reconnecting will help."""

    words: str
    again: bool


ServerMessage = (
    Welcome
    | Steps
    | Accepted
    | Refused
    | Previewed
    | Overlaid
    | Measured
    | Hinted
    | Presence
    | BackAsked
    | Rematched
    | Said
    | Thinking
    | Pong
    | Goodbye
)
