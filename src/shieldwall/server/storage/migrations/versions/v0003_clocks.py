"""Clocks of games, losses on time and rematches, and when servers were running."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """What games between people need beyond their commands."""
    op.add_column("game", sa.Column("clock", sa.String(400), nullable=False, server_default=""))
    op.add_column("game", sa.Column("out_of_time", sa.Integer))
    op.add_column("game", sa.Column("rematch", sa.String(400), nullable=False, server_default=""))
    op.create_table(
        "span",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("began", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_span"),
    )


def downgrade() -> None:
    """Nothing is taken back: an older program must not open a newer database."""
    raise NotImplementedError
