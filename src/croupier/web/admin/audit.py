"""What is written down of an organiser's acts at the site, and of those who are none."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import asdict

import structlog
from sqlalchemy import insert
from sqlalchemy.exc import SQLAlchemyError

from croupier.store.schema import AUDIT, writing
from croupier.store.writer import AuditRecord
from croupier.web.http.refusals import Row
from croupier.web.site import Site

log = structlog.get_logger()

ACTOR = "web"
"""Who an act of the site is by, in the audit log."""

LOGIN = "login"
MAX_DETAIL = 64


def write(site: Site, act: str, table: str, detail: str, outcome: str) -> None:
    """Write an act down. It blocks."""
    record = AuditRecord(time.time(), ACTOR, act, table[:MAX_DETAIL], detail[:MAX_DETAIL], outcome)
    with writing(site.engine) as connection:
        connection.execute(insert(AUDIT).values(asdict(record)))


async def login_refused(site: Site, address: str) -> None:
    """Note that somebody at an address could not log in."""
    refusals = site.refusals
    await _write_rows(site, refusals.note(address))
    if site.refusals_timer is None:
        site.refusals_timer = asyncio.create_task(_write_later(site))


async def refusals_left(site: Site) -> None:
    """Write down the failures that were counted so far."""
    await _write_rows(site, site.refusals.rest())


async def _write_later(site: Site) -> None:
    await asyncio.sleep(site.refusals.due_s)
    site.refusals_timer = None
    await refusals_left(site)


async def _write_rows(site: Site, rows: Sequence[Row]) -> None:
    try:
        for address, outcome in rows:
            await site.read(write, site, LOGIN, "", address, outcome)
    except SQLAlchemyError as error:
        # Who cannot log in is told so, also when nobody can write it down.
        log.error("failed logins cannot be written down", reason=str(error))
