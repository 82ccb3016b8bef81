"""What spectators may see of a match, and when.

One policy covers pages, observers and exports of a running match: cards at `showdown` only, `all`
at once, or everything delayed by some hands. What the policy hides never leaves the server.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

from croupier.match.events import MatchEnded
from croupier.rules.events import AUDIENCE, Event, HandEnded, redact

SHOWDOWN: Final = "showdown"
ALL: Final = "all"

MAX_DELAY: Final = 100
"""The longest delay in hands; delayed hands are held in memory."""


class PolicyError(ValueError):
    """A string that is not a valid policy."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How much the audience sees."""

    open_cards: bool = False
    delay: int = 0
    """The number of hands by which everything is delayed."""

    @classmethod
    def parse(cls, text: str) -> "Policy":
        """Parse a policy written by a user."""
        if text == SHOWDOWN:
            return cls()
        if text == ALL:
            return cls(open_cards=True)
        if text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_DELAY:
            return cls(open_cards=True, delay=int(text))
        raise PolicyError(
            f"what the audience sees is {SHOWDOWN!r}, {ALL!r} or by how many hands it is late"
            f" (1 to {MAX_DELAY}), not {text!r}"
        )

    def with_people(self) -> "Policy":
        """Return the policy where people play: they could read the cards of others on a page."""
        return self if self.delay else Policy()

    def __str__(self) -> str:
        if self.delay:
            return str(self.delay)
        return ALL if self.open_cards else SHOWDOWN


class Audience:
    """Redacts and delays events for spectators."""

    __slots__ = ("_hands", "_present", "_policy")

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._present: list[Event] = []
        """Withheld events of the current hand."""
        self._hands: deque[list[Event]] = deque()
        """Withheld events of completed hands."""

    def release(self, event: Event) -> list[Event]:
        """Accept an event and return those that spectators may see now."""
        policy = self._policy
        if not policy.delay:
            return [event if policy.open_cards else redact(event, AUDIENCE)]
        self._present.append(event)
        kind = type(event)
        if kind is MatchEnded:
            kept = [held for hand in self._hands for held in hand] + self._present
            self._hands.clear()
            self._present = []
            return kept
        if kind is HandEnded:
            self._hands.append(self._present)
            self._present = []
            if len(self._hands) > policy.delay:
                return self._hands.popleft()
        return []
