"""What the log, the transcripts and the counters are told about the answers of players.

State owned here: which absent players the log has already mentioned.
"""

from collections.abc import Mapping

import structlog

from croupier.match.events import Faulted, TimedOut, TurnExtended
from croupier.match.faults import cause_of
from croupier.rules.events import Event
from croupier.server.table.connected import ConnectedPlayer
from croupier.server.table.counters import Counters


class Annotations:
    """Writes down what the server made of each answer."""

    __slots__ = ("_absent", "_clients", "_counters", "_log", "_names")

    def __init__(
        self,
        log: structlog.typing.FilteringBoundLogger,
        names: Mapping[int, str],
        clients: Mapping[int, ConnectedPlayer],
        counters: Counters,
    ) -> None:
        """`names` and `clients` are those of the table, as they change."""
        self._log = log
        self._names = names
        self._clients = clients
        self._counters = counters
        self._absent: set[int] = set()
        """Absent players whose first timeout is in the log: one line is enough."""

    def add(self, event: Event) -> None:
        """Log and count what an event blames a player for, and write it to its transcript."""
        if isinstance(event, TimedOut):
            self._counters.timeouts += 1
            if event.player not in self._absent:
                self._log.info(
                    "timeout",
                    player=self._names[event.player],
                    count=event.count,
                    absent=event.absent,
                )
            if event.absent:
                self._absent.add(event.player)
            self.note(event.player, f"timeout {event.count}: folded")
        elif isinstance(event, Faulted):
            self._counters.faults[cause_of(event.reason)] += 1
            self._log.info("fault", player=self._names[event.player], reason=event.reason)
            self.note(event.player, f"folded: {event.reason}")
        elif isinstance(event, TurnExtended):
            self.note(event.player, f"the server was late: {event.ms} ms more")

    def note(self, player: int, text: str) -> None:
        """Write a line to the transcript of a player, if it is connected."""
        client = self._clients.get(player)
        if client is not None:
            client.note(text)

    def returned(self, player: int) -> None:
        """Log the timeouts of a player again: it has reconnected."""
        self._absent.discard(player)
