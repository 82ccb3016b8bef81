"""The `trend` listener: WebSocket, a join with the private name, then a seat at the table.

The private name is a credential. It is turned into its token here and forgotten: it reaches no log
and no transcript.
"""

import asyncio
import re
import select
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import structlog
from picows import (
    WSCloseCode,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
    ws_create_server,
)

from croupier.dialects.base import Answer, Illegal
from croupier.dialects.trend import reader
from croupier.dialects.trend.reader import MAX_MESSAGE, Action, Join, Message, Reload, Unknown
from croupier.match.ready import Handshake
from croupier.rules.decisions import Options
from croupier.server.connection import MAX_UNSENT
from croupier.server.lobby import FULL, TAKEN, UNKNOWN, Lobby, Refusal
from croupier.server.seating import TREND, Place
from croupier.server.table import Table
from croupier.server.transcript import Transcript

log = structlog.get_logger()

BAD_JOIN = 4001
CLOSE_CODES = {TAKEN: 4002, UNKNOWN: 4003, FULL: 4004}

TIME_TO_JOIN = 10.0
"""Seconds; a connection that has not joined by then is closed."""

PING_AFTER = 20.0
MAX_STRAY = 1000
"""Messages that nobody asked for before a player is cut off. A security limit."""

FAILURES_FREE = 20
MAX_ADDRESSES = 10_000
SLOW_SECONDS = 2.0
"""After so many failed joins of one address each further refusal comes so much later."""


class TrendDoor:
    """Accepts WebSocket connections and hears their join."""

    def __init__(
        self,
        lobby: Lobby,
        loop: asyncio.AbstractEventLoop,
        transcripts: Path | None,
        display_name: Callable[[str], str | None] = lambda token: None,
    ) -> None:
        """`display_name` returns what the organiser calls the owner of a token, if he does."""
        self.lobby = lobby
        self.loop = loop
        self.transcripts = transcripts
        self.display_name = display_name
        self.failures: Counter[str] = Counter()

    async def listen(self, bind: str, port: int) -> asyncio.Server:
        """Open the port."""
        return await ws_create_server(
            self._connection,
            bind,
            port,
            max_frame_size=MAX_MESSAGE,
            enable_auto_ping=True,
            auto_ping_idle_timeout=PING_AFTER,
            auto_ping_reply_timeout=PING_AFTER,
            backlog=1024,
        )

    def _connection(self, request: WSUpgradeRequest) -> WSListener:
        return TrendClient(self)


class TrendClient(WSListener):
    """One connection, before and after its join."""

    def __init__(self, door: TrendDoor) -> None:
        self.player = -1
        self.table: Table | None = None
        self.listener: Any = None
        self.handshake: Handshake | None = None
        self.can_reload = True
        self.on_lost: Callable[[], None] = lambda: None
        self.closed = False
        self._door = door
        self._transcript = Transcript(door.transcripts)
        self._transport: WSTransport | None = None
        self._partial = b""
        self._binary = False
        """The message that is coming in is no text."""
        self._name = b""
        """The private name, kept only to leave it out of the transcript."""
        self._stray = 0
        self._address = ""
        self._fd = -1
        self._deadline: asyncio.TimerHandle | None = None
        self._refused = False

    # From picows.

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        socket = transport.underlying_transport.get_extra_info("socket")
        self._fd = socket.fileno()
        peer = transport.underlying_transport.get_extra_info("peername")
        self._address = peer[0] if isinstance(peer, tuple) else ""
        self._deadline = self._door.loop.call_later(
            TIME_TO_JOIN, self._refuse, BAD_JOIN, f"no __join within {TIME_TO_JOIN:g} s"
        )

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        kind = frame.msg_type
        if kind == WSMsgType.CLOSE:
            transport.send_close(frame.get_close_code() or WSCloseCode.OK, None)
            transport.disconnect()
        elif kind in (WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.CONTINUATION):
            if kind != WSMsgType.CONTINUATION:
                self._binary = kind == WSMsgType.BINARY
            payload = self._partial + frame.get_payload_as_bytes()
            if len(payload) > MAX_MESSAGE:
                self.drop("a message of more than 64 KiB")
            elif not frame.fin:
                self._partial = payload
            else:
                self._partial = b""
                self._received(payload)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.closed = True
        self._fd = -1
        if self._deadline is not None:
            self._deadline.cancel()
        self._transcript.add("#", "connection lost")
        self._transcript.close()
        if self.table is not None:
            self.table.lost(self)
        self.on_lost()

    # What a player says.

    def _received(self, text: bytes) -> None:
        if self.closed or self._refused:
            return
        message = Unknown("a binary message") if self._binary else reader.parse(text)
        table = self.table
        if table is None:
            self._join(message)
            return
        if isinstance(message, Join):
            self._ignored("a second join")
            return
        self._transcript.add(">", self._without_name(text))
        if isinstance(message, Reload):
            if not table.reload(self):
                self._ignored("no reload is asked for")
        elif table.is_asked(self):
            self._stray = 0
            table.answered(self, message)
        else:
            self._ignored("it is not this player's turn")

    def _without_name(self, text: bytes) -> bytes:
        """Return a message as it may be kept: some programs repeat their private name in it."""
        text = text.replace(b'"' + self._name + b'"', b'"..."')
        if len(self._name) >= 8:  # a shorter one would be found in every second word
            text = text.replace(self._name, b"...")
        if b"\\" in text:
            plain = _ESCAPE.sub(_unescaped, text.decode("utf-8", "replace"))
            if self._name.decode("utf-8", "replace") in plain:
                return b"(left out: it holds the private name)"
        return text

    def _ignored(self, reason: str) -> None:
        self._transcript.add("#", f"ignored: {reason}")
        self._stray += 1
        if self._stray > MAX_STRAY:
            self.drop("too many messages that nobody asked for")

    def _join(self, message: Message) -> None:
        if not isinstance(message, Join):
            self._refuse(BAD_JOIN, "the first message is not a __join with a playerName")
            return
        self._name = message.name.encode("utf-8", "surrogatepass")
        token = reader.token_of(message.name)
        name = self._door.display_name(token) or f"t-{token[:8]}"
        outcome = self._door.lobby.admit(self, Place(name, TREND, token=token))
        if isinstance(outcome, Refusal):
            self._refuse(CLOSE_CODES[outcome.kind], outcome.reason)
            return
        if self._deadline is not None:
            self._deadline.cancel()

    def _refuse(self, code: int, reason: str) -> None:
        """Close with a code; an address that fails again and again has to wait for it."""
        if self._refused or self.table is not None or self.closed:
            return
        self._refused = True
        door = self._door
        if len(door.failures) > MAX_ADDRESSES:
            door.failures.clear()
        door.failures[self._address] += 1
        log.info("refused", dialect=TREND, address=self._address, code=code, reason=reason)
        wait = SLOW_SECONDS if door.failures[self._address] > FAILURES_FREE else 0.0
        if wait:
            door.loop.call_later(wait, self._close, code, reason)
        else:
            self._close(code, reason)

    def _close(self, code: int, reason: str) -> None:
        if self._transport is not None and not self.closed:
            # The protocol has codes of its own, which picows passes on as they are.
            self._transport.send_close(code, reason.encode()[:120])  # type: ignore[arg-type]
            self._transport.disconnect()

    # For the table.

    def send(self, message: bytes) -> None:
        if self.closed:
            return
        assert self._transport is not None
        if self._transport.is_disconnected:
            return
        self._transcript.add("<", message)
        self._transport.send(WSMsgType.TEXT, message)
        if self._transport.underlying_transport.get_write_buffer_size() > MAX_UNSENT:
            self.drop(f"more than {MAX_UNSENT} bytes unread")

    def ask(self, question: bytes, left: Callable[[], None]) -> None:
        self.send(question)  # what comes out of turn is ignored as it comes
        left()

    def take_waiting_input(self) -> bool:
        if self.closed:
            return False
        waiting = select.poll()
        waiting.register(self._fd, select.POLLIN)
        return bool(waiting.poll(0))

    def decide(self, message: Any, options: Options, high: int) -> Answer | Illegal:
        assert self.table is not None
        hand = self.table.match.hand
        assert hand is not None
        if not isinstance(message, Action):
            return Illegal("a message that is no action")
        return reader.decide(message, options, high, hand.bets[hand.actor], hand.big_blind)

    def flush_transcript(self) -> None:
        self._transcript.flush()

    def note(self, text: str) -> None:
        self._transcript.add("#", text)

    def seated(self, match_id: str) -> None:
        assert self.table is not None
        self._transcript.name(match_id, TREND, self.table.match.players[self.player].name)

    def close(self) -> None:
        if self._transport is not None and not self.closed:
            self._transport.send_close(WSCloseCode.OK, b"game over")
            self._transport.disconnect()

    def drop(self, reason: str) -> None:
        """Cut the connection off."""
        if self._transport is not None and not self.closed:
            self.closed = True
            self._transcript.add("#", f"cut off: {reason}")
            log.info("cut off", dialect=TREND, address=self._address, reason=reason)
            self._transport.disconnect(False)


_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def _unescaped(match: re.Match[str]) -> str:
    """Return the character that an escape in JSON means."""
    escape = match.group(1)
    return chr(int(escape[1:], 16)) if len(escape) > 1 else _CONTROLS.get(escape, escape)
