"""A player in `room` that writes the length of a frame and its body apart, as most demos do.

Without TCP_NODELAY its kernel holds the body back until the length is acknowledged. A kernel at
the other end puts that off, unless the server asks it not to: that is the before and the after.
The third measurement is the same player with one write per frame.
"""

import json
import socket
from statistics import median
from time import monotonic
from typing import Any

from bench.server.child import Child, say, settings
from bench.server.room_players import HEADER, frame, receive

HANDS = {True: 200, False: 10}
"""How many hands are played, if the server acknowledges at once, and if not."""

LIMIT = 60.0
"""Seconds after which a process ends in any case."""


def measure(apart: bool, at_once: bool) -> dict[str, Any]:
    """Let one player play against a house bot; return how long the answers to it took."""
    with Child("room_serve", LIMIT, core=0, acknowledge=at_once) as server:
        port = server.read()["port"]
        hands = HANDS[at_once]
        with Child("room_apart", LIMIT, core=1, port=port, hands=hands, apart=apart) as player:
            found: dict[str, Any] = player.read()
            return found


def compare() -> list[dict[str, Any]]:
    """Return a row for each way to write and to acknowledge."""
    ways = {
        "length and body apart, acknowledgements put off (before)": (True, False),
        "length and body apart, acknowledged at once (after)": (True, True),
        "one write per frame": (False, True),
    }
    return [{"what": name} | measure(*way) for name, way in ways.items()]


class Player:
    """Checks and calls against a CallAgent."""

    def __init__(self, port: int, apart: bool) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=LIMIT)
        self._apart = apart
        self.times: list[float] = []
        """Of each message, the seconds until the answer began to come."""
        self._said = 0.0

    def say(self, message: dict[str, Any]) -> None:
        data = frame(message)
        self._said = monotonic()
        if self._apart:
            self._socket.sendall(data[: HEADER.size])
            self._socket.sendall(data[HEADER.size :])
        else:
            self._socket.sendall(data)

    def hear(self) -> dict[str, Any]:
        (length,) = HEADER.unpack(receive(self._socket, HEADER.size))
        if self._said:
            self.times.append(monotonic() - self._said)
            self._said = 0.0
        message: dict[str, Any] = json.loads(receive(self._socket, length))
        return message

    def play(self, hands: int) -> None:
        wish = {"info": "connect", "room_id": 1, "name": "apart", "room_number": 2}
        self.say(wish | {"bots": ["CallAgent"]})
        while hands:
            message = self.hear()
            if message["info"] == "result":
                hands -= 1
            if message["info"] in ("name", "result"):
                if hands:
                    self.say({"info": "start"})
            elif message["action_position"] == message["position"]:
                self.say({"info": "action", "action": message["legal_actions"][1]})


def main() -> None:
    """Play as the parent says."""
    asked = settings()
    player = Player(asked["port"], asked["apart"])
    began = monotonic()
    player.play(asked["hands"])
    seconds = monotonic() - began
    times = sorted(player.times)
    say(
        {
            "messages": len(times),
            "ms_per_message": round(1000 * median(times), 3),
            "ms_p99": round(1000 * times[len(times) * 99 // 100], 3),
            "hands_per_second": round(asked["hands"] / seconds, 1),
        }
    )


if __name__ == "__main__":
    main()
