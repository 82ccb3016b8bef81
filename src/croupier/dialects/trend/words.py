"""Building blocks of messages, as JSON text.

Everything written here originates in the server (tokens, cards, numbers and fixed words), so
nothing has to be escaped.
"""

from collections.abc import Collection, Iterable
from typing import Final

from croupier.cards import DECK, HIDDEN, upper
from croupier.dialects.trend.ranker import hand_number
from croupier.match.view import MatchView
from croupier.ranking import rank
from croupier.rules import rules as r
from croupier.rules.decisions import BET, RAISE
from croupier.rules.view import View

NAME: Final = "trend"

ROUND_NAMES: Final[tuple[str, ...]] = ("Deal", "Flop", "Turn", "River")
SHOWDOWN: Final = "Showdown"

_QUOTED: Final = tuple(f'"{upper(card)}"' for card in (*DECK, HIDDEN))


def message(name: str, data: str) -> bytes:
    """Return a complete message."""
    return f'{{"eventName":"{name}","data":{data}}}'.encode("ascii")


def commitment(digest: str) -> bytes:
    """Return the message for a player that gave a nonce; the original protocol has none."""
    return message("__commitment", f'{{"commitment":"{digest}"}}')


def truth(value: bool) -> str:
    """Return a JSON boolean."""
    return "true" if value else "false"


def card_list(cards: Iterable[int]) -> str:
    """Return cards as an array."""
    return f"[{card_row(cards)}]"


def card_row(cards: Iterable[int]) -> str:
    """Return the items of an array of cards, without its brackets."""
    return ",".join([_QUOTED[card] for card in cards])


def ending(player: int, view: MatchView, humans: Collection[int]) -> str:
    """Return the last keys of a player's object, with its closing brace."""
    return f'"isOnline":{truth(view.online[player])},"isHuman":{truth(player in humans)}}}'


def hand_object(hand: View, cards: tuple[int, ...]) -> str:
    """Return the hand that cards form with the full board, or an empty one if they are hidden."""
    seven = (*cards, *hand.board, *hand.undealt)
    if not cards or len(seven) < 7:
        return '{"cards":[],"rank":0,"message":""}'
    number, name = hand_number(seven)
    # A whole number is written without a fraction: 120, not 120.0.
    text = repr(int(number)) if number == int(number) else repr(number)
    return f'{{"cards":{card_list(seven)},"rank":{text},"message":"{name}"}}'


# Figures of a hand.


def hand_rank(hand: View, cards: tuple[int, ...]) -> int:
    """Return the exact rank of cards with the full board, or 0 if there is none."""
    seven = (*cards, *hand.board, *hand.undealt)
    return rank(seven) if cards and len(seven) == 7 else 0


def shown_cards(cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cards if they were shown, otherwise none."""
    return () if not cards or cards[0] < 0 else cards


def counts(hand: View) -> tuple[int, int]:
    """Return the numbers of raises and bets on this street."""
    raises = bets = 0
    for street, done in reversed(hand.history):
        if street != hand.street:
            break
        raises += done.action == RAISE
        bets += done.action == BET
    return raises, bets


def round_name(hand: View) -> str:
    """Return the name of the street, or of the showdown."""
    return SHOWDOWN if hand.over else ROUND_NAMES[hand.street]


def survives(player: int, view: MatchView) -> bool:
    """Tell whether a player has chips, or can still buy some."""
    if view.out[player]:
        return False
    if view.rules.stacks == r.RESET:
        return True
    in_play = player in view.hand.players and not view.hand.over
    return bool(in_play or view.stacks[player] or view.reloads[player] < view.rules.reloads)


def blind_seats(hand: View) -> tuple[int, int]:
    """Return the seats reported as small and big blind, even if one of them posts nothing."""
    if len(hand.players) > 2:
        return 0, 1
    return (1, 0) if hand.rules.heads_up == r.BUTTON_SMALL else (0, 1)
