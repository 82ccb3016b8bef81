"""Build JSON responses."""

import msgspec
from starlette.responses import Response

JSON = "application/json"


def reply(value: msgspec.Struct, status: int = 200) -> Response:
    """Return a response with a value of the API."""
    return Response(msgspec.json.encode(value), status, media_type=JSON)


def failure(status: int, text: str, headers: dict[str, str] | None = None) -> Response:
    """Return a response with an error message."""
    body = msgspec.json.encode({"error": text})
    return Response(body, status, headers=headers, media_type=JSON)
