"""The processes of the benchmark: they talk in lines of JSON and cannot outlive their purpose.

A child ends when its input does, and the alarm clock ends it in any case, so that nothing is left
behind whatever happens to the one that started it.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any


class ChildError(Exception):
    """A child ended before it was done."""


class Child:
    """A running child, as its parent sees it."""

    def __init__(self, module: str, limit: float, **settings: Any) -> None:
        """Start a module of this package; after `limit` seconds it is over in any case."""
        self._module = module
        settings["limit"] = limit
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"bench.server.{module}", json.dumps(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> "Child":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()

    def end(self) -> None:
        """Let the child end, if it has not yet."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.close()
            self._process.wait(10)
        except (subprocess.TimeoutExpired, OSError):
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def read(self) -> Any:
        """Return the child's next line."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise ChildError(f"{self._module} ended early, with {self._process.wait()}")
        return json.loads(line)

    def ask(self, word: str) -> Any:
        """Say a word and return the answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(word + "\n")
        self._process.stdin.flush()
        return self.read()


def settings() -> dict[str, Any]:
    """Return, in a child, what its parent asks for; set the alarm clock and take one's core."""
    asked: dict[str, Any] = json.loads(sys.argv[1])
    signal.setitimer(signal.ITIMER_REAL, asked["limit"])
    if asked.get("core") is not None:
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[asked["core"] % len(cores)]})
    return asked


def say(value: Any) -> None:
    """Write, in a child, a line to its parent."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def listen_to_parent(loop: asyncio.AbstractEventLoop, report: Callable[[], Any]) -> asyncio.Event:
    """Answer every word of the parent with a report; the event is set when it says no more."""
    over = asyncio.Event()

    def hear() -> None:
        words = os.read(sys.stdin.fileno(), 1024)
        if words:
            say(report())
        else:
            loop.remove_reader(sys.stdin.fileno())
            over.set()

    loop.add_reader(sys.stdin.fileno(), hear)
    return over
