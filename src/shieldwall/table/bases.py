"""Bases: their text form, and the default base of each category.

Sizes are millimetres, `width` across the front and `depth` along the facing. Nothing here refuses an unusual
base: any size may be used, as long as models of one kind all use the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from shieldwall.core.errors import MalformedError
from shieldwall.core.state import MILLI, Base, BaseShape
from shieldwall.table.reasons import TableReason
from shieldwall.table.shapes import MM_PER_INCH

Family = Literal["square", "round", "small round", "oval"]

_TEXT = re.compile(
    r"^(?P<width>\d+(?:\.\d+)?)\s*(?P<first>mm|\"|in)?\s*(?:[x×]\s*(?P<depth>\d+(?:\.\d+)?))?"
    r"\s*(?P<unit>mm|\"|in)?\s*(?P<shape>round|oval|square|rect)?$",
    re.IGNORECASE,
)


class Category(Struct, frozen=True):
    """How tall models of a category are, and their usual bases in each family, smallest first.

    The first one is the default unless another is named.
    """

    height: float
    square: tuple[Base, ...] = ()
    round: tuple[Base, ...] = ()
    default_square: Base | None = None
    default_round: Base | None = None


def _squares(*sides: float) -> tuple[Base, ...]:
    return tuple(Base("square", side, side) for side in sides)


def _rounds(*diameters: float) -> tuple[Base, ...]:
    return tuple(Base("round", diameter, diameter) for diameter in diameters)


def _rect(width: float, depth: float) -> tuple[Base, ...]:
    return (Base("rect", width, depth),)


def _oval(width: float, depth: float) -> tuple[Base, ...]:
    return (Base("oval", width, depth),)


# R35-STAT-03..08 and SK32-STAT-02..04. The short side is the front. Square infantry gets 25 mm, which the
# ruling of R35-STAT-03 allows. What the books leave open is our choice: swarm, artillery, chariot,
# large cavalry, large monster, titan, the height of vehicles, and the round bases of monster and giant.
CATEGORIES: dict[str, Category] = {
    "swarm": Category(20, _squares(25), _rounds(25)),
    "infantry": Category(
        32, _squares(20, 32), _rounds(20, 32), Base("square", 25, 25), Base("round", 32, 32)
    ),
    "artillery": Category(32, _rect(50, 75), _rounds(60)),
    "large infantry": Category(50, _squares(40, 50), _rounds(40, 50)),
    "beast": Category(32, _rect(25, 50), _oval(35, 60)),
    "cavalry": Category(40, _rect(25, 50), _oval(35, 60)),
    "chariot": Category(50, _rect(50, 100), _oval(70, 105)),
    "large cavalry": Category(60, _squares(50), _oval(52, 90)),
    "monster": Category(70, _squares(60), _rounds(60)),
    "large monster": Category(90, _rect(50, 100), _rounds(80)),
    "giant": Category(100, _rect(50, 100), _rounds(100)),
    "vehicle": Category(60),
    "titan": Category(150, _rect(100, 150), _rounds(130)),
}


# A2-STAT-03: round infantry, but long bases for riders, crawlers and flyers. Guns have no base; where the players
# agreed on no hull, the footprint is our choice. Categories the book does not name are as in the round family.
OVAL_FAMILY: dict[str, tuple[Base, ...]] = {
    "infantry": _rounds(20, 25, 32, 40),
    "beast": _oval(25, 50),
    "cavalry": _oval(25, 50),
    "chariot": _oval(50, 100),
    "monster": _oval(50, 100),
    "artillery": (),
}
SMALL_INFANTRY = Base("round", 25, 25)  # for 28 mm figures
OVAL_DEFAULTS: dict[str, Base] = {"infantry": Base("round", 32, 32), "artillery": Base("rect", 50, 75)}


def listed_bases(category: str, family: Family) -> tuple[Base, ...]:
    """The usual bases of a category, smallest first; empty for models without a base."""
    known = _category(category)
    if family == "oval":
        return OVAL_FAMILY.get(category.lower(), known.round)
    return known.square if family == "square" else known.round


def default_base(category: str, family: Family) -> Base:
    """The default base of a model; vehicles must give one."""
    known = _category(category)
    named = known.default_square if family == "square" else known.default_round
    if family == "oval":
        named = OVAL_DEFAULTS.get(category.lower())
    elif family == "small round" and category.lower() == "infantry":
        named = SMALL_INFANTRY
    if named is not None:
        return named
    listed = listed_bases(category, family)
    if not listed:
        raise MalformedError(
            f"category {category!r}",
            ["stands without a base; give the agreed hull footprint, such as 60x100mm"],
        )
    return listed[0]


def nominal_height(category: str) -> float:
    """The usual height of a model of a category in millimetres."""
    return _category(category).height


def default_height(category: str) -> int:
    """The usual height of a model of a category as a profile stores it: thousandths of an inch."""
    return round(nominal_height(category) / MM_PER_INCH * MILLI)


def _category(category: str) -> Category:
    known = CATEGORIES.get(category.lower())
    if known is None:
        raise MalformedError(f"category {category!r}", [f"expected one of {', '.join(CATEGORIES)}"])
    return known


def parse_base(text: str, family: Family = "square") -> Base:
    """`25mm round`, `25x50mm`, `60x35mm oval`, `32mm square` or `1x1"`: width across the front by depth.

    Two different sides make a rectangle (an oval in the other families), one number or two equal sides a square
    (a circle). Naming the shape settles it. The long axis of an oval lies along the facing, whichever number
    comes first; the sides of a rectangle are taken as written.
    """
    match = _TEXT.match(text.strip())
    if match is None:
        expected = 'expected something like 25mm round, 25x50mm, 60x35mm oval, 32mm square or 1x1"'
        raise MalformedError(f"base {text!r}", [expected])
    scale = 1.0 if (match["unit"] or match["first"] or "mm").lower() == "mm" else MM_PER_INCH
    width = round(float(match["width"]) * scale, 4)
    depth = round(float(match["depth"]) * scale, 4) if match["depth"] else width
    shape = _shape((match["shape"] or "").lower(), width == depth, family)
    problems = ["a base needs a width and a depth above 0"] if min(width, depth) <= 0 else []
    if shape in ("round", "square") and width != depth:
        problems.append(f"a {shape} base has two equal sides; understood {width:g} by {depth:g} mm")
    if problems:
        raise MalformedError(f"base {text!r}", problems)
    if shape == "oval":
        width, depth = min(width, depth), max(width, depth)
    return Base(shape, width, depth)


def _shape(word: str, is_even: bool, family: Family) -> BaseShape:
    """The shape that a text means; `is_even` when both sides are equal."""
    match word:
        case "round" | "oval" | "square" | "rect":
            return word
        case _ if family == "square":
            return "square" if is_even else "rect"
        case _:
            return "round" if is_even else "oval"


def describe_base(base: Base) -> str:
    """A base as `parse_base` reads it."""
    size = f"{base.width:g}" if base.shape in ("round", "square") else f"{base.width:g}x{base.depth:g}"
    return f"{size}mm {base.shape}"


def mixed_bases(models: Iterable[tuple[str, Base]]) -> list[TableReason]:
    """A warning, not a refusal, for each kind of model that stands on bases of different size (R35-STAT-09).

    `models` are the kind's name and the base of every model, or of every profile of an army.
    """
    seen: dict[str, set[str]] = {}
    for name, base in models:
        seen.setdefault(name, set()).add(describe_base(base))
    return [
        TableReason(
            f"the models of {name} have bases of different sizes: {', '.join(sorted(sizes))}",
            "base.same-size",
        )
        for name, sizes in sorted(seen.items())
        if len(sizes) > 1
    ]
