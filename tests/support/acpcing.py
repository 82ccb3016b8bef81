"""Plain programs of `acpc` for tests."""

import socket
import threading

from tests.support.hosting import PATIENCE

HOST = "127.0.0.1"


class Caller(threading.Thread):
    """A program that answers every state with the same action, whoever is asked."""

    def __init__(self, port: int, words: str = "", action: str = "c") -> None:
        """Connect; `words` follow the version."""
        super().__init__(daemon=True)
        self.states: list[str] = []
        self._action = action
        self._socket = socket.create_connection((HOST, port), PATIENCE)
        self._socket.sendall(f"VERSION:2.0.0 {words}".rstrip().encode() + b"\n")

    def run(self) -> None:
        with self._socket, self._socket.makefile("r", encoding="ascii", newline="\n") as lines:
            try:
                for line in lines:
                    self.states.append(line.rstrip())
                    self._socket.sendall(f"{line.rstrip()}:{self._action}\r\n".encode())
            except ConnectionError:
                pass  # the match was over before its last answer was read

    def ended(self) -> list[str]:
        """Wait until the server has closed the connection; return the states."""
        self.join(PATIENCE)
        assert not self.is_alive()
        return self.states


def is_refused(port: int, line: bytes) -> bool:
    """Tell whether a first line closes the connection without a word."""
    with socket.create_connection((HOST, port), PATIENCE) as rude:
        rude.sendall(line)
        return rude.recv(100) == b""
