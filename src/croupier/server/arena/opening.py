"""What can fail when a server starts, tried before anything is dealt, made or announced.

A match that begins on a server which then cannot run helps nobody. So every port is bound for a
moment and every folder written to, before the store is made; what fails all the same, because
another program was faster, fails before the first table opens, and with the same words.
"""

import errno
import os
import socket
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from croupier.server.arena.plan import ListenPlan

IN_THE_FILE = "`port` in the arena's file"
"""Where the port of an arena's listener is named."""


class OpeningError(Exception):
    """A server that cannot start; the text names what it cannot have, and what to do."""


@dataclass(frozen=True)
class Port:
    """A port to open."""

    bind: str
    number: int
    """0: any that is free."""
    what: str
    """What it is for, such as a dialect or metrics."""
    option: str
    """Where the user names another one."""

    @classmethod
    def of(cls, listener: ListenPlan, bind: str, option: str) -> "Port":
        """Return the port of a listener."""
        return cls(bind, listener.port, listener.dialect, option)


@dataclass(frozen=True)
class Folder:
    """A folder to write to."""

    path: Path
    what: str
    option: str


def check_opening(ports: Iterable[Port], folders: Iterable[Folder], control: Path | None) -> None:
    """See that everything can be had; all that cannot is named at once."""
    problems: list[str] = []
    taken: dict[int, Port] = {}
    for port in ports:
        first = taken.setdefault(port.number, port)
        if port.number and first is not port:
            problems.append(
                f"cannot listen on {_address(port)} for {port.what}: it is the port of"
                f" {first.what}; choose another port with {port.option}"
            )
            continue
        problems += filter(None, [_try_port(port)])
    if control is not None and not control.parent.is_dir():
        problems.append(_no_socket(control, os.strerror(errno.ENOENT)))
    elif control is not None and not os.access(control.parent, os.W_OK | os.X_OK):
        problems.append(_no_socket(control, os.strerror(errno.EACCES)))
    if not problems:  # else folders would be made for nothing
        for folder in folders:
            problems += filter(None, [_try_folder(folder)])
    if problems:
        raise OpeningError("\n".join(problems))


@contextmanager
def opening_port(port: Port) -> Iterator[None]:
    """Name the port that cannot be opened."""
    try:
        yield
    except OSError as error:
        raise OpeningError(_no_port(port, error)) from None


@contextmanager
def opening_socket(path: Path) -> Iterator[None]:
    """Name the control socket that cannot be opened."""
    try:
        yield
    except OSError as error:
        raise OpeningError(_no_socket(path, _reason(error))) from None


def _try_port(port: Port) -> str:
    """Bind a port for a moment, as the listeners do; return why that cannot be."""
    try:
        addresses = socket.getaddrinfo(
            port.bind or None, port.number, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except OSError as error:
        return _no_port(port, error)
    for family, kind, protocol, _, address in addresses:
        try:
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                probe.bind(address)
        except OSError as error:
            # Of a name with several addresses, those of a family that is switched off do not count.
            if error.errno not in _NO_SUCH_FAMILY or len(addresses) == 1:
                return _no_port(port, error)
    return ""


def _try_folder(folder: Folder) -> str:
    """Make a folder and write to it; return why that cannot be."""
    try:
        folder.path.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder.path, prefix=".croupier-"):
            return ""
    except OSError as error:
        return (
            f"cannot write to {folder.path}, the folder of {folder.what}: {_reason(error)};"
            f" name another one with {folder.option}"
        )


_NO_SUCH_FAMILY = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)


def _no_port(port: Port, error: OSError) -> str:
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        advice = "it has to be an address of this machine"
    elif error.errno == errno.EADDRINUSE:
        advice = f"choose another port with {port.option} or stop the program that uses it"
    else:
        advice = f"choose another port with {port.option}"
    return f"cannot listen on {_address(port)} for {port.what}: {_reason(error)}; {advice}"


def _no_socket(path: Path, reason: str) -> str:
    return f"cannot open the control socket {path}: {reason}; name another place with `control`"


def _address(port: Port) -> str:
    return f"[{port.bind}]:{port.number}" if ":" in port.bind else f"{port.bind}:{port.number}"


def _reason(error: OSError) -> str:
    """Return the system's own words; those of an event loop repeat the address."""
    if isinstance(error, socket.gaierror) or error.errno is None:
        return error.strerror or str(error)
    return os.strerror(error.errno)
