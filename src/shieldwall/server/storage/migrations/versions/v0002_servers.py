"""Several servers on one database: who they are, and which of them plays a game."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A table of servers, and the owner of each game."""
    op.create_table(
        "server",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("address", sa.String(200), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("lock", sa.BigInteger, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_server"),
    )
    op.add_column("game", sa.Column("server", sa.String(32), nullable=False, server_default=""))
    op.create_index("ix_game_server", "game", ["server"])


def downgrade() -> None:
    """Nothing is taken back: an older program must not open a newer database."""
    raise NotImplementedError
