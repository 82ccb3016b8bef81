"""Encoding of events as states.

Every player gets a state at the start of a hand and after every action, whoever is to act. The
state after an action is complete only when the next player is asked or the hand has ended: by then
the ends of rounds and the cards of new ones are part of it.
"""

from collections.abc import Iterable

from croupier.dialects.acpc.line import Line
from croupier.dialects.base import CLOSE, Outgoing, Speaker
from croupier.dialects.roster import Listeners
from croupier.match.events import MatchEnded
from croupier.match.view import MatchView
from croupier.rules.events import Asked, Event, HandEnded, HandStarted
from croupier.rules.view import View


class AcpcSpeaker(Speaker):
    """Addresses the players of a table that use this dialect."""

    def __init__(self, listeners: Listeners) -> None:
        self._listeners = listeners
        self._line: Line | None = None
        self._size = 0

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        """Return the messages that an event causes."""
        kind = type(event)
        if kind is MatchEnded:
            return self._close()
        if kind is HandStarted:
            return self._started(event)  # type: ignore[arg-type]
        line = self._line
        if line is None:
            return ()
        hand = view.hand
        if kind is Asked or kind is HandEnded:
            return self._states(line, hand)
        line.see(event, hand)
        return ()

    def _started(self, event: HandStarted) -> Outgoing:
        size = len(event.players)
        self._size = self._size or size
        if size != self._size:
            # Programs know a game for a number of players, and cannot go on with fewer.
            self._line = None
            return self._close()
        self._line = Line(event)
        return ()

    def _states(self, line: Line, hand: View) -> Outgoing:
        for player in sorted(self._listeners):
            yield player, line.state(hand.players.index(player))

    def _close(self) -> Iterable[tuple[int, bytes]]:
        return [(player, CLOSE) for player in sorted(self._listeners)]
