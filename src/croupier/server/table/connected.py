"""A connected player, as its table sees it."""

from collections.abc import Callable

from mypy_extensions import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class ConnectedPlayer:
    """What a table needs from a connected player of any dialect."""

    def __init__(self) -> None:
        self.player = -1
        """The player's number at the table, or the spectator's among the spectators."""

    @property
    def closed(self) -> bool:
        """The connection is closed, or about to be."""
        raise NotImplementedError

    def send(self, message: bytes) -> None:
        """Write one message."""
        raise NotImplementedError

    def ask(self, question: bytes, left: Callable[[], None]) -> None:
        """Write a question, and call `left` when it has left, unless a newer one was written.

        Input that arrived before the question is dropped where it could be taken for an answer.
        """
        raise NotImplementedError

    def take_waiting_input(self) -> bool:
        """Process input that has arrived but was not read yet.

        Return True if more input is waiting that only the event loop can read.
        """
        raise NotImplementedError

    def note(self, text: str) -> None:
        """Write a remark of the server to the player's transcript."""
        raise NotImplementedError

    def flush_transcript(self) -> None:
        """Flush the player's transcript to disk."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the connection after everything is sent."""
        raise NotImplementedError
