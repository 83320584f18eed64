"""Logs on disk: written atomically, read with every problem reported at once."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from shieldwall.core.codec import encode
from shieldwall.core.errors import MalformedError
from shieldwall.dice.seeded import KEY_BYTES
from shieldwall.replay.format import (
    FORMAT,
    AnyRecord,
    Log,
    LogFooter,
    LoggedActivation,
    LoggedAnswer,
    LoggedFacts,
    LoggedRoll,
    LogHeader,
    Revealed,
)
from shieldwall.replay.migrations import format_problem, migrated

# msgspec types a decoder of a union as Any; the annotation says what it really gives
_RECORDS: msgspec.json.Decoder[AnyRecord] = msgspec.json.Decoder(AnyRecord)


# also invalid text and endless nesting
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_SECRET = re.compile(f"[0-9a-f]{{{2 * KEY_BYTES}}}")

_NONCE = re.compile("[0-9a-fA-F]{1,64}")


def encode_log(log: Log) -> bytes:
    """The lines of the log: one JSON object each."""
    shown = () if log.revealed is None else (log.revealed,)
    return b"".join(encode(record) + b"\n" for record in (log.header, *log.records, *shown, log.footer))


def write_log(log: Log, path: Path | str) -> None:
    """Write a log atomically: a reader sees the old file or the whole new one."""
    target = Path(path)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(encode_log(log))
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)  # temporary files are private; a log is like any other file
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_log(path: Path | str) -> Log:
    """The log in a file; raises one `MalformedError` with every problem and its line."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise MalformedError(str(path), [f"cannot be read: {error.strerror or error}"]) from error
    return parse_log(data, str(path))


def parse_log(data: bytes, name: str = "log") -> Log:
    """A log from its text."""
    lines = data.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise MalformedError(name, ["the file is empty"])
    found = _format_of(lines[0], name)
    if found == FORMAT:
        records, problems = _read_records(lines)
    else:
        records, problems = _read_old_records(lines, found)
    problems += _problems_of_order(records) + _problems_of_values(records)
    if problems:
        raise MalformedError(name, [f"line {line}: {words}" for line, words in sorted(problems)])
    header, *middle, footer = records
    assert isinstance(header, LogHeader)
    assert isinstance(footer, LogFooter)
    answers = tuple(
        r for r in middle if isinstance(r, LoggedRoll | LoggedAnswer | LoggedFacts | LoggedActivation)
    )
    revealed = middle[-1] if middle and isinstance(middle[-1], Revealed) else None
    return Log(header, answers, footer, revealed)


Problem = tuple[int, str]


def _problems_of_key(shown: Revealed, header: AnyRecord | None) -> list[str]:
    problems = []
    if not _SECRET.fullmatch(shown.secret):
        problems.append(f"the secret of the dice must be {2 * KEY_BYTES} hexadecimal digits")
    if not all(_NONCE.fullmatch(nonce) for nonce in shown.nonces):
        problems.append("a nonce of the dice must be 1 to 64 hexadecimal digits")
    seats = len(header.setup.seats) if isinstance(header, LogHeader) else 0
    if shown.nonces and len(shown.nonces) != seats:
        problems.append(f"{len(shown.nonces)} nonces for {seats} seats")
    return problems


def _format_of(line: bytes, name: str) -> int:
    """The format named in the first line; nothing else can be judged before it is known."""
    try:
        header: Any = msgspec.json.decode(line)
    except _UNREADABLE as error:
        raise MalformedError(name, [f"line 1: is not JSON ({error}), so this is not a game log"]) from error
    if not isinstance(header, dict) or header.get("record") != "header":
        raise MalformedError(name, ["line 1: must be the header of a game log"])
    problem = format_problem(header.get("format"))
    if problem:
        raise MalformedError(name, [f"line 1: {problem}"])
    return int(header["format"])


def _read_records(lines: list[bytes]) -> tuple[list[AnyRecord | None], list[Problem]]:
    records: list[AnyRecord | None] = []
    problems: list[Problem] = []
    for number, line in enumerate(lines, start=1):
        try:
            records.append(_RECORDS.decode(line))
        except _UNREADABLE as error:
            records.append(None)
            problems.append((number, str(error)))
    return records, problems


def _read_old_records(lines: list[bytes], found: int) -> tuple[list[AnyRecord | None], list[Problem]]:
    plain: list[Any] = []
    for number, line in enumerate(lines, start=1):
        try:
            plain.append(msgspec.json.decode(line))
        except _UNREADABLE as error:
            return [], [(number, str(error))]
    return _read_records([encode(record) for record in migrated(plain, found)])


def _problems_of_order(records: list[AnyRecord | None]) -> list[Problem]:
    """Header first, footer last, and the footer's counts show whether lines are missing."""
    problems: list[Problem] = []
    for line, record in enumerate(records, start=1):
        if isinstance(record, LogHeader) and line > 1:
            problems.append((line, "a second header"))
        if isinstance(record, LogFooter) and line < len(records):
            problems.append((line, "the end of the log is followed by more lines"))
        if isinstance(record, Revealed) and line != len(records) - 1:
            problems.append((line, "the key of the dice must be right before the end"))
    if not records or records[-1] is None:
        return problems
    footer = records[-1]
    if not isinstance(footer, LogFooter):
        return [*problems, (len(records), "the last line is not the end record, so the file was cut off")]
    answers = sum(isinstance(record, LoggedRoll | LoggedAnswer) for record in records)
    if None not in records and footer.answers_given != answers:
        problems.append(
            (len(records), f"{footer.answers_given} answers were given, but {answers} are in the file")
        )
    return problems


def _problems_of_values(records: list[AnyRecord | None]) -> list[Problem]:
    """Faces that no die shows, checkpoints out of order, units that do not exist."""
    problems: list[Problem] = []
    header = records[0] if records else None
    units = len(header.setup.units) if isinstance(header, LogHeader) else None
    wanted = 1
    for line, record in enumerate(records, start=1):
        if isinstance(record, Revealed):
            problems += [(line, words) for words in _problems_of_key(record, header)]
        if isinstance(record, LoggedRoll):
            odd = [face for face in record.faces if not 1 <= face <= 6]
            if odd:
                problems.append((line, f"a die cannot show {odd[0]}"))
        elif isinstance(record, LoggedActivation):
            if record.number < wanted:
                problems.append((line, f"activation {record.number} comes after activation {wanted - 1}"))
            if units is not None and not 0 <= record.unit < units:
                problems.append((line, f"there is no unit {record.unit}"))
            wanted = record.number + 1
    return problems
