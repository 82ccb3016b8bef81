"""The bare echo beside `trend`: the same frames to the same connections, and no poker.

What "the same message sizes" means: before it listens, the echo lets a table of ten play one lap
(ten hands, in which everybody has had every position) against players who check, and keeps for each
decision which frames it caused and for whom: ten `__show_action` and a request, and where a street
or a hand ends also ten `__deal`, `__round_end` or `__new_round`. Connections form groups of ten as
they come. Every text frame from one of a group makes the echo send the frames of the next decision,
ready-made, to the ten of the group, and after the last decision of the lap it begins anew. So a
request to the echo causes, one by one and not only on average, what a decision at a table causes:
as many frames, as long, to as many connections, with the same player to answer next.

It is picows on the same event loop with the settings of the real door; it does not read what it is
sent.
"""

import asyncio
from collections.abc import Callable
from time import process_time

import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest, ws_create_server

from bench.server.child import listen_to_parent, say, settings
from bench.server.trend_serve import SEATS, Floor, be_quiet
from croupier.dialects.base import Answer
from croupier.dialects.roster import Place
from croupier.dialects.tokens import token_of
from croupier.dialects.trend.reader import MAX_MESSAGE
from croupier.dialects.trend.words import NAME
from croupier.match.match import HAND
from croupier.rules.decisions import CALL
from croupier.server.net.websocket import PING_AFTER
from croupier.server.table.connected import ConnectedPlayer
from croupier.server.table.lag import LagMonitor

LAP = SEATS
"""Hands until the same player has the same position again."""

Step = list[tuple[int, bytes]]
"""Frames as (player, message)."""


class Recorder(ConnectedPlayer):
    """A player without a connection who notes what he would be sent."""

    def __init__(self, step: Step) -> None:
        super().__init__()
        self._step = step

    @property
    def closed(self) -> bool:
        return False

    def send(self, message: bytes) -> None:
        self._step.append((self.player, message))

    def take_waiting_input(self) -> bool:
        return False

    def ask(self, question: bytes, left: Callable[[], None]) -> None:
        self.send(question)
        left()

    def flush_transcript(self) -> None:
        """There is no transcript."""

    def note(self, text: str) -> None:
        """There is no transcript."""

    def close(self) -> None:
        """There is no connection."""


async def record() -> tuple[Step, list[Step]]:
    """Play a lap; return what its beginning causes, and each decision."""
    lag = LagMonitor(asyncio.get_running_loop())
    floor = Floor(1, lag)
    table, _ = floor.games[0]
    step: Step = []
    recorders = [Recorder(step) for _ in range(SEATS)]
    for number, recorder in enumerate(recorders):
        step.clear()
        floor.admit(recorder, Place(f"p{number}", NAME, token=token_of(f"p{number}")))
    opening = step[:]
    steps: list[Step] = []
    while floor.hands < LAP:
        step.clear()
        table.answered(recorders[table.match.asked], Answer(CALL))
        while table.match.phase != HAND:
            await asyncio.sleep(0)  # the next hand begins in a turn of its own
        steps.append(step[:])
    table.stop()
    lag.close()
    return opening, steps


class Group:
    """The connections of one table."""

    def __init__(self, opening: Step, steps: list[Step]) -> None:
        self._opening = opening
        self._steps = steps
        self._next = 0
        self._transports: list[WSTransport] = []

    def join(self, transport: WSTransport) -> bool:
        """Take in the next connection; return whether it is the last one."""
        self._transports.append(transport)
        if len(self._transports) < SEATS:
            return False
        self._send(self._opening)
        return True

    def go_on(self) -> None:
        """Send what the next decision causes."""
        step = self._steps[self._next]
        self._next = (self._next + 1) % len(self._steps)
        self._send(step)

    def _send(self, step: Step) -> None:
        transports = self._transports
        for player, message in step:
            transports[player].send(WSMsgType.TEXT, message)


class Hall:
    """All groups; newcomers fill one after the other."""

    def __init__(self, opening: Step, steps: list[Step]) -> None:
        self._script = opening, steps
        self._filling = Group(*self._script)

    def join(self, transport: WSTransport) -> Group:
        """Return the newcomer's group."""
        group = self._filling
        if group.join(transport):
            self._filling = Group(*self._script)
        return group


class Echo(WSListener):
    """A connection; its first frame is its join."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._group: Group | None = None

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            return
        if self._group is None:
            self._group = self._hall.join(transport)
        else:
            self._group.go_on()


async def main() -> None:
    """Serve until the parent has heard enough."""
    be_quiet()
    settings()
    opening, steps = await record()
    hall = Hall(opening, steps)

    def connection(request: WSUpgradeRequest) -> WSListener:
        return Echo(hall)

    server = await ws_create_server(
        connection,
        "127.0.0.1",
        0,
        max_frame_size=MAX_MESSAGE,
        enable_auto_ping=True,
        auto_ping_idle_timeout=PING_AFTER,
        auto_ping_reply_timeout=PING_AFTER,
        backlog=1024,
    )
    over = listen_to_parent(asyncio.get_running_loop(), lambda: {"cpu": process_time()})
    frames = [len(message) for step in steps for _, message in step]
    say(
        {
            "port": server.sockets[0].getsockname()[1],
            "frames": len(frames) / len(steps),
            "bytes": sum(frames) / len(steps),
        }
    )
    await over.wait()
    server.close()


if __name__ == "__main__":
    uvloop.run(main())
