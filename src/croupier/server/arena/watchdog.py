"""Ends the programs of a server that was killed; runs as a separate process.

Its input lists the process groups that start and end, as lines `+123` and `-123`, with the folder
of a program that has one behind a blank. When the input ends while some are left, the server was
killed and could neither end them itself nor remove their folders.
"""

import os
import shutil
import signal
import sys
import time

PATIENCE = 2.0
"""Seconds between SIGTERM and SIGKILL."""


def main() -> None:
    """Read until the server is gone, then end the programs that are left."""
    folders: dict[int, str] = {}
    for line in sys.stdin:
        number, _, folder = line[1:].rstrip("\n").partition(" ")
        if line[0] == "+":
            folders[int(number)] = folder
        else:
            folders.pop(int(number), None)
    groups = set(folders)
    for sent in (signal.SIGTERM, signal.SIGKILL):
        groups = {group for group in groups if _signal(group, sent)}
        if groups:
            time.sleep(PATIENCE)
    for folder in filter(None, folders.values()):
        shutil.rmtree(folder, ignore_errors=True)


def _signal(group: int, number: signal.Signals) -> bool:
    """Send a signal to a group; return False if the group is empty."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    main()
