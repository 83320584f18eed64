"""Parses database addresses: `sqlite:///path` or `postgresql://...`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl

from shieldwall.server.storage.errors import DatabaseError
from shieldwall.server.storage.lock import plain_path

PARTS = re.compile(r"(?P<kind>[a-z0-9]+)(\+\w+)?://(?P<rest>.*)", re.DOTALL)
PASSWORD = re.compile(r":[^:@/]*@")
MEMORY = ("", ":memory:")


class DatabaseAddress(NamedTuple):
    """Where games are stored: a file, or an address for PostgreSQL's driver, password included."""

    file: Path | None = None
    postgresql: str = ""

    def __str__(self) -> str:
        """The address without its password."""
        return f"sqlite:///{self.file}" if self.file else PASSWORD.sub(":***@", self.postgresql, count=1)


def address_of(text: str) -> DatabaseAddress:
    """Parse an address; other databases are refused."""
    found = PARTS.fullmatch(text)
    if found is None:
        raise DatabaseError(f"{text!r} is not a database URL; try sqlite:///games.db")
    kind, rest = found["kind"], found["rest"]
    if kind == "postgresql":
        return DatabaseAddress(postgresql=f"postgresql://{rest}")
    if kind != "sqlite":
        raise DatabaseError(f"databases of kind {kind!r} are not supported; use sqlite or postgresql")
    name, _, query = rest.partition("?")
    if name[:1] not in ("", "/"):
        raise DatabaseError(f"{text!r} names a host; a file has three slashes: sqlite:///games.db")
    if name[1:] in MEMORY:
        raise DatabaseError("games must be stored in a file; try sqlite:///games.db")
    others = {key for key, _ in parse_qsl(query, keep_blank_values=True)} - {"uri"}
    if others:
        raise DatabaseError(f"{text!r} has parameters ({', '.join(sorted(others))}); give the plain path")
    return DatabaseAddress(file=plain_path(name[1:]))


def is_postgresql(address: str) -> bool:
    """Whether an address leads to PostgreSQL."""
    return address_of(address).file is None


def driver_address(address: str) -> str:
    """The address of a PostgreSQL database as its driver takes it."""
    return address_of(address).postgresql
