"""Plain data as structs, in any number of threads.

msgspec works out how to read a type when it is first used, and takes the process down if two threads do that at once.
"""

from __future__ import annotations

from threading import Lock
from typing import TypeVar

import msgspec

T = TypeVar("T")
_working_it_out = Lock()
_known: set[object] = set()


def convert(data: object, kind: type[T]) -> T:
    """Data as a value of a type; raises `msgspec.ValidationError` if it does not fit."""
    if kind not in _known:
        with _working_it_out:
            msgspec.json.Decoder(kind)
            _known.add(kind)
    return msgspec.convert(data, kind)
