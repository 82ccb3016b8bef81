"""The matches of a player are found by its name, in either kind of store."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, create_engine, text

from croupier.match.audience import Policy
from croupier.rules.sets import PLAIN
from croupier.store import migrations
from croupier.store.databases import url_of
from croupier.store.records import DropRecord
from croupier.store.schema import open_store
from croupier.web.archive.records import Records
from croupier.web.http.parameters import Paging
from tests.store.recorded import Recording, write

RULES = PLAIN.with_fields({"hands": 1})


@pytest.fixture
def engine(store: str) -> Iterator[Engine]:
    engine = open_store(store)
    yield engine
    engine.dispose()


def found(engine: Engine, player: str, status: str = "") -> tuple[list[str], int]:
    return Records(engine, Policy()).page("", player, status, "", Paging(1, 10))


def test_a_match_is_found_by_its_players_until_it_is_dropped(engine: Engine) -> None:
    for name, bots in (("a", ["CallAgent", "RuleAgent"]), ("b", ["RuleAgent", "CallAgent"])):
        Recording(engine, RULES, bots, name, name).play(began=float(ord(name)))
    assert found(engine, "CallAgent-0") == (["a"], 1)
    assert found(engine, "CallAgent-1", "running") == (["b"], 1)
    assert found(engine, "CallAgent-1", "ended") == ([], 0)
    assert found(engine, "CallAgent") == ([], 0), "names are whole"
    write(engine, [DropRecord("a")])
    assert found(engine, "CallAgent-0") == ([], 0)


def test_matches_of_older_stores_are_found_by_name_and_by_number(store: str) -> None:
    engine = create_engine(url_of(store))
    players = {
        "m1": '[{"name":"Ann","dialect":"huawei","pid":"7"},{"name":"Bob","dialect":"trend"}]',
        "m2": '[{"name":"Ann","dialect":"huawei","pid":8}]',
        "m3": "damaged",
    }
    with engine.begin() as connection:
        migrations.upgrade(connection, "0010")
        for match_id, row in players.items():
            connection.execute(
                text(
                    "INSERT INTO matches (id, began, place, rules_name, rules, version, players,"
                    " seed, salt, commitment, secret)"
                    " VALUES (:id, 1, 'table a', 'plain', '', '', :players, '', '', '', 1)"
                ),
                {"id": match_id, "players": row.encode()},
            )
    engine.dispose()
    engine = open_store(store)
    assert found(engine, "Ann") == (["m2", "m1"], 2)
    assert found(engine, "Ann-7") == (["m1"], 1)
    assert found(engine, "Ann-8") == (["m2"], 1)
    assert found(engine, "Bob") == (["m1"], 1)
    engine.dispose()
