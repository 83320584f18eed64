"""Common terrain as Age of Fantasy 1.6 has it: the examples of its page, and solid buildings with room inside."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from shieldwall.core.state import MILLI
from shieldwall.table.layout import SILENT
from shieldwall.table.terrain import (
    BLOCKING,
    COVER,
    DANGEROUS,
    DECORATIVE,
    DIFFICULT,
    GROUND_LEVEL,
    IMPASSABLE,
    PresetPiece,
    TerrainLimits,
)

# The book does not mention heights: there is no climbing, and only obstacles are too high to walk over.
LIMITS = TerrainLimits(elevated_over=48 * MILLI, elevated_stops=False)

# The book says how many pieces there should be, and nothing else (A16-PREP-02).
SAID = replace(
    SILENT,
    min_hard=5,
    min_standard=5,
    min_advised=10,
    gap_max=0.0,
    closed_lines=False,
    fair_share=(0, 1),
)

# Models may not stand on an obstacle, so these pieces have no top.
# A16-TERRAIN-05 names the examples, A16-LOS-01 which pieces stop sight, A16-BUILD-08 the room in buildings.
# Heights are ours.
PRESETS: Mapping[str, PresetPiece] = {
    preset.kind: preset
    for preset in (
        PresetPiece("barricade", (COVER,), (), 1.0),
        PresetPiece("brick house", (IMPASSABLE, BLOCKING), (GROUND_LEVEL,), 5.0, 11),
        PresetPiece("building", (IMPASSABLE, BLOCKING), (GROUND_LEVEL,), 5.0, 11),
        PresetPiece("castle keep", (IMPASSABLE, BLOCKING), (GROUND_LEVEL,), 8.0, 21),
        PresetPiece("castle wall", (IMPASSABLE, BLOCKING), (GROUND_LEVEL,), 5.0, 11),
        PresetPiece("chasm", (IMPASSABLE,)),
        PresetPiece("cliff", (IMPASSABLE, BLOCKING), (GROUND_LEVEL,), 4.0),
        PresetPiece("deadly vegetation", (DANGEROUS,)),
        PresetPiece("decoration", (), (DECORATIVE,)),
        PresetPiece("fence", (COVER,), (), 1.0),
        PresetPiece("field", (COVER,), (GROUND_LEVEL,), 1.0),
        PresetPiece("forest", (COVER,), (GROUND_LEVEL,), 5.0),
        PresetPiece("hill", (BLOCKING,), (GROUND_LEVEL,), 3.0, blocks_from=3.0),
        PresetPiece("lake", (DIFFICULT,)),
        PresetPiece("lava", (DANGEROUS,)),
        PresetPiece("mansion", (IMPASSABLE, BLOCKING), (GROUND_LEVEL,), 6.0, 21),
        PresetPiece("mountain", (IMPASSABLE, BLOCKING), (GROUND_LEVEL,), 7.0),
        PresetPiece("mud", (DIFFICULT,)),
        PresetPiece("quicksand", (DANGEROUS,)),
        PresetPiece("river", (DIFFICULT,)),
        PresetPiece("rock", (IMPASSABLE, BLOCKING), (GROUND_LEVEL,), 3.0),
        PresetPiece("rubble", (DIFFICULT,)),
        PresetPiece("ruin", (COVER,), (GROUND_LEVEL,), 3.0),
        PresetPiece("swamp", (DIFFICULT,)),
        PresetPiece("thorns", (DANGEROUS,)),
        PresetPiece("wall", (IMPASSABLE, BLOCKING), (GROUND_LEVEL,), 2.0),
        PresetPiece("wooden shed", (IMPASSABLE, BLOCKING), (GROUND_LEVEL,), 3.0, 6),
        PresetPiece("woods", (DIFFICULT,), (GROUND_LEVEL,), 5.0),
    )
}
