"""The house of Kuhn poker plays an equilibrium: exact, by walking the rules through every hand."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product

import pytest

from croupier.bots import (
    HOUSE_BOTS,
    KUHN_BOTS,
    Bot,
    CallAgent,
    Nash,
    RandomAgent,
    bots_for,
    house_bot,
)
from croupier.bots.kuhn import (
    BET_AFTER_CHECK,
    BET_INTO,
    CHECKED_TO,
    OPENING,
    bet_probability,
)
from croupier.cards import KUHN_DECK, letter
from croupier.deals import Stream
from croupier.rules.decisions import CALL, CALL_KIND, FOLD, RAISE, RAISE_KIND, Decision, raise_to
from croupier.rules.hand import Hand
from croupier.rules.sets import KUHN, SETS
from croupier.rules.view import view_of

ALPHAS = [Fraction(0), Fraction(1, 6), Fraction(1, 3)]
DEALS = list(permutations(KUHN_DECK, 2))
FIRST, SECOND = 0, 1
STACK = 20

Policy = Callable[[Hand], Fraction]
"""The chance with which the seat to act puts in a coin."""


class Fixed(Stream):
    """A stream whose next number is chosen, and that notes out of how many."""

    def __init__(self, number: int = 0) -> None:
        super().__init__(bytes(32), "fixed")
        self.number = number
        self.bounds: list[int] = []

    def below(self, bound: int) -> int:
        self.bounds.append(bound)
        return self.number


def puts_in_a_coin(hand: Hand, decision: Decision) -> bool:
    assert hand.options
    assert not hand.options.fault(decision)
    return decision.kind == RAISE_KIND or (decision.kind == CALL_KIND and hand.options.owed > 0)


def as_played(bot: Callable[[Stream], Bot]) -> Policy:
    """Return what a bot really does, over every number that it can draw once per decision."""

    def policy(hand: Hand) -> Fraction:
        view = view_of(hand, hand.actor)
        probe = Fixed()
        bot(probe).decide(view)
        [bound] = probe.bounds
        coins = [puts_in_a_coin(hand, bot(Fixed(number)).decide(view)) for number in range(bound)]
        return Fraction(sum(coins), bound)

    return policy


def nash(alpha: Fraction) -> Policy:
    return as_played(lambda stream: Nash(stream, alpha))


def value(
    cards: Sequence[int], policies: Sequence[Policy], done: tuple[Decision, ...] = ()
) -> Fraction:
    """Return what the first player wins on average with a deal, after some decisions."""
    hand = Hand(KUHN, [STACK, STACK], cards)
    for decision in done:
        hand.act(decision)
    if hand.over:
        return Fraction(hand.stacks[FIRST] - STACK)
    assert hand.options
    coin = policies[hand.actor](hand)
    with_coin, without = (CALL, FOLD) if hand.options.owed else (raise_to(1), CALL)
    total = Fraction(0)
    if coin:
        total += coin * value(cards, policies, (*done, with_coin))
    if coin < 1:
        total += (1 - coin) * value(cards, policies, (*done, without))
    return total


def game_value(policies: Sequence[Policy]) -> Fraction:
    """Return what the first player wins on average."""
    return sum((value(deal, policies) for deal in DEALS), Fraction(0)) / len(DEALS)


def best_response(role: int, opponent: Policy) -> Fraction:
    """Return the most that anyone can win on average in a role against a policy.

    With each card there are two questions at most, one without a bet to face and one with it, so
    four ways to play; what is best with one card does not depend on the others.
    """
    total = Fraction(0)
    for card in KUHN_DECK:
        ways: list[Fraction] = []
        for bets, calls in product((Fraction(0), Fraction(1)), repeat=2):

            def own(hand: Hand, bets: Fraction = bets, calls: Fraction = calls) -> Fraction:
                assert hand.options
                return calls if hand.options.owed else bets

            policies = [own, opponent] if role == FIRST else [opponent, own]
            deals = [deal for deal in DEALS if deal[role] == card]
            won = sum((value(deal, policies) for deal in deals), Fraction(0))
            ways.append(won if role == FIRST else -won)
        total += max(ways)
    return total / len(DEALS)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_nobody_wins_more_against_nash_than_the_game_is_worth(alpha: Fraction) -> None:
    policy = nash(alpha)
    first, second = best_response(FIRST, policy), best_response(SECOND, policy)
    assert first == Fraction(-1, 18)
    assert second == Fraction(1, 18)
    exploitability = (first + second) / 2
    assert exploitability == 0


@pytest.mark.parametrize(("of_first", "of_second"), list(product(ALPHAS, repeat=2)))
def test_the_game_is_worth_an_18th_of_a_coin_less_than_nothing_to_whoever_starts(
    of_first: Fraction, of_second: Fraction
) -> None:
    assert game_value([nash(of_first), nash(of_second)]) == Fraction(-1, 18)


def test_the_measure_finds_what_can_be_exploited() -> None:
    # Random play has one draw per decision too; a strategy that is not Nash's must show.
    policy = as_played(RandomAgent)
    assert best_response(FIRST, policy) + best_response(SECOND, policy) > 0

    def bluffs_too_much(hand: Hand) -> Fraction:
        return Fraction(1, 2) if letter(hand.hole[hand.actor][0]) == "J" else nash(ALPHAS[1])(hand)

    assert best_response(FIRST, bluffs_too_much) > Fraction(-1, 18)


CHANCES = {
    ("J", OPENING): "1/6",
    ("Q", OPENING): "0",
    ("K", OPENING): "1/2",
    ("J", BET_AFTER_CHECK): "0",
    ("Q", BET_AFTER_CHECK): "1/2",
    ("K", BET_AFTER_CHECK): "1",
    ("J", CHECKED_TO): "1/3",
    ("Q", CHECKED_TO): "0",
    ("K", CHECKED_TO): "1",
    ("J", BET_INTO): "0",
    ("Q", BET_INTO): "1/3",
    ("K", BET_INTO): "1",
}


@pytest.mark.parametrize(("situation", "chance"), CHANCES.items())
def test_the_chances_of_nash_are_those_of_the_book(
    situation: tuple[str, tuple[str, ...]], chance: str
) -> None:
    card, history = situation
    assert bet_probability(card, history, Fraction(1, 6)) == Fraction(chance)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_nash_draws_exactly_the_chances_it_names(alpha: Fraction) -> None:
    policy = nash(alpha)
    before: dict[tuple[str, ...], list[Decision]] = {
        OPENING: [],
        CHECKED_TO: [CALL],
        BET_INTO: [raise_to(1)],
        BET_AFTER_CHECK: [CALL, raise_to(1)],
    }
    for (history, decisions), deal in product(before.items(), DEALS):
        hand = Hand(KUHN, [STACK, STACK], deal)
        for decision in decisions:
            hand.act(decision)
        card = letter(hand.hole[hand.actor][0])
        assert policy(hand) == bet_probability(card, history, alpha)


def test_a_bet_by_another_verb_is_answered_as_a_bet() -> None:
    jack, _, king = KUHN_DECK
    hand = Hand(KUHN, [STACK, STACK], [jack, king])
    hand.act(raise_to(1, RAISE))
    assert Nash(Fixed()).decide(view_of(hand, SECOND)) == CALL


def test_without_a_coin_nash_calls_for_nothing_and_never_bets() -> None:
    jack, queen, king = KUHN_DECK
    hand = Hand(KUHN, [STACK, 1], [queen, jack])
    hand.act(raise_to(1))
    assert Nash(Fixed()).decide(view_of(hand, SECOND)) == CALL
    hand = Hand(KUHN, [1, STACK], [king, jack])
    assert Nash(Fixed()).decide(view_of(hand, FIRST)) == CALL


@pytest.mark.parametrize(
    "alpha", [Fraction(-1, 100), Fraction(34, 100), Fraction(1, 256), Fraction(1, 257)]
)
def test_an_alpha_that_is_no_equilibrium_or_cannot_be_drawn_is_refused(alpha: Fraction) -> None:
    with pytest.raises(ValueError, match="alpha"):
        Nash(Fixed(), alpha)


@pytest.mark.parametrize("alpha", [Fraction(1, 255), Fraction(28, 85), Fraction(1, 252)])
def test_every_alpha_that_is_accepted_can_be_drawn(alpha: Fraction) -> None:
    bot = Nash(Stream(bytes(32), "bot 0"), alpha)
    for card in KUHN_DECK:
        other = next(each for each in KUHN_DECK if each != card)
        for decisions in ([], [CALL, raise_to(1)]):
            hand = Hand(KUHN, [STACK, STACK], [card, other])
            for decision in decisions:
                hand.act(decision)
            bot.decide(view_of(hand, FIRST))


# The names.


def test_the_house_of_kuhn_has_short_names_and_nash_comes_first() -> None:
    assert list(KUHN_BOTS) == ["nash", "random", "call"]
    stream = Stream(bytes(32), "bot 0")
    assert type(house_bot("nash", stream)) is Nash
    assert type(house_bot("random", stream)) is RandomAgent
    assert type(house_bot("call", stream)) is CallAgent


def test_nash_is_offered_where_kuhn_is_played_and_nowhere_else() -> None:
    for rules in SETS.values():
        assert ("nash" in bots_for(rules)) == (rules is KUHN)
        assert set(HOUSE_BOTS) <= set(bots_for(rules))


@pytest.mark.parametrize(
    ("name", "stacks"),
    [
        *product(bots_for(KUHN), [[20, 20]]),
        *product(KUHN_BOTS, [[1, 20], [20, 1], [1, 1], [2, 1]]),
    ],
)
def test_the_house_of_kuhn_decides_legally_with_any_number_of_coins(
    name: str, stacks: list[int]
) -> None:
    bot = house_bot(name, Stream(bytes(32), "bot 0"))
    for deal in DEALS * 20:
        hand = Hand(KUHN, stacks, deal)
        while not hand.over:
            hand.act(bot.decide(view_of(hand, hand.actor)))
        assert sum(hand.stacks) == sum(stacks)


def test_nash_plays_with_the_default_alpha_of_a_sixth() -> None:
    hand = Hand(KUHN, [STACK, STACK], KUHN_DECK[:2])
    assert as_played(Nash)(hand) == Fraction(1, 6)
