"""The API for contests: what is on, standings, crosstables, brackets, fixtures and teams."""

from starlette.requests import Request
from starlette.responses import Response

from croupier.web.contest.answers import detail, stage_detail, summary, team_detail, team_named
from croupier.web.contest.courses import Followed
from croupier.web.contest.schemas import (
    ContestDetail,
    ContestPage,
    StageDetail,
    TeamDetail,
    TeamPlay,
)
from croupier.web.http.answers import reply
from croupier.web.http.endpoints import Endpoint
from croupier.web.http.parameters import PAGING, Paging
from croupier.web.site import Site, site_of


async def contests(request: Request) -> Response:
    """List the contests, the newest first."""
    site = site_of(request)
    paging = Paging.of(request.query_params)

    def page() -> ContestPage:
        rows = site.courses.all()
        items = [summary(site.courses.of(row.id)) for row in paging.cut(rows)]
        return ContestPage(items, paging.page, paging.pages(len(rows)), len(rows))

    return reply(await site.in_thread(page))


async def contest(request: Request) -> Response:
    """Return a contest."""
    site = site_of(request)

    def found() -> ContestDetail:
        followed = _followed(site, request)
        return detail(followed, site.courses.running(followed.row), site.is_live)

    return reply(await site.in_thread(found))


async def stage(request: Request) -> Response:
    """Return a stage."""
    site = site_of(request)

    def found() -> StageDetail:
        followed = _followed(site, request)
        one = followed.stage(request.path_params["stage"])
        return stage_detail(followed, one, site.courses.running(followed.row), site.is_live)

    return reply(await site.in_thread(found))


async def team(request: Request) -> Response:
    """Return a team."""
    site = site_of(request)

    def found() -> TeamDetail:
        followed = _followed(site, request)
        running = site.courses.running(followed.row)
        return team_detail(followed, request.path_params["team"], running, site.is_live)

    return reply(await site.in_thread(found))


async def play(request: Request) -> Response:
    """Return how a team played."""
    site = site_of(request)

    def found() -> TeamPlay:
        followed = _followed(site, request)
        return site.plays.of(followed, team_named(followed, request.path_params["team"]).name)

    return reply(await site.in_thread(found))


def _followed(site: Site, request: Request) -> Followed:
    return site.courses.of(request.path_params["contest"])


_CONTEST = "/contests/{contest:int}"

ENDPOINTS = (
    Endpoint(
        "get",
        "/contests",
        contests,
        "Contests, the newest first",
        ContestPage,
        PAGING,
        failures=(400,),
    ),
    Endpoint(
        "get",
        _CONTEST,
        contest,
        "A contest: what is on, what is next, who leads",
        ContestDetail,
        failures=(404,),
    ),
    Endpoint(
        "get",
        f"{_CONTEST}/stages/{{stage}}",
        stage,
        "A stage with its standing, crosstable, bracket and fixtures",
        StageDetail,
        failures=(404,),
    ),
    Endpoint(
        "get",
        f"{_CONTEST}/teams/{{team:path}}",
        team,
        "A team with its results by stage, round and opponent",
        TeamDetail,
        failures=(404,),
    ),
    Endpoint(
        "get",
        f"{_CONTEST}/play/{{team:path}}",
        play,
        "How a team played: style, faults, decision times, big pots",
        TeamPlay,
        failures=(404,),
    ),
)
"""Below /api/v1, without a login."""
