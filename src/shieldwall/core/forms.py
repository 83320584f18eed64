"""The possible answers to a question, and what an answer would do, as plain data.

A question describes its answers with a form (`Decision.form`) and previews one with `Decision.preview`. The page,
scenario files and bots use these and never need to know the class of a question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from msgspec import Struct

from shieldwall.core.answers import Aim, AnyAnswer
from shieldwall.core.state import Pose, Spell, Unit

if TYPE_CHECKING:
    from shieldwall.core.pending import Option, Refusal

SHOWN_SPOTS = 24  # the maximum number of proposals in a form

Point = tuple[int, int]
Outlines = tuple[tuple[Point, ...], ...]


class OptionForm(Struct, frozen=True):
    """Pick one of the options. `barred` are options that players may expect but that are not available now."""

    options: tuple[Option, ...]
    barred: tuple[Option, ...] = ()


class RouteForm(Struct, frozen=True):
    """Move a unit: a block by `legs` (`march`), a loose unit model by model (`walk`).

    `reach` outlines where the unit can go. `target` is the unit it must end in contact with (-1: none). `leaps` says
    whether ledges are near enough to leap between.
    """

    unit: int
    how: Literal["block", "loose"]
    action: str
    allowance: int
    pivot: int
    legs: tuple[str, ...]
    reach: Outlines
    target: int = -1
    models: tuple[int, ...] = ()
    leaps: bool = False


class Rectangle(Struct, frozen=True):
    """A part of the table between two corners, in thousandths of an inch."""

    left: int
    near: int
    right: int
    far: int


class PlacementForm(Struct, frozen=True):
    """Place a unit inside the zones (`placed`), or a single model at one of the `spots`. It must stay farther than
    `enemy_over` from every enemy; `words` describes the area.
    """

    unit: int
    how: Literal["block", "loose"]
    zones: tuple[Rectangle, ...]
    enemy_over: int
    words: str
    models: tuple[int, ...] = ()
    spots: tuple[Pose, ...] = ()


class PointForm(Struct, frozen=True):
    """Name a point of the table (`spot`); `spots` are legal proposals."""

    spots: tuple[Point, ...]
    words: str


class TargetFacts(Struct, frozen=True):
    """One enemy as a target of one weapon group: its distance, which models can fire at it, and why not if none can.

    `blocker` names the obstacle. `picks` are the models that can be singled out, `aim` is the default answer.
    """

    unit: int
    group: str
    distance: int
    reach: int
    shooters: int
    aim: Aim
    refusals: tuple[Refusal, ...] = ()
    blocker: str = ""
    picks: tuple[int, ...] = ()

    @property
    def is_legal(self) -> bool:
        """Whether any model may fire at it."""
        return not self.refusals


class WeaponForm(Struct, frozen=True):
    """One weapon group of a shooting unit, and every enemy on the table as its target."""

    key: str
    label: str
    attacks: int
    reach: int
    bearers: int
    targets: tuple[TargetFacts, ...]
    picks_model: bool = False


class AimingForm(Struct, frozen=True):
    """Aim each weapon group at one target (`aims`); no aims hold fire."""

    unit: int
    groups: tuple[WeaponForm, ...]
    most_targets: int


class ModelsForm(Struct, frozen=True):
    """Choose exactly `count` models out of `ids` (`chosen`); `unit` is -1 if they may belong to several units."""

    unit: int
    ids: tuple[int, ...]
    count: int


class TokensForm(Struct, frozen=True):
    """Spend `low` to `high` spell tokens (`bid`); the sign says whether they help or hinder."""

    model: int
    low: int
    high: int


class LegalCast(NamedTuple):
    """A model, a spell it may try now and every unit the spell may be cast on."""

    model: int
    spell: Spell
    targets: tuple[int, ...]


class SpellForm(Struct, frozen=True):
    """Cast one of the spells on some of its targets (`cast`), or pick "back"."""

    unit: int
    casts: tuple[LegalCast, ...]


Form = OptionForm | RouteForm | PlacementForm | PointForm | AimingForm | ModelsForm | TokensForm | SpellForm


class Wish(Struct, frozen=True):
    """What a player wants to do: a point dragged to, or a complete answer. With `leap`, models leap from ledge to
    ledge where they could also climb.
    """

    drag: Pose | None = None
    answer: AnyAnswer | None = None
    leap: bool = False


class CrossedGround(Struct, frozen=True):
    """A piece that a move goes through, and what that means."""

    piece: int
    difficult: bool
    dangerous: bool


class LeapRisk(Struct, frozen=True):
    """A leap on a model's path: how far and how deep, and the roll needed."""

    model: int
    distance: float
    fall: float
    dice: int
    needed: int
    cite: str = ""


class AnswerPreview(Struct, frozen=True):
    """What an answer would do; nothing has happened yet.

    If the wish is legal, `answer` carries it out. Otherwise `refusals` say why not, and `answer` is the nearest legal
    alternative. `wanted` is the unit where the wish would have it, `end` where the answer takes it. `used` and
    `allowance` are those of a move by `action`, which follows `ways` (model, points; -1 for the centre of a block).
    `charges` is the unit that would be charged, `aimed` what would be shot at.
    """

    answer: AnyAnswer | None = None
    refusals: tuple[Refusal, ...] = ()
    wanted: Unit | None = None
    end: Unit | None = None
    action: str = ""
    used: int = 0
    allowance: int = 0
    ways: tuple[tuple[int, tuple[Point, ...]], ...] = ()
    ground: tuple[CrossedGround, ...] = ()
    too_close: tuple[int, ...] = ()
    leaps: tuple[LeapRisk, ...] = ()
    charges: int = -1
    aimed: tuple[TargetFacts, ...] = ()
    words: str = ""
