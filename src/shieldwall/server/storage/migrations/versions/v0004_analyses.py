"""What analyses found about games, and where games come from that do not begin at their beginning."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A table of analyses, and the origin of each game."""
    op.create_table(
        "analysis",
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("made", sa.String(32), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_analysis_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", name="pk_analysis"),
    )
    op.add_column("game", sa.Column("origin", sa.String(60), nullable=False, server_default=""))


def downgrade() -> None:
    """Nothing is taken back: an older program must not open a newer database."""
    raise NotImplementedError
