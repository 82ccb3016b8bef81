"""Matches between bots of this process, as fast as the bots can decide.

They play exactly the matches that the server plays: the same seed and bots give the same result in
both. A bot that raises an exception or returns an invalid decision checks, or folds if it owes
chips; its faults are counted and its first traceback is kept. An exception anywhere else is an
internal error: it is never counted against a bot, and ends the series.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

from croupier.bots.bot import Bot, ask
from croupier.contest.estimates import Estimates, Share, shares_of_hand, summed
from croupier.deals import series_seed
from croupier.match.chance import SeededChance
from croupier.match.match import HAND, OVER, Match
from croupier.rules import rules as r
from croupier.rules.decisions import Decision
from croupier.rules.events import Event
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules
from croupier.rules.view import view_of
from croupier.stats import RateEstimate

PROGRESS_EVERY = 64


@dataclass
class Player:
    """A bot in a series of hands, with its results so far."""

    name: str
    bot: Bot
    chips_won: int = 0
    bb_per_hand: RateEstimate = field(default_factory=RateEstimate)
    matches_won: int = 0
    faults: int = 0
    first_fault: str = ""


@dataclass
class Outcome:
    """The result of a series."""

    players: list[Player]
    hands: int
    matches: int
    seconds: float
    interrupted: bool
    estimates: Estimates | None = None
    """Rates over units, with and without luck, where they were asked for."""

    @property
    def hands_per_second(self) -> float:
        return self.hands / self.seconds if self.seconds else 0.0


def play(
    rules: Rules,
    players: Sequence[Player],
    hands: int,
    seed: bytes,
    progress: Callable[[int], None] = lambda done: None,
    estimates: Estimates | None = None,
) -> Outcome:
    """Play a series of hands; stacks are reset or carried over as the rules say.

    What each hand gave, or each match with carried stacks, is added to `estimates`.

    With carried stacks a match ends when one player is left, and the next one begins with fresh
    stacks, until all hands are played. Ctrl-C ends the series early and keeps what was played.
    """
    # Makes user bots that use the random module as reproducible as the house bots.
    random.seed(seed)
    began = perf_counter()
    done = matches = 0
    interrupted = False
    while done < hands and not interrupted:
        chance = SeededChance(series_seed(seed, matches))
        one = Series(rules, players, chance, hands - done, _lucky(estimates))
        try:
            while one.play_hand():
                if estimates is not None and not one.carry:
                    estimates.add(one.shares.pop())
                done += 1
                if not done % PROGRESS_EVERY:
                    progress(done)
        except KeyboardInterrupt:
            interrupted = True
        one.close()
        if estimates is not None and one.shares:
            estimates.add([summed(shares) for shares in zip(*one.shares, strict=True)])
        matches += 1
    progress(done)
    seconds = perf_counter() - began
    return Outcome(list(players), done, matches, seconds, interrupted, estimates)


def _lucky(estimates: Estimates | None) -> bool | None:
    return None if estimates is None else estimates.lucky


class Series:
    """The hands of one match, credited to its players."""

    def __init__(
        self,
        rules: Rules,
        players: Sequence[Player],
        chance: SeededChance,
        hands: int,
        lucky: bool | None = None,
    ) -> None:
        """`lucky` says whether shares are kept with their luck or without; None: not at all."""
        self.players = players
        self.shares: list[list[Share]] = []
        """What each player made of each hand; nothing for those who were not dealt in."""
        self._lucky = lucky
        self._seed = chance.seed
        self._events: list[Event] = []
        """Those of the hand that is being played."""
        self.carry = rules.stacks == r.CARRY
        # There is no audience for a countdown, and local bots only buy chips when they must.
        rules = replace(rules, hands=hands, countdown_s=0)
        self.match = Match(rules, len(players), chance, quiet=lucky is None)
        self.chips = [rules.stack + rules.reserve] * len(players)
        self.bb = [0.0] * len(players)
        for number, player in enumerate(players):
            self.match.never_reloads(number)
            self._events += self.match.join(player.name, 0.0)

    def play_hand(self) -> bool:
        """Play the next hand; return False if the match is over instead."""
        match = self.match
        if match.phase is OVER:
            return False
        big_blind = match.blinds.big
        order = match.order
        while match.phase is HAND:
            asked = match.asked
            assert match.hand is not None
            self._events += match.decide(asked, _decision(match.hand, self.players[asked]), 0.0)
        if self._lucky is not None:
            shares = shares_of_hand(self._events, len(self.players), self._seed, self._lucky)
            self.shares.append(shares)
        for number in order:
            entrant, player = match.players[number], self.players[number]
            won = entrant.chips - self.chips[number]
            self.chips[number] = entrant.chips
            player.chips_won += won
            if self.carry:
                self.bb[number] += won / big_blind
            else:
                player.bb_per_hand.add(won / big_blind, 1)
        self._events = match.recorded(0.0)
        return True

    def close(self) -> None:
        """Add the result of a match with carried stacks to its players."""
        match = self.match
        if not self.carry or not match.played:
            return
        for player, bb in zip(self.players, self.bb, strict=True):
            player.bb_per_hand.add(bb, match.played)
        left = [number for number, entrant in enumerate(match.players) if not entrant.out]
        if len(left) == 1:
            self.players[left[0]].matches_won += 1


def _decision(hand: Hand, player: Player) -> Decision:
    decision, fault = ask(player.bot, view_of(hand, hand.actor))
    if fault:
        player.faults += 1
        player.first_fault = player.first_fault or fault
    return decision
