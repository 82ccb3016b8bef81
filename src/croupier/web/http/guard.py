"""Restrict endpoints to organisers, and read request bodies safely."""

from functools import wraps
from typing import TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from croupier.web.http.endpoints import Handler
from croupier.web.site import site_of

COOKIE = "croupier_session"
HEADER = "x-croupier"

MAX_BODY = 1 << 20
"""The maximum size of a request body in bytes: a list of players. A security limit."""

T = TypeVar("T")


def is_organiser(request: Request) -> bool:
    """Tell whether a request belongs to an organiser's session."""
    return site_of(request).sessions.knows(request.cookies.get(COOKIE, ""))


def csrf_protected(handler: Handler) -> Handler:
    """Reject requests that another site could have made a browser send."""

    @wraps(handler)
    async def checked(request: Request) -> Response:
        if request.headers.get(HEADER) != "1":
            raise HTTPException(403, "the header X-Croupier: 1 is missing")
        return await handler(request)

    return checked


def organisers_only(handler: Handler) -> Handler:
    """Reject requests without an organiser's session."""

    @wraps(handler)
    async def checked(request: Request) -> Response:
        if not is_organiser(request):
            raise HTTPException(401, "log in first")
        return await handler(request)

    return checked


def guarded(handler: Handler) -> Handler:
    """Protect a handler that changes something: organisers only, and safe from CSRF."""
    return csrf_protected(organisers_only(handler))


async def bytes_of(request: Request, most: int = MAX_BODY) -> bytes:
    """Read the body of a request; reject one that is too long."""
    data = bytearray()
    async for piece in request.stream():
        data += piece
        if len(data) > most:
            raise HTTPException(413, f"a request has at most {most} bytes")
    return bytes(data)


async def body_of(request: Request, kind: type[T]) -> T:
    """Decode the body of a request as JSON of a type; reject anything else."""
    data = await bytes_of(request)
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # Do not pass on the decoder's message: it may repeat a secret.
        fields = ", ".join(getattr(kind, "__struct_fields__", ()))
        raise HTTPException(400, f"the body has to be a JSON object with: {fields}") from None
