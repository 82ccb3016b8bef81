"""The API for live tables, and the WebSocket to watch one."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.websockets import WebSocket

from croupier.match.audience import Policy
from croupier.web.http.answers import failure, reply
from croupier.web.http.endpoints import AnyEndpoint, Endpoint, Parameter, SocketEndpoint
from croupier.web.http.origin import is_from_another_site
from croupier.web.http.parameters import PAGING, Paging
from croupier.web.live.schemas import TableDetail, TablePage
from croupier.web.site import site_of


async def tables(request: Request) -> Response:
    """List the live tables."""
    paging = Paging.of(request.query_params)
    found = list(site_of(request).feed.tables.values())
    items = [table.summary() for table in paging.cut(found)]
    return reply(TablePage(items, paging.page, paging.pages(len(found)), len(found)))


async def table(request: Request) -> Response:
    """Return the current state of a table."""
    found = site_of(request).feed.tables.get(request.path_params["table"])
    if found is None:
        raise HTTPException(404, "there is no such table")
    return reply(found.detail())


async def live(websocket: WebSocket) -> None:
    """Serve a spectator of a table.

    Where hole cards are shown, a page of another site must not read them through the browser of
    somebody who can reach this one.
    """
    site = site_of(websocket)
    if Policy.parse(site.settings.audience).open_cards and is_from_another_site(websocket):
        await websocket.send_denial_response(failure(403, "this is for pages of this site alone"))
        return
    await site.spectators.watch(websocket)


ENDPOINTS: tuple[AnyEndpoint, ...] = (
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
)
"""Below /api/v1, without a login."""
