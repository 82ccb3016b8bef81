"""Encoding of events as messages of the protocol.

`seat`, `blind`, `flop`, `turn`, `river`, `showdown` and `pot-win` go to everyone seated in the
hand, folded or not; `hold` and `inquire` to one player; `notify` and `bet` to players that asked
for them when they registered. A player that is out of the match gets nothing until `game-over`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from croupier.dialects.base import Outgoing, Speaker
from croupier.dialects.huawei import words
from croupier.match.events import MatchEnded
from croupier.match.view import MatchView
from croupier.ranking import category, rank
from croupier.rules.events import (
    ANTE,
    Acted,
    Asked,
    BetReturned,
    BoardDealt,
    Event,
    HandEnded,
    HandStarted,
    HoleDealt,
    Posted,
    PotWon,
    RoundEnded,
    Shown,
)
from croupier.rules.hand import NOBODY
from croupier.rules.rules import AFTER_SMALL_BLIND
from croupier.rules.view import View


@dataclass(frozen=True, slots=True)
class Listener:
    """The messages that a player of this dialect asked for."""

    notify: bool = False
    bets: bool = False


class HuaweiSpeaker(Speaker):
    """Addresses the players of a table that use this dialect."""

    def __init__(self, pids: Mapping[int, str], listeners: Mapping[int, Listener]) -> None:
        """Address `listeners`; `pids` has every player of the match."""
        self._pids = pids
        self._listeners = listeners
        self._seated: list[int] = []
        self._money: list[int] = []
        """The chips of each seat beside the table."""
        self._posts: list[str] = []
        self._turn = 0
        """The next seat in turn order."""
        self._last_actor = NOBODY
        self._shown: dict[int, tuple[int, ...]] = {}
        self._won: dict[int, int] = {}
        self._bettors: list[int] = []
        """The players that get every `bet`."""
        self._notified = False
        """Whether any player gets `notify`."""
        self._lines: list[str] = []
        """The line of each seat that has acted, empty for the others."""

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        """Return the messages that an event causes."""
        hand = view.hand
        if isinstance(event, Acted):
            return self._acted(event, hand)
        if isinstance(event, Asked):
            return self._asked(event, hand)
        if isinstance(event, RoundEnded):
            return self._round_over(event, hand)
        if isinstance(event, BoardDealt):
            return self._board(event, hand)
        if isinstance(event, HandStarted):
            return self._started(event, view)
        if isinstance(event, HoleDealt):
            return self._hole(event, hand)
        if isinstance(event, HandEnded):
            return self._ended(event, hand)
        if isinstance(event, MatchEnded):
            return [(player, words.GAME_OVER) for player in self._listeners]
        if isinstance(event, Posted):
            self._posted(event, hand)
        elif isinstance(event, BetReturned):
            self._won[event.seat] = event.amount
        elif isinstance(event, Shown):
            if not hand.folded[event.seat]:
                self._shown[event.seat] = event.cards
        elif isinstance(event, PotWon):
            for seat, share in event.winners:
                self._won[seat] = self._won.get(seat, 0) + share
        return ()

    def _pid(self, hand: View, seat: int) -> str:
        return self._pids[hand.players[seat]]

    def _all(self, message: bytes) -> list[tuple[int, bytes]]:
        return [(player, message) for player in self._seated]

    def _started(self, event: HandStarted, view: MatchView) -> Outgoing:
        self._money = _money(event.reserves, view)
        listeners = self._listeners
        self._seated = [player for player in event.players if player in listeners]
        self._bettors = [player for player in self._seated if listeners[player].bets]
        self._notified = any(listeners[player].notify for player in self._seated)
        self._lines = [""] * len(event.players)
        self._posts = []
        self._shown = {}
        self._won = {}
        size = len(event.players)
        self._turn = 2 if size > 2 else 1
        lines = [
            f"{self._pids[player]} {stack} {money}"
            for player, stack, money in zip(event.players, event.stacks, self._money, strict=True)
        ]
        lines = lines[-1:] + lines[:-1]
        titles = ["button: ", "small blind: ", "big blind: "]
        titled = [
            (titles[place] if place < len(titles) else "") + line
            for place, line in enumerate(lines)
        ]
        return self._all(words.block("seat", titled))

    def _posted(self, event: Posted, hand: View) -> None:
        if event.kind != ANTE:
            self._posts.append(f"{self._pid(hand, event.seat)}: {event.amount}")
            self._lines[event.seat] = self._line(hand, event.seat)

    def _hole(self, event: HoleDealt, hand: View) -> Outgoing:
        messages: list[tuple[int, bytes]] = []
        if self._posts:
            messages = self._all(words.block("blind", self._posts))
            self._posts = []
        player = hand.players[event.seat]
        if player in self._listeners:
            messages.append((player, words.block("hold", words.cards(event.cards))))
        return messages

    # The betting.

    def _asked(self, event: Asked, hand: View) -> Outgoing:
        seat = event.seat
        player = hand.players[seat]
        messages = self._pass_turn(seat, hand) if self._notified else []
        if player in self._listeners:
            messages.append((player, self._figures("inquire", hand, seat)))
        return messages

    def _acted(self, event: Acted, hand: View) -> Outgoing:
        seat = event.seat
        self._turn = seat + 1
        self._last_actor = seat
        self._lines[seat] = line = self._line(hand, seat)
        if not self._bettors:
            return ()
        message = f"bet/ \n{line}/bet \n".encode("ascii")
        return [(player, message) for player in self._bettors]

    def _pass_turn(self, to: int, hand: View) -> list[tuple[int, bytes]]:
        """Notify the players whose seats the turn skips."""
        size = len(hand.players)
        seat = self._turn % size
        messages: list[tuple[int, bytes]] = []
        while seat != to:
            messages += self._notify(hand, seat)
            seat = (seat + 1) % size
        return messages

    def _round_over(self, event: RoundEnded, hand: View) -> Outgoing:
        """Notify the players that would not otherwise learn how a betting round ended."""
        if not self._notified:
            return ()
        size = len(hand.players)
        able = sum(not hand.folded[seat] and hand.stacks[seat] > 0 for seat in range(size))
        river = event.street == len(hand.rules.streets) - 1
        everyone = river or able < 2
        messages: list[tuple[int, bytes]] = []
        for seat in range(size):
            # A player that gets every bet already knows how an earlier street ended.
            if not river and hand.players[seat] in self._bettors:
                continue
            if seat > self._last_actor or (everyone and seat != self._last_actor):
                messages += self._notify(hand, seat)
        return messages

    def _notify(self, hand: View, seat: int) -> list[tuple[int, bytes]]:
        player = hand.players[seat]
        listener = self._listeners.get(player)
        if listener is None or not listener.notify:
            return []
        return [(player, self._figures("notify", hand, seat))]

    def _figures(self, name: str, hand: View, seat: int) -> bytes:
        """Return the lines of the seats that have acted, backwards from the one before this."""
        lines = self._lines
        body = "".join([lines[seat - back] for back in range(1, len(lines) + 1)])
        return f"{name}/ \n{body}total pot: {hand.pot} \n/{name} \n".encode("ascii")

    def _line(self, hand: View, seat: int) -> str:
        last = hand.last[seat]
        assert last is not None
        return (
            f"{self._pids[hand.players[seat]]} {hand.stacks[seat]} {self._money[seat]}"
            f" {hand.put[seat]} {words.action(last)} \n"
        )

    # Cards and the end.

    def _board(self, event: BoardDealt, hand: View) -> Outgoing:
        small_blind_last = hand.rules.later_start == AFTER_SMALL_BLIND and len(hand.players) > 2
        self._turn = 1 if small_blind_last else 0
        return self._all(words.block(words.STREETS[event.street], words.cards(event.cards)))

    def _ended(self, event: HandEnded, hand: View) -> Outgoing:
        ranks: dict[int, int] = {}
        messages: list[tuple[int, bytes]] = []
        if len(self._shown) > 1:
            ranks = {seat: rank((*cards, *hand.board)) for seat, cards in self._shown.items()}
            messages = self._all(self._showdown(hand, ranks))
        winners = sorted(self._won, key=lambda seat: (-ranks.get(seat, 0), seat))
        lines = [f"{self._pid(hand, seat)}: {self._won[seat]}" for seat in winners]
        return messages + self._all(words.block("pot-win", lines))

    def _showdown(self, hand: View, ranks: dict[int, int]) -> bytes:
        common = words.block("common", words.cards(hand.board)).decode("ascii")
        places = {value: place for place, value in enumerate(sorted(set(ranks.values()))[::-1], 1)}
        lines = [
            f"{places[ranks[seat]]}: {self._pid(hand, seat)}"
            f" {' '.join(words.cards(self._shown[seat]))} {words.HAND_NAMES[category(ranks[seat])]}"
            for seat in sorted(ranks)
        ]
        body = "".join(f"{line} \n" for line in lines)
        return f"showdown/ \n{common}{body}/showdown \n".encode("ascii")


def _money(reserves: tuple[int, ...], view: MatchView) -> list[int]:
    """Return each seat's chips beside the table, including the stacks that it can still buy."""
    rules = view.rules
    return [
        reserve + (rules.reloads - view.reloads[player]) * rules.stack
        for player, reserve in zip(view.hand.players, reserves, strict=True)
    ]
