"""A connected player, as its table sees it."""

from collections.abc import Callable
from typing import Protocol


class ConnectedPlayer(Protocol):
    """What a table needs from a connected player of any dialect."""

    player: int

    @property
    def closed(self) -> bool:
        """The connection is closed, or about to be."""

    def send(self, message: bytes) -> None:
        """Write one message."""

    def ask(self, question: bytes, left: Callable[[], None]) -> None:
        """Write a question, and call `left` when it has left.

        Input that arrived before the question is dropped where it could be taken for an answer.
        """

    def take_waiting_input(self) -> bool:
        """Process input that has arrived but was not read yet.

        Return True if more input is waiting that only the event loop can read.
        """

    def note(self, text: str) -> None:
        """Write a remark of the server to the player's transcript."""

    def flush_transcript(self) -> None:
        """Flush the player's transcript to disk."""

    def close(self) -> None:
        """Close the connection after everything is sent."""
