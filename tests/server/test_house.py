"""What all tables of one process share."""

import asyncio
from pathlib import Path

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
