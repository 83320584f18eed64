"""Text forms: JSON both ways, a canonical hash, and the JSON Schema of everything that leaves the engine."""

from __future__ import annotations

import hashlib
from typing import Any, TypeVar

import msgspec

from shieldwall.core.answers import AnyAnswer
from shieldwall.core.errors import MalformedError
from shieldwall.core.events import AnyEvent
from shieldwall.core.state import State

T = TypeVar("T")

_ENCODER = msgspec.json.Encoder(order="deterministic")
_STATES = msgspec.json.Decoder(State)
# msgspec types a decoder of a union as Any; the annotations say what it really gives
_ANSWERS: msgspec.json.Decoder[AnyAnswer] = msgspec.json.Decoder(AnyAnswer)
_EVENTS: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


def encode(value: Any) -> bytes:
    """Canonical JSON: the same value always gives the same bytes."""
    return _ENCODER.encode(value)


def decode_state(data: bytes | str) -> State:
    """A state from its JSON."""
    return _decoded("state", _STATES, data)


def decode_answer(data: bytes | str) -> AnyAnswer:
    """An answer from its JSON."""
    return _decoded("answer", _ANSWERS, data)


def decode_event(data: bytes | str) -> AnyEvent:
    """An event from its JSON."""
    return _decoded("event", _EVENTS, data)


def answer_from(value: Any) -> AnyAnswer:
    """An answer from plain data, for example read from a log line."""
    try:
        answer: AnyAnswer = msgspec.convert(value, AnyAnswer)
        return answer
    except msgspec.ValidationError as error:
        raise MalformedError("answer", [str(error)]) from error


def state_hash(state: State) -> str:
    """A short fingerprint of everything in the state; equal states have equal fingerprints on every machine."""
    return hashlib.sha256(_ENCODER.encode(state)).hexdigest()[:16]


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
