"""Common terrain as Skirmish 3.2 has it: the shared table, and the other examples its chapters name."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from shieldwall.table.layout import LOOSE_ADVICE
from shieldwall.table.terrain import BLOCKING, DANGEROUS, IMPASSABLE, ROOF, PresetPiece
from shieldwall.table.terrain import PRESETS as SHARED

ROOF_HEIGHT = 4.0  # inches

# SK32-PREP-04, SK32-PREP-05, SK32-SETUP-20, SK32-SETUP-31, SK32-SETUP-32.
ADVICE = replace(LOOSE_ADVICE, generate=20, is_settled=True)

PRESETS: Mapping[str, PresetPiece] = {
    **SHARED,
    "woods": replace(SHARED["forest"], kind="woods"),
    "canyon": PresetPiece("canyon", (IMPASSABLE,)),
    "thorns": PresetPiece("thorns", (DANGEROUS,)),
    "rooftop": PresetPiece("rooftop", (BLOCKING,), (ROOF,), ROOF_HEIGHT),
}
