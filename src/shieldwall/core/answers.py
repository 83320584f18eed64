"""What a driver may answer: faces of dice, or a choice. Every answer has a text form in the log."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shieldwall.core.values import Pose

LegKind = Literal["forward", "side", "back", "pivot"]


class AnswerBase(Struct, frozen=True, tag_field="answer", gc=False):
    """Base of all answers."""


class Faces(AnswerBase, frozen=True, tag="faces"):
    """The natural faces of a roll, in the order of its pools."""

    faces: tuple[int, ...]


class Pick(AnswerBase, frozen=True, tag="pick"):
    """One option of a decision, by its key."""

    option: str


class Leg(Struct, frozen=True, array_like=True, gc=False):
    """One leg of a block's move: thousandths of an inch, or hundredths of a degree for a pivot (+ clockwise).

    Sideways legs are positive to the right.
    """

    kind: LegKind
    amount: int


class March(AnswerBase, frozen=True, tag="march"):
    """The move of a ranked block, leg by leg."""

    legs: tuple[Leg, ...] = ()


class ModelPath(Struct, frozen=True, array_like=True, gc=False):
    """The path of one model, from where it stands through each point."""

    model: int
    points: tuple[Pose, ...]


class Walk(AnswerBase, frozen=True, tag="walk"):
    """The moves of a loose unit's models, in the owner's order. Models that are not named stay.

    Models in `leaps` leap from ledge to ledge over low ground instead of climbing down and up again.
    """

    paths: tuple[ModelPath, ...] = ()
    leaps: tuple[int, ...] = ()


class Placed(AnswerBase, frozen=True, tag="placed"):
    """Where a unit is put: one pose for a block, one per model for a loose unit."""

    poses: tuple[Pose, ...]


class Spot(AnswerBase, frozen=True, tag="spot"):
    """A point on the table, for markers."""

    x: int
    y: int


class Aim(Struct, frozen=True, gc=False):
    """One weapon group and what it fires at. `picked` singles out a model, `held` names models that hold fire."""

    group: str
    target: int
    picked: int = -1
    held: tuple[int, ...] = ()


class Aims(AnswerBase, frozen=True, tag="aims"):
    """The complete shooting declaration of a unit; no aims means that it holds fire."""

    aims: tuple[Aim, ...] = ()


class Chosen(AnswerBase, frozen=True, tag="chosen"):
    """An ordered choice of ids: casualties, an order of play."""

    ids: tuple[int, ...]


class Bid(AnswerBase, frozen=True, tag="bid"):
    """Spell tokens spent before a casting roll; the sign says whether they help or hinder."""

    tokens: int


class Cast(AnswerBase, frozen=True, tag="cast"):
    """A spell and its target units, by the spell's name."""

    model: int
    spell: str
    targets: tuple[int, ...]


AnyAnswer = Faces | Pick | March | Walk | Placed | Spot | Aims | Chosen | Bid | Cast
