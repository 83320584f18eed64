"""What came of each command, so that games outlive the rules they were played with."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Commands from before have nothing there: they are played by the rules, as ever."""
    op.add_column("command", sa.Column("told", sa.LargeBinary, nullable=False, server_default=sa.text("''")))


def downgrade() -> None:
    """Nothing is taken back: an older program must not open a newer database."""
    raise NotImplementedError
