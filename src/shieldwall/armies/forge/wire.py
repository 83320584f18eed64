"""Plain data from untrusted JSON: limits first, then readers that never raise.

Files of past years write numbers as numbers, as text, with a plus, or not at all; names contain stray spaces and
typographic quotes. The readers here accept all of that and return a plain value.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence

from shieldwall.core.errors import MalformedError
from shieldwall.rules.reading.words import mended

DEPTH = 60
NAME_LENGTH = 120
TEXT_LENGTH = 4000
NUMBER_MAX = 1_000_000
SHORT = 40
Raw = Mapping[str, object]

_NUMBER = re.compile(r"^\s*[+]?(-?\d{1,9})(?:\.0*)?\s*\+?\s*\"?\s*$")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]")
_PUNCTUATION = frozenset("‘’“”–—•…·×°´\u00a0")
_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "″": '"', "\u00a0": " "})


def read_json(content: bytes, what: str) -> object:
    """The value of a JSON text; one clear error if it is invalid or nested too deeply.

    Some older books are in the Western encoding of Windows.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = _western(content)
        if not text:
            raise MalformedError(what, [f"is not UTF-8 text (byte {error.start})"]) from error
    depth = deepest(text)
    if depth > DEPTH:
        raise MalformedError(what, [f"is nested {depth} levels deep; the maximum is {DEPTH}"])
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        tip = "; it seems to be cut off: save or copy it again" if _ends_early(error) else ""
        raise MalformedError(what, [f"is not valid JSON: {error}{tip}"]) from error


def _western(content: bytes) -> str:
    """A text in the Western Windows encoding; empty if it has more than letters and punctuation of that."""
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError:
        return ""
    foreign = {letter for letter in text if ord(letter) > 127}
    return text if all(letter.isalpha() or letter in _PUNCTUATION for letter in foreign) else ""


def _ends_early(error: Exception) -> bool:
    """Whether a text is invalid only because it was cut off."""
    if not isinstance(error, json.JSONDecodeError):
        return False
    return error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated")


def deepest(text: str) -> int:
    """How deeply brackets are nested, ignoring quoted text."""
    deep = most = 0
    is_text = is_escaped = False
    for letter in text:
        if is_text:
            if is_escaped:
                is_escaped = False
            elif letter == "\\":
                is_escaped = True
            elif letter == '"':
                is_text = False
        elif letter == '"':
            is_text = True
        elif letter in "[{":
            deep += 1
            most = max(most, deep)
        elif letter in "]}":
            deep -= 1
    return most


def name_of(value: object, otherwise: str = "", length: int = NAME_LENGTH) -> str:
    """A name in one line: no control or invisible characters, plain quotes, single spaces, limited length."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return otherwise
    cleaned = " ".join(_CONTROL.sub(" ", mended(str(value))).translate(_QUOTES).split())
    return cleaned[:length].strip() or otherwise


def text_of(value: object) -> str:
    """A longer text with its line breaks."""
    if not isinstance(value, str):
        return ""
    lines = [" ".join(_CONTROL.sub(" ", line).split()) for line in mended(value[:TEXT_LENGTH]).splitlines()]
    return "\n".join(lines).strip()


def whole(value: object, otherwise: int = 0) -> int:
    """A whole number from a number, `"02"`, `"4+"` or `12"`; `otherwise` for anything else."""
    if isinstance(value, bool):
        return otherwise
    if isinstance(value, float):
        if not math.isfinite(value):
            return otherwise
        value = round(value)
    if isinstance(value, str):
        match = _NUMBER.match(value)
        if match is None:
            return otherwise
        value = int(match[1])
    if isinstance(value, int):
        return max(-NUMBER_MAX, min(NUMBER_MAX, value))
    return otherwise


def short(value: object) -> str:
    """A value of a file for a remark, as JSON writes it and not too long."""
    told = json.dumps(value, ensure_ascii=False, default=str)
    return told if len(told) <= SHORT else f"{told[:SHORT]}..."


def is_true(value: object) -> bool:
    """Whether a value means yes, in any of the spellings that older files use: true, 1, `"true"`."""
    return (
        value is True
        or value == 1
        or (isinstance(value, str) and value.strip().lower() in ("true", "1", "yes"))
    )


def part(value: object, key: str) -> object:
    """A field of something that ought to be a mapping."""
    return value.get(key) if isinstance(value, Mapping) else None


def parts(value: object, *keys: str) -> list[Raw]:
    """The mappings in a list; with keys, those in the first of these fields that is a list."""
    for key in keys:
        if isinstance(found := part(value, key), list):
            return parts(found)
    if keys or not isinstance(value, Sequence) or isinstance(value, str):
        return []
    return [entry for entry in value if isinstance(entry, Mapping)]


def words(value: object) -> list[str]:
    """The names in a list of text, including nested lists; a single text counts as a list."""
    if isinstance(value, str):
        return [name_of(value)] if name_of(value) else []
    if not isinstance(value, Sequence):
        return []
    return [word for entry in value for word in words(entry)]
