"""Send an organiser's commands to the referee's control socket, and resolve table names."""

import functools
from collections.abc import Sequence
from pathlib import Path

import msgspec
from starlette.exceptions import HTTPException

from croupier.server.arena import control
from croupier.server.arena.control import TABLE, ControlError, Request, TableRow
from croupier.store.registry import RegistryError
from croupier.web.admin.audit import ACTOR
from croupier.web.site import Site


async def ask(site: Site, command: Request) -> dict[str, object]:
    """Send a command to the referee and return its answer."""
    if site.settings.control is None:
        raise HTTPException(409, "this site directs no tables: it runs without a referee")
    path = Path(site.settings.control)
    try:
        return await site.in_thread(functools.partial(control.ask, path, command))
    except ControlError as error:
        raise HTTPException(503, str(error)) from None


async def tables_of(site: Site) -> list[TableRow] | None:
    """Return the state of the referee's tables, or None without a referee that answers."""
    if site.settings.control is None:
        return None
    try:
        answer = await ask(site, Request("tables", actor=ACTOR))
        return msgspec.convert(answer.get("tables"), list[TableRow])
    except (HTTPException, msgspec.ValidationError):
        return None


def number_of(text: str, rows: Sequence[TableRow] | None) -> str:
    """Resolve an organiser's table number or table name to a number.

    Without a referee, return any text unchanged: the registry validates numbers.
    """
    wanted = text.strip()
    known = [row for row in rows or () if row.kind == TABLE and row.number]  # rooms come and go
    if not known:
        return wanted
    for row in known:
        if wanted == row.number:
            return wanted
    for row in known:
        if wanted.casefold() == row.table.casefold():
            return row.number
    existing = ", ".join(f"{row.number} ({row.table})" for row in known)
    raise RegistryError(f"there is no table {wanted[:64]!r}; there are {existing}")
