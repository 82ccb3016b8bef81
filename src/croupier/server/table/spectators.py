"""The spectators of a table: what the audience may see, in the dialect of each."""

from copy import deepcopy
from itertools import count

from croupier.dialects.base import SpectatorSpeaker
from croupier.match.audience import Audience, Policy
from croupier.match.view import MatchView
from croupier.rules.events import Event, HandStarted
from croupier.server.net.client import Client
from croupier.server.table.seating import Seating, time_of_day

MAX_SPECTATORS = 100
"""Spectators of one table. A security limit."""

TOO_MANY = "too many are watching already"


class Spectators:
    """The audience of one table, created with its first spectator."""

    def __init__(self, policy: Policy, view: MatchView, seating: Seating) -> None:
        """`view` is the table's own; it holds only cards that were shown."""
        self._clients: dict[int, Client] = {}
        self._numbers = count()
        self._policy = policy
        self._audience = Audience(policy)
        self._seating = seating
        self._view = deepcopy(view)
        self._view.open_cards = policy.open_cards
        self._speakers: dict[str, SpectatorSpeaker] = {}
        """By dialect."""
        self._listening: dict[str, set[int]] = {}
        """By dialect, the numbers of its spectators."""
        self._awaits_hand = bool(policy.delay)
        """Nothing is told before the next hand starts: a delayed one cannot begin in the middle."""

    @property
    def clients(self) -> list[Client]:
        """All spectators."""
        return list(self._clients.values())

    @property
    def full(self) -> bool:
        """No further spectator is admitted."""
        return len(self._clients) >= MAX_SPECTATORS

    def add(self, client: Client) -> None:
        """Add a spectator."""
        client.player = next(self._numbers)
        self._clients[client.player] = client
        speaker = self._speaker(client)
        self._listening[client.dialect.name].add(client.player)
        present = None if self._policy.delay else speaker.present(self._view)
        if present is not None:
            client.send(present)

    def _speaker(self, client: Client) -> SpectatorSpeaker:
        dialect = client.dialect
        if dialect.name not in self._speakers:
            assert dialect.spectator_speaker is not None
            numbers = self._listening.setdefault(dialect.name, set())
            players = self._seating.listeners.setdefault(dialect.name, {})
            speaker = dialect.spectator_speaker(self._seating, players, numbers, time_of_day)
            speaker.resumed(self._view)
            self._speakers[dialect.name] = speaker
        return self._speakers[dialect.name]

    def remove(self, client: Client) -> None:
        """Remove a spectator."""
        self._clients.pop(client.player, None)
        self._listening[client.dialect.name].discard(client.player)

    def tell(self, event: Event) -> None:
        """Tell spectators what they may see after an event of the table."""
        if self._awaits_hand and type(event) is not HandStarted:
            return
        self._awaits_hand = False
        for seen in self._audience.release(event):
            self._view.see(seen)
            for speaker in self._speakers.values():
                for number, message in list(speaker.tell(seen, self._view)):
                    client = self._clients.get(number)
                    if client is None:
                        continue
                    if message:
                        client.send(message)
                    else:
                        client.close()
