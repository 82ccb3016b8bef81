"""The socket of a client, whatever its transport is."""

from mypy_extensions import mypyc_attr

from croupier.dialects.session import Farewell
from croupier.server.net.transcript import Transcript


@mypyc_attr(allow_interpreted_subclasses=True)
class Link:
    """The socket of a client."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.address = ""
        """The address of the peer."""
        self.closed = False

    @property
    def hung_up(self) -> bool:
        """The peer has closed the connection, as far as the kernel knows."""
        return self.closed

    @property
    def has_unread_input(self) -> bool:
        """Input is waiting that only the event loop can read."""
        return False

    def send(self, message: bytes) -> None:
        """Write one message."""
        raise NotImplementedError

    def ask(self, question: bytes) -> None:
        """Write a question, and tell the client just before it leaves and when it has left."""
        raise NotImplementedError

    def poll(self) -> bytes:
        """Return input that has arrived but was not read yet, where the transport allows it."""
        return b""

    def acknowledge(self) -> None:
        """Acknowledge the received bytes at once: nothing is sent in return for now."""

    def pause_reading(self) -> None:
        """Leave further input in the kernel."""
        raise NotImplementedError

    def resume_reading(self) -> None:
        """Read again, if that was paused."""
        raise NotImplementedError

    def close(self, farewell: Farewell | None = None) -> None:
        """Close after everything is sent, with this farewell."""
        raise NotImplementedError

    def drop(self, reason: str) -> None:
        """Abort the connection."""
        raise NotImplementedError

    def turn_away(self) -> None:
        """Abort the connection of a newcomer, for which there is no room."""
        raise NotImplementedError

    def flush_transcript(self) -> None:
        """Flush the transcript to disk."""
        self.transcript.flush()
