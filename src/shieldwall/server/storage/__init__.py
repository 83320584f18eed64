"""Storage of games, seats, commands and armies: SQLite by default, PostgreSQL as the second backend."""

from shieldwall.server.storage.errors import (
    BusyError,
    ConflictError,
    DamagedError,
    DatabaseError,
    LostError,
    StorageError,
    TakenError,
)
from shieldwall.server.storage.rows import (
    AnalysisRow,
    ArmyRow,
    CommandRow,
    GameRow,
    PlayerRow,
    SeatRow,
    SnapshotRow,
    SpanRow,
)
from shieldwall.server.storage.store import Store, open_store

__all__ = [
    "AnalysisRow",
    "ArmyRow",
    "BusyError",
    "CommandRow",
    "ConflictError",
    "DamagedError",
    "DatabaseError",
    "GameRow",
    "LostError",
    "PlayerRow",
    "SeatRow",
    "SnapshotRow",
    "SpanRow",
    "StorageError",
    "Store",
    "TakenError",
    "open_store",
]
