"""The rules version of each edition, which every game records.

The number (`version` of an edition's `RULESET`, 1 unless it says otherwise) is raised when the same answers and dice
would lead to a different table, once between two releases; better wording or a faster search does not raise it.
docs/logs.md explains what happens to games from earlier versions.
"""

from __future__ import annotations

from typing import NamedTuple

from shieldwall.core.engine import Rules
from shieldwall.replay.fingerprint import rules_hash

FIRST = 1


class RulesVersion(NamedTuple):
    """The rules of a game: the version number, and a fingerprint of the edition's constants."""

    number: int
    numbers_hash: str


def rules_version_of(rules: Rules) -> RulesVersion:
    """The current version."""
    return RulesVersion(getattr(rules, "version", FIRST), rules_hash(rules))
