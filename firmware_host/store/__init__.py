"""Keeps rounds for good: an append-only log of their events, of which the state is the fold.

``docs/log.md`` has the format, what is guaranteed, and what happens after a crash. Nothing is
imported here: SQLAlchemy is loaded only by the commands that need it.
"""
