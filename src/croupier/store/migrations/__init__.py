"""Brings stores of older versions up to date, with Alembic.

`versions/` has a file for each change of the tables, in order. It is never changed afterwards, not
even when a table that it makes is: it says what stores of its time look like.
"""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def config_for(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration, for work on a connection."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection, revision: str, stamp: str = "") -> None:
    """Bring a store to a revision; `stamp` says which one it has, if it does not know."""
    config = config_for(connection)
    if stamp:
        command.stamp(config, stamp)
    command.upgrade(config, revision)
