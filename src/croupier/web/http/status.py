"""The API for the start page: live tables, leading players, where to connect."""

from starlette.requests import Request
from starlette.responses import Response

from croupier import __version__
from croupier.web.archive.careers import careers, leaders
from croupier.web.archive.records import ENDED
from croupier.web.http.answers import reply
from croupier.web.http.endpoints import Endpoint
from croupier.web.http.parameters import Paging
from croupier.web.http.schemas import SiteStatus
from croupier.web.site import site_of

RECENT = Paging(1, 10)
MAX_TABLES = 200
"""The maximum number of tables in the status; the list of tables has all of them."""


async def status(request: Request) -> Response:
    """Return the site's status."""
    site = site_of(request)
    ids, _ = await site.in_thread(site.records.page, "", "", ENDED, "", RECENT)
    recent = await site.in_thread(site.records.summaries, ids)
    players = await site.in_thread(careers, site.engine)
    tables = [table.summary() for table in list(site.feed.tables.values())[:MAX_TABLES]]
    return reply(
        SiteStatus(
            version=__version__,
            listen=site.feed.listeners,
            tables=tables,
            elsewhere=await site.in_thread(site.records.elsewhere),
            recent=recent,
            leaders=leaders(players),
            audience=str(site.records.policy),
        )
    )


ENDPOINTS = (
    Endpoint("get", "/status", status, "What is on, who leads, where to connect", SiteStatus),
)
"""Below /api/v1, without a login."""
