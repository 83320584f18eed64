"""Values that are encoded once and sent many times, or that a worker has encoded already."""

from __future__ import annotations

from typing import TypeVar, cast

import msgspec

from shieldwall.core.codec import encode

T = TypeVar("T")


def already_encoded(kind: type[T], data: bytes) -> T:
    """What stands for a value of a kind inside a message: its JSON, written as it is. Its fields cannot be read."""
    return cast("T", msgspec.Raw(data))


def encoded_once(value: T) -> T:
    """A value as it is written into every message from now on."""
    return already_encoded(type(value), encode(value))
