"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Players, games with their seats and commands, snapshots, armies."""
    _players_and_games()
    _commands()
    op.create_table(
        "army",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("player", sa.String(32), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("edition", sa.String(40), nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("changed", sa.String(32), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="fk_army_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_army"),
    )
    op.create_index("ix_army_player", "army", ["player"])


def _players_and_games() -> None:
    op.create_table(
        "player",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_player"),
        sa.UniqueConstraint("token_hash", name="uq_player_token_hash"),
    )
    op.create_table(
        "game",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("edition", sa.String(40), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("changed", sa.String(32), nullable=False),
        sa.Column("ordered", sa.LargeBinary, nullable=False),
        sa.Column("setup", sa.LargeBinary, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("rules_version", sa.String(60), nullable=False),
        sa.Column("head", sa.BigInteger, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("score", sa.String(60), nullable=False),
        sa.Column("turn_seat", sa.Integer, nullable=False),
        sa.Column("winner", sa.Integer),
        sa.Column("resigned", sa.Integer),
        sa.Column("watch_only", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["player.id"], name="fk_game_owner"),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
    )
    op.create_index("ix_game_owner", "game", ["owner"])
    op.create_table(
        "seat",
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("who", sa.String(10), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("player", sa.String(32), nullable=False),
        sa.Column("bot", sa.String(40), nullable=False),
        sa.Column("army", sa.LargeBinary, nullable=False),
        sa.Column("army_name", sa.String(80), nullable=False),
        sa.Column("invite_hash", sa.String(64), nullable=False),
        sa.Column("nonce", sa.String(64), nullable=False),
        sa.Column("automatic", sa.String(400), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_seat_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "seat", name="pk_seat"),
    )
    op.create_index("ix_seat_player", "seat", ["player"])
    op.create_index("ix_seat_invite_hash", "seat", ["invite_hash"])


def _commands() -> None:
    op.create_table(
        "command",
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("actor", sa.Integer, nullable=False),
        sa.Column("client_command_id", sa.String(80), nullable=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.Column("rules_version", sa.String(60), nullable=False),
        sa.Column("dice", sa.LargeBinary, nullable=False),
        sa.Column("state_hash", sa.String(64), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("lines", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_command_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "seq", name="pk_command"),
        sa.UniqueConstraint("game", "client_command_id", name="uq_command_game_client_command_id"),
    )
    op.create_table(
        "snapshot",
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_snapshot_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", name="pk_snapshot"),
    )
    op.create_table(
        "hidden",
        sa.Column("player", sa.String(32), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name="fk_hidden_player", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_hidden_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player", "game", name="pk_hidden"),
    )


def downgrade() -> None:
    """Nothing is taken back: an older program must not open a newer database."""
    raise NotImplementedError
