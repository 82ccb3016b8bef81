"""A player of `huawei` that does nothing wrong; the bad bots change one thing each.

They are programs, started as `python FILE HOST PORT PID [NAME]`, and use nothing of ours.
"""

import socket
import sys


class Player:
    """Calls whatever comes, until the game is over."""

    def __init__(self) -> None:
        host, port, pid, *name = sys.argv[1:]
        self.connection = socket.create_connection((host, int(port)))
        self.connection.sendall(f"reg: {pid} {name[0] if name else 'checked'} \n".encode())
        self.unread = b""
        self.before = b""
        self.asked = 0

    def run(self) -> None:
        """Answer every question."""
        while b"game-over" not in self.unread:
            piece = self.connection.recv(65536)
            if not piece:
                return
            self.unread += piece
            while b"/inquire" in self.unread:
                self.before, _, self.unread = self.unread.partition(b"/inquire")
                self.asked += 1
                self.answer()

    def answer(self) -> None:
        """Answer a question."""
        self.connection.sendall(b"call \n")
