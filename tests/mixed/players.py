"""Programs of the three hold'em dialects at the other end of a socket, with strict ears.

They decide at random, from a seed of their own, and keep every byte that the server sent them.
"""

import asyncio
import json
import re
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from croupier.dialects.room.reader import V1, V2
from croupier.dialects.tokens import token_of
from croupier.rules.rules import Rules
from tests.mixed.ears import HuaweiEar, RoomEar, TrendEar

PATIENCE = 120.0
"""Seconds after which something that should have happened counts as failed."""

MESSAGE = re.compile(rb"(\w[\w-]*)/ \n.*?/\1 \n|game-over \n", re.S)


@asynccontextmanager
async def tcp(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection that is closed in the end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


class HuaweiProgram:
    """A program that registers with `need_notify` and `need_bet`."""

    dialect = "huawei"

    def __init__(self, pid: int, name: str, rules: Rules) -> None:
        self.pid = pid
        self.name = name
        self.ear = HuaweiEar(str(pid), rules)
        self.chance = Random(f"{pid} {name}")
        self.messages: list[bytes] = []

    async def play(self, port: int) -> None:
        async with tcp(port) as (reader, writer):
            await self._converse(reader, writer)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(f"reg: {self.pid} {self.name} need_notify need_bet \n".encode())
        buffer = b""
        while data := await reader.read(1 << 16):
            buffer += data
            while match := MESSAGE.match(buffer):
                buffer = buffer[match.end() :]
                self.messages.append(match.group())
                self.ear.hear(match.group())
                if self.ear.asked:
                    writer.write(self._answer() + b" \n")
            if self.ear.over:
                break
        assert not buffer

    def _answer(self) -> bytes:
        wish = self.chance.random()
        if wish < 0.35:
            return b"fold"
        if wish < 0.7:
            return b"check"
        if wish < 0.72:
            return b"all_in"
        return b"raise %d" % self.chance.randrange(1000)


class TrendProgram:
    """A program that joins with a private name."""

    dialect = "trend"

    def __init__(self, private: str, rules: Rules) -> None:
        self.private = private
        self.token = token_of(private)
        self.ear = TrendEar(self.token, (), rules)
        self.chance = Random(private)
        self.messages: list[bytes] = []

    async def play(self, port: int) -> None:
        async with connect(f"ws://127.0.0.1:{port}", max_queue=None) as ws:
            await ws.send(self._say("__join", {"playerName": self.private}))
            try:
                while self.ear.over is None:
                    text = await ws.recv()
                    assert isinstance(text, str)
                    self.messages.append(text.encode())
                    self.ear.hear(self.messages[-1])
                    if self.ear.asked:
                        # Real programs repeat their name; it must not come back to anyone.
                        action = self._answer() | {"playerName": self.private}
                        await ws.send(self._say("__action", action))
            except ConnectionClosed as error:
                raise AssertionError(f"closed: {error}; {self.messages[-1:]}") from None

    def _say(self, name: str, data: dict[str, Any]) -> str:
        return json.dumps({"eventName": name, "data": data})

    def _answer(self) -> dict[str, Any]:
        wish = self.chance.random()
        if wish < 0.35:
            return {"action": "fold"}
        if wish < 0.7:
            return {"action": "check"}
        if wish < 0.72:
            return {"action": "allin"}
        if wish < 0.85:
            return {"action": "raise"}
        return {"action": "bet", "amount": self.chance.randrange(1000)}


class RoomProgram:
    """A program of either version of `room`."""

    dialect = "room"

    def __init__(self, name: str, rules: Rules, version: int = V1, room: Any = 5) -> None:
        self.name = name
        self.version = version
        self.room = room
        self.ear = RoomEar(version, rules)
        self.chance = Random(f"{name} {version}")
        self.messages: list[bytes] = []

    async def play(self, port: int) -> None:
        async with tcp(port) as (reader, writer):
            await self._converse(reader, writer)
        self.ear.closed()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wish = {"info": "connect", "room_id": self.room, "name": self.name, "room_number": 9}
        if self.version == V2:
            wish["game_number"] = 7
        # What is asked for in these fields means nothing at a table that is prepared.
        writer.write(frame(wish | {"bots": ["AllinAgent"] * 3}))
        while True:
            try:
                head = await reader.readexactly(4)
                (length,) = struct.unpack("<i", head)
                self.messages.append(head + await reader.readexactly(length))
            except asyncio.IncompleteReadError as error:
                assert not error.partial
                break
            except ConnectionResetError:
                break  # the server closed before it had read the last `start`
            info = self.ear.hear(self.messages[-1])
            if self.ear.asked:
                writer.write(frame({"info": "action", "action": self._answer()}))
            elif info == "name" or (info == "result" and self.version == V1):
                writer.write(frame({"info": "start"}))
            elif info == "result":
                writer.write(frame({"info": "ready", "status": "start"}))

    def _answer(self) -> str:
        legal, limits = self.ear.legal, self.ear.range
        wish = self.chance.random()
        if wish < 0.35:
            return "fold"
        if wish < 0.7 or not limits:
            return legal[1]
        low, high = limits
        if wish < 0.72:
            return f"r{high}"
        return f"r{min(high, low + self.chance.randrange(300))}"


Program = HuaweiProgram | TrendProgram | RoomProgram


def frame(message: dict[str, Any]) -> bytes:
    body = json.dumps(message).encode()
    return struct.pack("<i", len(body)) + body


def play_together(programs: list[Program], ports: dict[str, int]) -> None:
    """Let all of them play to the end."""

    async def main() -> None:
        plays = (program.play(ports[program.dialect]) for program in programs)
        await asyncio.wait_for(asyncio.gather(*plays), PATIENCE)

    asyncio.run(main())
