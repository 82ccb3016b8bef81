"""Those who look on at a table: what the audience may see, in each looker-on's dialect."""

from copy import deepcopy
from itertools import count

from croupier.dialects.room.observer import ObserverSpeaker
from croupier.match.audience import Audience, Policy
from croupier.match.view import MatchView
from croupier.rules.events import Event, HandStarted
from croupier.server.client import Client
from croupier.server.seating import ROOM, Seating, time_of_day

MAX_WATCHERS = 100
"""Of one table. A security limit."""

TOO_MANY_WATCHERS = "too many are watching already"


class Watching:
    """The audience of one table; begins with the first who comes."""

    def __init__(self, policy: Policy, view: MatchView, seating: Seating) -> None:
        """`view` is the table's own, which holds no card that was not shown."""
        self._clients: dict[int, Client] = {}
        self._numbers = count()
        self._policy = policy
        self._audience = Audience(policy)
        self._view = deepcopy(view)
        self._view.open_cards = policy.open_cards
        self._speaker = ObserverSpeaker(
            seating.names,
            self._clients,
            lambda player: seating.listeners.get(ROOM, {}).get(player),
            lambda: seating.watched_version,
            time_of_day,
        )
        self._speaker.resumed(self._view)
        self._late = bool(policy.delay)
        """Nothing is told before the first whole hand: what is late cannot begin in the middle."""

    @property
    def clients(self) -> list[Client]:
        """Those who look on."""
        return list(self._clients.values())

    @property
    def full(self) -> bool:
        """No more can look on."""
        return len(self._clients) >= MAX_WATCHERS

    def add(self, client: Client) -> None:
        """Let one more look on."""
        client.player = next(self._numbers)
        self._clients[client.player] = client
        present = None if self._policy.delay else self._speaker.present(self._view)
        if present is not None:
            client.send(present)

    def remove(self, client: Client) -> None:
        """Let one go."""
        self._clients.pop(client.player, None)

    def tell(self, event: Event) -> None:
        """Take in an event of the table."""
        if self._late and type(event) is not HandStarted:
            return
        self._late = False
        for seen in self._audience.release(event):
            self._view.see(seen)
            for watcher, message in list(self._speaker.tell(seen, self._view)):
                client = self._clients.get(watcher)
                if client is None:
                    continue
                if message:
                    client.send(message)
                else:
                    client.close()
