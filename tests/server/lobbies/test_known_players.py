"""Newcomers are compared with the registry as it is, and a crowd of them does not read it anew."""

from pathlib import Path

from croupier.dialects.tokens import token_of
from croupier.server.lobbies.known_players import LONGEST, KnownPlayers
from croupier.store import registry
from croupier.store.schema import open_store


class Clock:
    """Time that passes as it is told; a reading of the registry takes a millisecond."""

    def __init__(self) -> None:
        self.now = 0.0
        self.readings = 0

    def __call__(self) -> float:
        return self.now

    def spent(self) -> float:
        self.readings += 1
        return self.readings * 0.001


def test_changes_count_at_once_unless_a_crowd_asks(tmp_path: Path) -> None:
    engine = open_store(str(tmp_path / "store.db"))
    clock = Clock()
    known = KnownPlayers(engine, clock, clock.spent)
    assert known.with_token(token_of("secret")) is None
    registry.add(engine, "Ada", "1", "secret")
    for _ in range(1000):
        known.with_token("nobody")
    assert clock.readings == 2  # the beginning and the end of one reading
    clock.now += 0.06
    found = known.with_token(token_of("secret"))
    assert found is not None
    assert found.display == "Ada"
    assert known.called("ADA") == found
    registry.remove(engine, "Ada")
    clock.now += LONGEST
    assert known.with_token(token_of("secret")) is None
    assert known.called("Ada") is None
    engine.dispose()


def test_without_a_store_nobody_is_known() -> None:
    assert KnownPlayers(None).with_token("x") is None
    assert KnownPlayers(None).called("x") is None
