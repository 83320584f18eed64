"""Plain data and JSON as structs, in any number of threads.

msgspec works out how to read a type when it is first used, and takes the process down if two threads do that at once.
"""

from __future__ import annotations

from threading import Lock
from typing import Any, TypeVar, overload

import msgspec

T = TypeVar("T")
_working_it_out = Lock()
_known: set[object] = set()


@overload
def convert(data: object, kind: type[T], *, strict: bool = True) -> T: ...


@overload
def convert(data: object, kind: Any, *, strict: bool = True) -> Any: ...


def convert(data: object, kind: Any, *, strict: bool = True) -> Any:
    """Data as a value of a type; raises `msgspec.ValidationError` if it does not fit."""
    _work_out(kind)
    return msgspec.convert(data, kind, strict=strict)


def decode_json(data: bytes | str, kind: type[T]) -> T:
    """JSON as a value of a type; raises `msgspec.DecodeError` if it cannot be read or does not fit."""
    _work_out(kind)
    return msgspec.json.decode(data, type=kind)


def _work_out(kind: Any) -> None:
    if kind not in _known:
        with _working_it_out:
            msgspec.json.Decoder(kind)
            _known.add(kind)
