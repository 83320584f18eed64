"""HTTP messages of the pages around a game: home, games, results, replays, rules, tables."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from shieldwall.server.messages import StepView
from shieldwall.server.views import (
    ClockView,
    PieceView,
    Point,
    Reason,
    RematchView,
    ScoreView,
    SeatView,
    TableView,
)

Name = Annotated[str, Meta(max_length=60)]
Key = Annotated[str, Meta(max_length=80)]
Status = Literal["waiting", "running", "over"]
Nonce = Annotated[str, Meta(pattern="^[0-9a-f]{32,64}$")]


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """Base of request bodies."""


class Problem(Struct, frozen=True):
    """Why a request was refused: a code for programs, all reasons for people."""

    code: str
    reasons: tuple[Reason, ...]


# --- home ---


class SizeView(Struct, frozen=True):
    """A battle size, with its points."""

    key: str
    label: str
    points: int


class ArmyCard(Struct, frozen=True):
    """An army to choose: a ready-made one (`ready`), or one of the player's own."""

    id: str
    name: str
    faction: str
    edition: str
    points: int
    units: int
    models: int
    ready: bool
    problems: int = 0
    changed: str = ""
    unplayed: str = ""  # which of its rules are not played, in words; empty if all are


class BotView(Struct, frozen=True):
    """A bot by its level, with what to expect of it."""

    key: str
    label: str
    words: str


class MissionView(Struct, frozen=True):
    """A mission of the edition."""

    key: str
    label: str
    words: str


class ChoiceView(Struct, frozen=True):
    """One value of a switch, in words."""

    value: str
    words: str


class HouseRuleView(Struct, frozen=True):
    """A question the players settle before a battle, with its usual answer first."""

    name: str
    words: str
    default: str
    choices: tuple[ChoiceView, ...]
    cites: tuple[str, ...]


class EditionView(Struct, frozen=True):
    """A playable rulebook, with everything needed for a quick battle."""

    id: str
    title: str
    words: str
    blocks: bool
    table: Point
    sizes: tuple[SizeView, ...]
    armies: tuple[ArmyCard, ...]
    missions: tuple[MissionView, ...]
    house_rules: tuple[HouseRuleView, ...]


class GameCard(Struct, frozen=True):
    """One game in a list. `mine` are the player's seats, `asked` is the seat whose turn it is (or -1).

    `origin` says where it comes from if it did not start from a set-up: "what-if GAME SEQ" or "puzzle ID".
    """

    id: str
    name: str
    edition: str
    title: str
    status: Status
    round: int
    rounds: int
    seats: tuple[SeatView, ...]
    mine: tuple[int, ...]
    my_turn: bool
    winner: int | None
    resigned: int | None
    score: tuple[int, ...]
    created: str
    changed: str
    watch_only: bool = False
    asked: int = -1
    out_of_time: int | None = None
    clock: ClockView | None = None
    rematch: RematchView | None = None
    origin: str = ""
    battle: str = ""  # the key of a set battle


class Home(Struct, frozen=True):
    """Everything the first page shows."""

    version: str
    player: str
    editions: tuple[EditionView, ...]
    bots: tuple[BotView, ...]
    games: tuple[GameCard, ...]
    armies: tuple[ArmyCard, ...]


class Rename(Body, frozen=True):
    """The player's new name."""

    name: Name


# --- making and joining games ---


Part = Annotated[int, Meta(ge=-500, le=500)]
Corner = tuple[Part, Part]


class PieceOrder(Body, frozen=True):
    """A piece placed by hand: a kind from `/api/terrain`, rectangular unless it has a shape.

    The shape is given in thousandths of width and depth from the centre, so it moves, turns and stretches with them.
    """

    kind: Annotated[str, Meta(max_length=40)]
    x: Annotated[int, Meta(ge=0, le=200_000)]
    y: Annotated[int, Meta(ge=0, le=200_000)]
    width: Annotated[int, Meta(ge=500, le=60_000)]
    depth: Annotated[int, Meta(ge=500, le=60_000)]
    heading: Annotated[int, Meta(ge=0, le=36_000)] = 0
    shape: Annotated[tuple[Corner, ...], Meta(max_length=64)] = ()
    height: Annotated[int, Meta(ge=0, le=20_000)] | None = None


class TableOrder(Body, frozen=True):
    """The table to play on: generated from a seed, empty, or made of pieces."""

    kind: Literal["generate", "empty", "pieces"] = "generate"
    seed: Annotated[int, Meta(ge=0, le=2**31)] = 0
    pieces: Annotated[tuple[PieceOrder, ...], Meta(max_length=40)] = ()


class SeatOrder(Body, frozen=True):
    """Who plays a side with what: a person here (`me`), a friend by link, or a bot of a level."""

    who: Literal["me", "friend", "bot"]
    army: Key = ""
    name: Name = ""
    bot: Annotated[str, Meta(max_length=40)] = ""


class ClockOrder(Body, frozen=True):
    """How long people may think: without limit, a fixed time per game plus an increment after each activation, or days
    per turn.
    """

    kind: Literal["none", "game", "turn"] = "none"
    minutes: Annotated[int, Meta(ge=1, le=600)] = 60
    increment: Annotated[int, Meta(ge=0, le=600)] = 30
    days: Annotated[int, Meta(ge=1, le=30)] = 3


class NewGame(Body, frozen=True):
    """A battle to set up. Two seats of `me` are a hot-seat game; two bots can be watched.

    `nonce` is the player's part of the dice key: 32 to 64 hexadecimal digits from a random source.
    """

    edition: Annotated[str, Meta(max_length=40)]
    seats: Annotated[tuple[SeatOrder, ...], Meta(min_length=2, max_length=2)]
    nonce: Nonce
    name: Name = ""
    table: TableOrder = TableOrder()
    mission: Annotated[str, Meta(max_length=40)] = ""
    house_rules: dict[Annotated[str, Meta(max_length=60)], Annotated[str, Meta(max_length=60)]] = {}
    setup: Literal["by_hand", "at_once"] = "by_hand"
    clock: ClockOrder = ClockOrder()
    battle: Annotated[str, Meta(max_length=120)] = ""  # a set battle, which only the server sets up


class GameMade(Struct, frozen=True):
    """The new game; `invite` is the code of the link for a friend, shown only once."""

    game: str
    seats: tuple[int, ...]
    commitment: str
    invite: str = ""


class RematchOrder(Body, frozen=True):
    """Play the same battle again: with the same armies, or with armies swapped (`swap`).

    It is an offer if another player has to agree, and starts the game if they have offered the same. `nonce` is the
    player's part of the new dice key.
    """

    nonce: Nonce
    swap: bool = False


class InviteCode(Body, frozen=True):
    """A code from a link."""

    invite: Annotated[str, Meta(max_length=100)]


class Invitation(Struct, frozen=True):
    """What a link leads to. `points` and `host_army` are the points and name of the host's army.

    `yours` is the player's part in the game: they sent the link ("host"), or play in it ("player").
    `mission` is its name, empty for the standard one, and `goal` describes it; `clock` is empty without one.
    """

    game: str
    name: str
    edition: str
    title: str
    host: str
    seat: int
    taken: bool
    armies: tuple[ArmyCard, ...]
    points: int
    host_army: str = ""
    yours: Literal["", "host", "player"] = ""
    status: Status = "waiting"
    mission: str = ""
    goal: str = ""
    clock: str = ""


class Join(Body, frozen=True):
    """Take the open seat of a game."""

    invite: Annotated[str, Meta(max_length=100)]
    nonce: Nonce
    name: Name = ""
    army: Key = ""


class Joined(Struct, frozen=True):
    """The seat is yours."""

    game: str
    seat: int


# --- tables ---


class TerrainKind(Struct, frozen=True):
    """A kind of piece that can be placed, with its usual size and effects."""

    kind: str
    name: str
    width: int
    depth: int
    height: int
    types: tuple[str, ...]
    words: str


class TableRequest(Body, frozen=True):
    """A table to preview before playing."""

    edition: Annotated[str, Meta(max_length=40)]
    table: TableOrder = TableOrder()


class TableProposal(Struct, frozen=True):
    """A table with everything the book says about it; `ok` is false only if it cannot be played."""

    width: int
    depth: int
    pieces: tuple[PieceView, ...]
    problems: tuple[Reason, ...]
    hints: tuple[Reason, ...]
    ok: bool
    orders: tuple[PieceOrder, ...] = ()  # the same pieces as if placed by hand, for editing


# --- after the battle ---


class MarkerStory(Struct, frozen=True):
    """The history of one marker: its holder at the end of each round, and who stood there last."""

    marker: int
    x: int
    y: int
    holder: int
    by_round: tuple[int, ...]
    words: str
    cite: str


class LuckView(Struct, frozen=True):
    """One side's dice: successes compared with expectation, in standard deviations.

    `low` and `high` are the band that covers 8 of 10 games.
    """

    side: int
    rolls: int
    dice: int
    successes: int
    expected: float
    low: float
    high: float
    sigma: float
    words: str


class LuckStep(Struct, frozen=True):
    """The running difference from expectation after an activation, one number per side."""

    seq: int
    round: int
    sums: tuple[float, ...]


class UnitFate(Struct, frozen=True):
    """What happened to a unit."""

    unit: int
    side: int
    name: str
    models_left: int
    models_start: int
    wounds_dealt: int
    wounds_taken: int
    words: str


class GameResult(Struct, frozen=True):
    """How a battle ended, and why. `first_round` is later than 1 if it continued another game."""

    game: str
    name: str
    title: str
    winner: int | None
    resigned: int | None
    words: str
    rounds: int
    out_of_time: int | None
    score: tuple[ScoreView, ...]
    markers: tuple[MarkerStory, ...]
    luck: tuple[LuckView, ...]
    luck_track: tuple[LuckStep, ...]
    fates: tuple[UnitFate, ...]
    first_round: int = 1


class ReplayMark(Struct, frozen=True):
    """One activation on the replay's scrubber: its weight by side."""

    seq: int
    round: int
    side: int
    unit: int
    words: str
    losses: tuple[int, ...]


class Replay(Struct, frozen=True):
    """A complete game, step by step: start from `table` and the whole first board, then merge each step."""

    game: str
    name: str
    table: TableView
    steps: tuple[StepView, ...]
    marks: tuple[ReplayMark, ...]


class Opened(Struct, frozen=True):
    """A game file was read and can be watched."""

    game: str
    words: str
    notes: tuple[str, ...]
