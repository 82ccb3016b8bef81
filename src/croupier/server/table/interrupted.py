"""A match that was interrupted, from its record: who played, and how far it had come."""

from dataclasses import dataclass, replace
from typing import Any

import msgspec

from croupier.bots import Bot, house_bot
from croupier.dialects.roster import Place
from croupier.match.chance import SeededChance, chance_of
from croupier.match.match import Match
from croupier.rules.events import Event
from croupier.rules.rules import Rules
from croupier.store.queries import rules_from


@dataclass(frozen=True)
class Interrupted:
    """A match after its last finished hand, with everyone disconnected."""

    match: Match
    events: list[Event]
    """What voids the hand in which it was interrupted."""
    chance: SeededChance
    places: list[Place]

    @classmethod
    def of(cls, header: dict[str, Any], state: dict[str, Any] | None, now: float) -> "Interrupted":
        """Return the match of a header and its last state; None: no hand was finished."""
        rules = rules_from(header["rules"])
        places = [Place(**row) for row in msgspec.json.decode(header["players"])]
        nonces = [place.nonce for place in places if place.nonce]
        chance = SeededChance(header["seed"], nonces, header["beacon"])
        if header["twin"]:
            chance = chance_of(header["seed"], header["twin"], rules.hands, len(places))
        if state is None:
            state = _first_state(rules, places, chance)
        paused = bool(header["paused"])
        match, events = Match.restore(rules, state, chance, now, paused=paused)
        return cls(match, events, chance, places)

    def house_bot(self, player: int) -> Bot:
        """Make the house bot of a place on record; older records hold its name only."""
        place = self.places[player]
        return house_bot(place.bot or place.name.partition("-")[0], self.chance.bot(player))


def _first_state(rules: Rules, places: list[Place], chance: SeededChance) -> dict[str, Any]:
    """Return the state of a match that was interrupted in its first hand."""
    match = Match(replace(rules, countdown_s=0), len(places), chance)
    for place in places:
        match.join(place.name, 0.0)
    return match.state() | {"number": 0}
