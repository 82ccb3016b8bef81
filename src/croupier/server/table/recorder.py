"""The record of a match, handed to the store hand by hand.

State owned here: the events and decision times since the last record, and the sums over the hands
of the stretch that is being played.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from croupier.match.events import MATCH_EVENTS, HandVoided, PlayerOut, Reloaded, ToppedUp
from croupier.match.match import Match
from croupier.rules.events import Event
from croupier.store.records import HandRecord, PauseRecord, Records
from croupier.store.stretches import Keeper

_BETWEEN_HANDS: Final = frozenset(MATCH_EVENTS)
_CHANGE_STATE: Final = frozenset((PlayerOut, Reloaded, ToppedUp, HandVoided))


class Recorder:
    """Collects what happens in a match; without a writer, nothing is stored."""

    __slots__ = ("_keeper", "_match", "_match_id", "_wall_clock", "_writer", "events", "times")

    def __init__(
        self, match: Match, match_id: str, writer: Records | None, wall_clock: Callable[[], float]
    ) -> None:
        self._match = match
        self._match_id = match_id
        self._writer = writer
        self._wall_clock = wall_clock
        self._keeper = Keeper()
        self.events: list[Event] = []
        """Events since the last record."""
        self.times: list[tuple[int, int]] = []
        """How long the decisions since the last record took, as (player, microseconds)."""

    def take_back(self, event: Event) -> None:
        """Remove an event that is added again when it really happens."""
        self.events = [noted for noted in self.events if noted is not event]

    def store_hand(self, acknowledge: Callable[[], None]) -> bool:
        """Store what happened since the last record; return False if there is no store."""
        events, times = self.events, self.times
        self.events, self.times = [], []
        if self._writer is None:
            return False
        state = msgspec.json.encode(self._match.state())
        number, now = self._match.number, self._wall_clock()
        stretch = self._keeper.add(number, events, times)
        self._writer.write(
            HandRecord(self._match_id, number, now, events, state, times, stretch), acknowledge
        )
        return True

    def store_the_rest(self) -> None:
        """Store what happened after the last hand, if the state of the match depends on it."""
        self.events = [event for event in self.events if type(event) in _BETWEEN_HANDS]
        kinds = {type(event) for event in self.events}
        if self._writer is None or not kinds & _CHANGE_STATE:
            return
        if HandVoided not in kinds:
            # The record takes the number of a hand that is never dealt.
            self._match.skip_number()
        self.store_hand(_release_nothing)

    def store_pause(self) -> None:
        """Store whether the match is paused, so that a crash does not change it."""
        if self._writer is not None:
            self._writer.write(PauseRecord(self._match_id, self._match.pausing), _release_nothing)


def _release_nothing() -> None:
    """Acknowledge a record that nothing is held back for."""
