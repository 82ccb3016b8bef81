"""Plays huawei after it has tried to do harm, and prints what came of it.

Usage: hostile.py HOST PORT PID KEY MANNER [MORE…]
"""

import os
import signal
import socket
import subprocess
import sys

MIB = 1 << 20


def say(*words: object) -> None:
    print(*words, flush=True)


def reads(paths: str) -> None:
    """Read files of others, and what the first process of the box knows."""
    for path in (*paths.split(","), "/proc/1/environ", "/proc/1/fd/1", "/etc/shadow"):
        try:
            if os.path.isdir(path):
                say("READ", path, os.listdir(path))
            else:
                with open(path, "rb") as file:
                    say("READ", path, file.read(100))
        except OSError as error:
            say("no", path, error.strerror)
    say("sees", sorted(name for name in os.environ if "SECRET" in name or "CROUPIER" in name))


def connects(*addresses: str) -> None:
    """Connect to other ports of the machine, and to sockets with a name."""
    for address in addresses:
        try:
            if address.isdigit():
                socket.create_connection(("127.0.0.1", int(address)), 2).close()
            else:
                socket.socket(socket.AF_UNIX).connect(address.replace("@", "\0"))
            say("CONNECTED", address)
        except OSError as error:
            say("no", address, error.strerror)


def forks() -> None:
    """Fork without end."""
    children = []
    try:
        while len(children) < 5000:
            child = os.fork()
            if not child:
                signal.pause()
            children.append(child)
    except OSError as error:
        say("forked", len(children), error.strerror)
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def fills() -> None:
    """Fill the disk, wherever something can be written."""
    total = 0
    for folder in ("/tmp", "/dev/shm", ".", "/", "/dev", "/run", os.path.dirname(__file__)):
        try:
            for number in range(100):
                with open(f"{folder}/fill{number}", "wb", buffering=0) as file:
                    for _ in range(10):
                        total += file.write(bytes(MIB))
        except OSError as error:
            say("no", folder, error.strerror)
    say("written", total // MIB)


def prints() -> None:
    """Print more than anybody wants to read."""
    for _ in range(20):
        os.write(1, b"a line that is printed again and again\n" * (MIB // 39))


def eats() -> None:
    """Take more memory than there is for one process."""
    try:
        bytearray(2 << 30)
    except MemoryError:
        say("no memory for that")


def eats_together() -> None:
    """Take more memory than there is, with several processes."""
    for _ in range(8):
        if not os.fork():
            kept = bytearray(os.urandom(MIB)) * 300
            signal.pause()
            say(len(kept))
    signal.pause()


def kills() -> None:
    """End everything that can be reached."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for process in (1, os.getppid()):
        for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM):
            try:
                os.kill(process, number)
            except OSError as error:
                say("no", process, error.strerror)
    say("processes", len([name for name in os.listdir("/proc") if name.isdigit()]))


def stays(marker: str) -> None:
    """Leave processes behind that nobody finds."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    code = "import signal; signal.signal(15, 1); print('hidden', flush=True); signal.pause()"
    for _ in range(2):
        command = [sys.executable, "-c", code, marker]
        child = subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()


def erases(path: str) -> None:
    """Remove its own output."""
    say("first words")
    for attempt in (
        lambda: os.unlink(path),
        lambda: os.truncate(path, 0),
        lambda: os.ftruncate(1, 0),
        lambda: os.truncate("/proc/self/fd/1", 0),
        lambda: os.truncate("/proc/1/fd/1", 0),
    ):
        try:
            attempt()
            say("ERASED")
        except OSError as error:
            say("no", error.strerror)


def play(host: str, port: str, pid: str, key: str) -> None:
    """Play like a good program."""
    server = socket.create_connection((host, int(port)))
    server.sendall(f"reg: {pid} {key} \n".encode())
    text = b""
    while b"game-over" not in text and (data := server.recv(4096)):
        text += data
        if b"/inquire" in text:
            text = text.rpartition(b"/inquire")[2]
            server.sendall(b"check \n")
    say("played to the end")


def main() -> None:
    host, port, pid, key, manner, *more = sys.argv[1:]
    globals()[manner](*more)
    play(host, port, pid, key)
    if manner == "stays":
        signal.pause()


if __name__ == "__main__":
    main()
