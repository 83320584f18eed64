"""What a scenario file may hold. Lengths are inches, angles degrees; docs/scenarios.md is the reference."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from shieldwall.armies.muster import ModelSpec
from shieldwall.armies.spells import SpellSpec

SideName = Literal["A", "B"]
SIDES: tuple[SideName, ...] = ("A", "B")
Begin = Literal["turn", "round", "deployment", "set-up", "terrain"]

Point = tuple[float, float]
# A position is [x, y], [x, y, heading] or [x, y, heading, z]; how many numbers it has is checked later.
Position = tuple[float, ...]
Positions = tuple[Any, ...]  # one position, or a list of them
Faces = list[int | list[int]]
Step = dict[str, Any]
Measurement = dict[str, Any]
EventPattern = str | dict[str, Any]

# A switch may be written as a bare on or off, which YAML reads as a boolean.
Setting = str | bool


class Terrain(Struct, frozen=True, forbid_unknown_fields=True):
    """A piece: a preset `kind`, an outline or a rectangle, and whatever differs from the preset."""

    kind: str = "piece"
    outline: tuple[Point, ...] = ()
    at: Point = (0.0, 0.0)
    size: Point | None = None
    angle: float = 0.0
    height: float | None = None
    depth: float = 0.0
    water: Literal["shallow", "deep"] = "shallow"
    types: tuple[str, ...] | None = None
    conditions: tuple[str, ...] | None = None
    capacity: int | None = None
    ports: dict[str | int, tuple[float, ...]] | None = None
    secret: int = 0


class Objective(Struct, frozen=True, forbid_unknown_fields=True):
    """A marker: where it lies, who holds it, whose it is, which unit carries it."""

    at: tuple[float, ...] = (0.0, 0.0)
    holder: Literal["A", "B", "none", "neutral"] | None = None
    owner: SideName | None = None
    carrier: str = ""
    gone: bool = False
    secret: int = 0


class EffectEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A timed effect on a unit."""

    name: str
    rules: str = ""
    until: Literal["round", "activation", "melee", "once", "game"] = "round"
    source: str = ""


class Half(Struct, frozen=True, forbid_unknown_fields=True):
    """The second copy of a combined unit, if it differs from the first: its unit and its upgrades."""

    of: str = ""
    for_all: dict[str, int] = {}
    for_some: dict[str, int] = {}


class ListEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A unit as in its army list: its book, upgrades and their costs, the unit it joins, its second copy."""

    book: str = ""
    for_all: dict[str, int] = {}
    for_some: dict[str, int] = {}
    joins: str = ""
    second: Half | None = None


class UnitEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A unit: what it is, where it stands, and everything that has happened to it before."""

    side: SideName = "A"
    player: int = 1
    like: str = ""
    # what it is
    stats: str = "Q4+ D4+"
    models: int = 1
    equipment: str = ""
    rules: str = ""
    base: str = ""
    kind: str = "infantry"
    height: float = 0.0
    cost: int = 0
    command: tuple[str, ...] = ()
    special: tuple[ModelSpec, ...] = ()
    hero: ModelSpec | None = None
    slot: int | Literal["left", "right"] = 1
    part: int = 0
    spells: tuple[str, ...] = ()
    army: ListEntry = ListEntry()
    # where it is
    at: Positions | None = None
    front: Position | None = None
    facing: float = 0.0
    place: Literal["table", "waiting", "reserve", "gone", "later"] | None = None
    reserve: str = ""
    inside: str = ""
    # what has happened to it
    started: int = 0
    wounds: int | tuple[int, ...] | dict[str | int, int] = 0
    activated: bool = False
    shaken: bool = False
    wavering: bool = False
    stunned: bool | tuple[int, ...] = False
    fatigued: bool | tuple[int, ...] = False
    moved: bool = False
    tokens: int | tuple[int, ...] | dict[str | int, int] = 0
    used: dict[str, int] = {}
    arrived: int = 0
    effects: tuple[EffectEntry, ...] = ()
    marks: dict[str, int] = {}
    picks: dict[str, str] = {}


class UnitExpect(Struct, frozen=True, forbid_unknown_fields=True):
    """What must be true of a unit; fields that are left out are not checked."""

    models: int | UnsetType = UNSET
    lost: int | UnsetType = UNSET
    names: tuple[str, ...] | UnsetType = UNSET
    wounds: int | tuple[int, ...] | UnsetType = UNSET
    shaken: bool | UnsetType = UNSET
    wavering: bool | UnsetType = UNSET
    stunned: bool | int | UnsetType = UNSET
    fatigued: bool | int | UnsetType = UNSET
    activated: bool | UnsetType = UNSET
    moved: bool | UnsetType = UNSET
    tokens: int | UnsetType = UNSET
    place: str | UnsetType = UNSET
    inside: str | UnsetType = UNSET
    alive: bool | UnsetType = UNSET
    at: Positions | UnsetType = UNSET
    front: Position | UnsetType = UNSET
    facing: float | UnsetType = UNSET
    rows: tuple[int, ...] | UnsetType = UNSET
    full_rows: int | UnsetType = UNSET
    effects: tuple[str, ...] | UnsetType = UNSET
    marks: dict[str, int] | UnsetType = UNSET
    arrived: int | UnsetType = UNSET
    tolerance: float = 0.01


class ModelExpect(Struct, frozen=True, forbid_unknown_fields=True):
    """What must be true of one model."""

    alive: bool | UnsetType = UNSET
    wounds: int | UnsetType = UNSET
    stunned: bool | UnsetType = UNSET
    fatigued: bool | UnsetType = UNSET
    tokens: int | UnsetType = UNSET
    at: Position | UnsetType = UNSET
    facing: float | UnsetType = UNSET
    height: float | UnsetType = UNSET
    tolerance: float = 0.01


class MarkerExpect(Struct, frozen=True, forbid_unknown_fields=True):
    """What must be true of a marker."""

    holder: str | UnsetType = UNSET
    owner: str | UnsetType = UNSET
    at: tuple[float, ...] | UnsetType = UNSET
    carrier: str | UnsetType = UNSET
    gone: bool | UnsetType = UNSET
    secret: int | UnsetType = UNSET
    tolerance: float = 0.01


class PieceExpect(Struct, frozen=True, forbid_unknown_fields=True):
    """What must be true of a piece of terrain: what was revealed about it, 0 for nothing."""

    secret: int | UnsetType = UNSET


class ExpectedNames(Struct, frozen=True, forbid_unknown_fields=True):
    """What a list of names must hold: these at least, none of those, or exactly these in any order."""

    contain: tuple[str, ...] = ()
    lack: tuple[str, ...] = ()
    equal: tuple[str, ...] | None = None


class PendingExpect(Struct, frozen=True, forbid_unknown_fields=True):
    """What the game must be waiting for; `kind` none means it waits for nothing."""

    kind: str | UnsetType = UNSET
    side: SideName | UnsetType = UNSET
    player: int | UnsetType = UNSET
    options: ExpectedNames | tuple[str, ...] | UnsetType = UNSET
    dice: int | UnsetType = UNSET
    need: int | tuple[int, ...] | UnsetType = UNSET
    modifier: int | tuple[int, ...] | UnsetType = UNSET
    why: tuple[str, ...] | UnsetType = UNSET


class RollExpect(Struct, frozen=True, forbid_unknown_fields=True):
    """One pool of dice that must have been rolled, in the order of the list."""

    purpose: str
    dice: int | UnsetType = UNSET
    faces: tuple[int, ...] | UnsetType = UNSET
    side: SideName | UnsetType = UNSET
    base: int | UnsetType = UNSET
    modifier: int | UnsetType = UNSET
    need: int | UnsetType = UNSET
    why: tuple[str, ...] | UnsetType = UNSET
    note: str | UnsetType = UNSET


Numbers = int | dict[str, int]


class Expect(Struct, frozen=True, forbid_unknown_fields=True):
    """What must have happened."""

    units: dict[str, UnitExpect] = {}
    models: dict[str, ModelExpect] = {}
    objectives: dict[str, str | MarkerExpect] = {}
    terrain: dict[str, PieceExpect] = {}
    turn: SideName | UnsetType = UNSET
    round: int | UnsetType = UNSET
    starter: SideName | UnsetType = UNSET
    winner: str | UnsetType = UNSET
    finished: bool | UnsetType = UNSET
    pending: PendingExpect | str | UnsetType = UNSET
    events: tuple[EventPattern, ...] = ()
    no_events: tuple[EventPattern, ...] = ()
    counts: dict[str, int] = {}
    asked: tuple[str, ...] = ()
    never_asked: tuple[str, ...] = ()
    rolls: tuple[RollExpect | str, ...] = ()
    no_rolls: tuple[str, ...] = ()
    dice_used: dict[str, int] = {}
    hits: Numbers | UnsetType = UNSET
    blocked: Numbers | UnsetType = UNSET
    wounds: Numbers | UnsetType = UNSET
    ignored: Numbers | UnsetType = UNSET
    removed: Numbers | UnsetType = UNSET
    activations: tuple[str, ...] | UnsetType = UNSET
    turns: tuple[SideName, ...] | UnsetType = UNSET


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """One situation, what is tried in it and what must happen."""

    scenario: str
    edition: str
    rows: tuple[str, ...] = ()
    note: str = ""
    house_rules: dict[str, Setting] = {}
    table: Point | None = None
    axis: Literal["x", "y"] = "y"
    edges: dict[SideName, str] = {}
    terrain: dict[str, Terrain] = {}
    objectives: dict[str, Objective | tuple[float, ...]] = {}
    units: dict[str, UnitEntry] = {}
    spells: dict[str, SpellSpec] = {}
    army_rules: dict[str, str] = {}
    mission: str = ""
    begin: Begin = "turn"
    round: int = 1
    turn: SideName = "A"
    starter: SideName | None = None
    first: SideName | None = None
    start_units: dict[SideName, int] = {}
    dice: dict[str, Faces] = {}
    auto: bool = True
    play: tuple[Step, ...] = ()
    until: str = ""
    measure: tuple[Measurement, ...] = ()
    expect: Expect = Expect()


TOP_LEVEL_ONLY = ("defaults", "cases", "case")
"""Keys of a file that are gone once it has been spread into scenarios."""
