"""Short hashes that are equal on every machine when two things are equal."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from shieldwall.core.codec import HASH_LENGTH, encode, state_hash
from shieldwall.core.engine import Rules
from shieldwall.core.state import State
from shieldwall.replay.format import LoggedAnswer, LoggedRoll

NOT_ON_THE_TABLE = frozenset({"stack", "profiles", "army_rules"})


def table_hash(state: State) -> str:
    """A fingerprint of the whole table.

    Not included: the stack, so that adding a step to a procedure does not invalidate old logs (a log at a different
    question fails anyway), and the profiles and texts, which never change during a game.
    """
    return state_hash(state, NOT_ON_THE_TABLE)


def rules_hash(rules: Rules) -> str:
    """A fingerprint of an edition's id and its numbers."""
    named = [getattr(rules, "id", ""), msgspec.to_builtins(getattr(rules, "constants", None))]
    return hashlib.sha256(encode(named)).hexdigest()[:HASH_LENGTH]


def facts_hash(facts: Sequence[bytes]) -> str:
    """A fingerprint of the events caused by a run of answers; empty if they were not recorded."""
    return hashlib.sha256(b"\n".join(facts)).hexdigest()[:HASH_LENGTH] if facts else ""


def answers_hash(answers: Sequence[LoggedRoll | LoggedAnswer]) -> str:
    """A fingerprint of a run of answers, including dice."""
    hashed = hashlib.sha256()
    for answer in answers:
        hashed.update(encode(answer))
        hashed.update(b"\n")
    return hashed.hexdigest()[:HASH_LENGTH]
