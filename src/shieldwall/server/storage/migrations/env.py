"""What Alembic runs: all steps on the connection that `upgrade` hands over."""

from __future__ import annotations

from alembic import context

from shieldwall.server.storage.schema import METADATA

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
