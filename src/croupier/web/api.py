"""The API for what is on: status, tables, players."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.websockets import WebSocket

from croupier import __version__
from croupier.web.answers import reply
from croupier.web.endpoints import AnyEndpoint, Endpoint, Parameter, SocketEndpoint
from croupier.web.parameters import PAGING, Paging
from croupier.web.records import ENDED
from croupier.web.scene_shapes import TableDetail, TablePage
from croupier.web.shapes import CareerPage, SiteStatus
from croupier.web.site import site_of

RECENT = Paging(1, 10)
LEADERS = 10
MAX_TABLES = 200
"""That the status tells of; the list of tables has all."""


async def status(request: Request) -> Response:
    """Answer what is on."""
    site = site_of(request)
    ids, _ = await site.read(site.records.page, "", "", ENDED, RECENT)
    recent = await site.read(site.records.summaries, ids)
    careers = await site.read(site.careers.all)
    tables = [table.summary() for table in list(site.feed.tables.values())[:MAX_TABLES]]
    return reply(
        SiteStatus(
            version=__version__,
            listen=site.feed.listeners,
            tables=tables,
            recent=recent,
            leaders=careers[:LEADERS],
            audience=str(site.records.policy),
        )
    )


async def tables(request: Request) -> Response:
    """Answer which tables there are."""
    paging = Paging.of(request.query_params)
    found = list(site_of(request).feed.tables.values())
    items = [table.summary() for table in paging.cut(found)]
    return reply(TablePage(items, paging.page, paging.pages(len(found)), len(found)))


async def table(request: Request) -> Response:
    """Answer how a table looks now."""
    found = site_of(request).feed.tables.get(request.path_params["table"])
    if found is None:
        raise HTTPException(404, "there is no such table")
    return reply(found.detail())


async def live(websocket: WebSocket) -> None:
    """Let someone watch a table."""
    await site_of(websocket).spectators.watch(websocket)


async def players(request: Request) -> Response:
    """Answer who has played."""
    site = site_of(request)
    paging = Paging.of(request.query_params)
    found = await site.read(site.careers.all)
    return reply(CareerPage(paging.cut(found), paging.page, paging.pages(len(found)), len(found)))


ENDPOINTS: tuple[AnyEndpoint, ...] = (
    Endpoint("get", "/status", status, "What is on, who leads, where to connect", SiteStatus),
    Endpoint("get", "/tables", tables, "The live tables", TablePage, PAGING, failures=(400,)),
    Endpoint(
        "get",
        "/tables/{table:path}",
        table,
        "A table now, with its log",
        TableDetail,
        failures=(404,),
    ),
    SocketEndpoint(
        "/tables/{table:path}/live",
        live,
        "Watch a table",
        "A WebSocket. Messages are {type: scene, seq, scene, lines} with the lines since the last"
        " message, and {type: closed} when the table is gone. With after=SEQ the first message has"
        " all lines after that number, and gap: true if some of them are no longer known.",
        (Parameter("after", "the last number that is known", {"type": "integer"}),),
    ),
    Endpoint("get", "/players", players, "Who has played", CareerPage, PAGING, failures=(400,)),
)
"""Below /api/v1, without a login."""
