"""Limits on what anybody may send, and a reader that enforces them before anything is decoded."""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec
from msgspec import Struct

from shieldwall.core.answers import AnyAnswer, Walk
from shieldwall.core.errors import MalformedError

FRAME_BYTES = 64 * 1024
BODY_BYTES = 256 * 1024
FILE_BYTES = 8 * 1024 * 1024
NESTING = 32
DIGITS = 20
WAYPOINTS = 64
PATHS = 200
WHOLE = 2**31  # any length, angle or number of a game is far below this

_LONG_NUMBER = re.compile(rb"\d{%d,}" % (DIGITS + 1))
# An open string reaches to the end; nothing is ever looked at twice, however many quotes somebody sends.
_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)

_SAME = bytes(range(256))
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))

T = TypeVar("T")


class TooLargeError(MalformedError):
    """The message is larger than anything the game ever needs."""


def read(data: bytes, decoder: msgspec.json.Decoder[T], what: str, most: int = FRAME_BYTES) -> T:
    """Decode a message; size, nesting and long numbers are looked at before any of it is built."""
    if len(data) > most:
        raise TooLargeError(what, [f"{len(data)} bytes are more than the maximum of {most}"])
    bare = _STRINGS.sub(b"", data)
    if deepest(bare) > NESTING:
        raise MalformedError(what, [f"nested more than {NESTING} levels deep, or brackets do not match"])
    if _LONG_NUMBER.search(bare):
        raise MalformedError(what, [f"a number with more than {DIGITS} digits"])
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MalformedError(what, [str(error)]) from error


def deepest(data: bytes) -> int:
    """How deep brackets are nested, strings left out beforehand; more than is allowed is not counted further."""
    brackets = data.translate(_SAME, _NO_BRACKETS)
    depth = 0
    while brackets and depth <= NESTING:  # each turn takes the innermost pairs away
        inner = brackets.replace(b"[]", b"").replace(b"{}", b"")
        if inner == brackets:  # pairs that do not match: no message at all
            return NESTING + 1
        brackets, depth = inner, depth + 1
    return depth


def answer_problems(answer: AnyAnswer) -> list[str]:
    """What is wrong with the size of an answer, whatever the rules say about it."""
    problems = []
    if isinstance(answer, Walk):
        if len(answer.paths) > PATHS:
            problems.append(f"at most {PATHS} models walk at once, not {len(answer.paths)}")
        longest = max((len(path.points) for path in answer.paths), default=0)
        if longest > WAYPOINTS:
            problems.append(f"a path has at most {WAYPOINTS} points, not {longest}")
    return problems + number_problems(answer)


def question_problems(question: Struct) -> list[str]:
    """What is wrong with the size of a question that changes nothing."""
    answer = getattr(question, "answer", None)
    given = [planned.answer for planned in getattr(question, "answers", ())]
    given += [answer] if answer is not None else []
    return [problem for one in given for problem in answer_problems(one)] + number_problems(question)


def number_problems(message: Struct) -> list[str]:
    """Numbers beyond what a game can hold; the compiled geometry counts on that."""
    if any(abs(number) >= WHOLE for number in _numbers(msgspec.to_builtins(message))):
        return ["a number is beyond 32 bits, larger than anything on a table"]
    return []


def _numbers(value: object) -> list[int]:
    if isinstance(value, int):
        return [value]
    if isinstance(value, dict):
        return [number for part in value.values() for number in _numbers(part)]
    if isinstance(value, list | tuple):
        return [number for part in value for number in _numbers(part)]
    return []
