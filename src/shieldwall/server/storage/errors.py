"""What may be wrong with storing or reading."""

from __future__ import annotations

from shieldwall.core.errors import ShieldwallError


class DatabaseError(ShieldwallError):
    """The database cannot be used; the message says why and what to do."""


class StorageError(Exception):
    """Nothing could be stored or read just now: a full disk, a database that does not answer. Nothing has changed."""


class DamagedError(Exception):
    """What is stored cannot be read, or does not play as it says."""


class ConflictError(Exception):
    """The game has moved on meanwhile: the command does not follow the stored head."""


class TakenError(Exception):
    """A row with this key is there already, or one that it needs is not."""


class BusyError(Exception):
    """The seat or name is already taken."""


class LostError(Exception):
    """Another server plays this game by now, or this one has lost its lease; nothing was stored."""
