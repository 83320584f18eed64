"""Bases: their text form, and what a model of each kind stands on when nobody said otherwise."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from shieldwall.core.errors import MalformedError
from shieldwall.core.state import Base, BaseShape
from shieldwall.core.values import MILLI

Mounting = Literal["square", "round"]
MM_PER_INCH = 25.4

_BASE = re.compile(
    r"^(?P<width>\d+(?:\.\d+)?)\s*(?P<first>mm|\"|in)?\s*(?:[x×]\s*(?P<depth>\d+(?:\.\d+)?))?"
    r"\s*(?P<unit>mm|\"|in)?\s*(?P<shape>round|oval|square|rect)?$",
    re.IGNORECASE,
)


class Kind(Struct, frozen=True):
    """What a kind of model stands on in each sort of game, and how tall it is; millimetres."""

    height: float
    square: Base | None
    round: Base | None


def _square(side: float) -> Base:
    return Base("square", side, side)


def _round(diameter: float) -> Base:
    return Base("round", diameter, diameter)


# R35-STAT-03..07 and SK32-STAT-02..04; kinds the books do not size have none and must bring their own base.
KINDS: dict[str, Kind] = {
    "swarm": Kind(20, _square(25), _round(25)),
    "infantry": Kind(32, _square(25), _round(32)),
    "artillery": Kind(32, Base("rect", 50, 75), _round(60)),
    "large infantry": Kind(50, _square(40), _round(40)),
    "cavalry": Kind(40, Base("rect", 25, 50), Base("oval", 35, 60)),
    "chariot": Kind(50, Base("rect", 50, 100), Base("oval", 70, 105)),
    "large cavalry": Kind(60, _square(50), Base("oval", 52, 90)),
    "monster": Kind(70, _square(60), _round(60)),
    "large monster": Kind(90, Base("rect", 50, 100), _round(80)),
    "giant": Kind(100, Base("rect", 50, 100), _round(100)),
    "vehicle": Kind(60, None, None),
    "titan": Kind(150, Base("rect", 100, 150), _round(130)),
}


def parse_base(text: str, mounting: Mounting = "square") -> Base:
    """`25mm round`, `25x50mm`, `60x35mm oval` or `1x1"`: width across the front by depth along the facing.

    Two different sides make a rectangle (an oval, where models stand on round bases), one number or two
    equal sides a square (a circle). Naming the shape settles it. The long axis of an oval lies along the
    facing, whichever number comes first.
    """
    match = _BASE.match(text.strip())
    if match is None:
        raise MalformedError(
            f"base {text!r}", ['expected something like 25mm round, 25x50mm, 60x35mm oval or 1x1"']
        )
    unit = (match["unit"] or match["first"] or "mm").lower()
    scale = 1.0 if unit == "mm" else MM_PER_INCH
    width = round(float(match["width"]) * scale, 4)
    depth = round(float(match["depth"]) * scale, 4) if match["depth"] else width
    shape = _shape((match["shape"] or "").lower(), width == depth, mounting)
    problems = ["a base needs a width and a depth above 0"] if min(width, depth) <= 0 else []
    if shape in ("round", "square") and width != depth:
        problems.append(f"a {shape} base has two equal sides; understood {width:g} by {depth:g} mm")
    if problems:
        raise MalformedError(f"base {text!r}", problems)
    if shape == "oval":
        width, depth = min(width, depth), max(width, depth)
    return Base(shape, width, depth)


def _shape(word: str, equal_sides: bool, mounting: Mounting) -> BaseShape:
    if word == "round":
        return "round"
    if word == "oval":
        return "oval"
    if word == "square":
        return "square"
    if word == "rect":
        return "rect"
    if mounting == "square":
        return "square" if equal_sides else "rect"
    return "round" if equal_sides else "oval"


def describe_base(base: Base) -> str:
    """A base as `parse_base` reads it."""
    size = f"{base.width:g}" if base.shape in ("round", "square") else f"{base.width:g}x{base.depth:g}"
    return f"{size}mm {base.shape}"


def default_base(kind: str, mounting: Mounting) -> Base:
    """The usual base of a kind of model."""
    base = _kind(kind).square if mounting == "square" else _kind(kind).round
    if base is None:
        raise MalformedError(
            f"kind {kind!r}", ["stands without a base; give the agreed footprint, such as 100x60mm"]
        )
    return base


def default_height(kind: str) -> int:
    """The usual height of a kind of model, in thousandths of an inch."""
    return round(_kind(kind).height / MM_PER_INCH * MILLI)


def _kind(kind: str) -> Kind:
    if kind not in KINDS:
        raise MalformedError(f"kind {kind!r}", [f"expected one of {', '.join(KINDS)}"])
    return KINDS[kind]
