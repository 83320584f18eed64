"""Which version of its rules an edition has. A game tells which one it was played with.

The number (`version` of an edition's `RULESET`, 1 unless it says otherwise) is raised when the same answers and dice
would lead to another table than before, once between two releases; a mended sentence or a faster search does not raise
it. What becomes of games of earlier versions is told in docs/logs.md.
"""

from __future__ import annotations

from typing import NamedTuple

from shieldwall.core.engine import Rules
from shieldwall.replay.fingerprint import rules_hash

FIRST = 1


class RulesVersion(NamedTuple):
    """The rules of a game: a number that people raise, and a fingerprint of the edition's constants."""

    number: int
    numbers_hash: str


def rules_version_of(rules: Rules) -> RulesVersion:
    """The version that this program plays."""
    return RulesVersion(getattr(rules, "version", FIRST), rules_hash(rules))
