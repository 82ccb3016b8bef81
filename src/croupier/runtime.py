"""Set-up of Croupier's long-running processes: event loop and log."""

import asyncio
import logging
import sys
from typing import TextIO, cast

import structlog


def new_loop() -> asyncio.AbstractEventLoop:
    """Return a new event loop, using uvloop where it is installed."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


class _StandardError:
    """Standard error as it is when something is written: a progress bar may have replaced it."""

    def write(self, text: str) -> None:
        sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def configure_logs() -> None:
    """Log to standard error, one line of key=value pairs per event."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.LogfmtRenderer(
                key_order=["timestamp", "level", "event"], bool_as_flag=False
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _StandardError())),
        cache_logger_on_first_use=True,
    )
