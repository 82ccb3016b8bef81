"""What a table says to people: every event as they may know it, and where they stand on arrival.

An event is spelled as in the record. Whoever comes, or comes back, is told the players, the rules
and the present hand so far, so that the website has to remember nobody.
"""

from dataclasses import asdict, dataclass

from croupier.dialects.base import Outgoing, Speaker
from croupier.dialects.browser import words
from croupier.dialects.roster import Listeners, Roster
from croupier.match.events import HandVoided, Joined, Left, Returned
from croupier.match.view import MatchView
from croupier.rules.events import AUDIENCE, HAND_EVENTS, Event, HandStarted, redact


@dataclass(frozen=True)
class Departure:
    """Where a player stood when its connection was lost."""

    rounds: int
    chips: int


class BrowserSpeaker(Speaker):
    """Addresses the people at a table."""

    def __init__(self, roster: Roster, listeners: Listeners) -> None:
        self._roster = roster
        self._listeners = listeners
        self._hand: list[Event] = []
        """The events of the present hand, or of the last one."""
        self._departures: dict[int, Departure] = {}

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        kind = type(event)
        if kind is HandStarted or kind is HandVoided:
            self._hand = []
        if kind in HAND_EVENTS:
            self._hand.append(event)
        if isinstance(event, Left):
            chips = view.stacks[event.player]
            self._departures[event.player] = Departure(view.rounds, chips)
        for player in self._listeners:
            arrives = isinstance(event, Returned) and event.player == player
            if arrives or isinstance(event, Joined):
                yield player, self._situation(player, view)
            else:
                yield (
                    player,
                    words.line({"type": "event", "event": self._seen(event, player, view)}),
                )

    def _seen(self, event: Event, player: int, view: MatchView) -> tuple[object, ...]:
        """Return an event as a player may know it."""
        players = view.hand.players
        seat = players.index(player) if player in players else AUDIENCE
        return words.spelled(redact(event, seat))

    def _situation(self, player: int, view: MatchView) -> bytes:
        """Return everything that a player who arrives has to know."""
        left = self._departures.pop(player, None)
        away = None
        if left is not None:
            away = {"hands": view.rounds - left.rounds, "before": left.chips}
        return words.line(
            {
                "type": "table",
                "match": self._roster.match,
                "you": player,
                "rules": asdict(view.rules),
                "players": [
                    {"name": self._roster.names[number], "dialect": place.dialect}
                    for number, place in enumerate(self._roster.places[: len(view.names)])
                ],
                "begun": bool(view.circle),
                "stacks": view.stacks,
                "online": view.online,
                "out": view.out,
                "circle": view.circle,
                "hand": [self._seen(event, player, view) for event in self._hand],
                "away": away,
            }
        )
