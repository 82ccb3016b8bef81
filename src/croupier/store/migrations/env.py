"""Alembic runs this for each of its commands; the connection comes from our own code."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
