"""A real arena process, its control socket, and players in this thread."""

import json
import re
import signal
import socket
import struct
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Queue
from time import monotonic
from typing import Any

from click.testing import CliRunner, Result
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from croupier.cli.main import main
from croupier.dialects.tokens import token_of
from croupier.server.arena.control import Request, ask
from tests.support.hosting import PATIENCE, Player
from tests.support.processes import Program

LISTEN = """
[[listen]]
dialect = "huawei"
port = 0

[[listen]]
dialect = "trend"
port = 0

[[listen]]
dialect = "room"
port = 0
"""

LED = re.compile(r"event=(?:joined|returned) [^\n]*dialect=huawei|event=refused dialect=huawei")


class ArenaProcess:
    """`croupier serve` with a file in a folder, in a process of its own."""

    def __init__(self, folder: Path, text: str = "", *arguments: str, listen: str = LISTEN) -> None:
        """Without a text, the file that is there already is served."""
        self.folder = folder
        if text:
            (folder / "arena.toml").write_text(text + listen, "utf-8")
        file = str(folder / "arena.toml")
        self.process = Program("croupier", "serve", file, "--web", "-1", *arguments)
        self.lines: list[str] = []
        self._log: list[str] = []
        self._output: Queue[str | None] = Queue()
        self._logged = threading.Condition()
        self._readers = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_log, daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        try:
            self.wait_for("^control: ")
        except BaseException:
            self.close()
            raise
        self.ports: dict[str, int] = {}
        for line in self.lines:
            if match := re.match(r"listening: (\w+) [\d.]+:(\d+)", line):
                self.ports.setdefault(match[1], int(match[2]))

    def _read_output(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._output.put(line)
        self._output.put(None)

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._logged:
                self._log.append(line)
                self._logged.notify_all()

    @property
    def log(self) -> str:
        """What it wrote to standard error so far."""
        return "".join(self._log)

    @property
    def control(self) -> Path:
        return self.folder / "croupier.sock"

    @property
    def store(self) -> Path:
        return self.folder / "croupier.db"

    @property
    def site_url(self) -> str:
        """Where its website is."""
        pattern = r"^web: (\S+)/"
        said = next(filter(None, (re.match(pattern, line) for line in self.lines)), None)
        return (said or self.wait_for(pattern))[1]

    # Waiting for what it says.

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Return the next line of standard output that matches."""
        while (line := self._output.get(timeout=PATIENCE)) is not None:
            self.lines.append(line)
            if match := re.search(pattern, line):
                return match
        raise AssertionError(f"no {pattern!r} in {self.lines}; log:\n{self.log}")

    def wait_for_log(self, wanted: str | Callable[[str], bool]) -> None:
        """Wait until something is in the log."""
        deadline = monotonic() + PATIENCE
        with self._logged:
            while not (wanted in self.log if isinstance(wanted, str) else wanted(self.log)):
                assert self._logged.wait(deadline - monotonic()), f"{wanted} is not in {self.log}"

    def wait_until(self, ready: Callable[[dict[str, Any]], bool], table: str) -> dict[str, Any]:
        """Return what is going on at a table as soon as it is as wanted."""
        deadline = monotonic() + PATIENCE
        while not ready(row := self.table(table)):
            assert monotonic() < deadline, row
        return row

    # Directing it.

    def ask(self, command: str, table: str = "", player: str = "") -> dict[str, Any]:
        return ask(self.control, Request(command, table, player))

    def croupier(self, *arguments: str) -> Result:
        """Run one of the organiser's commands."""
        where = [] if arguments[0] in STORE_COMMANDS else ["--control", str(self.control)]
        where = where or ["--store", str(self.store)]
        return CliRunner().invoke(main, [*arguments, *where])

    def tell(self, *arguments: str) -> str:
        """Run a command that has to work; return what it says."""
        result = self.croupier(*arguments)
        assert result.exit_code == 0, result.output
        return result.stdout.strip()

    def refused(self, *arguments: str) -> str:
        """Run a command that has to be refused; return the one line that says why."""
        result = self.croupier(*arguments)
        assert result.exit_code == 2, result.output
        assert result.stdout == ""
        (line,) = result.stderr.strip().splitlines()
        return line

    def tables(self) -> dict[str, dict[str, Any]]:
        return {row["table"]: row for row in self.ask("tables")["tables"]}

    def table(self, name: str) -> dict[str, Any]:
        return self.tables()[name]

    def audit(self) -> list[dict[str, Any]]:
        """Return what organisers did, the newest first."""
        rows: list[dict[str, Any]] = json.loads(self.tell("audit", "--json"))
        return rows

    # Ending it.

    def stop(self) -> None:
        """End it as Ctrl-C does, and see that it ends well."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(PATIENCE) == 0, self.log
        self.close()
        assert not self.control.exists()
        assert "Traceback" not in self.log, self.log
        assert "internal error" not in self.log, self.log

    def kill(self) -> None:
        """End it without any chance to tidy up."""
        self.process.send_signal(signal.SIGKILL)
        self.close()

    def close(self) -> None:
        """Make sure that nothing is left behind."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)
        while not self._output.empty():
            self.lines.append(self._output.get() or "")
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    def __enter__(self) -> "ArenaProcess":
        return self

    def __exit__(self, *error: object) -> None:
        if error == (None, None, None) and self.process.poll() is None:
            self.stop()
        else:
            self.close()

    # Players, in this thread.

    def huawei(self, pid: int, name: str = "bot") -> Player:
        """Register a player and wait until he has his place, or is refused."""
        seen = len(LED.findall(self.log))
        player = Player(self.ports["huawei"], f"{pid} {name}")
        self.wait_for_log(lambda log: len(LED.findall(log)) > seen)
        return player

    def trend(self, private: str) -> "TrendPlayer":
        return TrendPlayer(self.ports["trend"], private)

    def room(self, room: Any, name: str = "bob", games: int | None = None) -> "RoomPlayer":
        return RoomPlayer(self.ports["room"], room, name, games)


STORE_COMMANDS = ("audit", "verify", "results", "matches", "show", "export", "players", "openings")


class TrendPlayer:
    """A player over WebSocket."""

    def __init__(self, port: int, private: str) -> None:
        self.token = token_of(private)
        self._connect = connect(
            f"ws://127.0.0.1:{port}", open_timeout=PATIENCE, close_timeout=PATIENCE, max_queue=None
        )
        self.ws = self._connect.__enter__()
        self.say("__join", {"playerName": private})

    def say(self, name: str, data: Any) -> None:
        self.ws.send(json.dumps({"eventName": name, "data": data}))

    def act(self, action: str) -> None:
        self.say("__action", {"action": action})

    def until(self, *names: str) -> Any:
        """Return the data of the next message of these events."""
        while True:
            message = json.loads(self.ws.recv(PATIENCE))
            if message["eventName"] in names:
                return message["data"]

    def seated(self) -> str:
        """Wait until he has a place; return the number of his table."""
        number: str = self.until("__new_peer_2")["tableNumber"]
        return number

    def refusal(self) -> tuple[int, str]:
        """Return code and reason of the close."""
        try:
            while True:
                self.ws.recv(PATIENCE)
        except ConnectionClosed as error:
            assert error.rcvd is not None
            return error.rcvd.code, error.rcvd.reason

    def close(self) -> None:
        self._connect.__exit__(None, None, None)

    def __enter__(self) -> "TrendPlayer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class RoomPlayer:
    """A player with frames."""

    def __init__(self, port: int, room: Any, name: str, games: int | None = None) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._file = self.socket.makefile("rb")
        wish = {"info": "connect", "room_id": room, "name": name, "room_number": 2, "bots": []}
        self.say(wish | ({} if games is None else {"game_number": games}))

    def say(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        self.socket.sendall(struct.pack("<i", len(body)) + body)

    def next(self) -> dict[str, Any] | None:
        try:
            head = self._file.read(4)
            if not head:
                return None
            value: dict[str, Any] = json.loads(self._file.read(struct.unpack("<i", head)[0]))
        except ConnectionError:
            return None
        return value

    def until(self, info: str) -> dict[str, Any]:
        while True:
            message = self.next()
            assert message is not None, f"closed before {info}"
            if message["info"] == info:
                return message

    def close(self) -> None:
        self._file.close()
        self.socket.close()

    def __enter__(self) -> "RoomPlayer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def is_open(row: dict[str, Any]) -> bool:
    return bool(row["state"] == "seating")


def is_playing(row: dict[str, Any]) -> bool:
    return row["state"] not in ("seating", "closed", "over", "failed")


def names(row: dict[str, Any]) -> list[str]:
    return [player["name"] for player in row["players"]]
