"""The state of one site process, shared by all request handlers."""

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
from croupier.store.wrong_keys import WrongKeys
from croupier.web.archive.digest import Digests
from croupier.web.archive.downloads import Downloads
from croupier.web.archive.records import Records
from croupier.web.contest.courses import Courses
from croupier.web.contest.play import Plays
from croupier.web.http.documents import Documents
from croupier.web.http.failed_logins import FailedLogins
from croupier.web.http.sessions import OrganiserSessions, Sessions
from croupier.web.http.settings import Settings, docs_folder, pages_folder
from croupier.web.live.feed_reader import FeedReader
from croupier.web.live.spectators import Spectators
from croupier.web.seats.relay import Seats

log = structlog.get_logger()

THREADS = 8
"""The number of threads that access the store, each with its own connection."""

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class TeamOwner:
    """Whose session it is: a team's, for as long as the key with which it came is its key."""

    contest: int
    team: str
    digest: bytes


@dataclass
class Site:
    """The site's parts."""

    settings: Settings
    engine: Engine
    records: Records
    digests: Digests
    courses: Courses
    plays: Plays
    documents: Documents
    sessions: OrganiserSessions
    published: str | None = None
    """The title at the left of the bar if the pages become files, of finished contests alone."""
    downloads: Downloads = field(default_factory=Downloads)
    team_sessions: Sessions[TeamOwner] = field(default_factory=Sessions)
    wrong_keys: WrongKeys = field(default_factory=lambda: WrongKeys("web"))
    failed_logins: FailedLogins = field(default_factory=FailedLogins)
    failed_logins_timer: asyncio.Task[None] | None = None
    feed: FeedReader = field(init=False)
    spectators: Spectators = field(init=False)
    seats: Seats = field(init=False)

    def __post_init__(self) -> None:
        self._threads = CapacityLimiter(THREADS)
        self.feed = FeedReader(self._books_after, self._read_ahead)
        self._background: set[asyncio.Task[None]] = set()
        self.seats = Seats(self.feed, self.settings.seats, self.settings.proxies)
        self.spectators = Spectators(self.feed, self.settings.patience_s, self.settings.proxies)

    @classmethod
    def of(cls, settings: Settings, engine: Engine) -> "Site":
        """Build a site from its settings."""
        return cls(
            settings=settings,
            engine=engine,
            records=Records(engine, Policy.parse(settings.audience), settings.arena),
            digests=Digests(engine),
            courses=Courses(engine),
            plays=Plays(engine),
            documents=Documents(docs_folder(settings), pages_folder(settings)),
            sessions=OrganiserSessions(settings.admin_token),
        )

    async def in_thread(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Run a blocking function in a thread."""

        def call() -> T:
            return function(*arguments, **named)

        return await to_thread.run_sync(call, limiter=self._threads)

    def is_live(self, table: str) -> bool:
        """Tell whether a table can be watched now."""
        return table in self.feed.tables

    async def _books_after(self, match_id: str, number: int | None) -> State | None:
        try:
            if number is None:
                return await self.in_thread(self.records.books_now, match_id)
            return await self.in_thread(self.records.books_after, match_id, number)
        except (RecordError, SQLAlchemyError) as error:
            # Continue without the books: wrong figures at one table are better than no site.
            log.error("the books cannot be read", match=match_id, reason=str(error))
            return None

    def _read_ahead(self, match_id: str) -> None:
        """Digest a match that is over before anyone requests its page, as it may be long."""
        task = asyncio.create_task(self.in_thread(self._digest, match_id))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def _digest(self, match_id: str) -> None:
        # A missing or damaged record is reported when it is requested.
        with contextlib.suppress(UnknownError, RecordError, SQLAlchemyError):
            self.digests.of(self.records.match(match_id))


def site_of(connection: HTTPConnection) -> Site:
    """Return the site that serves a request."""
    site: Any = connection.app.state.site
    assert isinstance(site, Site)
    return site
