"""A consistent copy of a store, even while a server writes to it."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Engine

from croupier.private_files import make_file
from croupier.store.schema import StoreError

PAGES = 4096
"""How many pages are copied at a time; a server that writes waits for no more than that."""


def back_up(engine: Engine, target: Path) -> None:
    """Copy a store to a new private file, which has its name only once it is complete."""
    if target.exists():
        raise StoreError(f"{target} exists already; it is left as it is")
    partial = target.with_name(f"{target.name}.partial-{os.getpid()}")
    try:
        make_file(partial)
        with engine.connect() as connection, closing(sqlite3.connect(partial)) as copy:
            source = connection.connection.driver_connection
            assert isinstance(source, sqlite3.Connection)
            source.backup(copy, pages=PAGES)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
        os.link(partial, target)  # unlike a rename, this never replaces a file
    except FileExistsError:
        raise StoreError(f"{target} exists already; it is left as it is") from None
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"cannot write {target}: {error}") from None
    finally:
        partial.unlink(missing_ok=True)
