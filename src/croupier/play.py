"""Bots of this process against each other, hand after hand, as fast as they can think.

Every chance comes from the seed, so the same seed and the same bots give the same result to the
chip. A bot that raises or answers with nonsense checks, or folds if it owes something; its faults
are counted and its first traceback is kept.
"""

import random
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from croupier.bots.bot import Bot
from croupier.deals import Stream, deal
from croupier.rules import rules as r
from croupier.rules.decisions import CALL, FOLD, Decision, IllegalDecisionError
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules
from croupier.rules.view import view_of
from croupier.stats import RateEstimate

PROGRESS_EVERY = 64


@dataclass
class Player:
    """A bot in a series of hands, with its record."""

    name: str
    bot: Bot
    chips_won: int = 0
    bb_per_hand: RateEstimate = field(default_factory=RateEstimate)
    matches_won: int = 0
    faults: int = 0
    first_fault: str = ""


@dataclass
class Outcome:
    """What came of it all."""

    players: list[Player]
    hands: int
    matches: int
    seconds: float
    interrupted: bool

    @property
    def hands_per_second(self) -> float:
        return self.hands / self.seconds if self.seconds else 0.0


def play(
    rules: Rules,
    players: Sequence[Player],
    hands: int,
    seed: bytes,
    progress: Callable[[int], None] = lambda done: None,
) -> Outcome:
    """Play hands in a row; stacks are reset or carried as the rules say.

    With carried stacks a match ends when one player is left and the next one begins with fresh
    stacks, until all hands are played. Ctrl-C ends the series early with what was played.
    """
    # A user's bot that uses the random module is then as reproducible as the house's.
    random.seed(seed)
    series = _Match(rules, players, seed)
    began = perf_counter()
    done = 0
    interrupted = False
    try:
        while done < hands:
            series.play_hand(done + 1)
            done += 1
            if not done % PROGRESS_EVERY:
                progress(done)
    except KeyboardInterrupt:
        interrupted = True
    series.close()
    progress(done)
    return Outcome(list(players), done, series.matches, perf_counter() - began, interrupted)


class _Match:
    """The seats between two hands: who sits where, with how much, at which blinds."""

    def __init__(self, rules: Rules, players: Sequence[Player], seed: bytes) -> None:
        self.rules = rules
        self.players = players
        self.seed = seed
        self.carry = rules.stacks == r.CARRY
        self.matches = 0
        self._begin()

    def _begin(self) -> None:
        rules = self.rules
        count = len(self.players)
        self.stacks = [rules.stack] * count
        self.order = list(range(count))
        """Who is still in, from the left of the button."""
        self.lap_start = self.order[0]
        self.scale = 1
        """By how much the blinds have grown."""
        self.match_bb = [0.0] * count
        self.match_hands = 0

    def play_hand(self, number: int) -> None:
        rules = self.rules
        order = self.order
        stacks = self.stacks
        scale = self.scale
        hand = Hand(
            rules,
            [stacks[player] for player in order],
            deal(self.seed, number, rules.deck, rules.cards_for(len(order))),
            number=number,
            players=order,
            small_blind=rules.small_blind * scale,
            big_blind=rules.big_blind * scale,
        )
        players = self.players
        while not hand.over:
            _take_turn(hand, players[order[hand.actor]])
        bb = hand.big_blind
        self.match_hands += 1
        for seat, player in enumerate(order):
            won = hand.stacks[seat] - stacks[player]
            players[player].chips_won += won
            if self.carry:
                self.match_bb[player] += won / bb
                stacks[player] = hand.stacks[seat]
            else:
                players[player].bb_per_hand.add(won / bb, 1)
        if self.carry:
            self._go_on()
        else:
            order.append(order.pop(0))

    def _go_on(self) -> None:
        """Move the button on among those who still have chips, or end the match."""
        button = self.order.pop(0)
        self.order.append(button)
        survivors = [player for player in self.order if self.stacks[player]]
        if len(survivors) == 1:
            self.players[survivors[0]].matches_won += 1
            self.close()
            self._begin()
            return
        if self.rules.blinds_double == r.LAP:
            # The small blind moved from its old seat to its new one; did it pass the lap's start?
            count = len(self.players)
            moved = (survivors[0] - button) % count or count
            if (self.lap_start - button - 1) % count < moved:
                self.scale *= 2
                self.lap_start = survivors[0]
        self.order = survivors

    def close(self) -> None:
        """Put the match so far into the players' records."""
        if self.carry and self.match_hands:
            self.matches += 1
            for player, bb in zip(self.players, self.match_bb, strict=True):
                player.bb_per_hand.add(bb, self.match_hands)
            self.match_hands = 0


def _take_turn(hand: Hand, player: Player) -> None:
    try:
        decision = player.bot.decide(view_of(hand, hand.actor))
        if type(decision) is not Decision:
            raise TypeError(f"decide() returned {decision!r:.200}, which is no decision")
        hand.act(decision)
    except Exception as error:
        player.faults += 1
        if not player.first_fault:
            player.first_fault = _describe(error)
        assert hand.options is not None
        hand.act(FOLD if hand.options.owed else CALL)


def _describe(error: Exception) -> str:
    if isinstance(error, IllegalDecisionError):
        return f"illegal decision: {error}"
    return traceback.format_exc()


def house_stream(seed: bytes, player: int) -> Stream:
    """Return the random numbers of the house bot that is this player of the match."""
    return Stream(seed, f"bot {player}")
