"""The organiser's part of the API: login and commands to tables.

- The cookie is HttpOnly and SameSite=Strict; its session is kept in memory only.
- Every request that changes something needs the header `X-Croupier: 1`, which a form on another
  site cannot send.
- Commands to tables go through the referee's control socket, which writes them to the audit log.
- Failed logins are written to the audit log too, without the token.
"""

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from math import ceil

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from croupier.server.arena.control import Request as Command
from croupier.store import queries
from croupier.web.admin import audit
from croupier.web.admin.audit import ACTOR
from croupier.web.admin.referee import ask, tables_of
from croupier.web.admin.schemas import Act, AdminState, Login, Withdrawal
from croupier.web.http.answers import reply
from croupier.web.http.endpoints import Endpoint
from croupier.web.http.guard import COOKIE, body_of, csrf_protected, guarded, is_organiser
from croupier.web.http.origin import over_https, visitor_of
from croupier.web.http.schemas import Done
from croupier.web.http.sessions import network_of
from croupier.web.site import site_of

ACTS = 50
MAX_NAME = 256


@csrf_protected
async def log_in(request: Request) -> Response:
    """Start a session."""
    sessions = site_of(request).sessions
    if not sessions.enabled:
        raise HTTPException(403, "this site has no administrator's token, so nobody can log in")
    token = (await body_of(request, Login)).token
    address = visitor_of(request, site_of(request).settings.proxies)
    # Do not await between the check and the login, so that simultaneous guesses are serialised.
    wait = sessions.wait_s(address)
    session = None if wait else sessions.log_in(token, address)
    if session is None:
        await audit.record_failed_login(site_of(request), network_of(address))
    if wait:
        seconds = {"retry-after": str(ceil(wait))}
        raise HTTPException(429, "too many wrong tokens from your address; wait a little", seconds)
    if session is None:
        raise HTTPException(403, "this is not the administrator's token")
    answer = reply(AdminState(True, True))
    answer.set_cookie(
        COOKIE,
        session,
        path="/api/v1/admin",
        httponly=True,
        samesite="strict",
        secure=over_https(request, site_of(request).settings.proxies),
    )
    return answer


@csrf_protected
async def log_out(request: Request) -> Response:
    """End the session."""
    sessions = site_of(request).sessions
    sessions.log_out(request.cookies.get(COOKIE, ""))
    answer = reply(AdminState(False, sessions.enabled))
    answer.delete_cookie(COOKIE, path="/api/v1/admin", httponly=True, samesite="strict")
    return answer


async def state(request: Request) -> Response:
    """Return whether the client is logged in and, to an organiser, the tables and audit log."""
    site = site_of(request)
    if not is_organiser(request):
        return reply(AdminState(False, site.sessions.enabled))
    acts = await site.in_thread(queries.audit, site.engine, ACTS)
    tables = await tables_of(site)
    done = [Act(**asdict(act)) for act in acts]
    return reply(AdminState(True, True, tables or [], done))


def _directive(command: str) -> Callable[[Request], Awaitable[Response]]:
    """Return the handler for a command whose only argument is a table."""

    async def act(request: Request) -> Response:
        return await _act(request, Command(command, _table(request), actor=ACTOR))

    act.__doc__ = f"Send the command `{command}` to a table."
    return guarded(act)


@guarded
async def withdraw(request: Request) -> Response:
    """Withdraw a player from a match."""
    player = (await body_of(request, Withdrawal)).player[:MAX_NAME]
    return await _act(request, Command("withdraw", _table(request), player, ACTOR))


async def _act(request: Request, command: Command) -> Response:
    answer = await ask(site_of(request), command)
    if not answer.get("ok"):
        raise HTTPException(409, str(answer.get("error", "the referee did not say why")))
    return reply(Done(str(answer.get("text", ""))))


def _table(request: Request) -> str:
    return str(request.path_params["table"])[:MAX_NAME]


_FAILURES = (401, 403, 409, 503)

ENDPOINTS = (
    Endpoint(
        "post",
        "/admin/login",
        log_in,
        "Begin a session",
        AdminState,
        body=Login,
        failures=(400, 403, 413, 429),
    ),
    Endpoint("post", "/admin/logout", log_out, "End the session", AdminState, failures=(403,)),
    Endpoint("get", "/admin/state", state, "Login state, tables and audit log", AdminState),
    *(
        Endpoint(
            "post",
            f"/admin/tables/{{table:path}}/{command}",
            _directive(command),
            summary,
            Done,
            failures=_FAILURES,
        )
        for command, summary in (
            ("start", "Start the match"),
            ("pause", "Pause after this hand"),
            ("resume", "Resume after a pause"),
            ("end", "End the match"),
        )
    ),
    Endpoint(
        "post",
        "/admin/tables/{table:path}/withdraw",
        withdraw,
        "Take a player out of the match",
        Done,
        body=Withdrawal,
        failures=(*_FAILURES, 400, 413),
    ),
)
"""Below /api/v1."""
