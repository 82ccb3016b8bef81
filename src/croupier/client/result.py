"""What came of joining a server, and how it fails."""

from dataclasses import dataclass


@dataclass
class Result:
    """What a bot has done and won at a server."""

    dialect: str
    address: str
    matches: int = 0
    """Matches that came to their end."""
    hands: int = 0
    chips_won: int = 0
    faults: int = 0
    """Decisions that failed or were illegal; a check or a fold was sent instead."""
    first_fault: str = ""
    ended: str = ""
    """Why the last match ended, if not as usual."""
    interrupted: bool = False


class JoinError(Exception):
    """Why there is no way on, in one sentence; `result` is what was played until then."""

    result: Result | None = None
