"""Where a request comes from: over HTTPS, and from a page of this site or of another one."""

import ipaddress
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

FORWARDED = "x-forwarded-proto"


def over_https(connection: HTTPConnection, proxies: Sequence[str]) -> bool:
    """Tell whether the visitor speaks HTTPS; only a trusted proxy may say so for it.

    Proxies on this machine are trusted, and those with one of these addresses.
    """
    if connection.url.scheme in ("https", "wss"):
        return True
    peer = connection.client.host if connection.client else ""
    # The last word is that of the nearest proxy; others may be the visitor's own.
    said = ",".join(connection.headers.getlist(FORWARDED)).rpartition(",")[2].strip().lower()
    return said == "https" and _is_trusted(peer, proxies)


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
