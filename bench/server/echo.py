"""The bare echo beside `huawei`: the same messages to the same connections, and no poker.

Before it listens, the echo lets two players who check or call play some hands, and keeps for each
answer which messages it caused and for whom: notices, the end of a hand, the next question.
Connections form pairs as they come. Every answer from one of a pair makes the echo send the
messages of the next answer, ready-made, one write each; after the last one it begins anew.
"""

import asyncio
import os
import socket
from time import process_time

import uvloop

from bench.server.child import listen_to_parent, say, settings
from bench.server.players import FIRST_PID
from bench.server.serve import RULES, SEED
from croupier.dialects.huawei.speaker import HuaweiSpeaker, Listener
from croupier.match.chance import SeededChance
from croupier.match.match import HAND, INTERVAL, Match
from croupier.match.view import MatchView
from croupier.rules.decisions import CALL
from croupier.rules.events import Event

HANDS = 40

Step = list[tuple[int, bytes]]
"""Messages as (player, message), in the order of writing."""


def recorded_steps() -> list[Step]:
    """Return what each answer of some hands causes, from the first question on."""
    match = Match(RULES, 2, SeededChance(SEED), 0.0)
    view = MatchView(RULES)
    pids = {player: str(FIRST_PID + player) for player in range(2)}
    speaker = HuaweiSpeaker(pids, {player: Listener(False) for player in range(2)})

    def told(events: list[Event]) -> Step:
        messages: Step = []
        for event in events:
            view.see(event)
            messages += [(player, message) for player, message in speaker.tell(event, view)]
        return messages

    steps = []
    step: Step = []
    for player in range(2):
        step += told(match.join(f"p{FIRST_PID + player}", 0.0))
    while match.played < HANDS:
        assert match.phase is HAND
        steps.append(step)
        step = told(match.decide(match.asked, CALL, 0.0))
        if match.phase is INTERVAL:
            step += told(match.recorded(0.0))
    return steps


class Echo(asyncio.Protocol):
    """One of a pair."""

    waiting: "Echo | None" = None
    """The connection that has nobody to play with yet."""

    def __init__(self, steps: list[Step]) -> None:
        self._steps = steps
        self._pair: list[int] = []
        """The descriptors of both: each message is one write, as the server's are."""
        self._turn = [0]
        """How many answers the pair has given."""
        self._fd = -1

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        sock = transport.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._fd = sock.fileno()

    def data_received(self, data: bytes) -> None:
        if self._pair:
            self._next_step()
            return
        # The first word is a registration.
        other, Echo.waiting = Echo.waiting, self
        if other is not None:
            Echo.waiting = None
            other._pair = self._pair = [other._fd, self._fd]
            self._turn = other._turn
            self._next_step()

    def _next_step(self) -> None:
        step = self._steps[self._turn[0] % len(self._steps)]
        self._turn[0] += 1
        for player, message in step:
            os.write(self._pair[player], message)


async def main() -> None:
    """Serve until the parent has heard enough."""
    settings()
    steps = recorded_steps()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Echo(steps), "127.0.0.1", 0, backlog=1024)
    over = listen_to_parent(loop, lambda: {"cpu": process_time()})
    say({"port": server.sockets[0].getsockname()[1]})
    await over.wait()


if __name__ == "__main__":
    uvloop.run(main())
