"""The ACPC dealer's own game: heads-up no-limit matches whose players always call.

`python -m bench.server.acpc` starts an arena with eight tables and sixteen players on loopback and
prints how many actions the server referees in a second and in a second of its CPU time. The
original dealer, a C program with one process for each match, makes 25,000 to 29,000 of the latter
on a small machine.
"""

import argparse
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic

TABLES = 8
HANDS = 1_000_000
ARENA = """
[[listen]]
dialect = "acpc"
port = 0
"""
TABLE = """
[[table]]
name = "match{number}"
seats = 2
rules = "acpc-nolimit"
set = {{ hands = {hands} }}
dialects = ["acpc"]
wait_s = 0
"""


def is_mine(state: bytes) -> bool:
    """Tell whether a state asks its player, in a game of calls alone."""
    _, position, _, betting, _ = state.split(b":")
    rounds = betting.split(b"/")
    acted = len(rounds[-1])
    if acted == 2:
        return False  # the hand is over
    return int(position) == (1 - acted if len(rounds) == 1 else acted)


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that a process has used."""
    words = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def play(port: int, server: int, seconds: float) -> dict[str, float]:
    """Answer for a while; return what was measured after the first second."""
    poll = select.epoll()
    sockets: dict[int, socket.socket] = {}
    unread: dict[int, bytes] = {}
    for _ in range(2 * TABLES):
        sock = socket.create_connection(("127.0.0.1", port), 10)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.sendall(b"VERSION:2.0.0\r\n")
        sockets[sock.fileno()], unread[sock.fileno()] = sock, b""
        poll.register(sock.fileno(), select.EPOLLIN)
    answers, began, cpu = 0, 0.0, 0.0
    warm, end = monotonic() + 1, monotonic() + 1 + seconds
    while (now := monotonic()) < end:
        if not began and now > warm:
            answers, began, cpu = 0, now, cpu_seconds(server)
        for fd, _ in poll.poll(1.0):
            data = os.read(fd, 65536)
            if not data:
                raise SystemExit("the server has closed a connection")
            *states, unread[fd] = (unread[fd] + data).split(b"\r\n")
            for state in states:
                if is_mine(state):
                    os.write(fd, state + b":c\r\n")
                    answers += 1
    took, used = monotonic() - began, cpu_seconds(server) - cpu
    for sock in sockets.values():
        sock.close()
    return {"actions": answers, "per_second": answers / took, "per_cpu_second": answers / used}


def main() -> None:
    """Start a server, play, and print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as folder:
        tables = "".join(TABLE.format(number=n, hands=HANDS) for n in range(TABLES))
        (Path(folder) / "arena.toml").write_text(ARENA + tables, "utf-8")
        server = subprocess.Popen(
            [sys.executable, "-m", "croupier", "serve", "arena.toml", "--web", "-1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=folder,
        )
        try:
            assert server.stdout is not None
            lines = (line for line in server.stdout if "127.0.0.1:" in line)
            port = int(next(lines).partition("127.0.0.1:")[2].split()[0])
            print(json.dumps(play(port, server.pid, seconds)))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(30)


if __name__ == "__main__":
    main()
