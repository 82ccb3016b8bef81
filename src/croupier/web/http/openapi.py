"""Generate the OpenAPI description from the endpoints and their response types."""

from collections.abc import Sequence
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier import __version__
from croupier.web.http.answers import JSON
from croupier.web.http.endpoints import AnyEndpoint, Endpoint, Parameter, SocketEndpoint
from croupier.web.http.schemas import Problem

_GUARD = Parameter("X-Croupier", "guards against other sites", {"type": "string", "enum": ["1"]})


def with_description(endpoints: Sequence[AnyEndpoint]) -> tuple[AnyEndpoint, ...]:
    """Return the endpoints with one more, which serves the description of all of them."""

    async def description(request: Request) -> Response:
        return Response(text, media_type=JSON)

    own = Endpoint("get", "/openapi.json", description, "This description", JSON)
    every = (own, *endpoints)
    text = msgspec.json.encode(describe(every))
    return every


def describe(endpoints: Sequence[AnyEndpoint]) -> dict[str, Any]:
    """Return the OpenAPI description of endpoints."""
    types: list[Any] = [Problem]
    for one in endpoints:
        if isinstance(one, Endpoint):
            types += [part for part in (one.answer, one.body) if isinstance(part, type)]
    schemas, components = msgspec.json.schema_components(
        types, ref_template="#/components/schemas/{name}"
    )
    refs = dict(zip(types, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for one in endpoints:
        at = paths.setdefault(one.public_path, {})
        if isinstance(one, Endpoint):
            at[one.method] = _described(one, refs)
        else:
            at["get"] = _described_socket(one)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Croupier", "version": __version__},
        "servers": [{"url": "/api/v1"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "session": {"type": "apiKey", "in": "cookie", "name": "croupier_session"}
            },
        },
    }


def _described(endpoint: Endpoint, refs: dict[Any, Any]) -> dict[str, Any]:
    answer = endpoint.answer
    if isinstance(answer, type):
        content = {JSON: {"schema": refs[answer]}}
    else:
        content = {answer: {"schema": {"type": "object" if answer == JSON else "string"}}}
    parameters = _parameters(endpoint)
    responses: dict[str, Any] = {str(endpoint.status): {"description": "ok", "content": content}}
    for status in endpoint.failures:
        problem = {JSON: {"schema": refs[Problem]}}
        responses[str(status)] = {"description": "a sentence says why", "content": problem}
    described = {"summary": endpoint.summary, "parameters": parameters, "responses": responses}
    if endpoint.path.startswith("/admin/") and endpoint.method != "get":
        parameters.append(_parameter(_GUARD, "header") | {"required": True})
    if endpoint.path.startswith("/admin/") and 401 in endpoint.failures:
        described["security"] = [{"session": []}]
    if endpoint.body is not None:
        body = {JSON: {"schema": refs[endpoint.body]}}
        described["requestBody"] = {"required": True, "content": body}
    return described


def _described_socket(endpoint: SocketEndpoint) -> dict[str, Any]:
    return {
        "summary": endpoint.summary,
        "description": endpoint.messages,
        "parameters": _parameters(endpoint),
        "responses": {"101": {"description": "the WebSocket opens"}},
    }


def _parameters(endpoint: AnyEndpoint) -> list[dict[str, Any]]:
    names = [part[1:-1] for part in endpoint.public_path.split("/") if part.startswith("{")]
    in_path = [_parameter(Parameter.text(name, ""), "path") | {"required": True} for name in names]
    return in_path + [_parameter(one, "query") for one in endpoint.query]


def _parameter(parameter: Parameter, where: str) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "in": where,
        "description": parameter.meaning,
        "schema": parameter.schema,
    }
