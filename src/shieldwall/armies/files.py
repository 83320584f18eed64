"""Army files: read within limits, written atomically."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

import yaml

from shieldwall.core.errors import MalformedError, ShieldwallError

LIST_BYTES = 256 * 1024
BOOK_BYTES = 8 * 1024 * 1024
DEPTH = 40
HOME_VARIABLE = "SHIELDWALL_ARMIES"


NUMBERS = {
    "tag:yaml.org,2002:int": re.compile(r"[-+]?(?:0|[1-9][0-9_]{0,30}|0x[0-9a-fA-F_]{1,30}|0[0-7_]{1,30})$"),
    "tag:yaml.org,2002:float": re.compile(
        r"[-+]?(?:[0-9][0-9_]{0,30}\.[0-9_]{0,30}|\.[0-9][0-9_]{0,30})(?:[eE][-+][0-9]{1,4})?$"
    ),
}


class ArmyFileError(ShieldwallError):
    """An army file cannot be read or written."""


def home() -> Path:
    """The player's own folder of books and lists: `SHIELDWALL_ARMIES`, or the usual place for data."""
    named = os.environ.get(HOME_VARIABLE)
    if named:
        return Path(named)
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "shieldwall" / "armies"


def read_limited(path: Path, limit: int) -> bytes:
    """The bytes of a file, up to a limit."""
    try:
        with path.open("rb") as file:
            content = file.read(limit + 1)
    except OSError as error:
        raise ArmyFileError(f"{path} cannot be read: {error.strerror or error}") from error
    if len(content) > limit:
        raise ArmyFileError(f"{path} is larger than the maximum of {limit // 1024} KiB")
    return content


def write_whole(path: Path, text: str) -> None:
    """Write a file atomically: readers see the old one or the new one."""
    with _writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ArmyFileError(f"{path} cannot be written: {error.strerror or error}") from error


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Reads base-60 numbers (`1:30`) as text: nobody uses them, and long ones take very long to parse."""

    yaml_implicit_resolvers: ClassVar[dict[str, list[tuple[str, re.Pattern[str]]]]] = {
        first: [
            (tag, NUMBERS.get(tag, pattern))
            for tag, pattern in resolvers
            if tag not in NUMBERS or first != ":"
        ]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def load_yaml(text: str | bytes, what: str) -> Mapping[str, object]:
    """The mapping in a YAML text. Aliases are refused, because a few lines of them can expand to gigabytes."""
    loader = _Loader
    try:
        depth = 0
        for event in yaml.parse(text, Loader=loader):
            if isinstance(event, yaml.AliasEvent):
                raise MalformedError(what, ["uses YAML aliases, which army files may not"])
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > DEPTH:
                raise MalformedError(what, [f"is nested more than {DEPTH} levels deep"])
        raw = yaml.load(text, Loader=loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        told = re.sub(r' in "<\w+ string>",', " at", " ".join(str(error).split()))
        raise MalformedError(what, [f"is not valid YAML: {told}"]) from error
    if not isinstance(raw, Mapping) or not all(isinstance(key, str) for key in raw):
        raise MalformedError(what, ["expected a mapping with names for keys"])
    return raw
