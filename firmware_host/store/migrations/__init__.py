"""Migrations of the log, run by Alembic."""
