"""Which pieces threaten models, and a quick look whether any is near; remembered while the table stays the same."""

from __future__ import annotations

import math
from collections.abc import Iterable

from shieldwall.core.state import Piece, shared_facts
from shieldwall.table.outlines import box_of
from shieldwall.table.terrain import is_dangerous


def dangerous_pieces(pieces: tuple[Piece, ...], action: str = "") -> frozenset[int]:
    """Ids of the pieces that threaten models taking this action; remembered for as long as the table is the same."""
    facts = shared_facts(pieces)
    known: frozenset[int] | None = facts.get(("dangerous", action))
    if known is None:
        known = frozenset(piece.id for piece in pieces if is_dangerous(piece, action))
        facts["dangerous", action] = known
    return known


def is_near_danger(pieces: tuple[Piece, ...], spots: Iterable[tuple[int, int]], reach: float) -> bool:
    """A quick look: whether anything within `reach` thousandths of these spots may touch ground that is always
    dangerous. False is certain, true is not.
    """
    circles = _danger_circles(pieces)
    for x, y in spots:
        for cx, cy, radius in circles:
            dx, dy, bound = x - cx, y - cy, radius + reach
            if dx * dx + dy * dy <= bound * bound:
                return True
    return False


def _danger_circles(pieces: tuple[Piece, ...]) -> tuple[tuple[float, float, float], ...]:
    facts = shared_facts(pieces)
    known: tuple[tuple[float, float, float], ...] | None = facts.get("danger circles")
    if known is None:
        dangerous = dangerous_pieces(pieces)
        known = tuple(_circle_round(piece) for piece in pieces if piece.id in dangerous)
        facts["danger circles"] = known
    return known


def _circle_round(piece: Piece) -> tuple[float, float, float]:
    left, near, right, far = box_of(piece.outline)
    x, y = (left + right) / 2, (near + far) / 2
    return x, y, max(math.hypot(px - x, py - y) for px, py in piece.outline)
