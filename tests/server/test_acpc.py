"""The acpc dialect over real sockets: seats by port, and what harms nobody."""

import json
import re
import socket
import subprocess
import sys
import threading
from pathlib import Path

PATIENCE = 60
HOST = ("host", "--rules", "acpc-nolimit", "--once", "--json", "--hands", "4", "--seed", "7")
PORTS = ("--listen", "acpc:0,seat=1,name=Ann", "--listen", "acpc:0,seat=2,name=Bob")


class Caller(threading.Thread):
    """A program that answers every state with a call, whoever is asked."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.states: list[str] = []
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._socket.sendall(b"VERSION:2.0.0\n")

    def run(self) -> None:
        with self._socket, self._socket.makefile("r", encoding="ascii", newline="\n") as lines:
            for line in lines:
                self.states.append(line.rstrip())
                self._socket.sendall(f"{line.rstrip()}:c\r\n".encode())


def test_each_port_leads_to_its_seat_and_the_match_ends_with_the_connections(
    tmp_path: Path,
) -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "croupier", *HOST, *PORTS],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=tmp_path,
    )
    assert server.stdout is not None
    ports: list[int] = []
    while len(ports) < 2:
        line = server.stdout.readline()
        assert line, "it ended without listening"
        ports += [int(port) for port in re.findall(r"127\.0\.0\.1:(\d+)", line)]
    with socket.create_connection(("127.0.0.1", ports[1]), PATIENCE) as rude:
        rude.sendall(b"HELLO\r\n")
        assert rude.recv(100) == b""  # closed without a word, and the seat is still free
    bob = Caller(ports[1])  # comes first, and waits for the seat before it
    ann = Caller(ports[0])
    for caller in (bob, ann):
        caller.start()
    for caller in (bob, ann):
        caller.join(PATIENCE)
        assert not caller.is_alive()
    assert ann.states[0].startswith("MATCHSTATE:0:0::")
    assert bob.states[0].startswith("MATCHSTATE:1:0::|")
    assert len(ann.states) == len(bob.states) == 4 * 9
    assert ann.states[-1].split(":")[2:4] == ["3", "cc/cc/cc/cc"]
    result = json.loads(server.communicate(timeout=PATIENCE)[0].splitlines()[-1])
    assert {seat["name"] for seat in result["seats"]} == {"Ann", "Bob"}
    assert not any(seat["timeouts"] or seat["faults"] for seat in result["seats"])
