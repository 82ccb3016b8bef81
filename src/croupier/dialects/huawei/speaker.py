"""Events into the messages of the protocol.

`seat`, `blind`, `flop`, `turn`, `river`, `showdown` and `pot-win` go to everyone seated in the
hand, folded or not; `hold` and `inquire` to one player; `notify` and `bet` to those who asked for
them when they registered. Who is out of the match hears nothing more until `game-over`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from croupier.dialects.base import Outgoing
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
    """What a player of this dialect asked for."""

    notify: bool = False
    bets: bool = False


class HuaweiSpeaker:
    """Speaks to those players of a table who registered in this dialect."""

    def __init__(self, pids: Mapping[int, str], listeners: Mapping[int, Listener]) -> None:
        """`pids` names every player of the match, `listeners` those who are spoken to."""
        self._pids = pids
        self._listeners = listeners
        self._seated: list[int] = []
        self._posts: list[str] = []
        self._turn = 0
        """The seat that the turn comes to next."""
        self._last_actor = NOBODY
        self._shown: dict[int, tuple[int, ...]] = {}
        self._won: dict[int, int] = {}

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        """Return the messages that an event causes."""
        kind = type(event)
        hand = view.hand
        if kind is Acted:
            return self._acted(event, hand)  # type: ignore[arg-type]
        if kind is Asked:
            return self._asked(event, hand)  # type: ignore[arg-type]
        if kind is HandStarted:
            return self._started(event)  # type: ignore[arg-type]
        if kind is Posted:
            return self._posted(event, hand)  # type: ignore[arg-type]
        if kind is HoleDealt:
            return self._hole(event, hand)  # type: ignore[arg-type]
        if kind is BoardDealt:
            return self._board(event, hand)  # type: ignore[arg-type]
        if kind is RoundEnded:
            return self._round_over(event, hand)  # type: ignore[arg-type]
        if kind is BetReturned:
            self._won[event.seat] = event.amount  # type: ignore[attr-defined]
            return ()
        if kind is Shown:
            if not hand.folded[event.seat]:  # type: ignore[attr-defined]
                self._shown[event.seat] = event.cards  # type: ignore[attr-defined]
            return ()
        if kind is PotWon:
            for seat, share in event.winners:  # type: ignore[attr-defined]
                self._won[seat] = self._won.get(seat, 0) + share
            return ()
        if kind is HandEnded:
            return self._ended(hand)
        if kind is MatchEnded:
            return [(player, words.GAME_OVER) for player in self._listeners]
        return ()

    def resumed(self, view: MatchView) -> None:
        """Nothing: every hand begins with all there is to know."""

    def _pid(self, hand: View, seat: int) -> str:
        return self._pids[hand.players[seat]]

    def _all(self, message: bytes) -> Iterator[tuple[int, bytes]]:
        return ((player, message) for player in self._seated)

    def _started(self, event: HandStarted) -> Outgoing:
        self._seated = [player for player in event.players if player in self._listeners]
        self._posts = []
        self._shown = {}
        self._won = {}
        size = len(event.players)
        self._turn = 2 if size > 2 else 1
        lines = [
            f"{self._pids[player]} {stack} {reserve}"
            for player, stack, reserve in zip(
                event.players, event.stacks, event.reserves, strict=True
            )
        ]
        lines = lines[-1:] + lines[:-1]
        titles = ["button: ", "small blind: ", "big blind: "]
        titled = [
            (titles[place] if place < len(titles) else "") + line
            for place, line in enumerate(lines)
        ]
        return self._all(words.block("seat", titled))

    def _posted(self, event: Posted, hand: View) -> Outgoing:
        if event.kind != ANTE:
            self._posts.append(f"{self._pid(hand, event.seat)}: {event.amount}")
        return ()

    def _hole(self, event: HoleDealt, hand: View) -> Outgoing:
        if self._posts:
            yield from self._all(words.block("blind", self._posts))
            self._posts = []
        player = hand.players[event.seat]
        if player in self._listeners:
            yield player, words.block("hold", words.cards(event.cards))

    # The betting.

    def _asked(self, event: Asked, hand: View) -> Outgoing:
        yield from self._pass_turn(event.seat, hand)
        player = hand.players[event.seat]
        if player in self._listeners:
            yield player, words.block("inquire", self._figures(hand, event.seat))

    def _acted(self, event: Acted, hand: View) -> Outgoing:
        self._turn = event.seat + 1
        self._last_actor = event.seat
        if any(self._listeners[player].bets for player in self._seated):
            message = words.block("bet", [self._line(hand, event.seat)])
            for player in self._seated:
                if self._listeners[player].bets:
                    yield player, message

    def _pass_turn(self, to: int, hand: View) -> Outgoing:
        """Notify those whose seat the turn passes over on its way."""
        size = len(hand.players)
        seat = self._turn % size
        while seat != to:
            yield from self._notify(hand, seat)
            seat = (seat + 1) % size

    def _round_over(self, event: RoundEnded, hand: View) -> Outgoing:
        """Notify those who would not hear otherwise how a betting round ended."""
        size = len(hand.players)
        able = sum(not hand.folded[seat] and hand.stacks[seat] > 0 for seat in range(size))
        # The server version that knew `need_bet` also notified more people after the river.
        later_version = any(listener.bets for listener in self._listeners.values())
        river = event.street == len(hand.rules.streets) - 1
        everyone = able < 2 or (river and later_version)
        for seat in range(size):
            if seat > self._last_actor or (everyone and seat != self._last_actor):
                yield from self._notify(hand, seat)

    def _notify(self, hand: View, seat: int) -> Outgoing:
        player = hand.players[seat]
        listener = self._listeners.get(player)
        if listener is not None and listener.notify:
            yield player, words.block("notify", self._figures(hand, seat))

    def _figures(self, hand: View, seat: int) -> Iterator[str]:
        """Return the lines of those who have acted, backwards from the seat before this one."""
        size = len(hand.players)
        for step in range(1, size + 1):
            other = (seat - step) % size
            if hand.last[other] is not None:
                yield self._line(hand, other)
        yield f"total pot: {hand.pot}"

    def _line(self, hand: View, seat: int) -> str:
        last = hand.last[seat]
        assert last is not None
        return (
            f"{self._pid(hand, seat)} {hand.stacks[seat]} {hand.reserves[seat]} {hand.put[seat]}"
            f" {words.action(last)}"
        )

    # Cards and the end.

    def _board(self, event: BoardDealt, hand: View) -> Outgoing:
        small_blind_last = hand.rules.later_start == AFTER_SMALL_BLIND and len(hand.players) > 2
        self._turn = 1 if small_blind_last else 0
        yield from self._all(words.block(words.STREETS[event.street], words.cards(event.cards)))

    def _ended(self, hand: View) -> Outgoing:
        ranks: dict[int, int] = {}
        if len(self._shown) > 1:
            ranks = {seat: rank((*cards, *hand.board)) for seat, cards in self._shown.items()}
            yield from self._all(self._showdown(hand, ranks))
        winners = sorted(self._won, key=lambda seat: (-ranks.get(seat, 0), seat))
        lines = [f"{self._pid(hand, seat)}: {self._won[seat]}" for seat in winners]
        yield from self._all(words.block("pot-win", lines))

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
