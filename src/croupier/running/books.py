"""The accounts of a match from which its result is made, hand by hand."""

from hashlib import sha256

from croupier.match.match import Match
from croupier.match.standings import standings
from croupier.running.task import Played, PlayerResult


class MatchBooks:
    """Follows a match; `hand_over` is called after each hand, before it is recorded."""

    __slots__ = ("_chips", "_digest", "_match", "players")

    def __init__(self, match: Match) -> None:
        self._match = match
        self._chips = [match.rules.stack + match.rules.reserve] * match.size
        self._digest = sha256()
        self.players = [PlayerResult() for _ in range(match.size)]

    def hand_over(self) -> None:
        """Add the hand that has just ended."""
        chips, stack = self._chips, self._match.rules.stack
        # The blinds of the next hand are not set before this one is recorded.
        big_blind = self._match.blinds.big
        for number, entrant in enumerate(self._match.players):
            now = entrant.chips - entrant.reloads * stack
            won = now - chips[number]
            if won:
                chips[number] = now
                bb = won / big_blind
                player = self.players[number]
                player.chips += won
                player.bb += bb
                player.bb2 += bb * bb
        self._digest.update(repr(chips).encode())

    def played(self) -> Played:
        """Return the result of the match."""
        match = self._match
        for rank, number, _, survived in standings(match.players, match.rules):
            entrant, player = match.players[number], self.players[number]
            player.rank, player.survived = rank, survived
            player.faults, player.timeouts = entrant.faults, entrant.timeouts
        return Played(match.played, self.players, self._digest.hexdigest())
