"""A player at the other end of a connection, as its table sees it."""

from collections.abc import Callable
from typing import Protocol


class ConnectedPlayer(Protocol):
    """What a table needs of a connected player, whatever it speaks."""

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

    def note(self, text: str) -> None:
        """Write into the player's transcript what was made of its answer."""

    def flush_transcript(self) -> None:
        """Write the player's transcript to disk."""

    def close(self) -> None:
        """Close the connection after everything is sent."""
