"""The WebSocket of a person at a table."""

from starlette.websockets import WebSocket

from croupier.web.http.answers import failure
from croupier.web.http.endpoints import AnyEndpoint, SocketEndpoint
from croupier.web.http.origin import is_from_another_site
from croupier.web.site import site_of


async def seat(websocket: WebSocket) -> None:
    """Serve a person at a table; a page of another site must not play in its name."""
    if is_from_another_site(websocket):
        await websocket.send_denial_response(failure(403, "this is for pages of this site alone"))
        return
    await site_of(websocket).seats.sit(websocket)


ENDPOINTS: tuple[AnyEndpoint, ...] = (
    SocketEndpoint(
        "/tables/{table:path}/seat",
        seat,
        "Play at a table",
        "A WebSocket for one person. The first message is {type: hello, table, name, token}; with"
        " the same token one gets the same place again. Answers are {type: refused, kind, reason}"
        " or {type: scene, seq, scene, lines, you}, as the player may see it; you.options are"
        " there when it is its turn. It decides with {type: act, hand, street, action, to} and"
        " leaves with {type: leave}. The page /docs/protocols/browser has the details.",
    ),
)
"""Below /api/v1, without a login."""
