"""One pass over a match, in one go or in many, by one reader or by many."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import Engine

from croupier.rules.sets import HUAWEI
from croupier.store import queries
from croupier.store.queries import RecordError
from croupier.store.schema import HANDS, open_store
from croupier.web.archive import digest
from croupier.web.archive.digest import Digest, Digests
from croupier.web.archive.records import evenly_spaced
from tests.store.recorded import Trouble, record_match

MIX = ["RuleAgent", "RandomAgent", "CallAgent", "AllinAgent"]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    path = tmp_path / "d.db"
    trouble = Trouble(late=30, nonsense=30, gone=10)
    for name in ("one", "two"):
        record_match(path, replace(HUAWEI, hands=40), MIX, name, trouble, match_id=name)
    engine = open_store(str(path))
    yield engine
    engine.dispose()


def test_a_digest_that_grows_is_the_same_as_one_made_at_once(engine: Engine) -> None:
    match = queries.match(engine, "one")
    at_once, growing = Digest(match), Digest(match)
    at_once.advance(engine, match.hands)
    for last in (1, 2, 2, 17, match.hands):
        growing.advance(engine, last)
        assert len(growing) == last
    assert growing.ranking(match) == at_once.ranking(match)
    assert growing.hands(0, 99, by_pot=True) == at_once.hands(0, 99, by_pot=True)


def test_readers_do_not_disturb_each_other(engine: Engine) -> None:
    match = queries.match(engine, "one")
    digests = Digests(engine)
    expected = digests.of(match).ranking(match)
    fresh = Digests(engine)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: fresh.of(match).ranking(match), range(40)))
    assert all(one == expected for one in found)


def test_what_was_asked_for_last_is_kept(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = queries.match(engine, "one"), queries.match(engine, "two")
    digests = Digests(engine)
    first = digests.of(one)
    assert digests.of(one) is first
    monkeypatch.setattr(digest, "MAX_HANDS", two.hands)
    second = digests.of(two)
    assert digests.of(two) is second
    assert digests.of(one) is not first


def test_a_damaged_hand_is_named(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(HANDS.update().where(HANDS.c.number == 7).values(events=b"[[]]"))
    with pytest.raises(RecordError, match="hand 7"):
        Digests(engine).of(queries.match(engine, "one"))


@pytest.mark.parametrize("last", [0, 1, 2, 499, 500, 501, 700, 100_000])
def test_a_chart_has_its_points_evenly_from_the_first_hand_to_the_last(last: int) -> None:
    chosen = evenly_spaced(last, 500)
    assert len(chosen) == min(last, 500)
    assert chosen[:1] == [1][:last]
    assert chosen[-1:] == [last][:last]
    steps = {after - before for before, after in pairwise(chosen)}
    assert not steps or max(steps) - min(steps) <= 1
