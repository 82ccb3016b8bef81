"""The site as an ASGI application: its routes and error handlers."""

from http import HTTPStatus

import structlog
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.types import ASGIApp

from croupier.store.queries import RecordError, UnknownError
from croupier.web.admin import api as admin_api
from croupier.web.admin import players as admin_players
from croupier.web.archive import api as archive_api
from croupier.web.contest import api as contest_api
from croupier.web.http import pages, status, tools
from croupier.web.http.answers import failure
from croupier.web.http.headers import Headers
from croupier.web.http.openapi import with_description
from croupier.web.http.parameters import BadParameterError
from croupier.web.live import api as live_api
from croupier.web.seats import api as seats_api
from croupier.web.site import Site
from croupier.web.teams import api as teams_api

log = structlog.get_logger()

API = "/api/v1"

ENDPOINTS = with_description(
    (
        *status.ENDPOINTS,
        *seats_api.ENDPOINTS,
        *live_api.ENDPOINTS,
        *archive_api.ENDPOINTS,
        *contest_api.ENDPOINTS,
        *teams_api.ENDPOINTS,
        *tools.ENDPOINTS,
        *admin_api.ENDPOINTS,
        *admin_players.ENDPOINTS,
    )
)
"""All endpoints of the API."""


def application(site: Site) -> ASGIApp:
    """Return the ASGI application for a site."""
    app = Starlette(
        routes=[Mount(API, routes=[one.route() for one in ENDPOINTS]), *pages.routes()],
        exception_handlers={
            HTTPException: _refused,
            BadParameterError: _bad_parameter,
            UnknownError: _unknown,
            RecordError: _damaged,
            SQLAlchemyError: _no_store,
            Exception: _failed,
        },
    )
    app.router.redirect_slashes = False
    app.state.site = site
    return Headers(app)


async def _answer(request: Request, code: int, text: str, headers: dict[str, str]) -> Response:
    if request.url.path.startswith("/api/"):
        return failure(code, text, headers)
    page = await pages.error_page(request, code, text[:1].upper() + text[1:] + ".")
    page.headers.update(headers)
    return page


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    text = error.detail
    if text == HTTPStatus(error.status_code).phrase:
        text = {404: "there is nothing at this address", 405: "this cannot be done here"}.get(
            error.status_code, text
        )
    return await _answer(request, error.status_code, text, dict(error.headers or {}))


async def _bad_parameter(request: Request, error: Exception) -> Response:
    return await _answer(request, 400, str(error), {})


async def _unknown(request: Request, error: Exception) -> Response:
    return await _answer(request, 404, str(error), {})


async def _damaged(request: Request, error: Exception) -> Response:
    log.error("the record is damaged", path=request.url.path, reason=str(error))
    return await _answer(request, 500, f"the record is damaged: {error}", {})


async def _no_store(request: Request, error: Exception) -> Response:
    log.error("the store cannot be read", path=request.url.path, reason=str(error))
    return await _answer(request, 503, "the store cannot be read now", {"retry-after": "5"})


async def _failed(request: Request, error: Exception) -> Response:
    return await _answer(request, 500, "the site has made a mistake, which is in its log", {})
