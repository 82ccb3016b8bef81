"""Organisers' sessions and the rate limit for failed logins, in memory only."""

import hmac
import ipaddress
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable

LIFETIME_S = 12 * 3600.0
MAX_SESSIONS = 100
MAX_ADDRESSES = 10_000
"""The number of addresses whose failures are remembered. A security limit."""

LONGEST_WAIT_S = 60.0


class Sessions:
    """Sessions by random id, and failed logins by address."""

    def __init__(self, token: str | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._token = token
        self._clock = clock
        self._ends: OrderedDict[str, float] = OrderedDict()
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()
        """By address: the number of consecutive failures, and until when logins are rejected."""

    @property
    def enabled(self) -> bool:
        """Whether logging in is possible at all."""
        return bool(self._token)

    def wait_s(self, address: str) -> float:
        """Return how long logins from an address are still rejected."""
        _, until = self._failures.get(network_of(address), (0, 0.0))
        return max(0.0, until - self._clock())

    def log_in(self, token: str, address: str) -> str | None:
        """Return the id of a new session; on a wrong token, return None and start a wait."""
        network = network_of(address)
        expected = (self._token or "").encode()
        # Compare in constant time, and even if no token is configured.
        same = hmac.compare_digest(token.encode("utf-8", "replace"), expected)
        if not (same and self._token):
            count, _ = self._failures.pop(network, (0, 0.0))
            wait = min(2.0**count, LONGEST_WAIT_S)
            self._failures[network] = (min(count + 1, 10), self._clock() + wait)
            while len(self._failures) > MAX_ADDRESSES:
                self._failures.popitem(last=False)
            return None
        self._failures.pop(network, None)
        session = secrets.token_urlsafe(32)
        self._ends[session] = self._clock() + LIFETIME_S
        while len(self._ends) > MAX_SESSIONS:
            self._ends.popitem(last=False)
        return session

    def knows(self, session: str) -> bool:
        """Tell whether a session exists and has not expired."""
        return self._ends.get(session, 0.0) > self._clock()

    def log_out(self, session: str) -> None:
        """End a session."""
        self._ends.pop(session, None)


def network_of(address: str) -> str:
    """Return the part of an address that a client cannot easily vary: of IPv6 the /64 network."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    return str(ipaddress.ip_network((found, 64), strict=False))
