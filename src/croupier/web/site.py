"""All that one process of the site has, for those who answer requests."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

import structlog
from anyio import CapacityLimiter, to_thread
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import HTTPConnection

from croupier.match.audience import Policy
from croupier.store.queries import RecordError, State, UnknownError
from croupier.web.archive.careers import Careers
from croupier.web.archive.digest import Digests
from croupier.web.archive.records import Records
from croupier.web.http.documents import Documents
from croupier.web.http.refusals import Refusals
from croupier.web.http.sessions import Sessions
from croupier.web.http.settings import Settings, docs_folder
from croupier.web.live.feed_reader import FeedReader
from croupier.web.live.spectators import Spectators

log = structlog.get_logger()

THREADS = 8
"""How many requests read the store at a time. A connection each."""

P = ParamSpec("P")
T = TypeVar("T")


@dataclass
class Site:
    """The parts of the site."""

    settings: Settings
    engine: Engine
    records: Records
    digests: Digests
    careers: Careers
    documents: Documents
    sessions: Sessions
    refusals: Refusals = field(default_factory=Refusals)
    refusals_timer: asyncio.Task[None] | None = None
    feed: FeedReader = field(init=False)
    spectators: Spectators = field(init=False)

    def __post_init__(self) -> None:
        self._threads = CapacityLimiter(THREADS)
        self.feed = FeedReader(self._books_after, self._read_ahead)
        self._background: set[asyncio.Task[None]] = set()
        self.spectators = Spectators(self.feed, self.settings.patience_s)

    @classmethod
    def of(cls, settings: Settings, engine: Engine) -> "Site":
        """Put a site together."""
        return cls(
            settings=settings,
            engine=engine,
            records=Records(engine, Policy.parse(settings.audience)),
            digests=Digests(engine),
            careers=Careers(engine),
            documents=Documents(docs_folder(settings)),
            sessions=Sessions(settings.admin_token),
        )

    async def read(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Run what blocks in a thread."""

        def call() -> T:
            return function(*arguments, **named)

        return await to_thread.run_sync(call, limiter=self._threads)

    async def _books_after(self, match_id: str, number: int | None) -> State | None:
        try:
            if number is None:
                return await self.read(self.records.books_now, match_id)
            return await self.read(self.records.books_after, match_id, number)
        except (RecordError, SQLAlchemyError) as error:
            # The feed goes on without: a false picture of one table is better than no site.
            log.error("the books cannot be read", match=match_id, reason=str(error))
            return None

    def _read_ahead(self, match_id: str) -> None:
        """Read a match that is over before anyone asks for its page: it may be long."""
        task = asyncio.create_task(self.read(self._digest, match_id))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def _digest(self, match_id: str) -> None:
        # If there is no such record, or it is damaged, whoever asks for it will be told.
        with contextlib.suppress(UnknownError, RecordError, SQLAlchemyError):
            self.digests.of(self.records.match(match_id))


def site_of(connection: HTTPConnection) -> Site:
    """Return the site that a request came to."""
    site: Any = connection.app.state.site
    assert isinstance(site, Site)
    return site
