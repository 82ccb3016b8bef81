"""The referee as an organiser directs him: his control socket, and the tables that he knows."""

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
    """Return what the referee answers to a command."""
    if site.settings.control is None:
        raise HTTPException(409, "this site directs no tables: it runs without a referee")
    path = Path(site.settings.control)
    try:
        return await site.read(functools.partial(control.ask, path, command))
    except ControlError as error:
        raise HTTPException(503, str(error)) from None


async def tables_of(site: Site) -> list[TableRow] | None:
    """Return what goes on at the referee's tables; None if there is none, or he does not answer."""
    if site.settings.control is None:
        return None
    try:
        answer = await ask(site, Request("tables", actor=ACTOR))
        return msgspec.convert(answer.get("tables"), list[TableRow])
    except (HTTPException, msgspec.ValidationError):
        return None


def number_of(text: str, rows: Sequence[TableRow] | None) -> str:
    """Return the number of the table that an organiser means by its number or its name.

    Without a referee any text is returned as it is: the registry knows what a number is.
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
    there_are = ", ".join(f"{row.number} ({row.table})" for row in known)
    raise RegistryError(f"there is no table {wanted[:64]!r}; there are {there_are}")
