"""What all tables of one process share."""

import asyncio
from pathlib import Path

from croupier.deals import hosted_seed
from croupier.rules.sets import PLAIN
from croupier.server.table.house import House
from croupier.store import queries
from croupier.store.schema import open_store
from croupier.store.writer import AuditRecord


def test_what_an_organiser_does_while_the_store_has_trouble_is_not_lost(tmp_path: Path) -> None:
    engine = open_store(str(tmp_path / "croupier.db"))

    async def scenario() -> None:
        house = House(asyncio.get_running_loop(), engine=engine)
        house.store_trouble = "disk full"
        await house.write_audit(AuditRecord(1.0, "control", "pause", "main", "", "main pauses"))
        house.close()

    asyncio.run(scenario())
    assert [act.act for act in queries.audit(engine)] == ["pause"]
    engine.dispose()


def test_the_first_match_of_a_seed_does_not_publish_it() -> None:
    async def scenario() -> list[bytes]:
        house = House(asyncio.get_running_loop(), seed=bytes(32))
        games = [house.open(PLAIN, 2, f"table {number}") for number in range(3)]
        house.close()
        assert not any(game.secret for game in games)
        return [game.chance.seed for game in games]

    seeds = asyncio.run(scenario())
    assert seeds == [hosted_seed(bytes(32), number) for number in range(3)]
    assert bytes(32) not in seeds
