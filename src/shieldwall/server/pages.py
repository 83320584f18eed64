"""What the pages around a game ask for and get over HTTP: home, games, results, replays, rules, tables."""

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
    """Base of everything a page may send."""


class Problem(Struct, frozen=True):
    """Why a request was refused: a code for programs, all reasons for people."""

    code: str
    reasons: tuple[Reason, ...]


# --- home ---


class SizeView(Struct, frozen=True):
    """A size of battle, with the points it is played at."""

    key: str
    label: str
    points: int


class ArmyCard(Struct, frozen=True):
    """An army to choose: one of ours (`ready`), or one of the player's own."""

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
    unplayed: str = ""  # what of it is not played, in words; empty where all of it is


class BotView(Struct, frozen=True):
    """A bot by its level, with what to expect of it."""

    key: str
    label: str
    words: str


class MissionView(Struct, frozen=True):
    """A mission the edition knows."""

    key: str
    label: str
    words: str


class ChoiceView(Struct, frozen=True):
    """One value of a switch, in words."""

    value: str
    words: str


class HouseRuleView(Struct, frozen=True):
    """A question the players settle before a battle, its usual answer first."""

    name: str
    words: str
    default: str
    choices: tuple[ChoiceView, ...]
    cites: tuple[str, ...]


class EditionView(Struct, frozen=True):
    """One rulebook that can be played, with everything a quick battle needs to know."""

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
    """One game in a list. `mine` are the seats of the player who asks, `asked` is the seat whose turn it is (or -1).

    `origin` says where it comes from if it did not begin at its beginning: "what-if GAME SEQ" or "puzzle ID".
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
    """All that the first page shows."""

    version: str
    player: str
    editions: tuple[EditionView, ...]
    bots: tuple[BotView, ...]
    games: tuple[GameCard, ...]
    armies: tuple[ArmyCard, ...]


class Rename(Body, frozen=True):
    """The name the player goes by."""

    name: Name


# --- making and joining games ---


Part = Annotated[int, Meta(ge=-500, le=500)]
Corner = tuple[Part, Part]


class PieceOrder(Body, frozen=True):
    """A piece put down by hand: a kind of `/api/terrain`, a rectangle unless it has a shape of its own.

    The shape is counted in thousandths of width and depth from the middle: it moves, turns and stretches.
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
    """How long people may think: without end, so long in a game with something added after each activation, or so many
    days a turn."""

    kind: Literal["none", "game", "turn"] = "none"
    minutes: Annotated[int, Meta(ge=1, le=600)] = 60
    increment: Annotated[int, Meta(ge=0, le=600)] = 30
    days: Annotated[int, Meta(ge=1, le=30)] = 3


class NewGame(Body, frozen=True):
    """A battle to set up. Two seats of `me` are a hot seat, two bots are watched.

    `nonce` is the player's own part of the dice key: 32 to 64 hexadecimal digits from a random source.
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
    battle: Annotated[str, Meta(max_length=120)] = ""  # of a set battle, which only the server sets up


class GameMade(Struct, frozen=True):
    """The new game; `invite` is the code of the link for a friend, shown this once."""

    game: str
    seats: tuple[int, ...]
    commitment: str
    invite: str = ""


class RematchOrder(Body, frozen=True):
    """Play the same battle once more: with the same armies, or each with the other's (`swap`).

    Where somebody else has to agree it is an offer; where they have offered the same, it is begun. `nonce` is the
    player's part of the new dice key.
    """

    nonce: Nonce
    swap: bool = False


class InviteCode(Body, frozen=True):
    """A code from a link."""

    invite: Annotated[str, Meta(max_length=100)]


class Invitation(Struct, frozen=True):
    """What a link leads to. `points` are those of the host's army, `host_army` its name.

    `yours` is the asking player's part in the game: they sent the link ("host"), or play in it ("player").
    `mission` is its name, empty for the standard one, and `goal` what it is about; `clock` is empty without one.
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
    """A kind of piece that can be put down, with its usual size and what it does."""

    kind: str
    name: str
    width: int
    depth: int
    height: int
    types: tuple[str, ...]
    words: str


class TableRequest(Body, frozen=True):
    """A table to look at before playing."""

    edition: Annotated[str, Meta(max_length=40)]
    table: TableOrder = TableOrder()


class TableProposal(Struct, frozen=True):
    """A table with everything the book has to say about it; `ok` is false only where it cannot be played."""

    width: int
    depth: int
    pieces: tuple[PieceView, ...]
    problems: tuple[Reason, ...]
    hints: tuple[Reason, ...]
    ok: bool
    orders: tuple[PieceOrder, ...] = ()  # the same pieces as if put down by hand, to be changed


# --- after the battle ---


class MarkerStory(Struct, frozen=True):
    """How one marker went: its holder at the end of each round, and who stood there last."""

    marker: int
    x: int
    y: int
    holder: int
    by_round: tuple[int, ...]
    words: str
    cite: str


class LuckView(Struct, frozen=True):
    """How the dice fell for one side: successes against what was to be expected, in standard deviations.

    `low` and `high` are the band that 8 of 10 games stay in.
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
    """The running difference to expectation after an activation, one number a side."""

    seq: int
    round: int
    sums: tuple[float, ...]


class UnitFate(Struct, frozen=True):
    """What became of a unit."""

    unit: int
    side: int
    name: str
    models_left: int
    models_start: int
    wounds_dealt: int
    wounds_taken: int
    words: str


class GameResult(Struct, frozen=True):
    """How a battle ended, and why. `first_round` is later than 1 where it was played on from another."""

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
    """One activation on the scrubber: its weight by side."""

    seq: int
    round: int
    side: int
    unit: int
    words: str
    losses: tuple[int, ...]


class Replay(Struct, frozen=True):
    """A whole game, step by step: start from `table` and the whole first board, then merge each step."""

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
