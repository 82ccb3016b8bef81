"""The endpoints of the API: each path with its handler, parameters and response type.

Routes and the OpenAPI description are both generated from these values.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

_CONVERTER = re.compile(r":\w+(?=\})")

Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Parameter:
    """A query parameter: its name, its meaning and its JSON schema."""

    name: str
    meaning: str
    schema: dict[str, Any]

    @classmethod
    def text(cls, name: str, meaning: str) -> "Parameter":
        """Return a parameter that accepts any text."""
        return cls(name, meaning, {"type": "string"})

    @classmethod
    def choice(cls, name: str, meaning: str, *words: str) -> "Parameter":
        """Return a parameter that is one of `words` or empty."""
        return cls(name, meaning, {"type": "string", "enum": [*words, ""]})


@dataclass(frozen=True)
class Endpoint:
    """One method at one path below /api/v1."""

    method: str
    path: str
    """In Starlette's notation, such as `/tables/{table:path}`."""
    handler: Handler
    summary: str
    answer: type[Struct] | str
    """The type of a JSON response, or the media type of another one."""
    query: tuple[Parameter, ...] = ()
    body: type[Struct] | None = None
    status: int = 200
    failures: tuple[int, ...] = ()

    @property
    def public_path(self) -> str:
        """The path in the OpenAPI description, such as `/tables/{table}`."""
        return _CONVERTER.sub("", self.path)

    def route(self) -> BaseRoute:
        """Return the Starlette route."""
        return Route(self.path, self.handler, methods=[self.method.upper()])


@dataclass(frozen=True)
class SocketEndpoint:
    """A WebSocket at one path below /api/v1."""

    path: str
    handler: Callable[[WebSocket], Awaitable[None]]
    summary: str
    messages: str
    """A description of the messages sent over it."""
    query: tuple[Parameter, ...] = ()

    @property
    def public_path(self) -> str:
        """The path in the OpenAPI description."""
        return _CONVERTER.sub("", self.path)

    def route(self) -> BaseRoute:
        """Return the Starlette route."""
        return WebSocketRoute(self.path, self.handler)


AnyEndpoint = Endpoint | SocketEndpoint
