"""How many connections a process can have, by the number of files that it may open.

Descriptors are kept in reserve for the store, the control socket, transcripts and programs, and for
connections that the kernel hands over before anybody can look at them. Of the others, those who
have not said what they want may take half: if there are more, the one that has waited longest is
turned away, of the address that has most of them. So whoever keeps quiet is in nobody's way but its
own.

A new descriptor has the lowest free number. That says how many are taken, whatever for.
"""

import resource
from collections.abc import Callable, Hashable

import structlog

log = structlog.get_logger()

RESERVE = 64
"""Descriptors for whatever is no connection."""

MAX_BACKLOG = 4096
"""Connections that wait in the kernel for one door."""

BACKLOG_SHARE = 16
"""One of so many files is reserved for a burst of connections at each of two doors."""

MAX_LINGERING = 4096
LINGERING_SHARE = 16

UNLIMITED = 1 << 20

Drop = Callable[[], None]


def file_limit() -> int:
    """Return how many files this process may open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return UNLIMITED if soft == resource.RLIM_INFINITY else min(soft, UNLIMITED)


class Capacity:
    """The connections of all doors of a process, and those among them that are newcomers."""

    def __init__(self, files: int | None = None) -> None:
        """`files` is how many files may be open, if not as many as the system says."""
        self.files = file_limit() if files is None else files
        self.backlog = min(MAX_BACKLOG, max(1, self.files // BACKLOG_SHARE))
        self.connections = max(2, self.files - RESERVE - 2 * self.backlog)
        self.newcomers = max(1, self.connections // 2)
        """Connections that have not said what they want."""
        self.lingering = min(MAX_LINGERING, max(1, self.connections // LINGERING_SHARE))
        """Closed connections of one door whose input is still drained."""
        self._reserved_from = self.files - 2 * self.backlog
        """The first descriptor that is in reserve for bursts."""
        self._count = 0
        self._waiting: dict[str, dict[Hashable, Drop]] = {}
        """By address, the newcomers in the order in which they came."""

    def tell(self) -> None:
        """Log what the number of open files allows."""
        log.info(
            "capacity", files=self.files, connections=self.connections, newcomers=self.newcomers
        )

    def admit(self, newcomer: Hashable, address: str, descriptor: int, drop: Drop) -> str:
        """Let a newcomer wait, if need be instead of another; return the address that gave way.

        `drop` closes its connection at once. Where nobody gives way, the newcomer itself has to.
        """
        gave_way = ""
        if self._count >= self.newcomers or descriptor >= self._reserved_from:
            if not self._count:
                return address
            gave_way = self._drop_one()
        self._waiting.setdefault(address, {})[newcomer] = drop
        self._count += 1
        return gave_way

    def is_waiting(self, newcomer: Hashable, address: str) -> bool:
        """Tell whether this is a newcomer that has not been turned away."""
        return newcomer in self._waiting.get(address, ())

    def forget(self, newcomer: Hashable, address: str) -> None:
        """Count a connection no longer as a newcomer."""
        waiting = self._waiting.get(address, {})
        if waiting.pop(newcomer, None) is not None:
            self._count -= 1
            if not waiting:
                del self._waiting[address]

    def _drop_one(self) -> str:
        address = max(self._waiting, key=lambda one: len(self._waiting[one]))
        newcomer, drop = next(iter(self._waiting[address].items()))
        self.forget(newcomer, address)
        drop()
        return address
