"""`python -m croupier.web`: run the site as a child of the referee, with its settings on stdin."""

import os
import sys

from croupier.runtime import configure_logs
from croupier.store.kinds import StoreError
from croupier.web.http.settings import SettingsError, read_settings
from croupier.web.process import print_error, print_line, serve

NICE = 5
"""The niceness of the site: the referee takes precedence, because its players are on the clock."""


def main() -> int:
    """Run the site and return the exit code."""
    configure_logs()
    try:
        settings = read_settings(sys.stdin.buffer)
        os.nice(NICE)
        serve(settings, print_line)
    except (SettingsError, StoreError) as error:
        print_error(f"web: {error}")
        return 2
    except OSError as error:
        print_error(f"web: cannot listen: {error.strerror or error}")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
