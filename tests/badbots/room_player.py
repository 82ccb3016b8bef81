"""A player of `room`, version 2, that does nothing wrong; the bad bots change one thing each.

They are programs, started as `python FILE HOST PORT`, and use nothing of ours.
"""

import json
import socket
import struct
import sys


class RoomPlayer:
    """Checks and calls whatever comes, until the match is over."""

    def __init__(self) -> None:
        host, port = sys.argv[1:3]
        self.connection = socket.create_connection((host, int(port)))
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.connection.makefile("rb")
        self.say(info="connect", room_id=1, name="checked", room_number=2, bots=[], game_number=9)

    def say(self, **message: object) -> None:
        """Write a frame."""
        body = json.dumps(message).encode()
        self.connection.sendall(struct.pack("<i", len(body)) + body)

    def run(self) -> None:
        """Answer every question, and be ready for every hand."""
        while head := self.stream.read(4):
            message = json.loads(self.stream.read(*struct.unpack("<i", head)))
            if message["info"] == "state":
                self.state(message)
            elif message["info"] == "result":
                self.say(info="ready", status="start")
            else:
                return

    def state(self, message: dict) -> None:
        """Answer a state, if it asks."""
        if message["action_position"] == message["position"]:
            self.answer(message)

    def answer(self, message: dict) -> None:
        """Answer a question."""
        self.say(info="action", action=message["legal_actions"][1])
