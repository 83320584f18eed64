"""A position as one line of text, in the spirit of chess's FEN: to paste into a message, a test or a bug report.

    sw2 regiments-3.5 2 1 9f2c41d07be3a866 eNqNVk1v2zAM_Ss6D...

Six fields separated by spaces:

| field | meaning |
|---|---|
| `sw2` | the format and its version; in `sw1`, which is still read, steps have numbers instead of names |
| `regiments-3.5` | the edition |
| `2` | the round, 0 before the first |
| `1` | the side to answer, from 0; `-` for none: dice, or a game that is over |
| `9f2c41d07be3a866` | the fingerprint of the position, the one that logs use; equal positions have equal ones |
| `eNqN...` | the position: JSON without default values, deflated, in URL-safe base64 without padding |

The line has everything that the rules depend on: armies with their rules and spells, the table, all positions, and
the progress of the running activation. It has neither future dice nor past events. Reading checks the fingerprint, so
a damaged line is refused. Different releases of zlib may deflate one position differently: compare fingerprints, not
lines.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from shieldwall.core.codec import state_hash
from shieldwall.core.engine import GameRun, pending_of
from shieldwall.core.errors import MalformedError
from shieldwall.core.pending import Decision
from shieldwall.core.state import State
from shieldwall.editions import ruleset
from shieldwall.rulebook.conversion import decode_json

FORMAT, OLDER_FORMAT = "sw2", "sw1"
FIELDS = 6
LONGEST = 200_000  # letters; the positions of large games have about 6,000
LARGEST = 4_000_000  # bytes once inflated
# Words that every position has: the dictionary of the deflater. Part of the format, so never change it.
_WORDS = (
    b'"frame":"activation","procedure":"shoot","melee","attack","morale","unit":"volley":"sources":[{"profile":0,'
    b'"weapon":0,"models":[0],"dice":"group":"target":"near":"cover":"tired":true,"broken":true,"activated":true,'
    b'"kind":"forest","types":["cover","difficult"],"conditions":["see-into"],"outline":[[],"height":"holder":1,'
    b'"markers":[{"id":0,"x":"y":"spells":[{"name":"","cost":"reach":"hits":"grants":"rules":[["AP",1],["Tough",3]],'
    b'"profiles":[{"name":"","quality":4,"defense":4,"base":{"shape":"square","width":25.0,"depth":25.0},"height":'
    b'"weapons":[{"name":"Hand Weapon","attacks":1,"reach":24000,"rules":[]}],"wounds":"uses":[],"effects":[],'
    b'"units":[{"id":0,"side":0,"seat":0,"name":"","models":[{"id":0,"profile":0}],"poses":[[],"block":[0,0,18000],'
    b'"place":"table","start_models":10,"width":5,"ranks":0,"stayed":false,"cost":100,"picks":[]},{"id":1,"side":1,'
    b'"seat":1,"seats":[{"side":0,"name":"sides":[{"edge":"south","start_units":"pieces":[{"id":0,"name":'
    b'"ruleset":"","options":[["","off"],["","on"]],"width":72000,"depth":48000,"axis":"round":"turn":"stack":['
)


def to_text(state: State) -> str:
    """A position as one line."""
    pending = pending_of(ruleset(state.ruleset), state)
    state = _read(
        msgspec.json.encode(without_defaults(state))
    )  # a base of 25 and one of 25.0 mm are the same base
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zdict=_WORDS)
    packed = packer.compress(msgspec.json.encode(without_defaults(state))) + packer.flush()
    payload = base64.urlsafe_b64encode(packed).rstrip(b"=").decode()
    side = str(state.seats[pending.seat].side) if isinstance(pending, Decision) else "-"
    return f"{FORMAT} {state.ruleset} {state.round} {side} {state_hash(state)} {payload}"


def from_text(text: str) -> State:
    """The position in a line; raises one error that says what is wrong with the line."""
    fields = text.split()
    if len(text) > LONGEST or len(fields) != FIELDS or fields[0] not in (FORMAT, OLDER_FORMAT):
        raise MalformedError(
            "position",
            [
                f"expected {FIELDS} fields starting with {FORMAT!r}, as written by game.text(), not {text[:60]!r}"
            ],
        )
    edition, fingerprint, payload = fields[1], fields[4], fields[5]
    ruleset(edition)
    state = _unpacked(payload)
    if state.ruleset != edition or state_hash(state) != fingerprint:
        raise MalformedError(
            "position", ["the line does not match its fingerprint: part of it is missing or was changed"]
        )
    return GameRun(ruleset(edition), state).rest() if fields[0] == OLDER_FORMAT else state


def _unpacked(payload: str) -> State:
    try:
        packed = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
        reader = zlib.decompressobj(-15, zdict=_WORDS)
        return _read(reader.decompress(packed, LARGEST))
    except (binascii.Error, ValueError, zlib.error, msgspec.DecodeError) as error:
        raise MalformedError("position", [f"the last field cannot be read: {error}"]) from error


def _read(data: bytes) -> State:
    return decode_json(data, State)


def without_defaults(value: Any) -> Any:
    """A value as plain data, without fields at their defaults; reading restores them."""
    if isinstance(value, tuple):
        return [without_defaults(item) for item in value]
    if not isinstance(value, Struct):
        return value
    config = value.__struct_config__
    fields = _fields(type(value))
    if config.array_like:
        values = [getattr(value, name) for name, _ in fields]
        while values and values[-1] == fields[len(values) - 1][1]:
            values.pop()
        return [without_defaults(item) for item in values]
    tag = {} if config.tag is None else {str(config.tag_field): config.tag}
    return tag | {
        name: without_defaults(given)
        for name, default in fields
        if (given := getattr(value, name)) is not default and given != default
    }


@cache
def _fields(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """The fields of a struct with their defaults."""
    return tuple((field.name, field.default) for field in msgspec.structs.fields(kind))
