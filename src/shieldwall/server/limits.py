"""Limits on what clients may send, and a reader that enforces them before anything is decoded."""

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
WHOLE = 2**31  # every length, angle and number in a game is far below this

_LONG_NUMBER = re.compile(rb"\d{%d,}" % (DIGITS + 1))
# An unclosed string extends to the end; the scan is linear, however many quotes a message has.
_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)

_SAME = bytes(range(256))
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))

T = TypeVar("T")


class TooLargeError(MalformedError):
    """The message is larger than anything the game needs."""


def read(data: bytes, decoder: msgspec.json.Decoder[T], what: str, most: int = FRAME_BYTES) -> T:
    """Decode a message after checking its size, nesting and long numbers."""
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
    """How deeply brackets are nested, with strings already removed; counting stops beyond the limit."""
    brackets = data.translate(_SAME, _NO_BRACKETS)
    depth = 0
    while brackets and depth <= NESTING:  # each pass removes the innermost pairs
        inner = brackets.replace(b"[]", b"").replace(b"{}", b"")
        if inner == brackets:  # unmatched brackets: not a message at all
            return NESTING + 1
        brackets, depth = inner, depth + 1
    return depth


def answer_problems(answer: AnyAnswer) -> list[str]:
    """What is wrong with the size of an answer, regardless of the rules."""
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
    """Numbers too large for a game; the compiled geometry relies on this check."""
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
