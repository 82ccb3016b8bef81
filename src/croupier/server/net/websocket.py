"""One WebSocket connection of a player: whole messages in, one frame per message out."""

import select
from collections.abc import Callable
from typing import TYPE_CHECKING

from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport

from croupier.dialects.session import Farewell
from croupier.server.net.client import Client
from croupier.server.net.tcp import MAX_UNSENT, address_of
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


class WebSocketLink(WSListener):
    """A WebSocket and the client whose messages it carries."""

    def __init__(self, door: "WebSocketDoor", transcript: Transcript) -> None:
        self.transcript = transcript
        self.address = ""
        self.closed = False
        self._door = door
        self._client: Client | None = None
        self._transport: WSTransport | None = None
        self._partial = b""
        self._binary = False
        """The incoming message is binary."""
        self._fd = -1

    # From picows.

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        socket = transport.underlying_transport.get_extra_info("socket")
        self._fd = socket.fileno()
        self.address = address_of(transport.underlying_transport)
        self._client = self._door.opened(self, self._fd)

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
        self._fd = -1
        self.closed = True
        self.transcript.add("#", "connection lost")
        self.transcript.close()
        if self._client is not None:
            self._client.lost()
        self._door.ended(self)

    def _received(self, message: bytes) -> None:
        if self._client is None or self.closed:
            return
        if self._binary:
            self.transcript.add("#", "a binary message is none of the protocol's")
            message = b""
        self._client.received(message)

    # For the client.

    @property
    def hung_up(self) -> bool:
        return self.closed

    def send(self, message: bytes) -> None:
        if self.closed:
            return
        assert self._transport is not None
        if self._transport.is_disconnected:
            return
        self.transcript.add("<", message)
        self._transport.send(WSMsgType.TEXT, message)
        if self._transport.underlying_transport.get_write_buffer_size() > MAX_UNSENT:
            self.drop(f"more than {MAX_UNSENT} bytes unread")

    def ask(self, question: bytes, before: Callable[[], None], after: Callable[[], None]) -> None:
        before()
        self.send(question)
        after()

    def flush_transcript(self) -> None:
        self.transcript.flush()

    def poll(self) -> bytes:
        return b""  # only picows can read frames

    def acknowledge(self) -> None:
        """Do nothing: frames are rarely written in pieces."""

    @property
    def has_unread_input(self) -> bool:
        if self.closed:
            return False
        waiting = select.poll()
        waiting.register(self._fd, select.POLLIN)
        return bool(waiting.poll(0))

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
            self._door.cut_off(self, reason)
            self._transport.disconnect(False)

    def turn_away(self) -> None:
        """Abort the connection of a newcomer, for which there is no room."""
        if self._transport is not None and not self.closed:
            self.closed = True
            self._transport.disconnect(False)
