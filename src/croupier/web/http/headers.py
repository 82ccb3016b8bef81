"""Add security and caching headers to every response."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'"
)
"""What a page can say itself where no server of ours sends it."""
POLICY = f"{PAGE_POLICY}; frame-ancestors 'none'"

HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)

_STARTS = ("http.response.start", "websocket.http.response.start", "websocket.accept")
_CACHEABLE = "/static/"


class Headers:
    """ASGI middleware around the whole site, error pages included."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request with the headers added to its response."""

        async def sending(message: Message) -> None:
            if message["type"] in _STARTS:
                message["headers"] = [*message.get("headers", ()), *self._headers(scope, message)]
            await send(message)

        await self._app(scope, receive, sending)

    def _headers(self, scope: Scope, message: Message) -> list[tuple[bytes, bytes]]:
        static = scope["path"].startswith(_CACHEABLE) and message.get("status") in (200, 304)
        caching = b"public, max-age=600" if static else b"no-store"
        return [*HEADERS, (b"cache-control", caching)]
