"""Methods of sight as plain data: which lines are drawn, what may stop them, and how tall things count as.

Heights that players agreed on replace the usual ones; no method knows an edition.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.state import MILLI, Base, Piece, Profile
from shieldwall.geometry.sight_lines import SAMPLES
from shieldwall.table.reasons import TableReason
from shieldwall.table.terrain import DECORATIVE, blocks_sight, standing_height

Lines = Literal["flat", "volume", "eye"]
SeenOver = Literal["lower than both", "lower than one", "in space"]
Perimeter = Literal["outline", "bases", "strips"]
Heights = Literal["real", "value", "by base", "of the ground"]

STRIP_LINK = 1.0  # inches: models of a unit this close together leave no gap to look through


class SightMethod(Struct, frozen=True):
    """How one figure looks at another.

    `lines`: between two bases seen from above, between two volumes, or from one eye to 25 samples of a
    volume.
    `seen_over`: what does not stop a line: pieces lower than both figures, anything lower than one of them, or
    whatever the line really passes above. Things without a height always stop it.
    `perimeter`: what of another unit stops lines: the outline of a block or the bases, and with "strips"
    also the room between models that stand within 1 inch of each other.
    `heights`: of models: real ones, the values of the top-down tables, or those that follow from the size of the
    base; or only the height of the ground under the base, where lines end at the bases.
    `share_percent`: how many of the 25 samples must be seen; 0 means that any one is enough.
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


# Ranked units look along straight lines on the table between bases, in the front arc of the looking model. The outline
# of any other unit stops a line, whatever its height; the model's own unit and the target's never do. Blocking
# terrain stops it unless the piece is lower than both models. Lines start or end inside a forest but do not cross it;
# a model on a hilltop may disregard one unit or piece for each target.
OUTLINE = SightMethod(
    name="outline", lines="flat", seen_over="lower than both", perimeter="outline", front_arc=True
)
# The same for loose units, which look all round: only bases stop lines, so models may look between two others.
# Distances are measured in space.
OPEN = replace(OUTLINE, name="open", perimeter="bases", front_arc=False, ruler_in_space=True)


# True line of sight: from the miniature's eye, at nine tenths of its height, to samples of the target's volume. Models
# are upright cylinders or boxes of their real height. The target is seen if at least a tenth of it is; the tenth may
# be switched off, and then any sample is enough.
TRUE = SightMethod(
    name="true",
    lines="eye",
    seen_over="in space",
    perimeter="strips",
    share_percent=10,
    ruler_in_space=True,
)
TRUE_ANY_PART = replace(TRUE, name="true-any-part", share_percent=0)


def samples_needed(method: SightMethod) -> int:
    """How many samples, or lines, must be free: exactly the required share is enough; at least one."""
    return max(1, math.ceil(SAMPLES * method.share_percent / 100)) if method.lines == "eye" else 1


# From above with height values: a line between two bases is stopped by anything as high as both ends. Every unit and
# every piece has a value: a preset of its kind, or its real height plus 1. A model that stands on a piece adds the
# piece's value to its own.
TOP_DOWN = SightMethod(
    name="top-down",
    lines="flat",
    seen_over="lower than one",
    perimeter="strips",
    heights="value",
    ruler_in_space=True,
)

# Height values by kind of unit.
UNIT_VALUES: Mapping[str, float] = {
    "swarm": 1.0,
    "infantry": 2.0,
    "artillery": 2.0,
    "large infantry": 3.0,
    "cavalry": 3.0,
    "chariot": 3.0,
    "large cavalry": 4.0,
    "monster": 4.0,
    "vehicle": 4.0,
    "large monster": 5.0,
    "giant": 5.0,
    "titan": 6.0,
}
ADDED_TO_REAL_HEIGHT = 1.0


def _plain(kind: str) -> str:
    """A kind as the table spells it: lower case, blanks, singular."""
    word = kind.lower().replace("-", " ").replace("_", " ")
    return word if word in UNIT_VALUES or not word.endswith("s") else word[:-1]


def unit_value(profile: Profile, method: SightMethod = TOP_DOWN) -> float:
    """The value of a model on the ground: as agreed, else the preset of its kind, else its height plus 1."""
    agreed = agreed_height(method, profile.name)
    if agreed is not None:
        return agreed / MILLI
    preset = UNIT_VALUES.get(_plain(profile.kind))
    return profile.height / MILLI + ADDED_TO_REAL_HEIGHT if preset is None else preset


def piece_value(piece: Piece, method: SightMethod = TOP_DOWN) -> float | None:
    """The value of a piece: as agreed, else its height plus 1, decimals kept; None without a height."""
    agreed = agreed_height(method, piece.name, piece.kind)
    if agreed is not None:
        return agreed / MILLI
    return piece.height / MILLI + ADDED_TO_REAL_HEIGHT if piece.height > 0 else None


def value_on(piece: Piece, method: SightMethod = TOP_DOWN) -> float:
    """What a piece adds to the value of models that stand on it; nothing if models enter it at table level."""
    if standing_height(piece) == 0 or DECORATIVE in piece.conditions:
        return 0.0
    return piece_value(piece, method) or 0.0


def missing_values(pieces: Iterable[Piece], method: SightMethod = TOP_DOWN) -> tuple[TableReason, ...]:
    """The pieces that block sight but have no height value yet: a game must not start with them."""
    return tuple(
        TableReason(
            f"{piece.name} (piece {piece.id}) blocks sight but has no height value", "sight.height-value"
        )
        for piece in pieces
        if blocks_sight(piece) and piece_value(piece, method) is None
    )


# Between volumes: a model fills the column over its base up to a height that follows from its size. One free line from
# any point of one volume to any point of the other is enough, the tops included.
VOLUMETRIC = SightMethod(
    name="volumetric",
    lines="volume",
    seen_over="in space",
    perimeter="strips",
    heights="by base",
    ruler_in_space=True,
)

# Height in inches by the long axis of the base in millimetres, smallest first.
HEIGHT_BY_BASE: tuple[tuple[float, float], ...] = (
    (25.0, 1.0),
    (32.0, 1.25),
    (40.0, 1.5),
    (50.0, 2.0),
    (60.0, 3.0),
    (100.0, 4.0),
)


def height_of_base(base: Base) -> float:
    """The preset of the listed size nearest to the long axis; a tie takes the smaller size."""
    long_axis = max(base.width, base.depth)
    return min(HEIGHT_BY_BASE, key=lambda known: (abs(known[0] - long_axis), known[0]))[1]


def volume_height(profile: Profile, method: SightMethod = VOLUMETRIC) -> float:
    """How tall a volume is: as agreed (models without a base need that), else the preset of the base."""
    agreed = agreed_height(method, profile.name)
    return height_of_base(profile.base) if agreed is None else agreed / MILLI
