"""The result of joining a server, and the error when that fails."""

from dataclasses import dataclass


@dataclass
class Result:
    """What a bot played and won at a server."""

    dialect: str
    address: str
    matches: int = 0
    """Matches that were completed."""
    hands: int = 0
    chips_won: int = 0
    faults: int = 0
    """Decisions that raised or were illegal; a check or a fold was sent instead."""
    first_fault: str = ""
    ended: str = ""
    """Why the last match ended, if it did not end normally."""
    interrupted: bool = False
    commitment: str = ""
    """What the server of the last match was bound to, if the bot gave a nonce and was told."""


class JoinError(Exception):
    """Why the bot cannot continue, in one sentence; `result` is what it played until then."""

    result: Result | None = None
