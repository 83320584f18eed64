"""Values that are encoded once and sent many times, or that a worker has already encoded."""

from __future__ import annotations

from typing import TypeVar, cast

import msgspec

from shieldwall.core.codec import encode

T = TypeVar("T")


def already_encoded(kind: type[T], data: bytes) -> T:
    """A stand-in for a value inside a message: its JSON, which is written as it is. Its fields cannot be read."""
    return cast("T", msgspec.Raw(data))


def encoded_once(value: T) -> T:
    """A value encoded now and written unchanged into every message."""
    return already_encoded(type(value), encode(value))
