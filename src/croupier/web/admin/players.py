"""The organiser's API for the registry of players.

A private name is returned once, when it is generated; no log, error or later response contains it.
Every change is written to the audit log.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from croupier.server.arena.control import TableRow
from croupier.store import registry
from croupier.store.player_list import read_players
from croupier.store.registry import RegistryError
from croupier.web.admin import audit
from croupier.web.admin.referee import number_of, tables_of
from croupier.web.admin.schemas import (
    Added,
    AddedList,
    Assignment,
    NewPlayer,
    PlayerList,
    Registered,
    RegistryPage,
)
from croupier.web.http.answers import reply
from croupier.web.http.endpoints import Endpoint
from croupier.web.http.guard import body_of, bytes_of, guarded, organisers_only
from croupier.web.http.parameters import PAGING, Paging
from croupier.web.http.schemas import Done
from croupier.web.site import Site, site_of

MAX_PLAYERS = 2000
"""The maximum number of players in one list. A security limit."""

T = TypeVar("T")


@organisers_only
async def players(request: Request) -> Response:
    """List the registered players."""
    site = site_of(request)
    paging = Paging.of(request.query_params)
    found = await site.in_thread(registry.all_players, site.engine)
    items = [Registered(one.display, one.token, one.table, one.added) for one in paging.cut(found)]
    return reply(RegistryPage(items, paging.page, paging.pages(len(found)), len(found)))


@guarded
async def add(request: Request) -> Response:
    """Register a player."""
    site = _with_store(request)
    new = await body_of(request, NewPlayer)
    tables = await tables_of(site)

    def register() -> tuple[str, str]:
        number = number_of(str(new.table), tables)
        return number, registry.add(site.engine, new.display, number, new.private_name)

    what = ("player add", str(new.table), new.display)
    table, name = await site.in_thread(_audited, site, what, register)
    drawn = name if new.private_name is None else None
    return reply(Added(new.display.strip(), table, drawn), 201)


@guarded
async def import_list(request: Request) -> Response:
    """Register all players of a list or none."""
    site = _with_store(request)
    if request.headers.get("content-type", "").startswith("text/csv"):
        data = await bytes_of(request)
    else:
        data = (await body_of(request, PlayerList)).csv.encode()
    try:
        rows = read_players(data, MAX_PLAYERS)
    except RegistryError as error:
        raise HTTPException(400, str(error)) from None
    tables = await tables_of(site)

    def register() -> list[Added]:
        numbered = [_numbered(row, tables) for row in rows]
        names = registry.import_rows(site.engine, numbered)
        return [
            Added(row.display, row.table, name if row.private_name is None else None)
            for row, name in zip(numbered, names, strict=True)
        ]

    what = ("player import", "", f"{len(rows)} players")
    return reply(AddedList(await site.in_thread(_audited, site, what, register)), 201)


@guarded
async def reset(request: Request) -> Response:
    """Generate a new private name for a player."""
    site = _with_store(request)
    player = await _player_of(site, request)
    # Identify the player by display name: a token could equal another player's display name.
    name = await site.in_thread(
        _audited,
        site,
        ("player reset", player.table, player.display),
        lambda: registry.reset_private_name(site.engine, player.display),
    )
    return reply(Added(player.display, player.table, name))


@guarded
async def assign(request: Request) -> Response:
    """Move a player to another table."""
    site = _with_store(request)
    player = await _player_of(site, request)
    table = str((await body_of(request, Assignment)).table)
    tables = await tables_of(site)

    def move() -> str:
        number = registry.table_of(number_of(table, tables))
        registry.put(site.engine, player.token, player.display, number)
        return number

    number = await site.in_thread(_audited, site, ("player assign", table, player.display), move)
    return reply(Done(f"{player.display} plays at table {number}"))


@guarded
async def remove(request: Request) -> Response:
    """Remove a player."""
    site = _with_store(request)
    player = await _player_of(site, request)
    await site.in_thread(
        _audited,
        site,
        ("player remove", player.table, player.display),
        lambda: registry.remove(site.engine, player.display),
    )
    return reply(Done(f"{player.display} is removed"))


def _with_store(request: Request) -> Site:
    site = site_of(request)
    if site.settings.store is None:
        raise HTTPException(409, "there is no store to keep players in")
    return site


async def _player_of(site: Site, request: Request) -> registry.Registered:
    player = await site.in_thread(registry.find, site.engine, request.path_params["token"])
    if player is None:
        raise HTTPException(404, "there is no player with this token")
    return player


def _numbered(row: registry.NewPlayer, tables: Sequence[TableRow] | None) -> registry.NewPlayer:
    try:
        return replace(row, table=number_of(row.table, tables))
    except RegistryError as error:
        raise RegistryError(f"line {row.line}: {error}") from None


def _audited(site: Site, what: tuple[str, str, str], act: Callable[[], T]) -> T:
    """Change the registry and write the outcome to the audit log."""
    try:
        value = act()
    except RegistryError as error:
        audit.write(site, *what, str(error))
        raise HTTPException(409, str(error)) from None
    audit.write(site, *what, "done")
    return value


_FAILURES = (400, 401, 403, 409)
_PLAYER = "/admin/players/{token}"

ENDPOINTS = (
    Endpoint(
        "get", "/admin/players", players, "The registry", RegistryPage, PAGING, failures=(400, 401)
    ),
    Endpoint(
        "post",
        "/admin/players",
        add,
        "Add a player",
        Added,
        body=NewPlayer,
        status=201,
        failures=(*_FAILURES, 413),
    ),
    Endpoint(
        "post",
        "/admin/players/import",
        import_list,
        "Add a list of players, as JSON or text/csv",
        AddedList,
        body=PlayerList,
        status=201,
        failures=(*_FAILURES, 413),
    ),
    Endpoint(
        "post",
        f"{_PLAYER}/reset",
        reset,
        "Generate a new private name",
        Added,
        failures=(*_FAILURES, 404),
    ),
    Endpoint(
        "post",
        f"{_PLAYER}/assign",
        assign,
        "Move a player to a table",
        Done,
        body=Assignment,
        failures=(*_FAILURES, 404, 413),
    ),
    Endpoint("delete", _PLAYER, remove, "Remove a player", Done, failures=(*_FAILURES, 404)),
)
"""Below /api/v1."""
