"""A game as shown to a client: the table, units, markers and score as plain data with labels.

The client knows no rules. Lengths are whole thousandths of an inch, angles hundredths of a degree (clockwise,
0 faces +y), poses are `[x, y, heading, z]`, exactly as in answers.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shieldwall.core.state import Place
from shieldwall.core.values import Pose

Point = tuple[int, int]
Glyph = Literal[
    "foot", "horse", "beast", "flyer", "monster", "titan", "artillery", "chariot", "hero", "caster"
]


class Reason(Struct, frozen=True):
    """A sentence for people, and the id of the rule behind it ("" if there is none)."""

    text: str
    cite: str = ""


class BaseView(Struct, frozen=True):
    """A base, in thousandths of an inch: `width` across the front, `depth` along the facing."""

    shape: Literal["round", "oval", "square", "rect"]
    width: int
    depth: int


class RuleView(Struct, frozen=True):
    """A special rule as printed; `cite` leads to its text, that of army rules comes with the table or the list.

    `played` is false if it is only text: nothing in the game does what it says.
    """

    label: str
    cite: str = ""
    played: bool = True


class RuleTextView(Struct, frozen=True):
    """The text of a rule of an army book, for the side that brought it (-1 for no side in particular)."""

    name: str
    text: str
    side: int = -1
    played: bool = True


class WeaponView(Struct, frozen=True):
    """One weapon line. `reach` 0 marks a melee weapon; `count` says how many of the unit's models have it."""

    name: str
    attacks: int
    reach: int
    rules: tuple[RuleView, ...]
    text: str
    count: int = 0


class ProfileView(Struct, frozen=True):
    """What is printed about one kind of model."""

    id: int
    name: str
    quality: int
    defense: int
    wounds: int
    base: BaseView
    height: int
    kind: str
    glyph: Glyph
    weapons: tuple[WeaponView, ...]
    rules: tuple[RuleView, ...]
    spells: tuple[str, ...] = ()


class PieceView(Struct, frozen=True):
    """A piece of terrain: what it looks like (`kind`), its outline, and what it does, in words."""

    id: int
    name: str
    kind: str
    outline: tuple[Point, ...]
    height: int
    types: tuple[str, ...]
    facts: tuple[Reason, ...]


class SeatView(Struct, frozen=True):
    """A player. `who` says who answers: a person, a bot, or nobody yet. `emblem` is the army's faction."""

    seat: int
    side: int
    name: str
    who: Literal["person", "bot", "open"]
    army: str
    bot: str = ""
    emblem: str = ""


class ClockView(Struct, frozen=True):
    """Each side's time in milliseconds when this was sent; the clock of side `running` is running (-1: none)."""

    kind: Literal["game", "turn"]
    left: tuple[int, ...]
    running: int
    words: str


class LostView(Struct, frozen=True):
    """Who lost before the battle was played to its end: a side that resigned or ran out of time."""

    side: int
    how: Literal["resigned", "time"]


class RematchView(Struct, frozen=True):
    """The state of a rematch: `seat` has offered or declined it, or it was made and has the id `game`."""

    state: Literal["offered", "declined", "made"]
    seat: int
    name: str
    swap: bool
    game: str = ""


class TableView(Struct, frozen=True):
    """What never changes during a game."""

    edition: str
    title: str
    width: int
    depth: int
    rounds: int
    seats: tuple[SeatView, ...]
    pieces: tuple[PieceView, ...]
    profiles: tuple[ProfileView, ...]
    options: tuple[tuple[str, str], ...]
    mission: str
    goal: str
    seize_within: int
    blocks: bool
    texts: tuple[RuleTextView, ...] = ()


class Badge(Struct, frozen=True):
    """A state of a unit as a small symbol: `key` selects the drawing, `label` is the legend, `count` a number."""

    key: str
    label: str
    count: int = 0
    cite: str = ""


class FigureView(Struct, frozen=True):
    """One miniature; `at` is absent while it is off the table."""

    id: int
    profile: int
    at: Pose | None = None
    wounds: int = 0
    stunned: bool = False
    tired: bool = False
    tokens: int = 0
    hero: bool = False


class UnitView(Struct, frozen=True):
    """A unit. Blocks have `centre` and `outline` (front left, front right, rear right, rear left)."""

    id: int
    side: int
    seat: int
    name: str
    glyph: Glyph
    quality: int
    defense: int
    place: Place
    figures: tuple[FigureView, ...]
    start_models: int
    wounds: int
    toughness: int
    cost: int
    acted: bool
    badges: tuple[Badge, ...]
    weapons: tuple[WeaponView, ...]
    rules: tuple[RuleView, ...]
    centre: Pose | None = None
    outline: tuple[Point, ...] = ()
    inside: int = -1


class MarkerView(Struct, frozen=True):
    """An objective: `holder` is a side or -1. `near` lists the units close enough to seize or contest it."""

    id: int
    x: int
    y: int
    z: int
    holder: int
    near: tuple[int, ...] = ()
    label: str = ""


class ZoneView(Struct, frozen=True):
    """A rectangle of the table with its meaning, such as a side's deployment zone (side -1: no side's)."""

    kind: str
    side: int
    left: int
    near: int
    right: int
    far: int
    label: str


class ScoreView(Struct, frozen=True):
    """One side's score."""

    side: int
    name: str
    markers: int
    units_left: int
    units_start: int
    points_left: int
    points_start: int


class BoardView(Struct, frozen=True):
    """Everything that changes. In a step, `units` has only those that changed; `whole` means that it has all."""

    whole: bool
    units: tuple[UnitView, ...]
    markers: tuple[MarkerView, ...]
    zones: tuple[ZoneView, ...]
    score: tuple[ScoreView, ...]
    phase: Literal["setup", "battle", "over"]
    round: int
    turn: int
    acting: int
    finished: bool
    winner: int | None


# --- what happened ---


class ModView(Struct, frozen=True):
    """One modifier of a roll with its reason."""

    amount: int
    why: str
    cite: str


class DieView(Struct, frozen=True):
    """One die: its face, how the game read it, and whether it was a success (None: not a test)."""

    face: int
    label: str
    good: bool | None = None


class PoolView(Struct, frozen=True):
    """Dice rolled together. `needed` 0 means that they were added up or compared, not tested."""

    dice: tuple[DieView, ...]
    needed: int
    base: int
    mods: tuple[ModView, ...]
    note: str
    words: str


class RollView(Struct, frozen=True):
    """One roll in the order of its pools."""

    purpose: str
    title: str
    seat: int
    side: int
    cite: str
    pools: tuple[PoolView, ...]


class LineView(Struct, frozen=True):
    """One line of the story with its rules; `side` -1 is no side's. `thrown` spells out the dice of its step."""

    text: str
    kind: str
    cites: tuple[str, ...]
    round: int
    side: int
    thrown: str = ""
