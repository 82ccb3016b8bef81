"""`python -m croupier …` in a process of its own, without the half second that its imports take.

A nursery has imported the program and forks a child for each start; each process of pytest has its
own nursery. The child runs the module as `python -m` does, with memory, descriptors, signals and an
exit code of its own. A keeper, its parent, waits for its end and tells the tests.
"""

import atexit
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from fcntl import F_DUPFD_CLOEXEC, fcntl
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0
"""Seconds after which a command that should have ended counts as failed."""

PIPE = subprocess.PIPE
FIRST_PASSED = 3
"""The descriptor that the first of `pass_fds` has in the program."""
REPORT = 20
"""The size of a keeper's report, in bytes."""


class Program:
    """A module of ours that was started; to be used like `subprocess.Popen`."""

    def __init__(
        self,
        *command: str,
        cwd: Path | None = None,
        stdin: int | IO[Any] | None = None,
        stdout: int | IO[Any] | None = PIPE,
        stderr: int | IO[Any] | None = PIPE,
        pass_fds: Sequence[int] = (),
    ) -> None:
        """Start the module that `command` begins with; what is None is shared with the tests."""
        self.returncode: int | None = None
        self.stdin, their_in = _ends(stdin, 0)
        self.stdout, their_out = _ends(stdout, 1)
        self.stderr, their_err = _ends(stderr, 2)
        self._exit, their_exit = os.pipe()
        request = {"command": command, "cwd": str(cwd or Path.cwd()), "env": dict(os.environ)}
        ends = (their_in, their_out, their_err, their_exit)
        with _asking:
            socket.send_fds(_nursery(), [json.dumps(request).encode()], [*ends, *pass_fds])
            for end, given in zip(ends, (stdin, stdout, stderr, PIPE), strict=True):
                if given == PIPE:
                    os.close(end)
            self.pid = self._report()

    def poll(self) -> int | None:
        """Return the exit code, or None while the program runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, seconds: float | None = None) -> int:
        """Wait for the end, so long at most, and return the exit code."""
        if self.returncode is None:
            report = select.poll()
            report.register(self._exit, select.POLLIN)
            if not report.poll(None if seconds is None else seconds * 1000):
                raise subprocess.TimeoutExpired(str(self.pid), seconds or 0)
            self.returncode = self._report()
            os.close(self._exit)
        return self.returncode

    def _report(self) -> int:
        """Return the next number that the keeper tells: the pid, then the exit code."""
        report = os.read(self._exit, REPORT)
        assert report, "there is no nursery any more"
        return int(report)

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the program has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it has just ended, and its keeper knows it
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask the program to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the program without any chance to tidy up."""
        self.send_signal(signal.SIGKILL)


def run(*command: str, said: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a module of ours to its end, with `said` as its input."""
    with (
        tempfile.TemporaryFile("w+") as given,
        tempfile.TemporaryFile("w+") as output,
        tempfile.TemporaryFile("w+") as errors,
    ):
        given.write(said)
        given.seek(0)
        program = Program(*command, cwd=cwd, stdin=given, stdout=output, stderr=errors)
        try:
            code = program.wait(PATIENCE)
        finally:
            program.kill()
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(command, code, output.read(), errors.read())


def croupier(
    *arguments: str, said: str = "", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command of `croupier` to its end."""
    return run("croupier", *arguments, said=said, cwd=cwd)


def _ends(given: int | IO[Any] | None, usual: int) -> tuple[IO[Any] | None, int]:
    """Return our end of a stream, if it is a pipe, and theirs."""
    if given is None:
        return None, usual
    if given != PIPE:
        return None, given if isinstance(given, int) else given.fileno()
    read, write = os.pipe()
    if usual == 0:
        return os.fdopen(write, "w"), read
    return os.fdopen(read), write


_asking = threading.Lock()


@cache
def _nursery() -> socket.socket:
    """Start the nursery; it ends with this process, when nobody holds the other end any more."""
    ours, theirs = socket.socketpair()
    with theirs:
        nursery = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=theirs.fileno(),
            cwd=ROOT,
            # A fork copies one thread alone, so there had better be no other.
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        )

    def end() -> None:
        ours.close()
        nursery.wait()

    atexit.register(end)
    return ours


# The nursery itself.


def _load() -> None:
    """Import what the program may need."""
    from croupier.cli.main import COMMANDS

    for where, _ in COMMANDS.values():
        import_module("croupier.cli." + where.partition(":")[0])
    import_module("croupier.web.process")
    import_module("sqlalchemy.dialects.sqlite")
    with suppress(ImportError):
        import_module("uvloop")
    gc.freeze()


def _next_child(requests: socket.socket) -> list[str] | None:
    """Fork a child for each request; in the child return its command, and None at the end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        data, received, _, _ = socket.recv_fds(requests, 1 << 20, 16)
        if not data:
            return None
        if os.fork() == 0:
            requests.detach()  # its number is going to be that of another file
            return _keep(json.loads(data), received)
        for end in received:
            os.close(end)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass  # nothing is left of keepers that have done their duty


def _keep(request: dict[str, Any], received: list[int]) -> list[str]:
    """Fork the child, wait for its end and tell the exit code; return only in the child."""
    report = received.pop(3)
    child = os.fork()
    if child:
        os.write(report, b"%*d" % (REPORT, child))
        _, status = os.waitpid(child, 0)
        os.write(report, b"%*d" % (REPORT, os.waitstatus_to_exitcode(status)))
        os._exit(0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    spare = [fcntl(end, F_DUPFD_CLOEXEC, 100) for end in received]
    os.closerange(0, 100)
    for number, end in enumerate(spare):
        os.dup2(end, number)
        os.close(end)
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    command: list[str] = request["command"]
    return command


if __name__ == "__main__":
    _load()
    asked = _next_child(socket.socket(fileno=0))
    if asked is not None:
        sys.argv = asked
        runpy.run_module(asked[0], run_name="__main__", alter_sys=True)
