"""The tables of the database. Changes need a new file in `versions/`; a test compares the two."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    text,
)

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
METADATA = MetaData(naming_convention=NAMING)

PLAYER = Table(
    "player",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("name", String(60), nullable=False),
    Column("created", String(32), nullable=False),
)

GAME = Table(
    "game",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("owner", String(32), ForeignKey("player.id"), nullable=False),
    Column("name", String(60), nullable=False),
    Column("edition", String(40), nullable=False),
    Column("status", String(10), nullable=False),
    Column("created", String(32), nullable=False),
    Column("changed", String(32), nullable=False),
    Column("ordered", LargeBinary, nullable=False),
    Column("setup", LargeBinary, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("rules_version", String(60), nullable=False),
    Column("head", BigInteger, nullable=False),
    Column("round", Integer, nullable=False),
    Column("score", String(60), nullable=False),
    Column("turn_seat", Integer, nullable=False),
    Column("winner", Integer),
    Column("resigned", Integer),
    Column("watch_only", Boolean, nullable=False),
    Column("server", String(32), nullable=False, server_default=""),
    Column("clock", String(400), nullable=False, server_default=""),
    Column("out_of_time", Integer),
    Column("rematch", String(400), nullable=False, server_default=""),
    Column("origin", String(60), nullable=False, server_default=""),
    Index(None, "owner"),
    Index(None, "server"),
)

SEAT = Table(
    "seat",
    METADATA,
    Column("game", String(32), ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("who", String(10), nullable=False),
    Column("name", String(60), nullable=False),
    Column("player", String(32), nullable=False),
    Column("bot", String(40), nullable=False),
    Column("army", LargeBinary, nullable=False),
    Column("army_name", String(80), nullable=False),
    Column("invite_hash", String(64), nullable=False),
    Column("nonce", String(64), nullable=False),
    Column("automatic", String(400), nullable=False),
    Index(None, "player"),
    Index(None, "invite_hash"),
)

COMMAND = Table(
    "command",
    METADATA,
    Column("game", String(32), ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("actor", Integer, nullable=False),
    Column("client_command_id", String(80), nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Column("rules_version", String(60), nullable=False),
    Column("dice", LargeBinary, nullable=False),
    Column("state_hash", String(64), nullable=False),
    Column("at", String(32), nullable=False),
    Column("lines", LargeBinary, nullable=False),
    Column("told", LargeBinary, nullable=False, server_default=text("''")),
    UniqueConstraint("game", "client_command_id"),
)

SNAPSHOT = Table(
    "snapshot",
    METADATA,
    Column("game", String(32), ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("state", LargeBinary, nullable=False),
)

ANALYSIS = Table(
    "analysis",
    METADATA,
    Column("game", String(32), ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Column("made", String(32), nullable=False),
)

HIDDEN = Table(
    "hidden",
    METADATA,
    Column("player", String(32), ForeignKey("player.id", ondelete="CASCADE"), primary_key=True),
    Column("game", String(32), ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
)

ARMY = Table(
    "army",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("player", String(32), ForeignKey("player.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(80), nullable=False),
    Column("edition", String(40), nullable=False),
    Column("data", LargeBinary, nullable=False),
    Column("changed", String(32), nullable=False),
    Index(None, "player"),
)

# When servers were running: game clocks count only that time.
SPAN = Table(
    "span",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("began", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
)

# Servers that share this database; rows live as long as the processes and are not part of a backup.
SERVER = Table(
    "server",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("address", String(200), nullable=False),
    Column("secret", String(64), nullable=False),
    Column("lock", BigInteger, nullable=False),
    Column("until", Float, nullable=False),
)
