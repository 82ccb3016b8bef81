"""`python -m croupier.web`: the site as a child of the referee, with its settings on stdin."""

import os
import sys

from croupier.runtime import configure_logs
from croupier.store.schema import StoreError
from croupier.web.http.settings import SettingsError, read_settings
from croupier.web.process import complain, say, serve

NICE = 5
"""Of two processes that want to run, the referee goes first: its players are on the clock."""


def main() -> int:
    """Run the site and return the exit code."""
    configure_logs()
    try:
        settings = read_settings(sys.stdin.buffer)
        os.nice(NICE)
        serve(settings, say)
    except (SettingsError, StoreError) as error:
        complain(f"web: {error}")
        return 2
    except OSError as error:
        complain(f"web: cannot listen: {error.strerror or error}")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
