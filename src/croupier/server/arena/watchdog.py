"""Ends the programs of a server that was killed: run as a process of its own.

Its input tells which process groups there are, as lines `+123` and `-123`. When the input ends
while there are any, the server is gone and could not end them itself.
"""

import os
import signal
import sys
import time

PATIENCE = 2.0
"""Seconds from being asked to end to being killed."""


def main() -> None:
    """Listen to the server to its end, then see to what it has left behind."""
    groups: set[int] = set()
    for line in sys.stdin:
        number = int(line[1:])
        if line[0] == "+":
            groups.add(number)
        else:
            groups.discard(number)
    for sent in (signal.SIGTERM, signal.SIGKILL):
        if not groups:
            return
        groups = {group for group in groups if _signal(group, sent)}
        time.sleep(PATIENCE)


def _signal(group: int, number: signal.Signals) -> bool:
    """Send a signal to a group; return whether there is anybody in it."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    main()
