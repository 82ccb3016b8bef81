"""Whether a visitor speaks HTTPS, and for which page, is believed of those who can know."""

import pytest
from starlette.requests import HTTPConnection

from croupier.web.http.origin import is_from_another_site, over_https, visitor_of


def connection(peer: str = "192.0.2.1", scheme: str = "http", **headers: str) -> HTTPConnection:
    raw = [(key.replace("_", "-").encode(), value.encode()) for key, value in headers.items()]
    return HTTPConnection(
        {
            "type": "http",
            "scheme": scheme,
            "path": "/",
            "headers": raw,
            "client": (peer, 1234),
            "server": ("x", 80),
        }
    )


@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "10.0.0.5"])
def test_a_trusted_proxy_says_that_a_visitor_speaks_https(peer: str) -> None:
    assert over_https(connection(peer, x_forwarded_proto="https"), ["10.0.0.5"])
    assert over_https(connection(peer, x_forwarded_proto="http, HTTPS"), ["10.0.0.5"])
    assert not over_https(connection(peer, x_forwarded_proto="https, http"), ["10.0.0.5"])
    assert not over_https(connection(peer), ["10.0.0.5"])


@pytest.mark.parametrize("peer", ["192.0.2.1", "10.0.0.6", "", "nonsense"])
def test_nobody_else_is_believed(peer: str) -> None:
    assert not over_https(connection(peer, x_forwarded_proto="https"), ["10.0.0.5"])


@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "10.0.0.5"])
def test_a_trusted_proxy_says_whom_it_speaks_for(peer: str) -> None:
    def visitor(said: str) -> str:
        return visitor_of(connection(peer, x_forwarded_for=said), ["10.0.0.5"])

    assert visitor("198.51.100.7") == "198.51.100.7"
    assert visitor("192.0.2.9, 198.51.100.7") == "198.51.100.7"
    assert visitor("nonsense") == peer
    assert visitor_of(connection(peer), ["10.0.0.5"]) == peer


def test_visitors_cannot_choose_their_address() -> None:
    forged = connection("192.0.2.1", x_forwarded_for="198.51.100.7")
    assert visitor_of(forged, ["10.0.0.5"]) == "192.0.2.1"


def test_https_without_a_proxy_is_seen() -> None:
    assert over_https(connection(scheme="https"), [])


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://site.example:81", "null", "", "http://[", "file://"]
)
def test_pages_of_other_sites_are_recognised(origin: str) -> None:
    assert is_from_another_site(connection(host="site.example", origin=origin))


def test_pages_of_this_site_and_programs_are_let_in() -> None:
    assert not is_from_another_site(connection(host="site.example"))
    assert not is_from_another_site(
        connection(host="Site.example:8080", origin="https://site.example:8080")
    )
