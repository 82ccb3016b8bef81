"""Keeps a program in its box; runs as the first process in there, and imports nothing of ours.

It opens the listener to which the program connects and hands it to the server, sets the limits,
starts the program, and writes its output to a file that the program cannot reach. When the program
ends, when the server is gone, or when it takes too much memory, the keeper ends, and with the first
process of a box the kernel ends all others.
"""

# Programs wait for this to start: `socket` and `subprocess` would take longer than all the rest.
import _socket
import ctypes
import os
import resource
import select
import signal
import sys
import time
from types import FrameType

END = b"e"
"""From the server: ask the program to end."""

BEAT_S = 0.25
"""Seconds between two looks at the memory."""

CUT_PAUSE_S = 0.01
"""Seconds between two reads of output that nobody will see."""

FILE_BYTES = 64 << 20
"""The size of the largest file that a program may write."""

NOT_STARTED = 127
OUT_OF_MEMORY = 137

_PR_SET_DUMPABLE = 4


def main() -> None:
    """Start the program that the arguments name, and stay with it."""
    numbers = (int(text) for text in sys.argv[1:9])
    passed, port, uid, memory_mb, open_files, processes, cpu_s, log_bytes = numbers
    words = sys.argv[9:]
    # The program may be of the same user, and must not get at the keeper's descriptors.
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    # A server with many connections passes a number that `select` does not take, and any number is
    # inherited by the program.
    control_fd = os.dup(passed)
    os.close(passed)
    control = _socket.socket(fileno=control_fd)
    _hand_over_listener(control, port)
    reading, writing = os.pipe()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, _nothing)
    program = os.fork()
    if not program:
        limits = {
            resource.RLIMIT_DATA: memory_mb << 20,
            resource.RLIMIT_NOFILE: open_files,
            resource.RLIMIT_NPROC: processes,
            resource.RLIMIT_CPU: cpu_s,
            resource.RLIMIT_FSIZE: FILE_BYTES,
            resource.RLIMIT_CORE: 0,
        }
        _become(words, uid, limits, writing)
    os.close(writing)
    log = _Log(log_bytes)
    next_look = time.monotonic()
    while True:
        awaited = [*log.open_pipes(reading), control_fd, woken]
        ready, _, _ = select.select(awaited, [], [], CUT_PAUSE_S if log.is_cut else BEAT_S)
        if reading in ready:
            log.copy(reading)
        if control_fd in ready:
            if control.recv(1) != END:
                os._exit(1)  # the server is gone
            _signal_all(signal.SIGTERM)
        if woken in ready:
            os.read(woken, 4096)
        status = _status_of(program)
        if status is not None:
            log.copy_rest(reading)
            os._exit(status)
        if time.monotonic() < next_look:
            continue
        next_look = time.monotonic() + BEAT_S
        if _takes_more_than(memory_mb << 20):
            log.note(f"ended because it took more than {memory_mb} MB of memory")
            os._exit(OUT_OF_MEMORY)


def _hand_over_listener(control: _socket.socket, port: int) -> None:
    listener = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    listener.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(128)
    descriptor = listener.fileno().to_bytes(4, sys.byteorder)
    control.sendmsg([b"l"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, descriptor)])
    listener.close()


def _become(words: list[str], uid: int, limits: dict[int, int], output: int) -> None:
    """Turn this process into the program."""
    try:
        os.setsid()
        os.dup2(output, 1)
        os.dup2(output, 2)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        if uid:
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
        for kind, most in limits.items():
            hard = resource.getrlimit(kind)[1]
            bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
            if most:
                resource.setrlimit(kind, (bound, bound))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for folder in [""] if "/" in words[0] else os.environ.get("PATH", "/bin").split(":"):
            path = os.path.join(folder, words[0])
            if "/" in words[0] or os.access(path, os.X_OK):
                os.execv(path, words)
        raise FileNotFoundError
    except FileNotFoundError:
        os.write(2, f"{words[0]}: not found in the box\n".encode())
    except OSError as error:
        os.write(2, f"{words[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(NOT_STARTED)


class _Log:
    """Writes a program's output to standard output, up to a size."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._most = most
        self._next = 0.0
        self._ended = False

    @property
    def is_cut(self) -> bool:
        """Whether output is still coming that nobody will see."""
        return self._left <= 0 and not self._ended

    def open_pipes(self, pipe: int) -> list[int]:
        """Return the pipe if it is time to read from it."""
        waits = self._ended or (self.is_cut and time.monotonic() < self._next)
        return [] if waits else [pipe]

    def copy(self, pipe: int) -> bool:
        """Copy what has come; return False at the end."""
        data = os.read(pipe, 1 << 16)
        if not data:
            self._ended = True
            return False
        if self._left > 0:
            self._write(data[: self._left])
            self._left -= len(data)
            if self._left <= 0:
                self.note(f"the output is cut here: {self._most >> 20} MiB are enough")
        else:
            self._next = time.monotonic() + CUT_PAUSE_S
        return True

    def copy_rest(self, pipe: int) -> None:
        """Copy what is left when the program has ended."""
        os.set_blocking(pipe, False)
        try:
            while self._left > 0 and self.copy(pipe):
                pass
        except BlockingIOError:
            return

    def note(self, text: str) -> None:
        """Add a line of our own."""
        self._write(f"\ncroupier: {text}\n".encode())

    def _write(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(1, data) :]
        except OSError:
            self._left = 0  # the disk is full


def _status_of(program: int) -> int | None:
    """Collect processes that have ended; return the program's status if it is among them."""
    try:
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return None
            if pid == program:
                code = os.waitstatus_to_exitcode(status)
                return code if code >= 0 else 128 - code
    except ChildProcessError:
        return NOT_STARTED


def _takes_more_than(limit: int) -> bool:
    """Tell whether all processes of the box together have more bytes in memory than that."""
    processes = [entry for entry in os.listdir("/proc") if entry.isdigit() and entry != "1"]
    # What processes share is counted once for each, so what looks like too much is counted again.
    if sum(_resident(process) for process in processes) <= limit:
        return False
    return sum(_proportional(process) for process in processes) > limit


def _resident(process: str) -> int:
    return _sum_of(f"/proc/{process}/status", (b"RssAnon:", b"RssShmem:")) or 0


def _proportional(process: str) -> int:
    """Return the memory of a process, with its share of what it shares."""
    taken = _sum_of(f"/proc/{process}/smaps_rollup", (b"Pss_Anon:", b"Pss_Shmem:"))
    return _resident(process) if taken is None else taken


def _sum_of(path: str, keys: tuple[bytes, ...]) -> int | None:
    """Return the sum of some lines in kB, as bytes; None if the file cannot be read."""
    try:
        with open(path, "rb") as lines:
            return sum(int(line.split()[1]) << 10 for line in lines if line.startswith(keys))
    except OSError:
        return None  # it has just ended, or hides


def _signal_all(number: signal.Signals) -> None:
    try:
        os.kill(-1, number)  # all but this one
    except ProcessLookupError:
        return


def _nothing(number: int, frame: FrameType | None) -> None:
    """Let the wakeup descriptor do its work."""


if __name__ == "__main__":
    main()
