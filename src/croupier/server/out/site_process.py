"""The website as a child process, which starts and ends with the server."""

import secrets
import socket
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from croupier.match.audience import Policy

TOKEN_BYTES = 16

_COULD_NOT_START = 2
"""The exit code of a website that cannot listen or use its store."""


@dataclass(frozen=True)
class WebPlan:
    """The settings of the website."""

    port: int
    bind: str = "127.0.0.1"
    store: str | None = None
    control: Path | None = None
    """The control socket for an organiser's commands, if there is one."""
    policy: Policy = Policy()  # noqa: RUF009  (it is frozen)
    token: str = ""
    """The administrator's token."""
    proxies: tuple[str, ...] = ()
    """The addresses of proxies that are believed when they say that a visitor speaks HTTPS."""
    seats: Path | None = None
    """The socket through which people take their seats, if there are any for them."""
    announce: bool = True
    """Whether it prints its address."""
    arena: str = ""
    """The name of the arena whose site it is."""
    pages: str | None = None
    """The folder of the organiser's own pages, if there are any."""
    contest: Mapping[str, object] | None = None
    """Where the site finds the files of a contest's teams, by the names of its settings."""


def fresh_token() -> str:
    """Return a token that cannot be guessed."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class WebChild:
    """The website's process, and the socket of its feed."""

    def __init__(self, plan: WebPlan) -> None:
        self.feed, theirs = socket.socketpair()
        settings = {
            "bind": plan.bind,
            "port": plan.port,
            "store": plan.store,
            "control": None if plan.control is None else str(plan.control),
            "audience": str(plan.policy),
            "admin_token": plan.token or None,
            "proxies": plan.proxies,
            "announce": plan.announce,
            "arena": plan.arena,
            "pages": plan.pages,
            "contest": plan.contest,
            "seats": None if plan.seats is None else str(plan.seats),
            "feed": theirs.fileno(),
        }
        # The settings hold a secret, and everyone can list the arguments of a process.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "croupier.web"],
            stdin=subprocess.PIPE,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,  # Ctrl-C is for the server, which then ends the website
        )
        assert self._process.stdin is not None
        with self._process.stdin as pipe:
            pipe.write(msgspec.json.encode(settings) + b"\n")
        theirs.close()

    @property
    def crashed(self) -> bool:
        """Whether it was killed or failed while it ran; one that could not start has said why."""
        return self._process.wait() not in (0, _COULD_NOT_START)

    def end(self, seconds: float = 5.0) -> None:
        """End the website, which also exits by itself once its feed is closed."""
        self.feed.close()
        self._process.terminate()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
