"""Where a request comes from: its address, over HTTPS or not, and from a page of which site."""

import ipaddress
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

FORWARDED = "x-forwarded-proto"
FORWARDED_FOR = "x-forwarded-for"


def over_https(connection: HTTPConnection, proxies: Sequence[str]) -> bool:
    """Tell whether the visitor speaks HTTPS; only a trusted proxy may say so for it.

    Proxies on this machine are trusted, and those with one of these addresses.
    """
    if connection.url.scheme in ("https", "wss"):
        return True
    said = _last_word(connection, FORWARDED).lower()
    return said == "https" and _is_trusted(_peer(connection), proxies)


def visitor_of(connection: HTTPConnection, proxies: Sequence[str]) -> str:
    """Return the address of the visitor, which a trusted proxy may say."""
    peer = _peer(connection)
    said = _last_word(connection, FORWARDED_FOR)
    if not said or not _is_trusted(peer, proxies):
        return peer
    try:
        return str(ipaddress.ip_address(said))
    except ValueError:
        return peer


def _peer(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


def _last_word(connection: HTTPConnection, header: str) -> str:
    """Return what the nearest proxy says; the words before it may be the visitor's own."""
    return ",".join(connection.headers.getlist(header)).rpartition(",")[2].strip()


def _is_trusted(peer: str, proxies: Sequence[str]) -> bool:
    try:
        address = ipaddress.ip_address(peer)
    except ValueError:
        return False
    return address.is_loopback or any(address == ipaddress.ip_address(one) for one in proxies)


def is_from_another_site(connection: HTTPConnection) -> bool:
    """Tell whether a browser sends this for a page of another site; programs do not say."""
    origin = connection.headers.get("origin")
    if origin is None:
        return False
    try:
        page = urlsplit(origin).netloc.lower()
    except ValueError:
        return True
    return page != connection.headers.get("host", "").lower()
