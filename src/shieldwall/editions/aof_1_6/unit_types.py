"""Types of units: whatever is no Monster, Chariot or Artillery is Infantry, riders and beasts included."""

from __future__ import annotations

from shieldwall.core.state import Profile

INFANTRY = "Infantry"
BIG = ("Monster", "Chariot", "Artillery")
KINDS = {
    "Monster": ("monster", "large monster", "giant"),
    "Chariot": ("chariot",),
    "Artillery": ("artillery",),
}


def type_of(profile: Profile) -> str:
    """The type of a model: by its kind, or by a rule of that name on its card."""
    printed = {rule.name for rule in profile.rules}
    return next((name for name in BIG if name in printed or profile.kind in KINDS[name]), INFANTRY)


def is_infantry(profile: Profile) -> bool:
    """Whether a model is of the default type."""
    return type_of(profile) == INFANTRY
