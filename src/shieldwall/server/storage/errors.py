"""Errors of storing and reading."""

from __future__ import annotations

from shieldwall.core.errors import ShieldwallError


class DatabaseError(ShieldwallError):
    """The database cannot be used; the message says why and what to do."""


class StorageError(Exception):
    """Nothing can be stored or read now: a full disk, a database that does not respond. Nothing has changed."""


class DamagedError(Exception):
    """What is stored cannot be read, or does not replay as stored."""


class ConflictError(Exception):
    """The game has moved on in the meantime: the command does not follow the stored head."""


class TakenError(Exception):
    """A row with this key already exists, or one that it needs does not."""


class BusyError(Exception):
    """The seat or name is already taken."""


class LostError(Exception):
    """Another server now plays this game, or this one has lost its lease; nothing was stored."""
