"""A registered key opens a closed table in every protocol; names and numbers do not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena.arenas import ArenaProcess, names
from tests.support.hosting import Player
from tests.support.rooming import Guest, connect

ADA, BOB = "7GGC4YZX3HDGSE4X", "0W6FYU1FJI5JW086"
TEXT = f"""
transcripts = "transcripts"

[[table]]
name = "closed"
number = 1
seats = 4
minimum = 4
closed = true

[[player]]
display = "Ada"
table = "closed"
private_name = "{ADA}"

[[player]]
display = "Bob"
table = "closed"
pid = 1001
private_name = "{BOB}"
"""


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ArenaProcess]:
    with ArenaProcess(tmp_path, TEXT) as arena:
        yield arena


def test_in_every_protocol_a_closed_table_admits_keys_and_nothing_else(arena: ArenaProcess) -> None:
    with (
        Player(arena.ports["huawei"], "8888 stranger") as stranger,
        Player(arena.ports["huawei"], "8888 Ada") as namesake,
    ):
        assert stranger.next() is namesake.next() is None
    guest = Guest(arena.ports["room"], connect("closed", "Ada"))
    assert "wrong key for Ada" in str(guest.next())
    guest.close()
    other = Guest(arena.ports["room"], connect("closed", "Eve"))
    assert "closed" in str(other.next())
    other.close()
    assert names(arena.table("closed")) == []
    with Player(arena.ports["huawei"], f"1001 {BOB}"):
        arena.wait_until(lambda row: names(row) == ["Bob"], "closed")
        ada = Guest(arena.ports["room"], connect("closed", ADA))
        arena.wait_until(lambda row: names(row) == ["Bob", "Ada"], "closed")
        twin = Guest(arena.ports["room"], connect("closed", ADA))
        assert "connected already" in str(twin.next())
        for one in (ada, twin):
            one.close()
        arena.wait_until(lambda row: names(row) == ["Bob"], "closed")
    arena.stop()
    written = [path.read_text("utf-8") for path in (arena.folder / "transcripts").iterdir()]
    for text in (arena.log, *written):
        assert ADA not in text
        assert BOB not in text
    assert any("Bob" not in text and "1001 ..." in text for text in written)


def test_nobody_sits_down_by_the_name_of_a_registered_player(arena: ArenaProcess) -> None:
    guest = Guest(arena.ports["room"], connect("another", "ada"))
    assert "wrong key for Ada" in str(guest.next())
    guest.close()
    arena.wait_for_log("wrong key")
    arena.stop()
    (act,) = arena.audit()
    assert (act["act"], act["detail"]) == ("wrong key", "Ada")


@pytest.mark.parametrize("name", ["Bob", "anybody", ADA])
def test_a_wrong_key_for_a_known_pid_is_refused_and_on_record(
    arena: ArenaProcess, name: str
) -> None:
    with Player(arena.ports["huawei"], f"1001 {name}") as impostor:
        assert impostor.next() is None
    arena.wait_for_log("wrong key")
    arena.stop()
    (act,) = arena.audit()
    assert (act["act"], act["detail"]) == ("wrong key", "pid 1001")
    assert "level=warning" in arena.log or "warning" in arena.log
