"""What all tables of one process share."""

import asyncio
from pathlib import Path

from sqlalchemy import select

from croupier.deals import hosted_seed
from croupier.dialects.roster import HOUSE, Place
from croupier.dialects.tokens import token_of
from croupier.rules.sets import PLAIN
from croupier.server.table.game import Game
from croupier.server.table.house import House
from croupier.store import queries
from croupier.store.records import AuditRecord
from croupier.store.schema import MATCHES, open_store


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


def test_no_name_that_can_be_chosen_has_the_token_of_a_house_bot() -> None:
    async def scenario() -> list[str | None]:
        house = House(asyncio.get_running_loop())
        bots = [Place("CallAgent0", HOUSE, bot="CallAgent") for _ in range(2)]
        for bot in bots:
            house.open(PLAIN, 2, "table").seating.add(bot, bot.name)
        house.close()
        return [bot.token for bot in bots]

    tokens = asyncio.run(scenario())
    assert token_of(f"{HOUSE}:CallAgent0:0") not in tokens
    assert len({*tokens, None}) == 3, "each match has a secret of its own"


def test_a_match_without_a_finished_hand_is_kept_unless_a_visitor_asked_for_it(
    tmp_path: Path,
) -> None:
    engine = open_store(str(tmp_path / "croupier.db"))
    rules = PLAIN.with_fields({"pace_ms": 60_000})  # nobody decides before the end

    async def scenario() -> None:
        house = House(asyncio.get_running_loop(), engine=engine)
        over = asyncio.Queue[Game]()
        for key in ("table main", "host plain", "contest final", "room 7"):
            game = house.open(rules, 2, key)
            game.on_demand = key == "room 7"
            game.on_over = over.put_nowait
            for name in "ab":
                house.seat_bot(game, "CallAgent", name)
            game.table.stop()
        for _ in range(4):
            await over.get()
        house.close()

    asyncio.run(scenario())
    with engine.connect() as connection:
        places = connection.execute(select(MATCHES.c.place)).scalars().all()
    assert sorted(places) == ["contest final", "host plain", "table main"]
    engine.dispose()
