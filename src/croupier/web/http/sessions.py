"""Sessions of those who have logged in, and the rate limit for failed logins, in memory only."""

import hmac
import ipaddress
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

LIFETIME_S = 12 * 3600.0
MAX_SESSIONS = 2000
MAX_OF_ONE = 100
"""The number of sessions of one owner: more of them end its own, and nobody else's."""
MAX_ADDRESSES = 10_000
"""The number of addresses whose failures are remembered. A security limit."""

LONGEST_WAIT_S = 60.0

Owner = TypeVar("Owner")


class Sessions(Generic[Owner]):
    """Sessions by random id, each with its owner, and failed logins by address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: OrderedDict[str, tuple[Owner, float]] = OrderedDict()
        """By session: whose it is, and when it ends."""
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()
        """By address: the number of consecutive failures, and until when logins are rejected."""

    def wait_s(self, address: str) -> float:
        """Return how long logins from an address are still rejected."""
        _, until = self._failures.get(network_of(address), (0, 0.0))
        return max(0.0, until - self._clock())

    def refuse(self, address: str) -> None:
        """Let an address wait after a failed login, longer each time."""
        network = network_of(address)
        count, _ = self._failures.pop(network, (0, 0.0))
        wait = min(2.0**count, LONGEST_WAIT_S)
        self._failures[network] = (min(count + 1, 10), self._clock() + wait)
        while len(self._failures) > MAX_ADDRESSES:
            self._failures.popitem(last=False)

    def begin(self, owner: Owner, address: str) -> str:
        """Return the id of a new session."""
        self._failures.pop(network_of(address), None)
        own = [session for session, (other, _) in self._kept.items() if other == owner]
        if len(own) >= MAX_OF_ONE:
            del self._kept[own[0]]
        session = secrets.token_urlsafe(32)
        self._kept[session] = (owner, self._clock() + LIFETIME_S)
        while len(self._kept) > MAX_SESSIONS:
            self._kept.popitem(last=False)
        return session

    def owner_of(self, session: str) -> Owner | None:
        """Return whose session this is, or None if there is none or it has expired."""
        kept = self._kept.get(session)
        return kept[0] if kept is not None and kept[1] > self._clock() else None

    def log_out(self, session: str) -> None:
        """End a session."""
        self._kept.pop(session, None)


class OrganiserSessions(Sessions[str]):
    """The sessions of whoever knows the administrator's token."""

    def __init__(self, token: str | None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self._token = token

    @property
    def enabled(self) -> bool:
        """Whether logging in is possible at all."""
        return bool(self._token)

    def log_in(self, token: str, address: str) -> str | None:
        """Return the id of a new session; on a wrong token, return None and start a wait."""
        expected = (self._token or "").encode()
        # Compare in constant time, and even if no token is configured.
        same = hmac.compare_digest(token.encode("utf-8", "replace"), expected)
        if not (same and self._token):
            self.refuse(address)
            return None
        return self.begin("organiser", address)

    def knows(self, session: str) -> bool:
        """Tell whether a session exists and has not expired."""
        return self.owner_of(session) is not None


def network_of(address: str) -> str:
    """Return the part of an address that a client cannot easily vary: of IPv6 the /64 network."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    return str(ipaddress.ip_network((found, 64), strict=False))
