"""Short hashes that are equal on every machine when two things are equal."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.codec import encode
from shieldwall.core.engine import Rules
from shieldwall.core.state import State, Unit
from shieldwall.replay.format import Choice, Thrown

HASH_LENGTH = 16


def table_hash(state: State) -> str:
    """A fingerprint of everything on and beside the table.

    Left out: the stack, so that a step added to a procedure does not spoil old logs (a log that stands at
    another question fails there anyway), the profiles, which never change during a game, and every field that
    has its default value, so that a field added later does not spoil them either.
    """
    hashed = hashlib.sha256(encode(without_defaults(replace(state, stack=(), profiles=(), units=()))))
    for unit in state.units:
        hashed.update(_unit_bytes(unit))
    return hashed.hexdigest()[:HASH_LENGTH]


def _unit_bytes(unit: Unit) -> bytes:
    """A unit as canonical JSON, remembered by the unit: few change from one activation to the next."""
    known: bytes | None = unit.__dict__.get("_fingerprint")
    if known is None:
        known = unit.__dict__["_fingerprint"] = encode(without_defaults(unit))
    return known


def without_defaults(value: object) -> object:
    """A value as plain data in which structs lack the fields that have their default value."""
    if isinstance(value, tuple):
        return [without_defaults(item) for item in value]
    if not isinstance(value, Struct):
        return value
    shape = _shape_of(type(value))
    told = {
        name: without_defaults(given)
        for name, default in shape.fields
        if (given := getattr(value, name)) is not default and given != default
    }
    if not shape.is_array:
        return told
    last = max((i for i, (name, _) in enumerate(shape.fields) if name in told), default=-1)
    return [without_defaults(getattr(value, name)) for name, _ in shape.fields[: last + 1]]


class _Shape(NamedTuple):
    fields: tuple[tuple[str, object], ...]
    is_array: bool


@cache
def _shape_of(kind: type[Struct]) -> _Shape:
    fields = tuple((field.name, field.default) for field in msgspec.structs.fields(kind))
    return _Shape(fields, kind.__struct_config__.array_like)


def rules_hash(rules: Rules) -> str:
    """A fingerprint of an edition's id and its numbers."""
    named = [getattr(rules, "id", ""), msgspec.to_builtins(getattr(rules, "constants", None))]
    return hashlib.sha256(encode(named)).hexdigest()[:HASH_LENGTH]


def answers_hash(answers: Sequence[Thrown | Choice]) -> str:
    """A fingerprint of a stretch of answers, dice included."""
    hashed = hashlib.sha256()
    for answer in answers:
        hashed.update(encode(answer))
        hashed.update(b"\n")
    return hashed.hexdigest()[:HASH_LENGTH]
