"""Sample rolls."""

from shieldwall.core.pending import Roll
from shieldwall.core.values import FACE_LABELS, Pool, Target, pool_of_tests


def plain(dice: int, purpose: str = "to_hit") -> Roll:
    """A roll of so many dice, labelled by their faces."""
    return Roll(purpose, 0, (Pool(dice, FACE_LABELS),), "R35-DICE-04")


def aimed(dice: int) -> Roll:
    """A roll to hit on 4+ with a bonus."""
    return Roll("to_hit", 0, (pool_of_tests(dice, Target(4).plus(1, "aim", "R35-DICE-18")),), "R35-SHOOT-15")
