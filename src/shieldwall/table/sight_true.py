"""Sight as the miniature would have it: from its eye to samples of the target's volume.

The eye is at nine tenths of the height. Models are upright cylinders or boxes of their real height. The
target is seen when at least a tenth of it is; the tenth may be switched off, and then any sample is enough.
"""

from __future__ import annotations

import math

from msgspec.structs import replace

from shieldwall.geometry.sight_lines import SAMPLES
from shieldwall.table.sight_methods import SightMethod

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
    """How many samples, or lines, must be free: exactly the asked share is enough, one the least."""
    return max(1, math.ceil(SAMPLES * method.share_percent / 100)) if method.lines == "eye" else 1
