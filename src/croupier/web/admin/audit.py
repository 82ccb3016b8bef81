"""Write the organiser's actions on the site, and failed logins, to the audit log."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import asdict

import structlog
from sqlalchemy import insert
from sqlalchemy.exc import SQLAlchemyError

from croupier.store.records import AuditRecord
from croupier.store.schema import AUDIT, writing
from croupier.web.http.failed_logins import Row
from croupier.web.site import Site

log = structlog.get_logger()

ACTOR = "web"
"""The actor of the site's actions in the audit log."""

LOGIN = "login"
MAX_DETAIL = 64


def write(site: Site, act: str, table: str, detail: str, outcome: str) -> None:
    """Write an action to the audit log; this blocks."""
    _write(
        site,
        AuditRecord(time.time(), ACTOR, act, table[:MAX_DETAIL], detail[:MAX_DETAIL], outcome),
    )


def _write(site: Site, record: AuditRecord) -> None:
    with writing(site.engine) as connection:
        row = asdict(record) | {"arena": site.settings.arena or ""}
        connection.execute(insert(AUDIT).values(row))


async def record_alarm(site: Site, record: AuditRecord) -> None:
    """Write an alarm; whoever caused it is answered even if that is not possible."""
    try:
        await site.in_thread(_write, site, record)
    except SQLAlchemyError as error:
        log.error("an alarm cannot be written down", reason=str(error))


async def record_failed_login(site: Site, address: str) -> None:
    """Record a failed login from an address."""
    failed_logins = site.failed_logins
    await _write_rows(site, failed_logins.record(address))
    if site.failed_logins_timer is None:
        site.failed_logins_timer = asyncio.create_task(_write_later(site))


async def flush_failed_logins(site: Site) -> None:
    """Write the failed logins that were only counted so far."""
    await _write_rows(site, site.failed_logins.flush())


async def _write_later(site: Site) -> None:
    await asyncio.sleep(site.failed_logins.remaining_s)
    site.failed_logins_timer = None
    await flush_failed_logins(site)


async def _write_rows(site: Site, rows: Sequence[Row]) -> None:
    try:
        for address, outcome in rows:
            await site.in_thread(write, site, LOGIN, "", address, outcome)
    except SQLAlchemyError as error:
        # The login must still be answered when the audit log cannot be written.
        log.error("failed logins cannot be written down", reason=str(error))
