"""Ends the programs of a server that was killed; runs as a separate process.

Its input lists the process groups that start and end, as lines `+123` and `-123`. When the input
ends while some are left, the server was killed and could not end them itself.
"""

import os
import signal
import sys
import time

PATIENCE = 2.0
"""Seconds between SIGTERM and SIGKILL."""


def main() -> None:
    """Read until the server is gone, then end the programs that are left."""
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
    """Send a signal to a group; return False if the group is empty."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    main()
