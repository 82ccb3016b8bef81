"""A referee for an organiser's commands, who does nothing: for tests."""

import socket
import threading
from pathlib import Path
from typing import Any

import msgspec

from tests.web.siting import SECONDS


class FakeReferee:
    """A control socket that keeps what is asked for and answers as told."""

    def __init__(self, path: Path) -> None:
        self.asked: list[dict[str, Any]] = []
        self.answer: dict[str, Any] = {"ok": True, "text": "done so"}
        self.path = str(path)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        self._listener.listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as lines:
                self.asked.append(msgspec.json.decode(lines.readline()))
                connection.sendall(msgspec.json.encode(self.answer) + b"\n")

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(SECONDS)
