"""The luck of a hand: what its cards gave each seat, in terms that are zero on average.

A term is what a chance event changed less the mean of what it could have changed, over every card
that might have come instead: all cards are known to the referee, those of seats that folded
included. So its expectation is zero when the card is dealt, whatever is played before and after,
and subtracting any multiple of it from a result leaves the expected result as it is. What it takes
away is the scatter that came from the cards.

Let D be the change in a seat's share of a pot, its chance to win it in a showdown:

- *closed*: pot times D once nobody will be asked again, over all pots. The rest of the hand is
  pure chance, so this term alone is all-in EV;
- *pot*, *growth* and *stack*, on each street before further betting: the pots times D; the
  effective stack times D (the second-largest of those still in the hand); and the geometric mean
  of the pot and that stack times D, since a good card also wins what is bet later;
- *growth x second^4*, *stack x second^4*, *stack x second^12*, on each street before further
  betting: the same with the share less its mean over all cards that could have come, each share
  weighed by a power of the second-best strength among those still in the hand. Much is bet only
  where somebody else is strong, too;
- before the flop, a seat's share among all, alone and weighed like that, its strength against
  random cards and the fourth power of that, each less the mean over the seats. Cards are dealt to
  seats in a random order, so these are zero on average, too.

Shares from the flop on are exact, over all boards. Before the flop boards are sampled by a seed
that has nothing to do with the deal, which adds a little noise and no bias. Strengths are measured
against a sample of hands, drawn in the same way: any measure will do that is the same for all
cards that could have come.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from croupier.cards import HIDDEN, KUHN_DECK
from croupier.deals import Stream
from croupier.ranking.hands import rank_kuhn
from croupier.ranking.rivals import Rivals
from croupier.ranking.runouts import (
    Completions,
    Samples,
    Shares,
    final_ranks,
    shares_of,
)
from croupier.ranking.strengths import strength
from croupier.rules.events import (
    FOLDED,
    Acted,
    Asked,
    BetReturned,
    BoardDealt,
    Event,
    HandEnded,
    HandStarted,
    HoleDealt,
    Posted,
)
from croupier.rules.pots import split_pots
from croupier.rules.sets import PLAIN

TERMS = (
    "closed",
    "pot, flop", "pot, turn", "pot, river",
    "growth, flop", "growth, turn", "growth, river",
    "stack, flop", "stack, turn", "stack, river",
    "growth x second^4, flop", "growth x second^4, turn", "growth x second^4, river",
    "stack x second^4, flop", "stack x second^4, turn", "stack x second^4, river",
    "stack x second^12, flop", "stack x second^12, turn", "stack x second^12, river",
    "share", "share x second^4", "strength", "strength^4",
)  # fmt: skip
"""The terms of a seat, in order."""

_CLOSED, _POT, _GROWTH, _STACK, _CONTESTED, _DEALT = 0, 1, 4, 7, 10, 19
"""Where each kind of them begins."""

SAMPLES = 1200
"""Boards that are drawn before the flop; those with a card twice do not count."""

FLOPS, RIVALS, RIVALS_ON_FLOPS = 200, 128, 64
"""How many flops that could have come are looked at, and how many hands to measure strength by."""

_STREETS = PLAIN.streets[1:]
"""How many board cards hold'em deals at a time."""

_KUHN_STRENGTH = {1: 0.0, 2: 0.5, 3: 1.0}

LuckTerms = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class HandLuck:
    """What each seat of a hand won, and how lucky it was; both in big blinds."""

    number: int
    players: tuple[int, ...]
    """By seat."""
    won: tuple[float, ...]
    terms: LuckTerms
    """One row per seat, one column per term."""


@dataclass(slots=True)
class _Board:
    """The state of a hand when board cards were dealt."""

    put: list[int]
    live: list[int]
    cards: tuple[int, ...]
    asked: bool = False
    """Whether anybody was asked after it, before the next one."""


class _Record:
    """A hand, as far as its chances depend on it."""

    def __init__(self) -> None:
        self.started: HandStarted | None = None
        self.ended: HandEnded | None = None
        self.hole: dict[int, tuple[int, ...]] = {}
        self.boards: list[_Board] = []
        self._put: list[int] = []
        self._live: list[int] = []

    def add(self, event: Event) -> None:
        if isinstance(event, HandStarted):
            self.started = event
            self._put = [0] * len(event.players)
            self._live = list(range(len(event.players)))
        elif isinstance(event, Posted):
            self._put[event.seat] += event.amount
        elif isinstance(event, HoleDealt):
            self.hole[event.seat] = event.cards
        elif isinstance(event, Acted):
            self._put[event.seat] += event.added
            if event.action == FOLDED:
                self._live.remove(event.seat)
        elif isinstance(event, BetReturned):
            self._put[event.seat] -= event.amount
        elif isinstance(event, BoardDealt):
            self.boards.append(_Board(self._put.copy(), self._live.copy(), event.cards))
        elif isinstance(event, Asked):
            if self.boards:
                self.boards[-1].asked = True
        elif isinstance(event, HandEnded):
            self.ended = event


def luck_of(events: Iterable[Event], seed: bytes | None) -> HandLuck | None:
    """Return the luck of a hand from its events; None if they are not those of a finished hand.

    `seed` is the match's: what is sampled follows from it and from the number of the hand. Without
    it there are only results, and all terms are zero; so they are in games other than hold'em and
    Kuhn poker.
    """
    record = _Record()
    for event in events:
        record.add(event)
    started, ended = record.started, record.ended
    if started is None or ended is None:
        return None
    big_blind = started.big_blind
    won = tuple(
        (after - before) / big_blind
        for before, after in zip(started.stacks, ended.stacks, strict=True)
    )
    hole = [record.hole.get(seat, ()) for seat in range(len(won))]
    terms = np.zeros((len(won), len(TERMS)))
    sizes = {len(cards) for cards in hole}
    cards = [card for cards in hole for card in cards]
    if seed is None:
        pass
    elif sizes == {1} and not record.boards and all(card in KUHN_DECK for card in cards):
        _add_kuhn(terms, hole)
    elif sizes == {2} and HIDDEN not in cards and _is_holdem(record.boards):
        number = int.from_bytes(
            bytes(Stream(seed, f"luck {started.hand}").below(256) for _ in range(8)), "big"
        )
        _Holdem(terms, started, hole, number).add(record.boards)
    return HandLuck(started.hand, started.players, won, terms)


def _is_holdem(boards: Sequence[_Board]) -> bool:
    return tuple(len(board.cards) for board in boards) == _STREETS[: len(boards)]


def _add_kuhn(terms: LuckTerms, hole: Sequence[Sequence[int]]) -> None:
    """Add the luck of a single card for each seat."""
    ranks = [rank_kuhn(cards[0]) for cards in hole]
    shares = np.array([float(rank == max(ranks)) for rank in ranks])
    _add_dealt(terms, shares, [_KUHN_STRENGTH[rank] for rank in ranks])


def _add_dealt(terms: LuckTerms, shares: Shares, strengths: Sequence[float]) -> None:
    """Add the luck of the hole cards."""
    power = np.array(strengths)
    terms[:, _DEALT] = len(shares) * shares - 1
    terms[:, _DEALT + 1] = terms[:, _DEALT] * np.sort(power)[-2] ** 4
    terms[:, _DEALT + 2] = power - power.mean()
    terms[:, _DEALT + 3] = power**4 - (power**4).mean()


def _contested(shares: Shares, strengths: Shares) -> Shares:
    """Return the shares less the mean of the seats, weighed by the second-best strength.

    The first axis has the two powers, the others seats and boards.
    """
    second = np.sort(strengths, axis=0)[-2]
    fourth = second**4
    lead = (len(shares) * shares - 1) / (len(shares) - 1)
    weighed: Shares = lead * np.array([fourth, fourth**3])[:, None]
    return weighed


def _change(came: Shares, possible: Shares) -> Shares:
    """Return what came less the mean of what could have come, which is on the last axis."""
    change: Shares = came - possible.mean(axis=-1)
    return change


class _Holdem:
    """Adds the terms of one hand of hold'em."""

    def __init__(
        self, terms: LuckTerms, started: HandStarted, hole: Sequence[tuple[int, ...]], sample: int
    ) -> None:
        self._terms = terms
        self._started = started
        self._hole = hole
        self._known: dict[tuple[int, ...], tuple[Shares, Shares]] = {}
        self._turns: dict[tuple[int, ...], Shares] = {}
        self._random = np.random.Generator(np.random.PCG64(sample))
        self._samples = Samples(hole, SAMPLES, self._random)
        shares = shares_of(self._samples.ranks).mean(axis=1)
        _add_dealt(terms, shares, [strength(cards) for cards in hole])

    def add(self, boards: Sequence[_Board]) -> None:
        """Add the terms of all board cards."""
        if not boards:
            return
        at_flop = boards[0].live
        self._places = {seat: place for place, seat in enumerate(at_flop)}
        gone = [
            card for seat, cards in enumerate(self._hole) if seat not in at_flop for card in cards
        ]
        flop = boards[0].cards
        self._completions: Completions | None = None
        if boards[0].asked:
            self._rivals = Rivals(self._samples.deck, RIVALS, self._random)
            self._completions = Completions([self._hole[seat] for seat in at_flop], flop, gone)
        self._dealt = [card for board in boards for card in board.cards]
        for street, board in enumerate(boards):
            if not board.asked:
                self._add_closed(street, board)
                return
            self._add_open(street, board)

    def _add_closed(self, street: int, board: _Board) -> None:
        """Add the rest of a hand in which nobody will be asked again."""
        if len(self._dealt) < sum(_STREETS):
            return  # the board is not complete: there was no showdown
        final = final_ranks(self._hole, self._dealt)
        for chips, seats in self._pots(board):
            before, _ = self._shares(street, seats)
            change = shares_of(final[seats])[:, 0] - before
            self._terms[seats, _CLOSED] += chips * change

    def _add_open(self, street: int, board: _Board) -> None:
        """Add board cards before further betting."""
        stacks, big_blind = self._started.stacks, self._started.big_blind
        for chips, seats in self._pots(board):
            before, after = self._shares(street, seats)
            self._terms[seats, _POT + street] += chips * (after - before)
        live = board.live
        behind = sorted(stacks[seat] - board.put[seat] for seat in live)
        stack = behind[-2] / big_blind
        pot = sum(board.put) / big_blind
        before, after = self._shares(street, live)
        growth = (stack * pot) ** 0.5
        self._terms[live, _GROWTH + street] += growth * (after - before)
        self._terms[live, _STACK + street] += stack * (after - before)
        fourth, twelfth = self._contested_change(street, live)
        self._terms[live, _CONTESTED + street] += growth * fourth
        self._terms[live, _CONTESTED + 3 + street] += stack * fourth
        self._terms[live, _CONTESTED + 6 + street] += stack * twelfth

    def _contested_change(self, street: int, live: Sequence[int]) -> Shares:
        """Return, by power and seat, what a street changed in the shares that are contested."""
        completions, dealt = self._completions, self._dealt
        assert completions is not None
        hands = [self._hole[seat] for seat in live]
        places = [self._places[seat] for seat in live]
        if street == 0:
            flops = np.vstack([self._samples.boards[:3, :FLOPS].T, dealt[:3]])
            # On a flop that could have come a share is that on one whole board: it is as much on
            # average. The flop that came has its own.
            shares = np.column_stack(
                [shares_of(self._samples.ranks[live, :FLOPS]), self._shares(0, live)[1]]
            )
            weighed = _contested(shares, self._rivals.strengths(hands, flops, RIVALS_ON_FLOPS))
            return _change(weighed[:, :, -1], weighed[:, :, :-1])
        if street == 1:
            deck, shares = completions.deck, self._after_turns(completions, places)
            came = deck.index(dealt[3])
        else:
            deck = [card for card in completions.deck if card != dealt[3]]
            shares, came = completions.after_rivers(places, dealt[3], dealt[4])
        boards = np.array([[*dealt[: 2 + street], card] for card in deck], np.intp)
        weighed = _contested(shares, self._rivals.strengths(hands, boards))
        return _change(weighed[:, :, came], weighed)

    def _pots(self, board: _Board) -> list[tuple[float, list[int]]]:
        """Return the pots that more than one seat contends for, in big blinds."""
        big_blind = self._started.big_blind
        pots = split_pots(board.put, board.live)
        return [(chips / big_blind, seats) for chips, seats in pots if len(seats) > 1]

    def _shares(self, street: int, seats: Sequence[int]) -> tuple[Shares, Shares]:
        """Return the shares of seats in a pot before the cards of a street, and after them."""
        known = self._known.get((street, *seats))
        if known is None:
            known = self._known[street, *seats] = self._computed_shares(street, seats)
        return known

    def _computed_shares(self, street: int, seats: Sequence[int]) -> tuple[Shares, Shares]:
        completions = self._completions
        if street == 0:
            before = shares_of(self._samples.ranks[seats]).mean(axis=1)
            if completions is None:
                return before, before
            return before, completions.on_flop([self._places[seat] for seat in seats])
        assert completions is not None
        places = [self._places[seat] for seat in seats]
        if street == 1:
            turns = self._after_turns(completions, places)
            return turns.mean(axis=1), turns[:, completions.deck.index(self._dealt[3])]
        rivers, came = completions.after_rivers(places, self._dealt[3], self._dealt[4])
        return rivers.mean(axis=1), rivers[:, came]

    def _after_turns(self, completions: Completions, places: Sequence[int]) -> Shares:
        """Return the shares after each turn that may come, computed once."""
        known = self._turns.get(tuple(places))
        if known is None:
            known = self._turns[tuple(places)] = completions.after_turns(places)
        return known
