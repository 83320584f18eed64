"""Common terrain as Age of Fantasy 2 has it: woods slow and hide but do not stop sight, hills are climbed."""

from __future__ import annotations

from collections.abc import Mapping

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

# From 3 inches up a piece is elevation; it costs its height and never stops a move (A2-TERRAIN-07, A2-TERRAIN-08).
LIMITS = TerrainLimits(elevated_over=3 * MILLI, elevated_at_limit=True, elevated_stops=False)

# The book counts pieces and says what lies between them (A2-PREP-03, A2-PREP-04, A2-PREP-07, A2-PREP-08).
SAID = SILENT

# No move may end on impassable ground, so these pieces have no top to stand on.
# A2-TERRAIN-15 names the examples, A2-TERRAIN-16 says which of them stop sight. Heights are ours.
PRESETS: Mapping[str, PresetPiece] = {
    preset.kind: preset
    for preset in (
        PresetPiece("barricade", (COVER,), (), 1.0),
        PresetPiece("building", (IMPASSABLE, BLOCKING), (GROUND_LEVEL,), 5.0),
        PresetPiece("canyon", (IMPASSABLE,)),
        PresetPiece("chasm", (IMPASSABLE,)),
        PresetPiece("cliff", (BLOCKING,), (), 4.0),
        PresetPiece("decoration", (), (DECORATIVE,)),
        PresetPiece("fence", (COVER,), (), 1.0),
        PresetPiece("field", (DIFFICULT, COVER), (GROUND_LEVEL,), 1.0),
        PresetPiece("forest", (DIFFICULT, COVER), (GROUND_LEVEL,), 5.0),
        PresetPiece("hill", (BLOCKING,), (), 3.0, blocks_from=3.0),
        PresetPiece("lake", (DIFFICULT,)),
        PresetPiece("lava", (DANGEROUS,)),
        PresetPiece("mountain", (IMPASSABLE, BLOCKING), (GROUND_LEVEL,), 7.0),
        PresetPiece("mud", (DIFFICULT,)),
        PresetPiece("quicksand", (DANGEROUS,)),
        PresetPiece("river", (DIFFICULT,)),
        PresetPiece("rock", (BLOCKING,), (), 3.0),
        PresetPiece("rooftop", (BLOCKING,), (), 4.0),
        PresetPiece("rubble", (DIFFICULT,), (), 0.5),
        PresetPiece("ruin", (COVER,), (GROUND_LEVEL,), 3.0),
        PresetPiece("swamp", (DIFFICULT,)),
        PresetPiece("thorns", (DANGEROUS,)),
        PresetPiece("wall", (BLOCKING,), (), 2.0),
        PresetPiece("woods", (DIFFICULT, COVER), (GROUND_LEVEL,), 5.0),
    )
}
