"""The box in which a program runs: what of the machine it sees, as a command line of bubblewrap.

It has namespaces of its own for processes, users, IPC and network, the system and its own files
read-only, and a little memory to write files to. The only way out is one listener, which `keeper`
opens in there and hands to the server.
"""

import functools
import itertools
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import croupier
from croupier.server.arena import cgroups, keeper
from croupier.server.arena.plan import Program

AUTO, REQUIRED, OFF = MODES = ("auto", "required", "off")

HOST = "127.0.0.1"
HOME = "/tmp/home"
KEEPER = "/run/croupier/keeper.py"

LOG_BYTES = 8 << 20
"""The size at which the output of a program is cut."""

SCRATCH_BYTES = 64 << 20
"""The size of each of the folders in which a program may write files, which are in memory."""

PROBE_S = 10.0

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
_SYSTEM = tuple(f"{path}/" for path in SYSTEM)
CONFIGURATION = (
    "alternatives", "ca-certificates", "fonts", "group", "host.conf", "hosts", "java*",
    "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "locale.alias", "mime.types",
    "nsswitch.conf", "os-release", "passwd", "pki/tls/certs", "pki/ca-trust", "protocols",
    "resolv.conf", "services", "ssl/certs", "ssl/openssl.cnf", "timezone",
)  # fmt: skip
"""What of /etc is there."""

VARIABLES = (
    "PATH", "LANG", "LANGUAGE", "TZ", "TERM", "JAVA_HOME", "PYTHONUNBUFFERED", "PYTHONHASHSEED",
    "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONDONTWRITEBYTECODE",
)  # fmt: skip
"""What of the environment is there, beside LC_*."""

_counter = itertools.count()


class SandboxError(Exception):
    """The sandbox is required and does not work; the text says why."""


@dataclass(frozen=True)
class Protection:
    """Whether programs run in boxes, and what that means."""

    boxed: bool
    text: str
    """One line for the organiser."""


def protection(mode: str) -> Protection:
    """Return how programs run; raise SandboxError if they must run in boxes and cannot."""
    if mode == OFF:
        return Protection(False, f"sandbox: off, so {_UNPROTECTED}")
    problem = find_problem()
    if not problem:
        by = "" if cgroups.delegated() is None else ", by control groups"
        return Protection(
            True,
            "sandbox: programs run in boxes (bubblewrap): they see their own files alone, reach"
            f" their table alone, and have limits on memory, CPU time, processes and output{by}",
        )
    if mode == REQUIRED:
        raise SandboxError(f"the sandbox is required, and there is none: {problem}")
    return Protection(False, f"sandbox: none ({problem}), so {_UNPROTECTED}")


_UNPROTECTED = (
    "programs run as you, with your files and your network; only their memory and open files have"
    " limits. Start none that you do not trust"
)


@functools.cache
def find_problem() -> str:
    """Return why there can be no box; empty: there can. A trivial command is run in one."""
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed: `apt install bubblewrap`"
    with tempfile.TemporaryFile() as output:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            words = box_command(["true"], Program("true", ""), theirs.fileno(), 6000)
            try:
                status = subprocess.run(
                    words,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    pass_fds=[theirs.fileno()],
                    timeout=PROBE_S,
                    check=False,
                ).returncode
            except (OSError, subprocess.TimeoutExpired) as error:
                return f"bubblewrap cannot be used: {error}"
        output.seek(0)
        said = output.read().decode("utf-8", "replace").strip().splitlines()
    if not status:
        return ""
    return _explain(said[-1] if said else f"status {status}")


def _explain(said: str) -> str:
    forbidden = ("No permissions to create", "Operation not permitted", "Permission denied")
    if not any(text in said for text in forbidden):
        return f"bubblewrap does not work: {said}"
    if Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").exists():
        remedy = "`sysctl kernel.apparmor_restrict_unprivileged_userns=0`, or a profile for bwrap"
    elif Path("/proc/sys/kernel/unprivileged_userns_clone").exists():
        remedy = "`sysctl kernel.unprivileged_userns_clone=1`"
    else:
        remedy = "`sysctl user.max_user_namespaces=10000`; in a container, let it make namespaces"
    return f"user namespaces are forbidden here ({said}): {remedy}"


def listener_port(port: int) -> int:
    """Return the port in a box for a listener of the server: the same one, if anybody may."""
    return port if port >= 1024 else 6000


def box_command(
    words: Sequence[str],
    program: Program,
    control: int,
    port: int,
    readable: Sequence[Path] = (),
    folder: Path | None = None,
) -> list[str]:
    """Return the command that runs a command in a box.

    `control` is the descriptor of a socket to the server, `port` where the listener is opened.
    `readable` are the program's own files; it starts in `folder`, of which it sees nothing else, or
    in an empty one.
    """
    as_root = os.geteuid() == 0
    python = Path(os.path.realpath(sys.executable))
    tools = (path for word in words for path in _installation(word))
    binds = {*readable, *tools, *_python_environment()}
    options = ["bwrap", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net"]
    options += ["--unshare-cgroup-try", "--hostname", "box", "--die-with-parent", "--as-pid-1"]
    if as_root:
        # Root needs no user namespace to make the others, and one would leave the program root's
        # rights over files: it gets a user of its own instead.
        needed = ("CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_SYS_PTRACE")
        options += ["--cap-drop", "ALL", *(w for cap in needed for w in ("--cap-add", cap))]
    else:
        options += ["--unshare-user", "--disable-userns"]
    options += ["--clearenv", *_environment(), *_system()]
    options += ["--proc", "/proc", "--dev", "/dev"]
    for scratch in ("/dev/shm", "/tmp"):
        options += ["--perms", "1777", "--size", str(SCRATCH_BYTES), "--tmpfs", scratch]
    options += ["--perms", "1777", "--dir", HOME]
    own = _outermost(path for path in (*binds, *_configuration()) if not _is_system(path))
    ways = {above for path in own for above in path.parents} | {Path(KEEPER).parent}
    ways |= set() if folder is None else {folder, *folder.parents}
    # Made one by one, so that everyone may pass: those that bubblewrap makes on the way to a file
    # are open to their owner alone.
    for way in sorted(ways):
        if str(way) not in ("/", "/tmp") and not _is_system(way):
            options += ["--dir", str(way)]
    for path in own:
        options += ["--ro-bind", str(path), str(path)]
    options += ["--ro-bind", keeper.__file__, KEEPER]
    options += ["--remount-ro", "/dev", "--remount-ro", "/"]
    options += ["--chdir", HOME if folder is None else str(folder), "--"]
    limits = (
        control, port, _own_user() if as_root else 0, program.memory_mb, program.open_files,
        program.processes if as_root or _counts_by_namespace() else 0, program.cpu_s, LOG_BYTES,
    )  # fmt: skip
    return [*options, str(python), "-I", "-S", KEEPER, *map(str, limits), *words]


@dataclass(frozen=True)
class Surroundings:
    """What the programs of a server find around them."""

    boxed: bool = False
    """Whether each runs in a box."""
    folder: Path = Path()
    """The folder that files in commands are relative to."""
    hidden: Sequence[Path] = ()
    """What no program sees in its box: the store, the server's files."""
    owned: Sequence[Path] = ()
    """Files of programs, each of which is seen only by those whose command names it."""
    shown: Sequence[Path] = ()
    """What all programs see."""


def own_files(words: Sequence[str], around: Surroundings) -> list[Path]:
    """Return what a program sees of the machine's files: what its command names.

    A file in a folder below the server's own comes with that folder, unless something that is not
    for this program is in there; any other file comes alone.
    """
    base = around.folder.absolute()
    hidden = {Path(os.path.abspath(path)) for path in around.hidden}
    named = {path for word in words for path in named_by(word, base)} - hidden
    foreign = hidden | {Path(os.path.abspath(path)) for path in around.owned} - named
    seen = {_with_folder(path, base, foreign) for path in named}
    return sorted({*around.shown, *(path for path in seen if not _holds(path, hidden))})


def named_by(word: str, folder: Path) -> Iterator[Path]:
    """Return the file that a word of a command names: as it is, as FILE:CLASS, or as -x=FILE."""
    base = folder.absolute()
    for text in dict.fromkeys((word, word.rpartition(":")[0], word.rpartition("=")[2])):
        path = Path(os.path.normpath(base / text))
        if not text or path in _WHOLE or _is_system(path):
            continue
        if path.is_file() or (path.is_dir() and not base.is_relative_to(path)):
            yield path


_WHOLE = {Path("/"), Path("/home"), Path("/root"), Path("/etc"), Path("/var"), Path.home()}
"""What no program sees as a whole."""


def is_too_much(folder: Path) -> bool:
    """Tell whether a folder has so much in it that no program should see it as a whole."""
    return folder in _WHOLE


def _with_folder(path: Path, base: Path, foreign: Iterable[Path]) -> Path:
    whole = path if path.is_dir() else path.parent
    below = whole != base and whole.is_relative_to(base)
    return whole if below and not _holds(whole, foreign) else path


def _holds(folder: Path, paths: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for path in paths)


def _installation(word: str) -> Iterator[Path]:
    """Return what belongs to the executable that a word names, outside the system's folders."""
    found = shutil.which(word) if word else None
    path = Path(os.path.abspath(found)) if found else None
    if path is None or _is_system(path):
        return
    yield path
    prefix, name = path.parent.parent, path.parent.name
    if (prefix / "pyvenv.cfg").is_file():
        yield prefix
        yield Path(os.path.realpath(path)).parent.parent
        return
    has_parts = name == "shims" or (name == "bin" and (prefix / "lib").is_dir())
    if has_parts and prefix not in _WHOLE and prefix.name != ".local":
        yield prefix


@functools.cache
def _python_environment() -> frozenset[Path]:
    """Return where the Python of this process and its packages are: keepers need it anyway."""
    package = Path(croupier.__file__).parent
    paths = {Path(sys.prefix), Path(sys.base_prefix), package}
    paths.add(Path(os.path.realpath(sys.executable)).parent.parent)
    if package.parent.name in ("site-packages", "dist-packages"):
        paths.add(package.parent)
    return frozenset(paths - _WHOLE)


def _is_system(path: Path) -> bool:
    return f"{path}/".startswith(_SYSTEM)


@functools.cache
def _system() -> tuple[str, ...]:
    options: list[str] = []
    for name in SYSTEM:
        path = Path(name)
        if path.is_symlink():
            options += ["--symlink", os.readlink(path), name]
        elif path.is_dir():
            options += ["--ro-bind", name, name]
    return tuple(options)


@functools.cache
def _configuration() -> frozenset[Path]:
    return frozenset(path for pattern in CONFIGURATION for path in Path("/etc").glob(pattern))


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Return the paths without those that are in another one of them."""
    kept: list[Path] = []
    for path in sorted(set(paths)):  # what is in a folder comes right behind it
        if not (kept and path.is_relative_to(kept[-1])):
            kept.append(path)
    return kept


def _environment() -> Iterator[str]:
    settings = {
        key: value for key, value in os.environ.items() if key in VARIABLES or key.startswith("LC_")
    }
    for key, value in (settings | {"HOME": HOME, "TMPDIR": "/tmp"}).items():
        yield from ("--setenv", key, value)


def _own_user() -> int:
    """Return a user's number that no account has and no other program that is running."""
    number = os.getpid() * 64 + next(_counter) % 64
    most = min(_mapped_users(), 1 << 31)
    return most // 2 + number % (most // 2 - 1)


@functools.cache
def _mapped_users() -> int:
    """Return how many users there are in this user namespace, which may be a container's."""
    lines = Path("/proc/self/uid_map").read_text().splitlines()
    return max(int(start) + int(count) for start, _, count in map(str.split, lines))


@functools.cache
def _counts_by_namespace() -> bool:
    """Tell whether processes are counted by user namespace; earlier kernels count all of a user."""
    major, minor = (int("0" + text) for text in platform.release().split(".")[:2])
    return (major, minor) >= (5, 14)
