"""A site as a real child process, and a referee that drives its feed: for tests.

The referee really plays a match and tells of it as `croupier.server.out.feed` does: in lines of
JSON, cut down to what the audience may see.
"""

import contextlib
import json
import os
import signal
import socket
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
from sqlalchemy import Engine

from croupier.match.audience import Audience, Policy
from croupier.match.events import Joined
from croupier.match.match import INTERVAL, OVER
from croupier.rules.events import Event
from croupier.rules.rules import Rules
from croupier.store.codec import encode
from croupier.store.records import MatchRecord
from tests.store.recorded import CALM, Recording, Trouble, write
from tests.support.processes import FIRST_PASSED, PIPE, Program

SECONDS = 30.0
"""After which something that should have happened has not."""

T = TypeVar("T")


class SiteProcess:
    """A running site."""

    def __init__(
        self,
        store: Path | None = None,
        *,
        feed: bool = False,
        errors: Path | None = None,
        **settings: Any,
    ) -> None:
        """`errors` is where its log goes, which is not looked at otherwise."""
        self.feed: socket.socket | None = None
        theirs: socket.socket | None = None
        if feed:
            self.feed, theirs = socket.socketpair()
        values = {"port": 0, "store": None if store is None else str(store), **settings}
        if theirs is not None:
            values["feed"] = FIRST_PASSED
        with contextlib.ExitStack() as stack:
            log = None if errors is None else stack.enter_context(errors.open("wb"))
            self.process = Program(
                "croupier.web",
                stdin=PIPE,
                stderr=log,
                pass_fds=[theirs.fileno()] if theirs else [],
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(values) + "\n")
        self.process.stdin.flush()
        if theirs is not None:
            theirs.close()
        line = self.process.stdout.readline()
        assert line.startswith("web: http://"), line
        self.url = line.removeprefix("web: ").strip().rstrip("/")
        # The site closes idle connections after five seconds, as a client would by default: a
        # request on one that is just being closed would fail.
        kept = httpx.Limits(keepalive_expiry=1.0)
        self.client = httpx.Client(base_url=self.url, timeout=SECONDS, limits=kept)

    def get(self, path: str) -> Any:
        """Return the JSON at a place of the API."""
        answer = self.client.get("/api/v1" + path)
        assert answer.status_code == 200, (path, answer.status_code, answer.text)
        return answer.json()

    def live_url(self, table: str, after: int | None = None) -> str:
        """Return where a table can be watched."""
        query = "" if after is None else f"?after={after}"
        place = f"/api/v1/tables/{quote(table, safe='')}/live{query}"
        return f"ws{self.url.removeprefix('http')}{place}"

    def tell(self, *messages: dict[str, Any]) -> None:
        """Write lines to the feed."""
        assert self.feed is not None
        self.feed.sendall(b"".join(json.dumps(one).encode() + b"\n" for one in messages))

    def close(self) -> int:
        """End the site as its referee would, and return its exit code."""
        self.client.close()
        if self.feed is not None:
            self.feed.close()
        else:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(SECONDS)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()
        return code

    def __enter__(self) -> "SiteProcess":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Teller:
    """Tells of one match at a table."""

    def __init__(
        self,
        site: SiteProcess,
        table: str,
        match_id: str,
        rules: Rules,
        names: Sequence[str],
        policy: str = "showdown",
    ) -> None:
        self.site = site
        self.table = table
        self.match_id = match_id
        self.rules = rules
        self.names = names
        self._audience = Audience(Policy.parse(policy))

    def open(
        self,
        here: int | None = None,
        *,
        dialect: str = "house",
        resumed: dict[str, Any] | None = None,
    ) -> None:
        """Say that the match is open, with the first of its players here."""
        self.site.tell(
            {
                "kind": "table",
                "table": self.table,
                "match": self.match_id,
                "rules": asdict(self.rules),
                "seats": len(self.names),
                "began": time.time(),
                "commitment": "00" * 32,
                "players": [{"name": name, "dialect": dialect} for name in self.names[:here]],
                "resumed": resumed,
            }
        )

    def tell(self, events: Iterable[Event]) -> None:
        """Tell events, as far as they may be seen."""
        seen = [one for event in events for one in self._audience.release(event)]
        told = [event for event in seen if not isinstance(event, Joined)]
        if told:
            self.site.tell(
                {
                    "kind": "events",
                    "table": self.table,
                    "match": self.match_id,
                    "at": time.time(),
                    "events": json.loads(encode(told)),
                }
            )

    def say(self, kind: str) -> None:
        """Say `skipped` or `closed`."""
        self.site.tell({"kind": kind, "table": self.table, "match": self.match_id})


def wait_for(site: SiteProcess, path: str, wanted: Any) -> Any:
    """Return what is at a place of the API once it is as wanted."""

    def look() -> tuple[int, Any]:
        answer = site.client.get("/api/v1" + path)
        return answer.status_code, answer.json()

    _, value = awaited(look, lambda found: found[0] == 200 and wanted(found[1]))
    return value


def awaited(look: Callable[[], T], wanted: Callable[[T], Any]) -> T:
    """Return what is to be seen once it is as wanted."""
    deadline = time.monotonic() + SECONDS
    while not wanted(value := look()):
        assert time.monotonic() < deadline, str(value)[:1000]
        os.sched_yield()
    return value


class LiveGame(Recording):
    """A match that is really played, recorded and told of, as much at a time as a test wants."""

    def __init__(
        self,
        site: SiteProcess,
        engine: Engine,
        rules: Rules,
        bots: Sequence[str],
        seed: str,
        *,
        table: str = "main",
        policy: str = "showdown",
        trouble: Trouble = CALM,
        names: Sequence[str] | None = None,
        match_id: str = "",
    ) -> None:
        super().__init__(engine, rules, bots, seed, match_id)
        self.names = list(names or self.names)
        self.teller = Teller(site, table, self.id, rules, self.names, policy)
        self.trouble = trouble
        self._untold: list[Event] = []

    def begin(self) -> None:
        """Let everyone join, up to the first question of the first hand."""
        write(self.engine, [MatchRecord(self._header(time.time()))])
        for number, name in enumerate(self.names, 1):
            events = self.match.join(name, self.now)
            self.teller.open(number)
            self._tell(events)

    def step(self) -> bool:
        """Play on to the next question or the end of a hand; return False if all is over."""
        if self.match.phase == OVER:
            return False
        if self.match.phase != INTERVAL:
            self._tell(self._turn(self.trouble))
        else:
            write(self.engine, [self._hand(self._untold)])
            self._untold = []
            self._tell(self.match.recorded(self.now))
        return True

    def play_hand(self) -> bool:
        """Play to the end of a hand, and record it; return False if there is none any more."""
        before = len(self.hands)
        while len(self.hands) == before:
            if not self.step():
                return False
        return True

    def _tell(self, events: list[Event]) -> None:
        self._untold += events
        self.teller.tell(events)
