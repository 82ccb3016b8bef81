"""What a table has to hand over to the store, hand by hand."""

from collections.abc import Callable

import msgspec

from croupier.match.events import MATCH_EVENTS, HandVoided, PlayerOut, Reloaded, ToppedUp
from croupier.match.match import Match
from croupier.rules.events import Event
from croupier.store.writer import HandRecord, PauseRecord, Writer

_BETWEEN_HANDS = frozenset(MATCH_EVENTS)
_IN_THE_BOOKS = frozenset((PlayerOut, Reloaded, ToppedUp, HandVoided))


class Recorder:
    """Collects what happens in a match; without a writer, nothing is kept."""

    __slots__ = ("_match", "_match_id", "_wall_clock", "_writer", "events", "times")

    def __init__(
        self, match: Match, match_id: str, writer: Writer | None, wall_clock: Callable[[], float]
    ) -> None:
        self._match = match
        self._match_id = match_id
        self._writer = writer
        self._wall_clock = wall_clock
        self.events: list[Event] = []
        """What happened since the last record."""
        self.times: list[tuple[int, int]] = []
        """How long the decisions since the last record took, as (player, microseconds)."""

    def take_back(self, event: Event) -> None:
        """Forget an event that is noted again when it really happens."""
        self.events = [noted for noted in self.events if noted is not event]

    def store_hand(self, acknowledge: Callable[[], None]) -> bool:
        """Hand over what happened since the last record; return False if nothing is kept."""
        events, times = self.events, self.times
        self.events, self.times = [], []
        if self._writer is None:
            return False
        state = msgspec.json.encode(self._match.state())
        number, now = self._match.number, self._wall_clock()
        self._writer.write(
            HandRecord(self._match_id, number, now, events, state, times), acknowledge
        )
        return True

    def store_the_rest(self) -> None:
        """Hand over what happened after the last hand, as far as the books depend on it."""
        self.events = [event for event in self.events if type(event) in _BETWEEN_HANDS]
        kinds = {type(event) for event in self.events}
        if self._writer is None or not kinds & _IN_THE_BOOKS:
            return
        if HandVoided not in kinds:
            # A hand that was never dealt: its number is that of this record.
            self._match.skip_number()
        self.store_hand(_release_nothing)

    def store_pause(self) -> None:
        """Keep whether the match is paused: a crash must not change it."""
        if self._writer is not None:
            self._writer.write(PauseRecord(self._match_id, self._match.pausing), _release_nothing)


def _release_nothing() -> None:
    """Nobody waits for this record."""
