"""Who a request belongs to: a team proves with its key that it is itself, and gets a session.

- The cookie is HttpOnly and SameSite=Strict; its session is kept in memory only, and ends when the
  organiser draws a new key for the team.
- A wrong key makes its address wait, and is in the audit log as it is at a table.
- The key is in the body of one request: never in an address, an answer or a log.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from math import ceil

import structlog
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from croupier.contest.plan import Team
from croupier.store import contests
from croupier.store.contests import TeamKey
from croupier.web.admin import audit
from croupier.web.contest.answers import team_named
from croupier.web.contest.courses import Followed
from croupier.web.http.endpoints import Handler
from croupier.web.http.guard import body_of
from croupier.web.http.origin import over_https, visitor_of
from croupier.web.site import Site, TeamOwner, site_of
from croupier.web.teams.schemas import KeyLogin

log = structlog.get_logger()

COOKIE = "croupier_team"
PATH = "/api/v1/team"


@dataclass(frozen=True)
class Entered:
    """A team that has logged in."""

    followed: Followed
    team: Team


async def log_in(request: Request) -> str:
    """Return a new session for the team whose key the request carries; raise if it is wrong."""
    site = site_of(request)
    login = await body_of(request, KeyLogin)

    def find() -> tuple[Followed, Team, list[TeamKey]]:
        followed = site.courses.of(login.contest)
        team = team_named(followed, login.team)
        return followed, team, keys_of(site, login.contest, team.name)

    followed, team, keys = await site.in_thread(find)
    address = visitor_of(request, site.settings.proxies)
    # Do not await between the check and the login, so that simultaneous guesses are serialised.
    wait = site.team_sessions.wait_s(address)
    key = None if wait else next((one for one in keys if one.opens(login.key)), None)
    if key is not None:
        return site.team_sessions.begin(TeamOwner(login.contest, team.name, key.digest), address)
    if not wait:
        site.team_sessions.refuse(address)
    record = site.wrong_keys.seen(followed.row.title, team.name)
    if record is not None:
        log.warning("wrong key", team=team.name)
        await audit.record_alarm(site, record)
    if wait:
        seconds = {"retry-after": str(ceil(wait))}
        raise HTTPException(429, "too many wrong keys from your address; wait a little", seconds)
    raise HTTPException(403, f"this is not the key of {login.team}")


def keys_of(site: Site, contest: int, team: str) -> list[TeamKey]:
    """Return the keys of a team; this blocks."""
    return [key for key in contests.keys(site.engine, contest) if key.team == team]


async def entered(request: Request) -> Entered | None:
    """Return the team whose session a request belongs to."""
    site = site_of(request)
    owner = site.team_sessions.owner_of(request.cookies.get(COOKIE, ""))
    if owner is None:
        return None

    def find() -> Entered | None:
        if not any(key.digest == owner.digest for key in keys_of(site, owner.contest, owner.team)):
            return None
        followed = site.courses.of(owner.contest)
        team = followed.course.plan.teams_by_name.get(owner.team)
        return None if team is None else Entered(followed, team)

    return await site.in_thread(find)


def teams_only(handler: Callable[[Request, Entered], Awaitable[Response]]) -> Handler:
    """Reject requests without a team's session, and pass the team on."""

    @wraps(handler)
    async def checked(request: Request) -> Response:
        found = await entered(request)
        if found is None:
            raise HTTPException(401, "log in with your team's key first")
        return await handler(request, found)

    return checked


def keep(request: Request, answer: Response, session: str) -> None:
    """Let a browser keep a session."""
    answer.set_cookie(
        COOKIE,
        session,
        path=PATH,
        httponly=True,
        samesite="strict",
        secure=over_https(request, site_of(request).settings.proxies),
    )
