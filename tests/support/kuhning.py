"""A host of Kuhn poker, and callers that know what they have to hear."""

import itertools
import json
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from croupier.dialects.kuhn.words import BINARY, TEXT
from tests.support.hosting import PATIENCE, HostProcess

SPELLINGS = (TEXT, BINARY)
START = 20
"""Coins of each side at the beginning, unless a host is told otherwise."""

BEFORE, BETWEEN, FREE, FACING, GONE = "before STRT", "between hands", "free", "facing a bet", "gone"

_LINE = re.compile(
    rb"(STKS) (\d+) (\d+)\n|(DEAL) '([01])'\n|(CARD|SHOW) '([JQK])'\n|(CHCK|BET_|CALL|FOLD)\n"
    rb"|(ERRO) (W_A|N_C|W_S|WID|\d\d.{0,99})\n"
)
_SIZES = {b"STKS": 14, b"DEAL": 6, b"CARD": 6, b"SHOW": 6, b"ERRO": 8}
_ids = itertools.count(1001)
_connected: list["Caller"] = []


def fresh_id() -> int:
    """Return an id that no test has used before."""
    return next(_ids)


def hang_up() -> None:
    """Close whatever connection of a caller is open."""
    while _connected:
        _connected.pop().close()


class KuhnHost(HostProcess):
    """`croupier host --rules kuhn` in a process of its own, with a listener of any form."""

    def __init__(self, *arguments: str, listen: str = "kuhn:0") -> None:
        self._start("--rules", "kuhn", "--listen", listen, "--json", *arguments)
        self.port = self.next_port()

    def next_port(self) -> int:
        """Return the port of the next listener."""
        return int(self.wait_for(r"listening: kuhn [\d.]+:(\d+)").group(1))

    def result_of(self, number: int) -> dict[str, Any]:
        """Wait for the next result of a client's match."""
        value: dict[str, Any] = json.loads(self.wait_for(rf'^{{.*"name": "{number}".*').group())
        return value

    def end(self) -> None:
        """Ask it to end, as Ctrl-C does, and wait for it."""
        self.process.terminate()
        self.process.wait(PATIENCE)

    def __enter__(self) -> "KuhnHost":
        return self

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        if error == (None, None, None):
            assert "Traceback" not in self.log, self.log
            assert "house bot failed" not in self.log, self.log


def coins(result: dict[str, Any]) -> tuple[int, int]:
    """Return what the client and the house have at the end."""
    chips = {seat["dialect"]: seat["chips"] for seat in result["seats"]}
    return chips["kuhn"], chips["house"]


def seat_of_client(result: dict[str, Any]) -> dict[str, Any]:
    """Return what a result says of the client."""
    (seat,) = (seat for seat in result["seats"] if seat["dialect"] == "kuhn")
    return dict(seat)


def spelled(line: str, spelling: str) -> bytes:
    """Return a message of a client as bytes: `STRT 5`, `ANOK`."""
    if spelling == TEXT:
        return f"{line}\n".encode("ascii")
    word, _, number = line.partition(" ")
    if word == "STRT":
        return b"STRT " + int(number).to_bytes(4, "big", signed=True)
    return line.encode("ascii")


class Caller:
    """A client at the other end. What it hears has to be to the letter, and is told without it:

    `STKS 20 20`, `DEAL 0`, `CARD J`, `CHCK`, `SHOW Q`, `ERRO W_A`.
    """

    def __init__(self, port: int, spelling: str = TEXT, *, buffer: int = 0) -> None:
        self.spelling = spelling
        self.socket = socket.socket()
        _connected.append(self)
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.case: Callable[[str], str] = str.upper
        """How it writes its commands."""
        self.heard = b""
        """Every byte so far."""
        self._place = 0

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def say(self, *lines: str) -> None:
        """Say something in the own spelling, in one segment."""
        self.send(
            b"".join(
                self.case(line[:4]).encode("ascii") + spelled(line, self.spelling)[4:]
                for line in lines
            )
        )

    def next(self) -> str | None:
        """Return the next message, or None if the connection is closed."""
        while (found := self._message()) is None:
            if not self._receive():
                assert self.heard[self._place :] == b"", "half a message at the end"
                return None
        return found

    def hears(self, *messages: str) -> None:
        """Hear exactly these messages next."""
        for message in messages:
            assert self.next() == message, self.heard

    def is_closed(self) -> None:
        """Hear nothing more."""
        assert self.next() is None, self.heard

    def rest(self) -> bytes:
        """Return what comes until the connection is closed, in any form."""
        with suppress(ConnectionError):
            while self._receive():
                pass
        return self.heard[self._place :]

    def _receive(self) -> bool:
        data = self.socket.recv(65536)
        self.heard += data
        return bool(data)

    def _message(self) -> str | None:
        unread = self.heard[self._place :]
        if self.spelling == TEXT:
            size = unread.find(b"\n") + 1
            if not size:
                return None
            match = _LINE.fullmatch(unread[:size])
            assert match, unread
            words = [word.decode("ascii") for word in match.groups() if word is not None]
        else:
            word = unread[:4]
            size = _SIZES.get(word, 4)
            if len(word) < 4 or len(unread) < size:
                return None
            assert re.fullmatch(rb"STKS|DEAL|CARD|SHOW|ERRO|CHCK|BET_|CALL|FOLD", word), unread
            words = [word.decode("ascii")]
            if word == b"STKS":
                assert unread[4:5] == unread[9:10] == b" "
                words += [str(int.from_bytes(unread[at : at + 4], "big")) for at in (5, 10)]
            elif size > 4:
                assert unread[4:5] == b" "
                words.append(unread[5:size].decode("ascii"))
        self._place += size
        return " ".join(words)

    def drop(self) -> None:
        """Let the connection go without a word."""
        self.socket.shutdown(socket.SHUT_RDWR)
        self.close()

    def close(self) -> None:
        self.socket.close()

    def __enter__(self) -> "Caller":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Referee:
    """Plays what it is told to, by the document, and checks every answer and every coin."""

    def __init__(self, caller: Caller, number: int, stakes: tuple[int, int] = (START, START)):
        self.caller = caller
        self.number = number
        self.client, self.house = stakes
        self.phase = BEFORE
        self.hands = 0
        self.deals = ""
        self.dealer = False
        self.card = ""
        self.acted = False

    def fault(self, command: str) -> str | None:
        """Return the code with which a command has to be answered now, or None."""
        word, _, argument = command.partition(" ")
        if word not in ("STRT", "ANOK", "CHCK", "BET_", "CALL", "FOLD", "QUIT", "ERRO"):
            return "W_S"
        if word in ("QUIT", "ERRO"):
            return None
        if word == "STRT" and int(argument) <= 0:
            return "WID"
        if word == "STRT" and self.phase != BEFORE and int(argument) != self.number:
            return "WID"
        if word == "ANOK" and self.phase == GONE:
            return "N_C"
        fitting = {
            BEFORE: ("STRT",),
            BETWEEN: ("STRT", "ANOK"),
            FREE: ("CHCK", "BET_"),
            FACING: ("CALL", "FOLD"),
            GONE: ("STRT",),
        }
        if word not in fitting[self.phase]:
            return "W_A"
        return "N_C" if word == "BET_" and not self.client else None

    def do(self, *commands: str) -> None:
        """Say commands one after another, and hear what has to follow."""
        for command in commands:
            fault = self.fault(command)
            self.caller.say(command)
            if fault is not None:
                self.caller.hears(f"ERRO {fault}")
            if fault is not None or command[:4] in ("QUIT", "ERRO"):
                self.caller.is_closed()
                return
            self._follow(command[:4])

    def hand(self, choose: Callable[["Referee"], str]) -> None:
        """Play a hand; `choose` acts."""
        self.do("ANOK")
        while self.phase in (FREE, FACING):
            self.do(choose(self))

    def _follow(self, word: str) -> None:
        if word == "STRT":
            self.caller.hears(f"STKS {self.client} {self.house}")
            self.phase = BETWEEN if self.client and self.house else GONE
        elif word == "ANOK":
            self._begin()
        elif word == "CHCK" and not self.dealer:
            self.acted = True
            self._house_opens(after_check=True)
        elif word == "CHCK":
            self._showdown(1)
        elif word == "BET_":
            answer = self.caller.next()
            assert answer in ("CALL", "FOLD")
            if answer == "FOLD":
                self._end(1)
            else:
                self._showdown(2 if self.house else 1)
        elif word == "CALL":
            self._showdown(2 if self.client else 1)
        elif word == "FOLD":
            self._end(-1)

    def _begin(self) -> None:
        said = self.caller.next()
        assert said in ("DEAL 0", "DEAL 1")
        self.dealer = said == "DEAL 1"
        assert not self.hands or (self.deals[-1] == "1") != self.dealer, "the dealer alternates"
        self.deals += said[-1]
        card = self.caller.next()
        assert card in ("CARD J", "CARD Q", "CARD K")
        self.card = card[-1]
        self.client -= 1
        self.house -= 1
        self.phase = FREE
        self.acted = False
        if self.dealer:
            self._house_opens(after_check=False)

    def _house_opens(self, *, after_check: bool) -> None:
        answer = self.caller.next()
        assert answer in ("CHCK", "BET_")
        if answer == "BET_":
            assert self.house, "the house bets a coin that it has not"
            self.phase = FACING
        elif after_check:
            self._showdown(1)

    def _showdown(self, won: int) -> None:
        shown = self.caller.next()
        assert shown in ("SHOW J", "SHOW Q", "SHOW K")
        assert shown[-1] != self.card
        self._end(won if "JQK".index(self.card) > "JQK".index(shown[-1]) else -won)

    def _end(self, won: int) -> None:
        """`won` is what the client gains, the ante of either side included."""
        self.client += 1 + won
        self.house += 1 - won
        self.caller.hears(f"STKS {self.client} {self.house}")
        self.hands += 1
        self.phase = BETWEEN if self.client and self.house else GONE


def checks_and_calls(referee: Referee) -> str:
    """Do what costs least without giving up."""
    return "CALL" if referee.phase == FACING else "CHCK"


def bets_and_calls(referee: Referee) -> str:
    """Put in a coin wherever there is one."""
    if referee.phase == FACING:
        return "CALL"
    return "BET_" if referee.client else "CHCK"


def checks_and_folds(referee: Referee) -> str:
    """Never put in a coin."""
    return "FOLD" if referee.phase == FACING else "CHCK"
