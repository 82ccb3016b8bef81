"""Copy a whole store into another one, of whichever kind, and check the copy."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, Table, func, select

from croupier.store.databases import access_to, claim, kind_of, shown
from croupier.store.kinds import StoreError
from croupier.store.schema import METADATA

CHUNK = 1000
"""Rows that are copied at a time."""


def copy_store(
    source: Engine, target: Engine, advance: Callable[[], None] = lambda: None
) -> dict[str, int]:
    """Copy all rows of a store to an empty one, all or none; return how many, by table.

    No server may write to either meanwhile. Raise StoreError if the copy is not the same.
    """
    if source.url == target.url:
        raise StoreError(f"{_name(source)} cannot be copied to itself; name a new store")
    from_claim = claim(source, None)
    try:
        to_claim = claim(target, None)
        try:
            return _copy(source, target, advance)
        finally:
            to_claim.close()
    finally:
        from_claim.close()


def _copy(source: Engine, target: Engine, advance: Callable[[], None]) -> dict[str, int]:
    counts = {}
    with source.connect() as reader, access_to(target).transaction() as writer:
        for table in METADATA.sorted_tables:
            if _count(writer, table):
                raise StoreError(f"{_name(target)} is not empty; copy to a new store")
        for table in METADATA.sorted_tables:
            sums = [0, 0]
            for rows in _chunks(reader, table):
                kind_of(writer).insert_new(writer, table, rows)
                sums[0] += sum(map(_fingerprint, rows))
                advance()
            for rows in _chunks(writer, table):
                sums[1] += sum(map(_fingerprint, rows))
            if sums[0] != sums[1]:
                raise StoreError(f"the copy of {table.name} differs; nothing was copied")
            counts[table.name] = _count(writer, table)
        kind_of(writer).finish_copy(writer, METADATA.sorted_tables)
    return counts


def _name(engine: Engine) -> str:
    return str(kind_of(engine).path(engine.url) or shown(engine.url))


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def _chunks(connection: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    found = connection.execute(select(table), execution_options={"yield_per": CHUNK})
    for part in found.mappings().partitions():
        yield [dict(row) for row in part]


def _fingerprint(row: dict[str, Any]) -> int:
    # A sum of these does not depend on the order, which differs between databases.
    plain = [
        v.replace("\0", "\N{SYMBOL FOR NULL}") if isinstance(v, str) else v for v in row.values()
    ]
    return int.from_bytes(sha256(msgspec.msgpack.encode(plain)).digest())
