"""Ask the site's application in this process, as a browser would over HTTP."""

from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import unquote

from starlette.types import ASGIApp, Message


class RefusedError(Exception):
    """The site answered with an error."""


async def ask(
    app: ASGIApp, address: str, write: Callable[[bytes], object], language: str = ""
) -> None:
    """Ask for an address, given with its special characters encoded, and write what is answered.

    Raise RefusedError before anything is written if the site refuses.
    """
    path, _, query = address.partition("?")
    status = 0

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        elif status == HTTPStatus.OK:
            write(message.get("body", b""))

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode("ascii"),
        "query_string": query.encode("ascii"),
        "root_path": "",
        "headers": [(b"accept-language", language.encode("ascii"))],
        "client": None,
        "server": None,
    }
    await app(scope, receive, send)
    if status != HTTPStatus.OK:
        raise RefusedError(f"{address}: status {status}")
