"""Checks of ports, folders and sockets before a server starts.

No match may begin on a server that then cannot run. So every port is bound for a moment and every
folder is written to, before the store is created. What fails later all the same, because another
program was faster, fails before the first table opens, with the same message.
"""

import errno
import os
import socket
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from croupier.private_files import make_folder
from croupier.server.arena.plan import ListenPlan

IN_THE_FILE = "`port` in the arena's file"
"""Where a user sets the port of an arena's listener."""


class StartupError(Exception):
    """The server cannot start; the text says why, and what to do about it."""


@dataclass(frozen=True)
class Port:
    """A port to open."""

    bind: str
    number: int
    """0 picks a free one."""
    what: str
    """What it is for, such as a dialect or metrics."""
    option: str
    """Where the user sets another one."""

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


def check_startup(ports: Iterable[Port], folders: Iterable[Folder], control: Path | None) -> None:
    """Check that everything can be opened, and report all problems at once."""
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
    if not problems:  # otherwise folders would be created for nothing
        for folder in folders:
            problems += filter(None, [_try_folder(folder)])
    if problems:
        raise StartupError("\n".join(problems))


@contextmanager
def explain_port_error(port: Port) -> Iterator[None]:
    """Turn a failure to open a port into a StartupError."""
    try:
        yield
    except OSError as error:
        raise StartupError(_no_port(port, error)) from None


@contextmanager
def explain_socket_error(path: Path) -> Iterator[None]:
    """Turn a failure to open the control socket into a StartupError."""
    try:
        yield
    except OSError as error:
        raise StartupError(_no_socket(path, _reason(error))) from None


def _try_port(port: Port) -> str:
    """Bind a port for a moment, as listeners do; return the problem, if any."""
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
            # Of several addresses, those of a disabled family do not count.
            if error.errno not in _NO_SUCH_FAMILY or len(addresses) == 1:
                return _no_port(port, error)
    return ""


def _try_folder(folder: Folder) -> str:
    """Create a folder and write to it; return the problem, if any."""
    try:
        make_folder(folder.path)
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
    """Return the system's message; that of an event loop repeats the address."""
    if isinstance(error, socket.gaierror) or error.errno is None:
        return error.strerror or str(error)
    return os.strerror(error.errno)
