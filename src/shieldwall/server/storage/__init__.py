"""Where games, seats, commands and armies are kept: SQLite by default, PostgreSQL as the second backend."""

from shieldwall.server.storage.rows import ArmyRow, CommandRow, GameRow, PlayerRow, SeatRow, SnapshotRow
from shieldwall.server.storage.store import BusyError, ConflictError, Store, open_store

__all__ = [
    "ArmyRow",
    "BusyError",
    "CommandRow",
    "ConflictError",
    "GameRow",
    "PlayerRow",
    "SeatRow",
    "SnapshotRow",
    "Store",
    "open_store",
]
