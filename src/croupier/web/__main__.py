"""`python -m croupier.web`: the site as a child of the referee, with its settings on stdin."""

import sys

from croupier.match.audience import PolicyError
from croupier.store.schema import StoreError
from croupier.web.process import complain, say, serve
from croupier.web.settings import SettingsError, read_settings


def main() -> int:
    """Run the site and return the exit code."""
    try:
        settings = read_settings(sys.stdin.buffer)
        serve(settings, say)
    except (SettingsError, PolicyError, StoreError) as error:
        complain(f"web: {error}")
        return 2
    except OSError as error:
        complain(f"web: cannot listen: {error.strerror or error}")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
