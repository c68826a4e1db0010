"""Events of one round are found without reading all."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the index."""
    op.create_index("events_by_round", "events", ["round", "seq"])
