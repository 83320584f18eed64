"""What a method of sight is: plain data that says which lines are drawn and what may stop them.

The methods themselves stand in sight_outline, sight_true, sight_topdown and sight_volumetric. Heights that
players agreed on replace the usual ones; no method knows an edition.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shieldwall.core.state import MILLI, Piece, Profile

Lines = Literal["flat", "volume", "eye"]
SeenOver = Literal["lower than both", "lower than one", "in space"]
Perimeter = Literal["outline", "bases", "strips"]
Heights = Literal["real", "value", "by base", "of the ground"]

STRIP_LINK = 1.0  # inches: models of a unit that stand this close leave no gap to look through


class SightMethod(Struct, frozen=True):
    """How one figure looks at another.

    `lines`: between two bases seen from above, between two volumes, or from one eye to 25 samples of a
    volume.
    `seen_over`: which things do not stop a line: pieces lower than both figures, anything lower than one of
    them, or whatever the line really passes above. Things without a height are never seen over.
    `perimeter`: what of another unit stops lines: the outline of a block or the bases, and with "strips"
    also the room between models that stand within 1 inch of each other.
    `heights`: of models: real ones, the values of the top-down tables, or those that follow from the size of the
    base; or only the height of the ground under the base, where lines end at the bases.
    `share_percent`: how much of the 25 samples must be seen; 0 means that any one is enough.
    `agreed`: heights in thousandths of an inch, by the name of a profile or the name or kind of a piece.
    """

    name: str
    lines: Lines
    seen_over: SeenOver
    perimeter: Perimeter
    heights: Heights = "real"
    front_arc: bool = False
    share_percent: int = 0
    ruler_in_space: bool = False
    agreed: tuple[tuple[str, int], ...] = ()


def agreed_height(method: SightMethod, *names: str) -> int | None:
    """The height agreed for the first of these names that has one."""
    for name in names:
        for known, height in method.agreed:
            if known == name:
                return height
    return None


def real_height(method: SightMethod, profile: Profile) -> float:
    """How tall a model is, in inches: as agreed, else as its profile says."""
    agreed = agreed_height(method, profile.name)
    return (profile.height if agreed is None else agreed) / MILLI


def real_piece_height(method: SightMethod, piece: Piece) -> float:
    """The height of a piece in inches; 0 if not given."""
    agreed = agreed_height(method, piece.name, piece.kind)
    return (piece.height if agreed is None else agreed) / MILLI
