"""One WebSocket connection of a player: whole messages in, one frame per message out.

picows refuses what is wrong with a single frame: its opcode, mask or length, a control frame in
pieces, most close codes. What RFC 6455 forbids beyond that is refused here: reserved bits, pieces
of a message in the wrong order, the other close codes, and text that is not UTF-8.
"""

import re
import select
from typing import TYPE_CHECKING

from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport

from croupier.dialects.session import Farewell
from croupier.server.net.client import Client
from croupier.server.net.link import Link
from croupier.server.net.tcp import MAX_UNSENT, acknowledge, address_of
from croupier.server.net.transcript import Transcript

if TYPE_CHECKING:
    from croupier.server.net.door import WebSocketDoor

MAX_MESSAGE = 64 * 1024
"""Bytes of one message. A security limit."""

PING_AFTER = 20.0
"""Seconds of silence after which a ping is sent."""

MAX_REASON = 120
"""Bytes of a reason; a close frame has room for few more."""

_GAME_OVER = Farewell("game over", code=WSCloseCode.OK.value)


class WebSocketLink(Link):
    """A WebSocket and the client whose messages it carries."""

    def __init__(self, door: "WebSocketDoor", transcript: Transcript) -> None:
        super().__init__(transcript)
        self._door = door
        self._client: Client | None = None
        self._transport: WSTransport | None = None
        self._partial: bytes | None = None
        """The beginning of a message whose end has not come."""
        self._binary = False
        """The incoming message is binary."""
        self._fd = -1

    # From picows.

    def connected(self, transport: WSTransport) -> None:
        """Take the transport of a connection that is a WebSocket now."""
        self._transport = transport
        socket = transport.underlying_transport.get_extra_info("socket")
        self._fd = socket.fileno()
        self.address = address_of(transport.underlying_transport)
        self._client = self._door.opened(self, self._fd)

    def take(self, transport: WSTransport, frame: WSFrame) -> None:
        """Take a frame."""
        if self.closed:
            return
        kind = frame.msg_type
        if frame.rsv1 or frame.rsv2 or frame.rsv3:
            self._break_off("a frame with reserved bits")
        elif kind == WSMsgType.CLOSE:
            given = int.from_bytes(frame.get_payload_as_bytes()[:2], "big")
            if frame.get_payload_as_bytes() and not _may_be_sent(given):
                self._break_off("a close code that nobody may send")
                return
            transport.send_close(frame.get_close_code() or WSCloseCode.OK, None)
            transport.disconnect()
        elif kind == WSMsgType.PING:
            transport.send_pong(frame.get_payload_as_bytes())
            self._check_unsent(transport)
        elif kind in (WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.CONTINUATION):
            self._take_piece(frame)

    def _take_piece(self, frame: WSFrame) -> None:
        """Add a frame to the message that it is a piece of."""
        goes_on = frame.msg_type == WSMsgType.CONTINUATION
        if goes_on != (self._partial is not None):
            self._break_off(
                "the continuation of no message"
                if goes_on
                else "a message within the pieces of another"
            )
            return
        if not goes_on:
            self._binary = frame.msg_type == WSMsgType.BINARY
        payload = (self._partial or b"") + frame.get_payload_as_bytes()
        if len(payload) > MAX_MESSAGE:
            self.drop("a message of more than 64 KiB")
        elif not frame.fin:
            self._partial = payload
        else:
            self._partial = None
            self._received(payload)

    def _break_off(self, reason: str, code: int = WSCloseCode.PROTOCOL_ERROR.value) -> None:
        """Close because of a violation of RFC 6455."""
        self.transcript.add("#", f"cut off: {reason}")
        self._door.cut_off(self.address, reason)
        self.close(Farewell(reason, code=code))

    def disconnected(self) -> None:
        """Note that the connection has ended."""
        self._fd = -1
        self.closed = True
        self.transcript.add("#", "connection lost")
        self.transcript.close()
        if self._client is not None:
            self._client.lost()
            self._client = None  # as in `tcp`
        self._door.ended(self)

    def _received(self, message: bytes) -> None:
        if self._client is None or self.closed:
            return
        if not _is_utf8(message):
            if not self._binary:
                self._break_off("a text that is not UTF-8", WSCloseCode.INVALID_TEXT.value)
                return
            message = b""  # no dialect has a message that is no text
        # Some libraries send bytes as binary messages; the text in them counts all the same.
        self._client.received(message)

    # For the client.

    def send(self, message: bytes) -> None:
        if self.closed:
            return
        assert self._transport is not None
        if self._transport.is_disconnected:
            return
        self.transcript.add("<", message)
        self._transport.send(WSMsgType.TEXT, message)
        self._check_unsent(self._transport)

    def _check_unsent(self, transport: WSTransport) -> None:
        if transport.underlying_transport.get_write_buffer_size() > MAX_UNSENT:
            self.drop(f"more than {MAX_UNSENT} bytes unread")

    def ask(self, question: bytes) -> None:
        client = self._client
        if client is not None:
            client.about_to_ask()
            self.send(question)
            client.question_left()

    @property
    def has_unread_input(self) -> bool:
        if self.closed:
            return False
        waiting = select.poll()
        waiting.register(self._fd, select.POLLIN)
        return bool(waiting.poll(0))

    def acknowledge(self) -> None:
        """Acknowledge the received bytes at once: nothing is sent in return for now."""
        if self._transport is not None and not self.closed:
            acknowledge(self._transport.underlying_transport)

    def pause_reading(self) -> None:
        """Leave further input in the kernel."""
        if self._transport is not None and not self.closed:
            self._transport.underlying_transport.pause_reading()

    def resume_reading(self) -> None:
        """Read again, if that was paused."""
        if self._transport is not None and not self.closed:
            self._transport.underlying_transport.resume_reading()

    def close(self, farewell: Farewell | None = None) -> None:
        """Close with a code and a reason."""
        if self._transport is not None and not self.closed:
            last = farewell or _GAME_OVER
            if last.message:
                self.send(last.message)
            # A dialect may have close codes of its own, which picows passes through.
            code = last.code or WSCloseCode.OK
            self.closed = True  # what still arrives is ignored
            self._transport.send_close(code, last.reason.encode()[:MAX_REASON])  # type: ignore[arg-type]
            self._transport.disconnect()

    def drop(self, reason: str) -> None:
        """Abort the connection."""
        if self._transport is not None and not self.closed:
            self.closed = True
            self.transcript.add("#", f"cut off: {reason}")
            self._door.cut_off(self.address, reason)
            self._transport.disconnect(False)

    def turn_away(self) -> None:
        """Abort the connection of a newcomer, for which there is no room."""
        if self._transport is not None and not self.closed:
            self.closed = True
            self._transport.disconnect(False)


def is_listed(word: str, header: str) -> bool:
    """Tell whether a word is among those of a header, in any case."""
    return word.lower() in (listed.strip().lower() for listed in header.split(","))


def chosen_subprotocol(offered: str) -> str:
    """Return which of the subprotocols that a client offers is agreed on, or nothing.

    No dialect has one. But programs that offer some, as examples of libraries do, give up unless
    the server agrees; so the first one that can be one is as good as any.
    """
    names = (name.strip() for name in offered.split(","))
    return next((name for name in names if _TOKEN.fullmatch(name)), "")


_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


class Ears(WSListener):
    """Tells a link what picows hears: no class can be derived from both of theirs."""

    def __init__(self, link: WebSocketLink) -> None:
        self._link = link
        self.messages = 0
        """How many messages and control frames have been heard to their end."""

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._link.connected(transport)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        self.messages += frame.fin
        self._link.take(transport, frame)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._link.disconnected()


def _may_be_sent(code: int) -> bool:
    """Tell whether a close code that picows lets pass is one of RFC 6455."""
    return 1000 <= code <= 4999 and code != WSCloseCode.ABNORMAL_CLOSURE.value


def _is_utf8(message: bytes) -> bool:
    try:
        message.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
