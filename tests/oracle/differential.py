"""The same hands by our state machine, by the naive reference and by PokerKit, side by side.

`run` draws stacks, blinds, antes, cards and decisions from a seed, and compares at every question
who is asked, what a call costs and between which totals a raise may be, and at the end the stacks.
The reference must agree to the chip in every hand. PokerKit must, except where one of the
`EXCEPTIONS` is recognised from the situation alone; anything else is a difference to report.
"""

import random
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from pokerkit import (
    Automation,
    Card,
    CardsLike,
    Mode,
    NoLimitTexasHoldem,
    StandardHighHand,
    State,
)
from pokerkit import Hand as PokerKitHand

from croupier.cards import DECK, short
from croupier.ranking import rank
from croupier.rules.decisions import CALL, CALL_KIND, FOLD, FOLD_KIND, Decision, Options, raise_to
from croupier.rules.hand import Hand
from croupier.rules.rules import MAX_SEATS, Rules
from tests.oracle.reference import Question, Reference, payout, payout_by_pokerkit

SHORT_BIG_BLIND = "short big blind"
SHORT_ALL_IN_DOES_NOT_REOPEN = "short all-in does not reopen"
FULL_RAISE_IN_ALL_REOPENS = "full raise in all reopens"
IDLE_QUESTION = "idle question"
ODD_CHIPS = "odd chips"

EXCEPTIONS = {
    SHORT_BIG_BLIND: (
        "A big blind posted short: a call is still the whole big blind and a raise at least one"
        " more on top (TDA 43; the blind is the bet, whatever its poster has left). PokerKit takes"
        " the highest bet that lies there for the bet to match, and if the antes left nothing for"
        " either blind lets the first left of the button begin. The hand is compared until somebody"
        " does not fold."
    ),
    SHORT_ALL_IN_DOES_NOT_REOPEN: (
        "TDA 47: an all-in of less than a full bet or raise does not reopen the betting to who has"
        " acted and does not face a full one (addendum, example 3: limped blinds 2000-4000, all-in"
        " for 7500). PokerKit applies this to later raises, but takes the first bet or raise of a"
        " street for a full one however small it is."
    ),
    FULL_RAISE_IN_ALL_REOPENS: (
        "TDA 47: who faces a full raise when the action returns may raise again, however many"
        " all-ins it took. PokerKit begins its sum of short all-ins anew once they have added up to"
        " a full raise, and refuses if one more short all-in follows. Rare: some hands of 100,000."
    ),
    IDLE_QUESTION: (
        "Who owes nothing and has only players without chips against him has no choice, and is not"
        " asked with us. PokerKit asks him within a street, and only a check is possible."
    ),
    ODD_CHIPS: (
        "TDA 20 and 21: pots are split one by one, and the odd chips of each go singly to the"
        " winners from the left of the button. PokerKit pays all odd chips of a pot to the first"
        " winner, and makes one pot of those that the same winners are left in."
    ),
}

CUTTING = (SHORT_BIG_BLIND,)
"""The exceptions after which a hand cannot be compared any further with PokerKit."""

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
CARDS = [next(iter(Card.parse(short(card)))) for card in DECK]

BLINDS = ((50, 100), (50, 100), (1, 2), (5, 10), (33, 100), (1, 3), (0, 10), (10, 25), (7, 7))
STYLES = (
    # How often a player folds, calls, raises by the least, by the most, or anything between.
    (2, 6, 1, 1, 1),
    (3, 3, 3, 1, 3),
    (1, 12, 1, 0, 1),
    (1, 5, 0, 4, 1),
    (0, 4, 2, 1, 2),
    (6, 2, 1, 0, 1),
)


@lru_cache(maxsize=64)
def _best_hand(hole: tuple[Card, ...], board: tuple[Card, ...]) -> PokerKitHand:
    return StandardHighHand.from_game(hole, board)


class _RememberedHand(StandardHighHand):
    """PokerKit's own ranking, which it repeats for the same cards many times in a showdown."""

    @classmethod
    def from_game(cls, hole_cards: CardsLike, board_cards: CardsLike = ()) -> PokerKitHand:
        return _best_hand(Card.clean(hole_cards), Card.clean(board_cards))


class _Game(NoLimitTexasHoldem):
    hand_types = (_RememberedHand,)


@dataclass(frozen=True)
class Deal:
    """What a hand begins with."""

    stacks: tuple[int, ...]
    small_blind: int
    big_blind: int
    ante: int
    cards: tuple[int, ...]
    idle_folds: bool
    """Whether players also fold when nothing is owed."""


@dataclass
class Report:
    """What a run saw; `differences` tells of every hand that no exception explains."""

    hands: int = 0
    decisions: int = 0
    exceptions: Counter[str] = field(default_factory=Counter)
    """In how many hands each exception was met."""
    differences: list[str] = field(default_factory=list)

    @property
    def cut(self) -> int:
        """How many hands PokerKit could not be compared with to the end."""
        return sum(self.exceptions[name] for name in CUTTING)

    def add(self, other: "Report") -> None:
        """Count another run in."""
        self.hands += other.hands
        self.decisions += other.decisions
        self.exceptions += other.exceptions
        self.differences += other.differences


class Difference(Exception):
    """The engines disagree and no exception says why."""


def run(
    seed: int | str,
    hands: int,
    *,
    players: int = 0,
    first: int = 0,
    done: Callable[[int], None] = lambda _: None,
) -> Report:
    """Play hands `first`, `first` + 1, … of a seed, with any number of players unless given.

    A hand depends on nothing but the seed, its number and `players`. `done` is told how many are.
    """
    report = Report()
    for number in range(first, first + hands):
        play(random.Random(f"{seed} {players} {number}"), report, players, f"hand {number}")
        done(number - first + 1)
    return report


def play(rng: random.Random, report: Report, players: int = 0, name: str = "hand") -> None:
    """Play one random hand and add what came of it to the report."""
    deal = draw_deal(rng, players or rng.randint(2, MAX_SEATS))
    match = _Match(deal)
    report.hands += 1
    try:
        match.play(rng)
    except Exception as problem:
        # An engine that fails is as much to report as one that disagrees.
        what = str(problem) if isinstance(problem, Difference) else repr(problem)
        report.differences.append(f"{name}: {what}\n  {deal}\n  {match.decisions}")
    report.decisions += len(match.decisions)
    report.exceptions.update(match.met)


def draw_deal(rng: random.Random, players: int) -> Deal:
    """Draw stacks of 1 chip to 300 big blinds, blinds, perhaps antes, and the cards."""
    small, big = rng.choice(BLINDS)
    if players == 2 and small == big:
        small -= 1  # PokerKit lets the big blind begin if both blinds are the same
    ante = rng.choice((0, 0, 0, 0, 1, max(1, big // 10), big))
    lowest = rng.choice((1, 1, 3 * big, 20 * big))
    tops = rng.choice(((300,), (3, 300), (2, 5, 30), (2, 3)))
    stacks: list[int] = []
    for _ in range(players):
        top = max(lowest, big * rng.choice(tops))
        # Uneven numbers throughout; with a few that are equal, so that all-ins meet.
        even = rng.random() < 0.15 and stacks
        stacks.append(rng.choice(stacks) if even else rng.randint(lowest, top))
    big_seat = 1 if players > 2 else 0
    if rng.random() < 0.7:  # short big blinds are the one thing that ends a comparison
        stacks[big_seat] = max(stacks[big_seat], big + ante)
    cards = rng.sample(DECK, 2 * players + 5)
    if rng.random() < 0.15:
        # A board that nobody can beat makes ties of many.
        royal = [card for card in DECK if card % 4 == 3][-5:]
        rest = [card for card in rng.sample(DECK, 52) if card not in royal]
        cards = rest[: 2 * players] + royal
    return Deal(tuple(stacks), small, big, ante, tuple(cards), rng.random() < 0.25)


class _Match:
    """One hand in the three engines."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.decisions: list[Decision] = []
        self.met: set[str] = set()
        """The exceptions that this hand met."""
        self.comparing = True
        rules = Rules(
            stack=max(*deal.stacks, deal.big_blind, deal.ante),
            small_blind=deal.small_blind,
            big_blind=deal.big_blind,
            ante=deal.ante,
        )
        self.hand = Hand(rules, deal.stacks, deal.cards)
        self.reference = Reference(deal.stacks, deal.small_blind, deal.big_blind, deal.ante)
        size = len(deal.stacks)
        self.state: State = _Game.create_state(
            AUTOMATIONS,
            True,
            deal.ante,
            (deal.small_blind, deal.big_blind),
            deal.big_blind,
            deal.stacks,
            size,
            mode=Mode.CASH_GAME if deal.idle_folds else Mode.TOURNAMENT,
        )
        big_seat = 1 if size > 2 else 0
        self.short_big_blind = deal.stacks[big_seat] < deal.big_blind + deal.ante
        for seat in range(size):
            self.state.deal_hole([CARDS[c] for c in deal.cards[2 * seat : 2 * seat + 2]], seat)
        self.board: Iterator[Card] = iter([CARDS[card] for card in deal.cards[2 * size :]])

    def play(self, rng: random.Random) -> None:
        style = rng.choice(STYLES)
        while True:
            question = self.reference.question
            options = self.hand.options
            _same("is the hand over?", self.hand.over, question is None)
            if options is None or question is None:
                break
            self._compare_with_reference(options, question)
            if self.comparing:
                self._follow()
            raises = self._compare_with_pokerkit(options, question) if self.comparing else True
            decision = self._decide(rng, style, options, raises)
            self._act(decision)
        self._compare_stacks()

    def _compare_with_reference(self, options: Options, question: Question) -> None:
        _same(
            "reference: seat, owed, call, min_to, max_to",
            (self.hand.actor, options.owed, options.call, options.min_to, options.max_to),
            (question.seat, question.owed, question.call, question.min_to, question.max_to),
        )
        _same("a raise is possible if it has limits", options.can_raise, bool(options.max_to))

    def _compare_with_pokerkit(self, options: Options, question: Question) -> bool:
        """Compare a question; return whether both engines allow a raise."""
        state = self.state
        if self.short_big_blind and not any(state.bets):
            self._cut(SHORT_BIG_BLIND)
            return True
        _same("PokerKit: actor", self.hand.actor, state.actor_index)
        if self.short_big_blind:
            return True
        _same("PokerKit: call", options.call, state.checking_or_calling_amount)
        min_to = state.min_completion_betting_or_raising_to_amount or 0
        max_to = state.max_completion_betting_or_raising_to_amount or 0
        if bool(min_to) == options.can_raise:
            _same("PokerKit: min_to, max_to", (options.min_to, options.max_to), (min_to, max_to))
            return options.can_raise
        faced = self.reference.faced[question.seat]
        if faced is not None and min_to and faced < self.reference.largest:
            self.met.add(SHORT_ALL_IN_DOES_NOT_REOPEN)
        elif faced is not None and not min_to and faced >= self.reference.largest:
            self.met.add(FULL_RAISE_IN_ALL_REOPENS)
        else:
            _same("PokerKit: raise", (options.min_to, options.max_to), (min_to, max_to))
        return False

    def _cut(self, exception: str) -> None:
        self.met.add(exception)
        self.comparing = False

    def _follow(self) -> None:
        """Deal in PokerKit, and answer what it alone asks, until it waits for the same seat."""
        state = self.state
        while state.status:
            if state.card_burning_status:
                state.burn_card("??")
            elif state.board_dealing_count:
                state.deal_board([next(self.board) for _ in range(state.board_dealing_count)])
            elif self._asks_idly():
                self.met.add(IDLE_QUESTION)
                state.check_or_call()
            else:
                return

    def _asks_idly(self) -> bool:
        state = self.state
        seat = state.actor_index
        return (
            seat is not None
            and seat != self.hand.actor
            and not state.checking_or_calling_amount
            and not any(
                state.stacks[other]
                for other in state.player_indices
                if other != seat and state.statuses[other]
            )
        )

    def _decide(
        self, rng: random.Random, style: tuple[int, ...], options: Options, raises: bool
    ) -> Decision:
        raises = raises and options.can_raise
        kind = rng.choices(range(5), style)[0]
        if kind == 0 and (options.owed or self.deal.idle_folds):
            return FOLD
        if kind < 2 or not raises:
            return CALL
        if kind == 2:
            return raise_to(options.min_to)
        if kind == 3:
            return raise_to(options.max_to)
        top = rng.choice((options.max_to, min(options.max_to, 3 * options.min_to)))
        return raise_to(rng.randint(options.min_to, top))

    def _act(self, decision: Decision) -> None:
        self.decisions.append(decision)
        self.hand.act(decision)
        if self.comparing and self.short_big_blind and decision.kind != FOLD_KIND:
            self._cut(SHORT_BIG_BLIND)
        if decision.kind == FOLD_KIND:
            self.reference.fold()
            if self.comparing:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # there is no reason for this player to fold
                    self.state.fold()
        elif decision.kind == CALL_KIND:
            self.reference.call()
            if self.comparing:
                self.state.check_or_call()
        else:
            self.reference.raise_to(decision.to)
            if self.comparing:
                self.state.complete_bet_or_raise_to(decision.to)

    def _compare_stacks(self) -> None:
        hand, reference, deal = self.hand, self.reference, self.deal
        live = reference.live
        board = deal.cards[2 * reference.size :]
        ranks = {s: rank((*deal.cards[2 * s : 2 * s + 2], *board)) for s in live}
        back = payout(reference.put, live, ranks)
        _same("reference: stacks", hand.stacks, _sums(reference.stacks, back))
        _same("no chip appears or vanishes", sum(hand.stacks), sum(deal.stacks))
        if not self.comparing:
            return
        self._follow()
        _same("PokerKit: is the hand over?", hand.over, not self.state.status)
        if hand.stacks != self.state.stacks:
            back = payout_by_pokerkit(reference.put, live, ranks)
            _same("PokerKit: stacks", _sums(reference.stacks, back), list(self.state.stacks))
            self.met.add(ODD_CHIPS)


def _same(what: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise Difference(f"{what}: {ours} with us, {theirs} there")


def _sums(left: list[int], right: list[int]) -> list[int]:
    return [a + b for a, b in zip(left, right, strict=True)]
