"""The gate of a table: events that have happened but may not be told yet, and why.

There are three reasons to hold events back:

- the start of the match is told once its header is stored,
- the end of a hand, and whatever follows it, is told once the record of the hand is stored, so that
  no crash can undo a result that was announced,
- where the rules pause before each question, the question is put once the pause is over.

State owned here: the events held back, the timer of the pause, and whether the start of the match
has been handed to the store.
"""

import asyncio

from croupier.match.events import MatchStarted
from croupier.rules.decisions import Options
from croupier.rules.events import Asked, Event, HandEnded


class Gate:
    """Holds events back until their record is stored, or until a pause is over."""

    __slots__ = ("held", "pause", "start_handed_over")

    def __init__(self) -> None:
        self.held: list[Event] | None = None
        """The events held back; None while the gate is open."""
        self.pause: asyncio.TimerHandle | None = None
        """Ends the pause before a question; while it is set, `held` is this question alone."""
        self.start_handed_over = False
        """The start of the match is in the store, or on its way there."""

    @property
    def awaits_record(self) -> bool:
        """The gate is closed until a record is stored."""
        return self.held is not None and self.pause is None

    def hold(self, events: list[Event]) -> None:
        """Close the gate with these events behind it."""
        self.held = events

    def release(self) -> list[Event]:
        """Open the gate; return what was held back."""
        held, self.held = self.held, None
        assert held is not None
        return held

    @property
    def question(self) -> Asked:
        """The question that waits for the end of the pause."""
        assert self.held is not None
        (question,) = self.held
        assert isinstance(question, Asked)
        return question

    def hold_question(self, question: Asked, pause: asyncio.TimerHandle) -> None:
        """Close the gate for the length of a pause, with a question behind it."""
        self.held = [question]
        self.pause = pause

    def release_question(self) -> Asked:
        """End the pause now and open the gate; return the question."""
        question = self.question
        assert self.pause is not None
        self.pause.cancel()
        self.pause = self.held = None
        return question


def start_among(events: list[Event]) -> int | None:
    """Return the index of the start of the match, if these events contain it."""
    for index, event in enumerate(events):
        if type(event) is MatchStarted:
            return index
    return None


def ends_hand(events: list[Event]) -> bool:
    """Tell whether a hand ends with these events."""
    return any(type(event) is HandEnded for event in reversed(events))


def question_among(events: list[Event], options: Options | None) -> Asked | None:
    """Return the question with these options, if these events contain it."""
    for event in reversed(events):
        if type(event) is Asked and event.options is options:
            return event
    return None
