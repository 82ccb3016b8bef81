"""Control groups for boxes: limits of the kernel on all that is in one.

Files in memory count, and all processes together; and programs share the processor evenly. They
are used where a group is delegated to the server (`Delegate=yes` of a unit of systemd, or a
container that may write to its own): no other group is the server's to change. A group with limits
for others must have no processes of its own, so those of the server move to a group beside the
boxes, once.
"""

import contextlib
import functools
import itertools
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from croupier.server.arena.plan import Program

ROOT = Path("/sys/fs/cgroup")
OWN = Path("/proc/self/cgroup")

SERVER = "server"
"""The group of the server's own processes."""

SERVER_WEIGHT = 1000
"""Of the server, where each box has 100: however many programs compute, clocks stay right."""

NEEDED = frozenset({"memory", "pids"})
USED = ("cpu", "memory", "pids")

KEEPER_MB = 32
"""For the keeper, which is in the same group as its program."""

KEEPER_PROCESSES = 4

TRIES = 3
"""At moving processes: some may start others meanwhile."""


def _has_mark(group: Path) -> bool:
    """Tell whether systemd has marked a group as delegated."""
    for name in ("user.delegate", "trusted.delegate"):
        with contextlib.suppress(OSError):
            if os.getxattr(group, name) == b"1":
                return True
    return False


@functools.cache
def delegated() -> "Groups | None":
    """Return the groups of this process, if they are delegated to it and can be limited."""
    try:
        return find(ROOT, OWN.read_text(), _has_mark)
    except OSError:
        return None


def find(root: Path, own: str, has_mark: Callable[[Path], bool]) -> "Groups | None":
    """Return the groups below the one of a process; `own` is what the system says about that."""
    paths = [line[3:] for line in own.splitlines() if line.startswith("0::/")]
    if not paths or not (root / "cgroup.controllers").exists():
        return None
    group = root / paths[0].lstrip("/")
    # A process that was started by a server that has moved already.
    top = group.parent if group.name == SERVER else group
    # The root of all groups has no such file: this one is the root of a container's.
    is_container = top == root and (top / "cgroup.events").exists()
    if not (is_container or has_mark(top)):
        return None
    controllers = set((top / "cgroup.controllers").read_text().split())
    if not controllers >= NEEDED or not os.access(top / "cgroup.subtree_control", os.W_OK):
        return None
    groups = Groups(top, [name for name in USED if name in controllers])
    groups.prepare()
    return groups


class Groups:
    """The groups below one that is delegated to the server."""

    def __init__(self, top: Path, controllers: Sequence[str]) -> None:
        self._top = top
        self._controllers = controllers
        self._counter = itertools.count(1)
        self._left: list[Path] = []
        """Groups that had processes when they were to be removed."""

    def prepare(self) -> None:
        """Move the server's processes aside, and allow limits; raise OSError if that fails."""
        server = self._top / SERVER
        server.mkdir(exist_ok=True)
        wanted = " ".join(f"+{name}" for name in self._controllers)
        for tries_left in reversed(range(TRIES)):
            for process in (self._top / "cgroup.procs").read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    (server / "cgroup.procs").write_text(process)
            try:
                (self._top / "cgroup.subtree_control").write_text(wanted)
                break
            except OSError:
                if not tries_left:
                    raise
        if "cpu" in self._controllers:
            (server / "cpu.weight").write_text(str(SERVER_WEIGHT))

    def new(self, program: Program) -> "Group":
        """Make a group with the limits of a program."""
        for path in self._left[:]:
            if _is_removed(path):
                self._left.remove(path)
        path = self._top / f"box-{os.getpid()}-{next(self._counter)}"
        path.mkdir()
        (path / "memory.max").write_text(str((program.memory_mb + KEEPER_MB) << 20))
        (path / "memory.oom.group").write_text("1")
        with contextlib.suppress(OSError):  # not where there is no swap
            (path / "memory.swap.max").write_text("0")
        (path / "pids.max").write_text(str(program.processes + KEEPER_PROCESSES))
        return Group(path, self._left)


class Group:
    """The group of one box."""

    def __init__(self, path: Path, left: list[Path]) -> None:
        self._path = path
        self._left = left

    def entered_by(self, command: Sequence[str]) -> list[str]:
        """Return a command that enters the group and becomes this command."""
        procs = str(self._path / "cgroup.procs")
        return ["/bin/sh", "-c", 'echo $$ > "$0" && exec "$@"', procs, *command]

    @property
    def ran_out_of_memory(self) -> bool:
        """Whether the kernel has killed what was in it for that."""
        try:
            lines = (self._path / "memory.events").read_text().splitlines()
        except OSError:
            return False
        return any(line.startswith("oom_kill ") and line != "oom_kill 0" for line in lines)

    def remove(self) -> None:
        """Kill what is still in it, and remove it, now or when the next one is made."""
        with contextlib.suppress(OSError):  # before Linux 5.14 there is no such file
            (self._path / "cgroup.kill").write_text("1")
        if not _is_removed(self._path):
            self._left.append(self._path)


def _is_removed(path: Path) -> bool:
    try:
        path.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False  # the kernel is still ending its processes
    return True
