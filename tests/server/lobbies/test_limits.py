"""What visitors may take: by address, and in all."""

import asyncio
import contextlib
import json
import struct
from collections.abc import Awaitable, Callable
from typing import Any

from croupier.dialects.registry import DIALECTS
from croupier.server.lobbies.rooms import RoomLobby
from croupier.server.net.door import TcpDoor
from croupier.server.table.house import House
from croupier.server.table.limits import Limits, Quota
from tests.support.hosting import PATIENCE
from tests.support.rooming import Frame, connect, frame

ROOM = DIALECTS["room"]
HERE, THERE = "127.0.0.1", "127.0.0.2"
COME_BACK = "come back when one of them has ended"


class Rooms:
    """A house with rooms, and visitors from several addresses of this machine."""

    def __init__(self, limits: Limits) -> None:
        self.house = House(asyncio.get_running_loop(), limits=limits)
        self.lobby = RoomLobby(self.house, ROOM, ROOM.rule_sets, lambda game: None)
        self.port = 0
        self.writers: list[asyncio.StreamWriter] = []

    async def visit(self, wish: Frame, address: str = HERE) -> "Visitor":
        reader, writer = await asyncio.open_connection(HERE, self.port, local_addr=(address, 0))
        self.writers.append(writer)
        writer.write(frame(wish))
        return Visitor(reader, writer)

    async def enter(self, wish: Frame, address: str = HERE) -> "Visitor":
        """Visit, and wait until the server has let the visitor in."""
        before = len(self.house.clients)
        visitor = await self.visit(wish, address)
        while len(self.house.clients) == before:
            await asyncio.sleep(0)
        return visitor


class Visitor:
    """A connection to rooms."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def hear(self) -> Frame:
        (length,) = struct.unpack("<i", await self.reader.readexactly(4))
        message: Frame = json.loads(await self.reader.readexactly(length))
        return message

    async def refusal(self) -> str:
        """Return the text of an error frame, after which the connection has to end."""
        message = await self.hear()
        assert message["info"] == "error", message
        assert await self.reader.read() == b""
        text: str = message["text"]
        return text

    async def leave(self) -> None:
        """Hang up, and wait until the server has noticed."""
        self.writer.write_eof()
        while await self.reader.read(65536):
            pass


def run(scenario: Callable[[Rooms], Awaitable[None]], **limits: int) -> None:
    """Let a scenario happen in rooms of its own."""

    async def main() -> None:
        rooms = Rooms(Limits(**limits))
        door = TcpDoor(ROOM, rooms.lobby, rooms.house.loop, None)
        server = await door.listen(HERE, 0)
        rooms.port = server.sockets[0].getsockname()[1]
        try:
            async with asyncio.timeout(PATIENCE):
                await scenario(rooms)
        finally:
            server.close()
            for writer in rooms.writers:
                with contextlib.suppress(OSError):
                    writer.transport.abort()
            rooms.lobby.stop()
            await door.drain()
            rooms.house.close()

    asyncio.run(main())


def bots_play(room: Any, hands: int | None = None) -> Frame:
    wish: Frame = {"info": "ai_vs_ai", "room_id": room, "room_number": 2, "bots": ["CallAgent"] * 2}
    return wish if hands is None else wish | {"game_number": hands}


def watch(room: Any) -> Frame:
    return {"info": "observer", "room_id": room}


# Counting.


def test_a_quota_counts_by_address_and_in_all_and_each_holder_once() -> None:
    quota = Quota(3, 2)
    for holder in ("a", "a", "b"):
        quota.add(holder, HERE)
    assert quota.refusal(HERE, "rooms").startswith("your address has 2 rooms already")
    assert not quota.refusal(THERE, "rooms")
    quota.add("c", THERE)
    assert quota.refusal(THERE, "rooms") == "there are too many rooms; come back later"
    for holder in ("a", "a", "unknown"):
        quota.discard(holder)
    assert not quota.refusal(HERE, "rooms")


# Rooms.


def test_an_address_opens_no_more_rooms_than_its_limit_and_others_may() -> None:
    async def scenario(rooms: Rooms) -> None:
        for room in range(2):
            await rooms.enter(connect(room, seats=3))
        text = await (await rooms.visit(connect(2))).refusal()
        assert text == f"your address has 2 rooms already, which is the limit here; {COME_BACK}"
        text = await (await rooms.visit(bots_play(2))).refusal()
        assert text.startswith("your address has 2 rooms already")
        other = await rooms.visit(connect(2, bots=["CallAgent"]), THERE)
        assert (await other.hear())["info"] == "name"

    run(scenario, rooms_per_address=2)


def test_whoever_has_opened_its_rooms_may_still_sit_down_in_others() -> None:
    async def scenario(rooms: Rooms) -> None:
        await rooms.enter(connect(1, "a"), THERE)
        await rooms.enter(connect(2, "a"))
        assert (await (await rooms.visit(connect(1, "b"))).hear())["info"] == "name"

    run(scenario, rooms_per_address=1)


def test_there_are_no_more_rooms_in_all_than_the_limit() -> None:
    async def scenario(rooms: Rooms) -> None:
        await rooms.enter(connect(1))
        second = await rooms.visit(connect(2, bots=["CallAgent"]), THERE)
        await second.hear()
        text = await (await rooms.visit(connect(3), THERE)).refusal()
        assert text == "there are too many rooms; come back later"

    run(scenario, rooms=2)


def test_a_room_counts_until_it_is_over() -> None:
    async def scenario(rooms: Rooms) -> None:
        for _ in range(3):
            waiting = await rooms.enter(connect(1))
            assert COME_BACK in await (await rooms.visit(connect(2))).refusal()
            await waiting.leave()
            playing = await rooms.visit(connect(2, bots=["CallAgent"]))
            await playing.hear()
            assert COME_BACK in await (await rooms.visit(connect(1))).refusal()
            await playing.leave()
            bots = await rooms.visit(bots_play(1, hands=1))
            while (await bots.hear())["info"] != "success":
                pass

    run(scenario, rooms_per_address=1)


def test_a_room_that_is_not_full_in_time_is_closed_and_everyone_in_it_is_told() -> None:
    async def scenario(rooms: Rooms) -> None:
        player = await rooms.visit(connect(1, seats=3))
        text = "room 1 is closed: nobody else came within 0 s"
        assert await player.refusal() == text
        again = await rooms.visit(connect(1))
        assert await again.refusal() == text, "it may be opened again"

    run(scenario, unfilled_s=0, rooms_per_address=1)


def test_a_room_that_is_full_is_not_closed_however_short_the_time_is() -> None:
    async def scenario(rooms: Rooms) -> None:
        player = await rooms.visit(connect(1, bots=["CallAgent"], games=3))
        assert (await player.hear())["info"] == "state"
        other = await rooms.visit(connect(2))
        assert "closed" in await other.refusal()
        await player.leave()

    run(scenario, unfilled_s=0)


# Spectators.


def test_an_address_has_no_more_spectators_than_its_limit_and_others_may() -> None:
    async def scenario(rooms: Rooms) -> None:
        await (await rooms.visit(connect("w", bots=["CallAgent"], games=9))).hear()
        await rooms.enter(connect("v"))
        early = await rooms.enter(watch("v"))
        late = await rooms.visit(watch("w"))
        await late.hear()
        for wish in (watch("v"), watch("w"), bots_play("b")):
            text = await (await rooms.visit(wish)).refusal()
            assert text.startswith("your address has 2 spectators already")
        await (await rooms.visit(watch("w"), THERE)).hear()
        await early.leave()
        await (await rooms.visit(watch("w"))).hear()

    run(scenario, watchers_per_address=2)


def test_who_waits_to_watch_a_room_counts_once_when_it_begins() -> None:
    async def scenario(rooms: Rooms) -> None:
        await rooms.enter(connect(1, "a", games=9))
        watcher = await rooms.enter(watch(1))
        await rooms.enter(connect(1, "b", games=9))
        await watcher.hear()
        await (await rooms.visit(watch(1))).hear()
        assert COME_BACK in await (await rooms.visit(watch(1))).refusal()
        await watcher.leave()
        await (await rooms.visit(watch(1))).hear()

    run(scenario, watchers_per_address=2)


# House bots for a spectator.


def test_house_bots_play_no_more_matches_for_an_address_than_its_limit() -> None:
    async def scenario(rooms: Rooms) -> None:
        first = await rooms.visit(bots_play(1))
        await first.hear()
        text = await (await rooms.visit(bots_play(2))).refusal()
        assert text.startswith("your address has 1 matches between house bots already")
        await (await rooms.visit(bots_play(3), THERE)).hear()
        text = await (await rooms.visit(bots_play(4), "127.0.0.3")).refusal()
        assert text == "there are too many matches between house bots; come back later"
        await first.leave()
        await (await rooms.visit(bots_play(2))).hear()

    run(scenario, bot_matches=2, bot_matches_per_address=1)
