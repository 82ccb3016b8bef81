"""Log lines about addresses, at most one a second for each, however often something happens."""

import asyncio
from typing import Any

import structlog

log = structlog.get_logger()

PERIOD = 1.0
"""Seconds between two lines of the same event about the same address."""

MAX_ADDRESSES = 1000
"""Addresses that are told apart at a time; further ones share a line."""

OTHERS = "others"


class RepeatedLog:
    """Logs what happens for the first time at once, and what follows with a count."""

    def __init__(self, loop: asyncio.AbstractEventLoop, dialect: str) -> None:
        self._loop = loop
        self._dialect = dialect
        self._since: dict[tuple[str, str], tuple[int, dict[str, Any]]] = {}
        """By event and address: how often it happened since the last line, and the last fields."""

    def note(self, event: str, address: str, **fields: Any) -> None:
        """Log an event, now or with those of the next second, of which the last has its fields."""
        key = (event, address)
        if key not in self._since:
            if len(self._since) >= MAX_ADDRESSES:
                key = (event, OTHERS)
            if key not in self._since:
                self._write(key, 1, fields)
                self._wait(key)
                return
        count, _ = self._since[key]
        self._since[key] = (count + 1, fields)

    def flush(self) -> None:
        """Log at once what has not been logged yet."""
        for key, (count, fields) in self._since.items():
            if count:
                self._since[key] = (0, {})
                self._write(key, count, fields)

    def _wait(self, key: tuple[str, str]) -> None:
        self._since[key] = (0, {})
        self._loop.call_later(PERIOD, self._end, key)

    def _end(self, key: tuple[str, str]) -> None:
        count, fields = self._since.pop(key)
        if count:
            self._write(key, count, fields)
            self._wait(key)

    def _write(self, key: tuple[str, str], count: int, fields: dict[str, Any]) -> None:
        event, address = key
        counted = {"count": count} if count > 1 else {}
        log.info(event, dialect=self._dialect, address=address, **fields, **counted)
