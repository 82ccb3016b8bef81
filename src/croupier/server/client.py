"""A player at the other end of a connection, whatever it speaks."""

from collections.abc import Callable
from typing import Any, Protocol

from croupier.dialects.base import Answer, Illegal
from croupier.rules.decisions import Options


class Client(Protocol):
    """What a table needs of a connected player."""

    player: int

    @property
    def closed(self) -> bool:
        """The connection is gone, or about to be."""

    def send(self, message: bytes) -> None:
        """Write one message."""

    def ask(self, question: bytes, left: Callable[[], None]) -> None:
        """Write a question, and call `left` when it has left.

        What has come before it is no answer and is dropped where it could be taken for one.
        """

    def take_waiting_input(self) -> bool:
        """Take what has arrived but was not yet read.

        Return True if something is waiting that only the event loop can take.
        """

    def decide(self, message: Any, options: Options, high: int) -> Answer | Illegal:
        """Make a decision of a message."""

    def note(self, text: str) -> None:
        """Write into the player's transcript what was made of his answer."""

    def flush_transcript(self) -> None:
        """Bring the player's transcript to the disk."""

    def close(self) -> None:
        """Close the connection after everything is sent."""
