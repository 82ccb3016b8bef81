"""Building blocks of frames, as JSON text in the spelling of the original server."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from croupier.cards import DECK, HIDDEN, short
from croupier.dialects.room.frames import frame
from croupier.dialects.room.reader import V1
from croupier.rules.decisions import Options
from croupier.rules.events import CALLED, CHECKED, FOLDED, Acted
from croupier.rules.hand import NOBODY
from croupier.rules.view import View

NAME: Final = "room"

SUCCESS: Final = frame('{"info": "success", "text": "Complete playing"}')

_QUOTED: Final = {card: f'"{short(card)}"' for card in DECK}


def error(text: str) -> bytes:
    """Return an error frame."""
    return frame(json.dumps({"info": "error", "text": text}))


def commitment(digest: str) -> bytes:
    """Return the frame for a player that gave a nonce; the original protocol has none."""
    return frame(f'{{"info": "commitment", "commitment": "{digest}"}}')


def array(items: Iterable[str]) -> str:
    """Return an array of JSON texts."""
    return f"[{', '.join(items)}]"


def numbers(values: Iterable[int]) -> str:
    """Return an array of numbers."""
    return f"[{', '.join(map(str, values))}]"


def cards(values: Sequence[int]) -> str:
    """Return an array of cards, empty if they are hidden."""
    if not values or values[0] == HIDDEN:
        return "[]"
    return f"[{', '.join([_QUOTED[card] for card in values])}]"


def action(acted: Acted) -> str:
    """Return the protocol's word for an action."""
    if acted.action in (FOLDED, CALLED, CHECKED):
        return acted.action
    return f"r{acted.to}"


def legal(options: Options) -> str:
    """Return the fields of a state with the options of the player to act."""
    call = "call" if options.owed else "check"
    if options.can_raise and options.max_to:
        return (
            f'"legal_actions": ["fold", "{call}", "raise"],'
            f' "raise_range": [{options.min_to}, {options.max_to}]'
        )
    return f'"legal_actions": ["fold", "{call}"], "raise_range": []'


def position(seat: int, hand: View) -> int:
    """Return the position of a seat: the small blind has 0."""
    return (seat - hand.small_seat) % len(hand.players)


def seats(hand: View) -> list[int]:
    """Return the seats of a hand in the order of their positions."""
    small, size = hand.small_seat, len(hand.players)
    return [(small + place) % size for place in range(size)]


def done(version: int, place: int, what: str, stamp: Callable[[], str]) -> str:
    """Return a history item in a version's spelling; `stamp` returns the time of day."""
    if version == V1:
        return f'"{place}:{what}"'
    return f'{{"position": {place}, "action": "{what}", "timestamp": "{stamp()}"}}'


# Fields of the second version only. `order` has the seats by position; `won` is indexed by
# position, `money` and `totals` by seat.


def players(
    hand: View,
    order: Sequence[int],
    money: Sequence[int],
    totals: Sequence[int],
    name: Callable[[int], str],
) -> str:
    """Return the field of a state with each player's remaining and initial chips."""
    return '"players": ' + array(
        f'{{"position": {place}, "money_left": {money[seat]}, "total_money": {totals[seat]},'
        f' "name": {name(hand.players[seat])}}}'
        for place, seat in enumerate(order)
    )


def winnings(
    hand: View,
    order: Sequence[int],
    won: Sequence[int],
    money: Sequence[int],
    totals: Sequence[int],
    name: Callable[[int], str],
) -> str:
    """Return the field of a result with each player's winnings."""
    return '"players": ' + array(
        f'{{"position": {place}, "win_money": {won[place]}, "moneyLeft": {money[seat]},'
        f' "totalMoney": {totals[seat]}, "name": {name(hand.players[seat])}}}'
        for place, seat in enumerate(order)
    )


class History:
    """The actions of a hand as JSON, one list per street.

    A street is added when its first player is asked, so a board that is merely run out adds no
    empty lists.
    """

    __slots__ = ("_closed", "_round", "_street")

    def __init__(self) -> None:
        self._closed = ""
        self._round: list[str] = []
        self._street = 0

    def asked(self, street: int) -> None:
        """Begin the list of a street, unless it has begun."""
        while self._street < street:
            self._closed += f"[{', '.join(self._round)}], "
            self._round = []
            self._street += 1

    def add(self, item: str) -> None:
        """Add an action on the current street."""
        self._round.append(item)

    @classmethod
    def so_far(cls, hand: View, version: int, stamp: Callable[[], str]) -> "History":
        """Return the history of a hand in progress."""
        history = cls()
        for street, acted in hand.history:
            history.asked(street)
            place = position(acted.seat, hand)
            history.add(done(version, place, action(acted), stamp))
        if hand.actor != NOBODY:
            history.asked(hand.street)
        return history

    def text(self) -> str:
        """Return the whole history as a JSON array."""
        return f"[{self._closed}[{', '.join(self._round)}]]"
