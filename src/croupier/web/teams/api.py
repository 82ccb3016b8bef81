"""The API for a team with its key: login, own files, versions of its program, friendly matches."""

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from croupier.web.contest.answers import team_named
from croupier.web.http.answers import reply
from croupier.web.http.endpoints import Endpoint, Parameter
from croupier.web.http.guard import body_of, bytes_of, csrf_protected
from croupier.web.http.parameters import (
    PAGING,
    BadParameterError,
    Paging,
    choice,
    whole_number,
)
from croupier.web.site import site_of
from croupier.web.teams import entry, friendlies, uploads
from croupier.web.teams.entry import COOKIE, PATH, Entered, entered, teams_only
from croupier.web.teams.logs import KINDS, OwnFiles
from croupier.web.teams.schemas import (
    FriendlyAct,
    FriendlyMatches,
    FriendlyWish,
    KeyLogin,
    OwnMatches,
    OwnState,
    Uploads,
)
from croupier.web.teams.uploads import MAX_UPLOAD


@csrf_protected
async def log_in(request: Request) -> Response:
    """Start a team's session."""
    session = await entry.log_in(request)
    answer = reply(OwnState(True, True))
    entry.keep(request, answer, session)
    return answer


@csrf_protected
async def log_out(request: Request) -> Response:
    """End a team's session."""
    site_of(request).team_sessions.log_out(request.cookies.get(COOKIE, ""))
    answer = reply(OwnState(True, False))
    answer.delete_cookie(COOKIE, path=PATH, httponly=True, samesite="strict")
    return answer


async def state(request: Request) -> Response:
    """Return whether a team is logged in, or can be."""
    site = site_of(request)
    number = whole_number(request.query_params, "contest", None, high=10**9)
    if number is None:
        raise BadParameterError("contest is the number of a contest")
    contest = number

    def enabled() -> tuple[str, bool]:
        team = team_named(site.courses.of(contest), request.query_params.get("team", ""))
        return team.name, bool(entry.keys_of(site, contest, team.name))

    name, has_key = await site.in_thread(enabled)
    found = await entered(request)
    here = found is not None and (found.followed.row.id, found.team.name) == (contest, name)
    return reply(OwnState(has_key, here))


@teams_only
async def matches(request: Request, own: Entered) -> Response:
    """Return the team's matches that are over, with its own files."""
    site, paging = site_of(request), Paging.of(request.query_params)
    files = OwnFiles(site.engine, own.followed, site.settings.contest, own.team.name)
    return reply(await site.in_thread(files.page, paging))


@teams_only
async def file(request: Request, own: Entered) -> Response:
    """Return one of the team's own files."""
    site, query = site_of(request), request.query_params
    files = OwnFiles(site.engine, own.followed, site.settings.contest, own.team.name)
    kind = choice(query, "kind", KINDS, KINDS[0])
    path = await site.in_thread(files.path, kind, query.get("match", ""))
    how = "attachment" if query.get("download") else "inline"
    return FileResponse(
        path, media_type="text/plain", filename=path.name, content_disposition_type=how
    )


@teams_only
async def programs(request: Request, own: Entered) -> Response:
    """Return the team's latest uploads."""
    site = site_of(request)
    return reply(await site.in_thread(uploads.listed, site.engine, own))


@csrf_protected
@teams_only
async def upload(request: Request, own: Entered) -> Response:
    """Take a new version of the team's program."""
    site = site_of(request)
    data = await bytes_of(request, MAX_UPLOAD)
    return reply(await site.in_thread(uploads.put, site.engine, own, data))


@teams_only
async def friendly_matches(request: Request, own: Entered) -> Response:
    """Return the team's latest friendly matches."""
    site = site_of(request)
    return reply(await site.in_thread(friendlies.listed, site, own))


@csrf_protected
@teams_only
async def ask_for_friendly(request: Request, own: Entered) -> Response:
    """Ask for a friendly match."""
    site = site_of(request)
    wish = await body_of(request, FriendlyWish)
    return reply(await site.in_thread(friendlies.ask, site, own, wish))


@csrf_protected
@teams_only
async def answer_friendly(request: Request, own: Entered) -> Response:
    """Accept, decline or withdraw a friendly match."""
    site, number = site_of(request), request.path_params["friendly"]
    answer = await body_of(request, FriendlyAct)
    return reply(await site.in_thread(friendlies.answer, site, own, number, answer.act))


ENDPOINTS = (
    Endpoint(
        "post",
        "/team/login",
        log_in,
        "Begin a team's session with its key",
        OwnState,
        body=KeyLogin,
        failures=(400, 403, 404, 413, 429),
    ),
    Endpoint("post", "/team/logout", log_out, "End the session", OwnState, failures=(403,)),
    Endpoint(
        "get",
        "/team/state",
        state,
        "Whether a team is logged in, and whether it has a key",
        OwnState,
        (
            Parameter("contest", "the number of the contest", {"type": "integer", "minimum": 1}),
            Parameter.text("team", "the name of the team"),
        ),
        failures=(400, 404),
    ),
    Endpoint(
        "get",
        "/team/matches",
        matches,
        "The team's matches that are over, with its own files",
        OwnMatches,
        PAGING,
        failures=(400, 401),
    ),
    Endpoint(
        "get",
        "/team/file",
        file,
        "A file of the team: what its program printed, or what went over its connections",
        "text/plain",
        (
            Parameter.text("match", "the name of the match, such as league/r1.1/1.1"),
            Parameter.choice("kind", "output (unless given) or transcript", *KINDS),
            Parameter.text("download", "with any value: to be stored as a file"),
        ),
        failures=(400, 401, 404),
    ),
    Endpoint(
        "get",
        "/team/programs",
        programs,
        "The team's latest uploads, with what the check said",
        Uploads,
        failures=(401,),
    ),
    Endpoint(
        "post",
        "/team/programs",
        upload,
        "Upload a new version of the team's program: a zip archive with a file `run`, or that file",
        Uploads,
        failures=(400, 401, 403, 409, 413, 429),
    ),
    Endpoint(
        "get",
        "/team/friendlies",
        friendly_matches,
        "The team's latest friendly matches, and whom it may ask for one",
        FriendlyMatches,
        failures=(401,),
    ),
    Endpoint(
        "post",
        "/team/friendlies",
        ask_for_friendly,
        "Ask for a friendly match against a house bot, or a team, which has to accept it",
        FriendlyMatches,
        body=FriendlyWish,
        failures=(400, 401, 403, 404, 409, 413, 429),
    ),
    Endpoint(
        "post",
        "/team/friendlies/{friendly:int}",
        answer_friendly,
        "Accept or decline a friendly match that another team asks for, or withdraw an own one",
        FriendlyMatches,
        body=FriendlyAct,
        failures=(400, 401, 403, 404, 409, 413),
    ),
)
"""Below /api/v1."""
