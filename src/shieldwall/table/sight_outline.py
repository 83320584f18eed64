"""Sight for ranked units: straight lines on the table between bases, in the front arc of the looking model.

Any other unit stops a line with its outline, whatever its height; the own unit and the target's unit never
do. Blocking terrain stops it unless the piece is lower than both models. Lines start or end inside a forest
but do not cross it; a model on a hilltop may disregard one unit or piece for each target.
"""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.table.sight_methods import SightMethod

OUTLINE = SightMethod(
    name="outline", lines="flat", seen_over="lower than both", perimeter="outline", front_arc=True
)
# The same for loose units that look all round: only bases stop lines, so one may look between two models. Distances
# are laid in space.
OPEN = replace(OUTLINE, name="open", perimeter="bases", front_arc=False, ruler_in_space=True)
