"""The accounts of a match from which its result is made, hand by hand."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from croupier.contest.fixtures import DEAL_GROUPS
from croupier.match.chance import SeededChance
from croupier.match.match import Match
from croupier.match.standings import standings
from croupier.server.table.task import Played, PlayerResult


class MatchBooks:
    """Follows a match; `hand_over` is called after each hand, before the next one begins."""

    __slots__ = ("_chance", "_chips", "_digest", "_match", "_replayed", "players")

    def __init__(self, match: Match, chance: SeededChance) -> None:
        """`chance` is what the match is dealt from."""
        self._match = match
        self._chance = chance
        self._chips = [match.rules.stack + match.rules.reserve] * match.size
        self._digest = sha256()
        self._replayed = 0
        """How many hands have been replayed from the record."""
        groups = min(match.rules.hands, DEAL_GROUPS)
        self.players = [PlayerResult(groups=[0.0] * groups) for _ in range(match.size)]

    def hand_over(self) -> None:
        """Add the hand that has just ended."""
        match = self._match
        stack, big_blind = match.rules.stack, match.blinds.big
        for number, entrant in enumerate(match.players):
            chips = entrant.chips - entrant.reloads * stack
            self._credit(number, match.number, chips, big_blind)
        self._digest.update(repr(self._chips).encode())

    def replay(self, state: Mapping[str, Any]) -> None:
        """Add a hand that is on record, from the state of the match after it."""
        if state["played"] == self._replayed:
            return  # a record that is no hand
        self._replayed = state["played"]
        rules = self._match.rules
        big_blind = rules.big_blind * state["blinds"]["scale"]
        for number, saved in enumerate(state["players"]):
            chips = saved["stack"] + saved["reserve"] + saved["won"]
            chips -= saved["reloads"] * rules.stack
            self._credit(number, state["number"], chips, big_blind)
        self._digest.update(repr(self._chips).encode())

    def _credit(self, number: int, hand: int, now: int, big_blind: int) -> None:
        """Credit a player with what it has won in a hand, since the one before."""
        won = now - self._chips[number]
        if won:
            self._chips[number] = now
            bb = won / big_blind
            player = self.players[number]
            player.chips += won
            player.bb += bb
            player.bb2 += bb * bb
            if player.groups:
                group = (self._chance.deal_of(hand) - 1) % len(player.groups)
                player.groups[group] += bb

    @property
    def digest(self) -> str:
        """The digest of the chips of all players after each hand."""
        return self._digest.hexdigest()

    def played(self) -> Played:
        """Return the result of the match."""
        match = self._match
        for rank, number, _, survived in standings(match.players, match.rules):
            entrant, player = match.players[number], self.players[number]
            player.rank, player.survived = rank, survived
            player.faults, player.timeouts = entrant.faults, entrant.timeouts
        return Played(match.played, self.players, self.digest)
