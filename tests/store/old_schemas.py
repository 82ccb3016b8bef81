"""Empty stores as older versions of Croupier made them.

The statements are those that the versions left in their files; they are never changed. Version 1
is that of Croupier 0.1, version 3 that of 0.2.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

STEPS = (
    """
    CREATE TABLE matches (id VARCHAR NOT NULL, began FLOAT NOT NULL, ended FLOAT, place
    VARCHAR NOT NULL, rules_name VARCHAR NOT NULL, rules BLOB NOT NULL, version VARCHAR
    NOT NULL, players BLOB NOT NULL, seed BLOB NOT NULL, salt BLOB NOT NULL, commitment
    VARCHAR NOT NULL, secret INTEGER NOT NULL, result BLOB, PRIMARY KEY (id));
    CREATE TABLE hands (match_id VARCHAR NOT NULL, number INTEGER NOT NULL, ended FLOAT
    NOT NULL, events BLOB NOT NULL, state BLOB NOT NULL, PRIMARY KEY (match_id, number));
    """,
    """
    CREATE TABLE registry (token VARCHAR NOT NULL, display VARCHAR NOT NULL, folded
    VARCHAR NOT NULL, "table" VARCHAR NOT NULL, added FLOAT NOT NULL, PRIMARY KEY (token),
    UNIQUE (folded));
    """,
    """
    ALTER TABLE matches ADD COLUMN paused INTEGER DEFAULT 0 NOT NULL;
    ALTER TABLE hands ADD COLUMN times BLOB;
    CREATE TABLE audit (number INTEGER NOT NULL, at FLOAT NOT NULL, actor VARCHAR NOT
    NULL, act VARCHAR NOT NULL, "table" VARCHAR NOT NULL, detail VARCHAR NOT NULL, outcome
    VARCHAR NOT NULL, PRIMARY KEY (number));
    """,
    """
    CREATE TABLE contests (id INTEGER NOT NULL, title VARCHAR NOT NULL, began FLOAT NOT
    NULL, "plan" BLOB NOT NULL, seed BLOB NOT NULL, salt BLOB NOT NULL, commitment VARCHAR
    NOT NULL, secret INTEGER NOT NULL, beacon VARCHAR, PRIMARY KEY (id), UNIQUE (title));
    CREATE TABLE contest_results (contest INTEGER NOT NULL, stage VARCHAR NOT NULL,
    fixture VARCHAR NOT NULL, "set" INTEGER NOT NULL, "match" INTEGER NOT NULL, ended
    FLOAT NOT NULL, hands INTEGER NOT NULL, seats BLOB NOT NULL, digest VARCHAR NOT NULL,
    match_id VARCHAR, PRIMARY KEY (contest, stage, fixture, "set", "match"));
    CREATE TABLE contest_acts (number INTEGER NOT NULL, contest INTEGER NOT NULL, at FLOAT
    NOT NULL, act BLOB NOT NULL, PRIMARY KEY (number));
    CREATE INDEX ix_contest_acts_contest ON contest_acts (contest);
    CREATE TABLE contest_fixtures (contest INTEGER NOT NULL, stage VARCHAR NOT NULL,
    number INTEGER NOT NULL, fixture BLOB NOT NULL, PRIMARY KEY (contest, stage, number));
    CREATE TABLE contest_keys (contest INTEGER NOT NULL, team VARCHAR NOT NULL, dialect
    VARCHAR NOT NULL, salt BLOB NOT NULL, digest BLOB NOT NULL, pid VARCHAR NOT NULL,
    PRIMARY KEY (contest, team, dialect));
    """,
    """
    ALTER TABLE matches ADD COLUMN counted INTEGER DEFAULT 0 NOT NULL;
    CREATE TABLE stretches (match_id VARCHAR NOT NULL, last INTEGER NOT NULL, sums BLOB
    NOT NULL, PRIMARY KEY (match_id, last));
    CREATE TABLE careers (name VARCHAR NOT NULL, dialect VARCHAR NOT NULL, matches INTEGER
    NOT NULL, hands INTEGER NOT NULL, big_blinds FLOAT NOT NULL, wins INTEGER NOT NULL,
    PRIMARY KEY (name, dialect));
    CREATE INDEX uncounted ON matches (ended) WHERE counted = 0 AND ended IS NOT NULL;
    CREATE INDEX newest ON matches (began, id);
    """,
)
"""What each version added to the one before it."""


def make_old(path: Path, version: int) -> None:
    """Make an empty store of an older version."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript("".join(STEPS[:version]))
        connection.execute(f"PRAGMA user_version = {version}")
