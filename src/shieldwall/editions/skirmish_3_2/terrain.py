"""Common terrain as Skirmish 3.2 has it: the shared table, and the examples its chapters name besides."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from shieldwall.table.terrain import DANGEROUS, IMPASSABLE, PresetPiece
from shieldwall.table.terrain import PRESETS as SHARED

ROOF = 4.0  # inches

PRESETS: Mapping[str, PresetPiece] = {
    **SHARED,
    "woods": replace(SHARED["forest"], kind="woods"),
    "canyon": PresetPiece("canyon", (IMPASSABLE,)),
    "thorns": PresetPiece("thorns", (DANGEROUS,)),
    "rooftop": PresetPiece("rooftop", height=ROOF),
}
