"""A table is bound to its seed before anybody has come, and nobody can have another one drawn."""

from pathlib import Path

from tests.arena.arenas import ArenaProcess, names
from tests.support.hosting import Player

TEXT = '[[table]]\nname = "open"\nseats = 3\nminimum = 3\nset = { hands = 1 }\n'


def test_coming_and_going_before_the_start_does_not_change_the_commitment(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path, TEXT) as arena:
        first = arena.table("open")
        assert len(first["commitment"]) == 64
        assert f"seed commitment {first['commitment']}" in "".join(arena.lines)
        for pid in (1, 2):
            with Player(arena.ports["huawei"], f"{pid} a"):
                arena.wait_until(lambda row: len(row["players"]) == 1, "open")
            row = arena.wait_until(lambda row: names(row) == [], "open")
            assert row["match"] != first["match"]
            assert row["commitment"] == first["commitment"]
        assert first["commitment"][:12] in arena.tell("tables")
        players = [Player(arena.ports["huawei"], f"{pid} a") for pid in (1, 2, 3)]
        players[0].until(b"seat/")
        assert arena.table("open")["commitment"] == first["commitment"]
        for player in players:
            player.close()
