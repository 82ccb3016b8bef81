"""Wrong keys for a team, as the audit log has them: somebody tries to be somebody else."""

import time
from collections.abc import Callable

from croupier.store.records import AuditRecord

QUIET_S = 60.0
"""Seconds in which a wrong key for the same team is put on record once."""


class WrongKeys:
    """Says when a wrong key is to be put on record."""

    def __init__(self, actor: str, clock: Callable[[], float] = time.time) -> None:
        """`actor` is who has seen it, for the audit log."""
        self._actor = actor
        self._clock = clock
        self._last: dict[tuple[str, str], float] = {}

    def seen(self, title: str, team: str) -> AuditRecord | None:
        """Return what to put on record about a wrong key for a team of a contest, if anything."""
        now = self._clock()
        if now - self._last.get((title, team), 0.0) <= QUIET_S:
            return None
        self._last[title, team] = now
        return AuditRecord(now, self._actor, "contest wrong key", title, team, "refused")
