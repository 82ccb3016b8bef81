"""Cards as small integers, and how each protocol spells them.

A card is an int from 0 to 51: ``4 * rank + suit``, where rank 0..12 means 2..A and suit 0..3
means clubs, diamonds, hearts, spades. ``HIDDEN`` (-1) stands for a card that the reader may not
see. Kuhn poker uses J, Q and K of spades from the same deck, so the rest of the program needs only
one kind of card.

==========  ============  ==========================
spelling    ten of spades used by
==========  ============  ==========================
`short`     ``Ts``        room, hand histories, users
`upper`     ``TS``        JSON protocols
`long`      ``SPADES 10`` text protocols
`letter`    ``T``         kuhn
==========  ============  ==========================
"""

from collections.abc import Iterable
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
HIDDEN: Final = -1

DECK: Final = tuple(range(52))
KUHN_DECK: Final[tuple[int, ...]] = (39, 43, 47)


def small_deck(ranks: int, suits: int) -> tuple[int, ...]:
    """Return the highest ranks of the last suits, in ascending order."""
    return tuple(4 * rank + suit for rank in range(13 - ranks, 13) for suit in range(4 - suits, 4))


_SUIT_WORDS: Final[tuple[str, ...]] = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES")
_POINTS: Final = tuple("10" if rank == "T" else rank for rank in RANKS)

# The last entry of each tuple is the text of HIDDEN, which is index -1.
_SHORT: Final[tuple[str, ...]] = (*(r + s for r in RANKS for s in SUITS), "??")
_UPPER: Final[tuple[str, ...]] = (*(r + s.upper() for r in RANKS for s in SUITS), "??")
_LONG: Final[tuple[str, ...]] = (
    *(f"{word} {point}" for point in _POINTS for word in _SUIT_WORDS),
    "??",
)
_LETTER: Final[tuple[str, ...]] = (*(r for r in RANKS for _ in SUITS), "?")

_BY_TEXT: Final = {
    text: card for spelling in (_SHORT, _UPPER, _LONG) for card, text in enumerate(spelling[:52])
} | {_LETTER[card]: card for card in KUHN_DECK}


def short(card: int) -> str:
    """Return a card in the notation of hand histories: ``Ts``."""
    return _SHORT[card]


def upper(card: int) -> str:
    """Return a card in two upper-case characters: ``TS``."""
    return _UPPER[card]


def long(card: int) -> str:
    """Return a card in words, suit first: ``SPADES 10``."""
    return _LONG[card]


def letter(card: int) -> str:
    """Return the rank alone, which is all that Kuhn poker needs: ``T``."""
    return _LETTER[card]


def parse(text: str) -> int:
    """Parse a card in any of the spellings above."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise ValueError(
            f"{text!r} is not a card; write it like 'Ts', 'TS' or 'SPADES 10'"
        ) from None


def parse_many(text: str) -> list[int]:
    """Parse cards in two-character spellings, with or without spaces between them."""
    packed = "".join(text.split())
    if len(packed) % 2:
        raise ValueError(f"{text!r} is not a row of cards; write them like 'Ts9h2c'")
    return [parse(packed[i : i + 2]) for i in range(0, len(packed), 2)]


def join(cards: Iterable[int]) -> str:
    """Return cards in short spelling, concatenated: ``Ts9h2c``."""
    return "".join(_SHORT[card] for card in cards)
