"""What the API answers to: each address with its handler, its parameters and its answer.

Routes and the OpenAPI description are both made from these values.
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
    """A parameter of a query: its name, what it means, and its JSON schema."""

    name: str
    meaning: str
    schema: dict[str, Any]

    @classmethod
    def text(cls, name: str, meaning: str) -> "Parameter":
        """Return a parameter that is any text."""
        return cls(name, meaning, {"type": "string"})

    @classmethod
    def choice(cls, name: str, meaning: str, *words: str) -> "Parameter":
        """Return a parameter that is one of some words, or empty."""
        return cls(name, meaning, {"type": "string", "enum": [*words, ""]})


@dataclass(frozen=True)
class Endpoint:
    """One method at one address below /api/v1."""

    method: str
    path: str
    """As starlette writes it, such as `/tables/{table:path}`."""
    handler: Handler
    summary: str
    answer: type[Struct] | str
    """A type, or the media type of a text."""
    query: tuple[Parameter, ...] = ()
    body: type[Struct] | None = None
    status: int = 200
    failures: tuple[int, ...] = ()

    @property
    def public_path(self) -> str:
        """The address as it is described, such as `/tables/{table}`."""
        return _CONVERTER.sub("", self.path)

    def route(self) -> BaseRoute:
        """Return what starlette serves."""
        return Route(self.path, self.handler, methods=[self.method.upper()])


@dataclass(frozen=True)
class SocketEndpoint:
    """A WebSocket at one address below /api/v1."""

    path: str
    handler: Callable[[WebSocket], Awaitable[None]]
    summary: str
    messages: str
    """What is sent over it."""
    query: tuple[Parameter, ...] = ()

    @property
    def public_path(self) -> str:
        """The address as it is described."""
        return _CONVERTER.sub("", self.path)

    def route(self) -> BaseRoute:
        """Return what starlette serves."""
        return WebSocketRoute(self.path, self.handler)


AnyEndpoint = Endpoint | SocketEndpoint
