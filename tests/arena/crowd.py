"""Many players at many tables in one event loop: they check or call, and fall silent if told to."""

import asyncio
import json
from collections.abc import Coroutine, Sequence
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.mixed.players import MESSAGE, tcp
from tests.support.hosting import PATIENCE


class Someone:
    """A player who plays until he is told that the match is over."""

    def __init__(self, silent_after: int | None = None) -> None:
        """After so many hands he answers no more."""
        self.silent_after = silent_after
        self.ended = 0
        """How many hands he saw end."""
        self.over = False
        self.silent = asyncio.Event()

    @property
    def answers(self) -> bool:
        if self.silent_after is not None and self.ended >= self.silent_after:
            self.silent.set()
            return False
        return True

    async def play(self, ports: dict[str, int]) -> None:
        raise NotImplementedError


class InHuawei(Someone):
    def __init__(self, pid: int, name: str, silent_after: int | None = None) -> None:
        super().__init__(silent_after)
        self.pid = pid
        self.name = name

    async def play(self, ports: dict[str, int]) -> None:
        async with tcp(ports["huawei"]) as (reader, writer):
            writer.write(f"reg: {self.pid} {self.name} \n".encode())
            buffer = b""
            while not self.over:
                try:
                    data = await reader.read(1 << 16)
                except ConnectionError:
                    return
                if not data:
                    return
                buffer += data
                while match := MESSAGE.match(buffer):
                    buffer = buffer[match.end() :]
                    self._hear(match.group(), writer)

    def _hear(self, message: bytes, writer: asyncio.StreamWriter) -> None:
        self.ended += message.startswith(b"pot-win/")
        self.over = self.over or message == b"game-over \n"
        if message.startswith(b"inquire/") and self.answers:
            writer.write(b"check \n")


class InTrend(Someone):
    def __init__(self, private: str, silent_after: int | None = None) -> None:
        super().__init__(silent_after)
        self.private = private

    async def play(self, ports: dict[str, int]) -> None:
        async with connect(f"ws://127.0.0.1:{ports['trend']}", max_queue=None) as ws:
            await ws.send(_say("__join", {"playerName": self.private}))
            while not self.over:
                try:
                    message: dict[str, Any] = json.loads(await ws.recv())
                except ConnectionClosed:
                    return
                name = message["eventName"]
                self.ended += name == "__round_end"
                self.over = name == "__game_over"
                if name in ("__action", "__bet") and self.answers:
                    await ws.send(_say("__action", {"action": "check"}))


def _say(name: str, data: dict[str, Any]) -> str:
    return json.dumps({"eventName": name, "data": data})


def all_together(*coroutines: Coroutine[Any, Any, Any]) -> None:
    """Run them in a loop of their own until all are done."""

    async def main() -> None:
        await asyncio.wait_for(asyncio.gather(*coroutines), PATIENCE)

    asyncio.run(main())


async def until_silent(people: Sequence[Someone]) -> None:
    """Wait until everyone who is to fall silent has."""
    for someone in people:
        if someone.silent_after is not None:
            await someone.silent.wait()
