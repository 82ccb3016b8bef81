"""A store is copied whole to one of either kind."""

from pathlib import Path

import pytest

from croupier.rules.sets import PLAIN
from croupier.store import queries, registry
from croupier.store.copying import copy_store
from croupier.store.databases import claim
from croupier.store.kinds import StoreError
from croupier.store.records import AuditRecord
from croupier.store.schema import open_store
from croupier.store.verify import Verifier
from tests.store.recorded import Trouble, record_match, write


def test_a_copy_has_everything_and_copied_back_it_is_the_same(store: str, tmp_path: Path) -> None:
    first = str(tmp_path / "first.db")
    rules = PLAIN.with_fields({"hands": 70, "stack": 100_000})
    match = record_match(first, rules, ["RandomAgent", "CallAgent"], "copy", Trouble(late=30))
    one, other = open_store(first), open_store(store)
    back = open_store(str(tmp_path / "back.db"))
    registry.add(one, "Ada", "1")
    write(one, [AuditRecord(1.5, "ada", "pause", "main", "a\0b", "done")])
    counts = copy_store(one, other)
    assert copy_store(other, back) == counts
    assert counts["matches"] == counts["registry"] == counts["audit"] == 1
    verifier = Verifier(other, match.id)
    assert len(list(verifier.run())) == counts["hands"] > 50
    assert verifier.report.ok
    write(other, [AuditRecord(2.5, "bob", "end", "main", "", "done")])
    assert [act.actor for act in queries.audit(other)] == ["bob", "ada"], "numbers go on"
    for engine in (one, other, back):
        engine.dispose()


def test_nothing_is_copied_into_a_store_that_has_something(store: str, tmp_path: Path) -> None:
    one, other = open_store(str(tmp_path / "first.db")), open_store(store)
    registry.add(other, "Ada", "1")
    with pytest.raises(StoreError, match="not empty"):
        copy_store(one, other)
    one.dispose()
    other.dispose()


def test_a_store_in_use_is_not_copied(store: str, tmp_path: Path) -> None:
    server, one = open_store(store), open_store(store)
    other = open_store(str(tmp_path / "copy.db"))
    access = claim(server)
    with pytest.raises(StoreError, match="in use"):
        copy_store(one, other)
    access.close()
    for engine in (server, one, other):
        engine.dispose()


def test_a_store_is_not_copied_to_itself(store: str) -> None:
    one, same = open_store(store), open_store(store)
    with pytest.raises(StoreError, match="cannot be copied to itself"):
        copy_store(one, same)
    one.dispose()
    same.dispose()
