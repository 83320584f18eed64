"""Text forms: JSON both ways, a canonical hash, and the JSON Schema of everything that leaves the engine."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from shieldwall.core.answers import AnyAnswer
from shieldwall.core.errors import MalformedError
from shieldwall.core.events import AnyEvent
from shieldwall.core.state import Profile, State, Unit, shared_facts
from shieldwall.rulebook.conversion import convert

T = TypeVar("T")

HASH_LENGTH = 16

_ENCODER = msgspec.json.Encoder(order="deterministic")
_STATES = msgspec.json.Decoder(State)
# msgspec types a decoder of a union as Any; the annotations say what it really gives
_MANY_EVENTS: msgspec.json.Decoder[tuple[AnyEvent, ...]] = msgspec.json.Decoder(tuple[AnyEvent, ...])


def encode(value: Any) -> bytes:
    """Canonical JSON: the same value always gives the same bytes."""
    return _ENCODER.encode(value)


def decode_state(data: bytes | str) -> State:
    """A state from its JSON."""
    return _decoded("state", _STATES, data)


def decode_events(data: bytes | str) -> tuple[AnyEvent, ...]:
    """Several events from their JSON."""
    return _decoded("events", _MANY_EVENTS, data)


def answer_from(value: Any) -> AnyAnswer:
    """An answer from plain data, for example read from a log line."""
    try:
        answer: AnyAnswer = convert(value, AnyAnswer)
        return answer
    except msgspec.ValidationError as error:
        raise MalformedError("answer", [str(error)]) from error


def state_hash(state: State, left_out: frozenset[str] = frozenset()) -> str:
    """A short fingerprint of everything in the state; equal states have equal fingerprints on every machine.

    Fields with their default value are left out, so that adding a field does not invalidate stored fingerprints.
    Fields named in `left_out` count as if they were empty.
    """
    fields: dict[str, object] = {"profiles": [], "units": []}
    for name, default in _shape_of(State).fields:
        given = getattr(state, name)
        if name not in fields and name not in left_out and given is not default and given != default:
            fields[name] = _plain(state, name, given) if isinstance(given, tuple) else without_defaults(given)
    hashed = hashlib.sha256(encode(fields))
    for unit in state.units:
        hashed.update(_remembered(unit))
    for profile in () if "profiles" in left_out else state.profiles:
        hashed.update(_remembered(profile))
    return hashed.hexdigest()[:HASH_LENGTH]


def _plain(state: State, name: str, part: tuple[object, ...]) -> msgspec.Raw:
    """A part of a state as canonical JSON. States share terrain, spells and seats, so these are encoded once a game."""
    latest: dict[str, tuple[object, msgspec.Raw]] = shared_facts(state.profiles).setdefault("plain parts", {})
    known = latest.get(name)
    if known is None or known[0] is not part:
        known = latest[name] = (part, msgspec.Raw(encode(without_defaults(part))))
    return known[1]


def _remembered(part: Unit | Profile) -> bytes:
    """A unit or profile as canonical JSON, cached on it: few change from one activation to the next."""
    known: bytes | None = part.__dict__.get("_fingerprint")
    if known is None:
        known = part.__dict__["_fingerprint"] = encode(without_defaults(part))
    return known


def without_defaults(value: object) -> object:
    """A value as plain data in which structs lack the fields that have their default value."""
    if isinstance(value, tuple):
        return [without_defaults(item) for item in value]
    if not isinstance(value, Struct):
        return value
    shape = _shape_of(type(value))
    fields = {
        name: without_defaults(given)
        for name, default in shape.fields
        if (given := getattr(value, name)) is not default and given != default
    }
    if not shape.is_array:
        return fields if shape.tag is None else {"type": shape.tag, **fields}
    last = max((i for i, (name, _) in enumerate(shape.fields) if name in fields), default=-1)
    return [without_defaults(getattr(value, name)) for name, _ in shape.fields[: last + 1]]


class _Shape(NamedTuple):
    fields: tuple[tuple[str, object], ...]
    is_array: bool
    tag: object


@cache
def _shape_of(kind: type[Struct]) -> _Shape:
    fields = tuple((field.name, field.default) for field in msgspec.structs.fields(kind))
    return _Shape(fields, kind.__struct_config__.array_like, kind.__struct_config__.tag)


def schema() -> dict[str, Any]:
    """JSON Schema of states, answers and events, for clients in other languages."""
    schemas, components = msgspec.json.schema_components(
        (State, AnyAnswer, AnyEvent), ref_template="#/$defs/{name}"
    )
    state, answer, event = schemas
    return {"$defs": components, "state": state, "answer": answer, "event": event}


def _decoded(what: str, decoder: msgspec.json.Decoder[T], data: bytes | str) -> T:
    try:
        return decoder.decode(data)
    except msgspec.DecodeError as error:
        raise MalformedError(what, [str(error)]) from error
