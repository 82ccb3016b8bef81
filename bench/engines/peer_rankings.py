"""7-card rankings by eval7, phevaluator, pkrbot and treys, one call at a time.

A card is an int 0..51 = 4 * rank + suit, rank 0..12 = 2..A, suit 0..3 = c, d, h, s. ``RANKINGS``
lists the libraries that could be imported, each with

* ``prepare(cards)``: that library's own card objects, to be made outside the timed loop;
* ``call(hand)``: the ranking of one prepared hand, by the library's documented function. Where that
  takes a single argument (eval7, pkrbot), it is listed bare; the others need a function around it,
  which for phevaluator is a small part of the time.

"phevaluator (native)" is the compiled function beneath phevaluator's own, without its conversion
of each card; it is private, and is there to show what the wrapper costs. It is absent from releases
that are written in Python throughout. In eval7 and pkrbot the larger value is the better
hand; in the others the smaller one is, 1 to 7462. ``UNAVAILABLE`` has the reasons, by name, for
what is missing.
"""

from collections.abc import Callable, Sequence
from time import process_time
from typing import Any, NamedTuple

from . import optional

Cards = Sequence[tuple[int, ...]]


class Ranking(NamedTuple):
    """One library's way of ranking a hand of seven cards."""

    name: str
    prepare: Callable[[Cards], list[Any]]
    call: Callable[[Any], Any]


def _text(card: int) -> str:
    return "23456789TJQKA"[card >> 2] + "cdhs"[card & 3]


def _eval7() -> list[Ranking]:
    eval7, reason = optional("eval7")
    if reason is not None:
        UNAVAILABLE["eval7"] = reason
        return []
    deck = [eval7.Card(_text(card)) for card in range(52)]

    def prepare(cards: Cards) -> list[Any]:
        return [[deck[card] for card in hand] for hand in cards]

    return [Ranking("eval7", prepare, eval7.evaluate)]


def _phevaluator() -> list[Ranking]:
    phevaluator, reason = optional("phevaluator")
    if reason is not None:
        UNAVAILABLE["phevaluator"] = reason
        return []
    evaluate = getattr(phevaluator, "evaluate_7cards", phevaluator.evaluate_cards)

    def prepare(cards: Cards) -> list[Any]:
        return [tuple(hand) for hand in cards]  # its card numbers are the same as ours

    def call(hand: Any) -> Any:
        return evaluate(*hand)

    found = [Ranking("phevaluator", prepare, call)]
    compiled, _ = optional("phevaluator._pheval")
    native = getattr(compiled, "evaluate_7cards", None)
    if native is not None:

        def call_native(hand: Any) -> Any:
            return native(*hand)

        found.append(Ranking("phevaluator (native)", prepare, call_native))
    return found


def _pkrbot() -> list[Ranking]:
    pkrbot, reason = optional("pkrbot")
    if reason is not None:
        UNAVAILABLE["pkrbot"] = reason
        return []
    deck = [pkrbot.Card(_text(card)) for card in range(52)]

    def prepare(cards: Cards) -> list[Any]:
        return [[deck[card] for card in hand] for hand in cards]

    return [Ranking("pkrbot", prepare, pkrbot.evaluate)]


def _treys() -> list[Ranking]:
    treys, reason = optional("treys")
    if reason is not None:
        UNAVAILABLE["treys"] = reason
        return []
    deck = [treys.Card.new(_text(card)) for card in range(52)]
    evaluate = treys.Evaluator().evaluate

    def prepare(cards: Cards) -> list[Any]:
        return [([deck[c] for c in hand[:2]], [deck[c] for c in hand[2:]]) for hand in cards]

    def call(hand: Any) -> Any:
        return evaluate(*hand)

    return [Ranking("treys", prepare, call)]


UNAVAILABLE: dict[str, str] = {}
RANKINGS: list[Ranking] = _eval7() + _phevaluator() + _pkrbot() + _treys()


def rankings(cards: Cards, seconds: float) -> dict[str, float]:
    """Rank all hands again and again with each library: rankings per CPU second, by name."""
    rates = {}
    for name, prepare, call in RANKINGS:
        hands = prepare(cards)
        ranked = 0
        spent = 0.0
        while spent < seconds:
            started = process_time()
            for hand in hands:
                call(hand)
            spent += process_time() - started
            ranked += len(hands)
        rates[name] = ranked / spent
    return rates


def agree(cards: Cards) -> None:
    """Raise ``AssertionError`` unless all the libraries order these hands alike."""
    orders = {}
    for name, prepare, call in RANKINGS:
        sign = 1 if name in ("eval7", "pkrbot") else -1
        values = [sign * int(call(hand)) for hand in prepare(cards)]
        place = {value: index for index, value in enumerate(sorted(set(values)))}
        orders[name] = [place[value] for value in values]
    reference = next(iter(orders.items()), None)
    for name, order in orders.items():
        assert reference is None or order == reference[1], f"{name} disagrees with {reference[0]}"
