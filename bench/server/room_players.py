"""The players in rooms: one process with all connections that does as little as it can.

Two scripts. `showdown`: everybody checks, or calls where something is owed, down to the last card.
`fold`: everybody who is asked folds, so that with two players the first to act ends the hand and
with six the fifth. Of a frame they read its length, its kind, whose turn it is and which of the
words call and check it offers, all at fixed places.
"""

import gc
import json
import os
import resource
import socket
import sys
from struct import Struct
from time import monotonic
from typing import Any

from bench.server.child import say, settings
from bench.server.players import watch

V1 = 1
V2 = 2
READ_SIZE = 1 << 16
MANY_HANDS = 10**6

HEADER = Struct("<i")
_length_at = HEADER.unpack_from

KIND = HEADER.size + len('{"p')
"""Where a frame shows what it is: `position`, `win_money`, `player_card` or `info`."""
STATE = ord("o")
INFO = ord("n")
OWN = HEADER.size + len('{"position": ')
TURN = OWN + len('0, "action_position": ')
WORD = TURN + len('0, "legal_actions": ["fold", "c')
CALL_LETTER = ord("a")


def frame(message: dict[str, Any]) -> bytes:
    """Return a message as it is sent."""
    body = json.dumps(message).encode("ascii")
    return HEADER.pack(len(body)) + body


CALL, CHECK, FOLD = (
    frame({"info": "action", "action": word}) for word in ("call", "check", "fold")
)
NEXT = {V1: frame({"info": "start"}), V2: frame({"info": "ready", "status": "start"})}


def open_files() -> int:
    """Raise the limit on open files as far as it goes, and return it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def connect(port: int, room: int, name: str, seats: int, version: int) -> socket.socket:
    """Open a connection and ask for a seat."""
    sock = socket.create_connection(("127.0.0.1", port), timeout=10)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.settimeout(None)
    wish: dict[str, Any] = {"info": "connect", "room_id": room, "name": name, "room_number": seats}
    wish["bots"] = []
    if version == V2:
        wish["game_number"] = MANY_HANDS
    sock.sendall(frame(wish))
    return sock


class Players:
    """All of them, and what has come of a frame whose rest is still on its way."""

    def __init__(self, sockets: list[socket.socket], version: int) -> None:
        self._fds = [sock.fileno() for sock in sockets]
        self._poll = watch(sockets)
        self._next = NEXT[version]
        self._rests: dict[int, bytes] = {}
        self.errors: list[str] = []

    def play(self, folding: bool, hands: int, limit: float, begin: bool = True) -> dict[str, Any]:
        """Play so many hands in every room; return what that was, and in what time."""
        read, write, wait, rests = os.read, os.write, self._poll.poll, self._rests
        start = self._next
        left = dict.fromkeys(self._fds, hands)
        playing = len(left)
        frames = came = 0
        began = monotonic()
        if begin:
            for fd in self._fds:
                write(fd, start)
        while playing and monotonic() < began + limit:
            for fd, _ in wait(1.0):
                data = read(fd, READ_SIZE)
                came += len(data)
                if not data:
                    self._lost(fd, "closed by the server")
                    playing -= 1
                    continue
                if fd in rests:
                    data = rests.pop(fd) + data
                at, length = 0, len(data)
                while at < length:
                    if at + 4 > length or at + 4 + _length_at(data, at)[0] > length:
                        rests[fd] = data[at:]
                        break
                    frames += 1
                    kind = data[at + KIND]
                    if kind == STATE:
                        if data[at + OWN] == data[at + TURN]:
                            if folding:
                                write(fd, FOLD)
                            else:
                                write(fd, CALL if data[at + WORD] == CALL_LETTER else CHECK)
                    elif kind == INFO:
                        self._told(data[at : at + 300])
                    else:
                        left[fd] -= 1
                        if left[fd]:
                            write(fd, start)
                        else:
                            playing -= 1
                    at += 4 + _length_at(data, at)[0]
        seconds = monotonic() - began
        short = sum(map(bool, left.values()))
        if short:
            self.errors.append(f"{short} connections did not hear of all their hands")
        return {
            "seconds": seconds,
            "frames": frames,
            "bytes": came,
            "errors": len(self.errors),
            "first_errors": self.errors[:3],
        }

    def _told(self, text: bytes) -> None:
        if b'"error"' in text:
            self.errors.append(text.decode("ascii", "replace"))

    def _lost(self, fd: int, reason: str) -> None:
        self.errors.append(reason)
        self._poll.unregister(fd)


def hear_names(sockets: list[socket.socket]) -> None:
    """Read the first version's first frame, which says that a room is full."""
    for sock in sockets:
        sock.settimeout(10)
        length: int = _length_at(receive(sock, 4))[0]
        receive(sock, length)
        sock.settimeout(None)


def receive(sock: socket.socket, count: int) -> bytes:
    """Return the next so many bytes."""
    data = sock.recv(count, socket.MSG_WAITALL)
    if len(data) < count:
        raise ConnectionError("the server has closed a connection")
    return data


def idle(port: int, count: int) -> list[socket.socket]:
    """Let each player wait alone in a room of two."""
    return [connect(port, room, f"p{room}", 2, V1) for room in range(count)]


def main() -> None:
    """Play as the parent says: a line is the script and the number of hands."""
    asked = settings()
    open_files()
    gc.disable()
    port, count, seats = asked["port"], asked["rooms"] * asked["seats"], asked["seats"]
    version = asked.get("version", V1)
    if asked.get("idle"):
        sockets = idle(port, count)
        say("waiting")
    else:
        sockets = [connect(port, n // seats, f"p{n}", seats, version) for n in range(count)]
        players = Players(sockets, version)
        if version == V1:
            hear_names(sockets)
        say("connected")
    for line in sys.stdin:
        script, hands, limit = line.split()
        begin = version == V1 or script != "first"
        say(players.play(script == "fold", int(hands), float(limit), begin))
    # Whoever leaves a room ends it, so everything is counted before the parent lets go.
    for sock in sockets:
        sock.close()


if __name__ == "__main__":
    main()
