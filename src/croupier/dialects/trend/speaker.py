"""Encoding of events as messages of the protocol.

Everyone at the table gets every broadcast, including players that are out. Most messages differ
between receivers only in the cards they show, so such a message is encoded once, without cards, and
each receiver's own cards are inserted into its copy. Names are tokens: 32 hex digits, never the
private name. Every key is always present, in the same order.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from croupier.dialects.base import Outgoing, Speaker
from croupier.dialects.trend import words
from croupier.match.events import (
    CountedDown,
    Joined,
    Left,
    MatchEnded,
    MatchStarted,
    ReloadOpened,
    Returned,
    StartFailed,
    Stopped,
)
from croupier.match.view import MatchView
from croupier.rules.events import (
    CHECKED,
    FOLDED,
    Acted,
    Asked,
    BetReturned,
    BettingClosed,
    BoardDealt,
    Event,
    HandEnded,
    HandStarted,
    HoleDealt,
    Posted,
    PotWon,
)
from croupier.rules.view import View

STANDBY, PREPARING, RUNNING, FINISHED = 0, 1, 2, 3
ALL_IN: Final = "allin"


class TrendSpeaker(Speaker):
    """Addresses the players of a table that use this dialect."""

    def __init__(
        self,
        table_number: str,
        tokens: Mapping[int, str],
        listeners: Iterable[int],
        humans: Collection[int] = (),
    ) -> None:
        """Address `listeners`; `tokens` has every player of the match, `humans` the people."""
        self._number = table_number
        self._tokens = tokens
        self._humans = humans
        self._listeners = listeners
        self._status = STANDBY
        self._hole: dict[int, tuple[int, ...]] = {}
        """The hole cards of this hand, by player; each is shown to its owner only."""
        self._won: dict[int, int] = {}
        self._all_in: set[int] = set()
        """The players that have put in their last chip in this hand."""
        self._asked: Asked | None = None
        self._written: dict[int, tuple[str, str]] = {}
        """Cached player objects, split at their cards; cleared when an event changes them."""

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        """Return the messages that an event causes."""
        if isinstance(event, Asked):  # being asked changes no player object
            self._asked = event
            return self._request(view)
        self._written = {}
        hand = view.hand
        if isinstance(event, Acted):
            self._asked = None
            self._note_all_in(hand, event.seat)
            return self._show_action(event, view)
        if isinstance(event, HandStarted):
            self._hole = {}
            self._won = {}
            self._all_in = set()
        elif isinstance(event, Posted):
            self._note_all_in(hand, event.seat)
        elif isinstance(event, HoleDealt):
            return self._dealt(event, view)
        elif isinstance(event, BoardDealt):
            return self._to_each("__deal", view)
        elif isinstance(event, BettingClosed):
            return self._show_last_able(view)
        elif isinstance(event, BetReturned):
            self._win(hand, event.seat, event.amount)
        elif isinstance(event, PotWon):
            for seat, share in event.winners:
                self._win(hand, seat, share)
        elif isinstance(event, HandEnded):
            return self._broadcast(self._round_end(view))
        else:
            return self._tell_match_event(event, view)
        return ()

    def _tell_match_event(self, event: Event, view: MatchView) -> Outgoing:
        if isinstance(event, Joined):
            return self._peers("__new_peer", view)
        if isinstance(event, Left):
            return self._peers("__left", view)
        if isinstance(event, Returned):
            return self._returned(event.player, view)
        if isinstance(event, CountedDown):
            self._status = PREPARING
            data = f'{{"tableNumber":"{self._number}","countDown":{event.seconds}}}'
            return self._broadcast(words.message("__game_prepare", data))
        if isinstance(event, MatchStarted):
            self._status = RUNNING
            text = f"table {self._number} started successfully"
            data = f'{{"msg":"{text}","tableNumber":"{self._number}","error_code":1}}'
            return self._broadcast(words.message("__game_start", data))
        if isinstance(event, StartFailed):
            text = f"table {self._number} has too few players"
            data = f'{{"msg":"{text}","tableNumber":"{self._number}","error_code":0}}'
            return self._broadcast(words.message("__game_start", data))
        if isinstance(event, ReloadOpened):
            return self._broadcast(self._start_reload(view))
        if isinstance(event, Stopped):
            text = f"table {self._number} stopped successfully"
            data = f'{{"msg":"{text}","tableNumber":"{self._number}"}}'
            return self._broadcast(words.message("__game_stop", data))
        if isinstance(event, MatchEnded):
            self._status = FINISHED
            return self._broadcast(self._game_over(view))
        return ()

    def resumed(self, view: MatchView) -> None:
        """Initialise from a match that was already running when this speaker was created."""
        self._status = RUNNING

    def _broadcast(self, message: bytes) -> list[tuple[int, bytes]]:
        return [(player, message) for player in self._listeners]

    # Presence.

    def _peers(self, name: str, view: MatchView) -> Iterator[tuple[int, bytes]]:
        present = [player for player, online in enumerate(view.online) if online]
        tokens = ",".join(f'"{self._tokens[player]}"' for player in present)
        first = words.message(name, f"[{tokens}]")
        # A player that leaves a running game keeps its seat, and is listed as offline.
        listed = range(len(view.online)) if self._status == RUNNING else present
        objects = ",".join(
            f'{{"playerName":"{self._tokens[player]}","isOnline":{words.truth(view.online[player])}}}'
            for player in listed
        )
        head = f'{{"tableNumber":"{self._number}","players":[{objects}]'
        tail = f',"tableStatus":{self._status}}}'
        if name == "__new_peer" and self._status == RUNNING:
            for player, second in self._to_each(f"{name}_2", view, f'{head},"basicData":{{', tail):
                yield player, first
                yield player, second
            return
        second = words.message(f"{name}_2", head + tail)
        for player in self._listeners:
            yield player, first
            yield player, second

    def _returned(self, player: int, view: MatchView) -> Iterator[tuple[int, bytes]]:
        yield from self._peers("__new_peer", view)
        if player not in self._listeners or self._status != RUNNING:
            return
        for receiver, message in self._to_each("_join", view):
            if receiver == player:
                yield player, message
        if self._asked is not None and view.hand.players[self._asked.seat] == player:
            yield from self._request(view)

    # A round.

    def _dealt(self, event: HoleDealt, view: MatchView) -> Outgoing:
        hand = view.hand
        self._hole[hand.players[event.seat]] = event.cards
        if event.seat == len(hand.players) - 1:
            return self._to_each("__new_round", view)
        return ()

    def _note_all_in(self, hand: View, seat: int) -> None:
        if not hand.stacks[seat]:
            self._all_in.add(hand.players[seat])

    def _win(self, hand: View, seat: int, amount: int) -> None:
        player = hand.players[seat]
        self._won[player] = self._won.get(player, 0) + amount

    def _to_each(
        self, name: str, view: MatchView, front: str = "{", back: str = ""
    ) -> list[tuple[int, bytes]]:
        """Encode all players and the table, for each receiver with its own cards."""
        text = f'{{"eventName":"{name}","data":{front}"players":['
        places = {}
        for player in view.circle:
            before, after = self._parts(player, view)
            text += f'{before}"cards":['
            places[player] = len(text)
            text += f"],{after},{words.ending(player, view, self._humans)},"
        text = text[:-1] if places else text
        message = f'{text}],"table":{self._table(view)}}}{back}}}'.encode("ascii")
        hand = view.hand
        shown = {} if hand.over else self._hole
        messages = []
        for player in self._listeners:
            if player in shown and player in places:
                place, cards = places[player], words.card_row(shown[player]).encode("ascii")
                messages.append((player, message[:place] + cards + message[place:]))
            else:
                messages.append((player, message))
        return messages

    def _show_action(self, event: Acted, view: MatchView) -> list[tuple[int, bytes]]:
        word = ALL_IN if event.all_in else event.action
        added = None if event.action in (CHECKED, FOLDED) else event.added
        return self._show(word, event.seat, added, view)

    def _show_last_able(self, view: MatchView) -> Outgoing:
        """Show a check of the only player who can still act, if its turn did not come.

        It is not asked, since nobody could answer it: the original acts for it.
        """
        hand = view.hand
        able = [seat for seat, stack in enumerate(hand.stacks) if stack and not hand.folded[seat]]
        acted = {done.seat for street, done in hand.history if street == hand.street}
        if len(able) != 1 or not acted or able[0] in acted:
            return ()
        return self._show(CHECKED, able[0], None, view)

    def _show(
        self, word: str, seat: int, added: int | None, view: MatchView
    ) -> list[tuple[int, bytes]]:
        hand = view.hand
        amount = "" if added is None else f'"amount":{added},'
        action = (
            f'{{"action":{{"action":"{word}","playerName":"{self._tokens[hand.players[seat]]}",'
            f'{amount}"chips":{hand.stacks[seat]}}},'
        )
        return self._to_each("__show_action", view, action)

    def _request(self, view: MatchView) -> list[tuple[int, bytes]]:
        asked = self._asked
        assert asked is not None
        hand = view.hand
        player = hand.players[asked.seat]
        if player not in self._listeners:
            return []
        opening = hand.street > 0 and hand.high == 0
        min_bet = hand.big_blind if opening else asked.options.owed
        raises, bets = words.counts(hand)
        before, after = self._parts(player, view)
        own = f'{before}"cards":{words.card_list(self._hole[player])},{after},"minBet":{min_bet}'
        others = ",".join(
            f"{own if other == player else ''.join(self._parts(other, view))},"
            f"{words.ending(other, view, self._humans)}"
            for other in view.circle
        )
        data = (
            f'{{"tableNumber":"{self._number}","self":{own}}},'
            f'"game":{{"board":{words.card_list(hand.board)},"roundName":"{words.ROUND_NAMES[hand.street]}",'
            f'"roundCount":{view.rounds},"raiseCount":{raises},'
            f'"betCount":{bets},{self._blinds(hand)},"players":[{others}]}}}}'
        )
        return [(player, words.message("__bet" if opening else "__action", data))]

    # Objects.

    def _player(
        self,
        player: int,
        view: MatchView,
        cards: tuple[int, ...],
        extra: str = "",
        chips: int | None = None,
    ) -> str:
        """Return a player's object."""
        before, after = self._parts(player, view, chips)
        ending = words.ending(player, view, self._humans)
        return f'{before}"cards":{words.card_list(cards)},{after},{extra}{ending}'

    def _parts(self, player: int, view: MatchView, chips: int | None = None) -> tuple[str, str]:
        """Return the parts of a player's object before and after its cards."""
        if chips is None and player in self._written:
            return self._written[player]
        hand = view.hand
        folded = all_in = False
        round_bet = bet = 0
        stack = view.stacks[player]
        if player in hand.players:
            seat = hand.players.index(player)
            folded = hand.folded[seat]
            if not hand.over:
                stack = hand.stacks[seat]
                bet = hand.bets[seat]
                round_bet = hand.put[seat] - bet
            all_in = not folded and player in self._all_in
        survives = not view.out[player]
        if self._status == FINISHED:  # no player is declared out after the last round
            survives = words.survives(player, view)
        parts = (
            f'{{"playerName":"{self._tokens[player]}","chips":{stack if chips is None else chips},'
            f'"folded":{words.truth(folded)},"allIn":{words.truth(all_in)},',
            f'"isSurvive":{words.truth(survives)},"reloadCount":{view.reloads[player]},'
            f'"roundBet":{round_bet},"bet":{bet}',
        )
        if chips is None:
            self._written[player] = parts
        return parts

    def _table(self, view: MatchView, round_name: str = "") -> str:
        hand = view.hand
        board = (*hand.board, *hand.undealt)
        raises, bets = words.counts(hand)
        return (
            f'{{"tableNumber":"{self._number}","status":{self._status},'
            f'"roundName":"{round_name or words.round_name(hand)}",'
            f'"board":{words.card_list(board)},'
            f'"roundCount":{view.rounds},"raiseCount":{raises},'
            f'"betCount":{bets},"totalBet":{hand.pot},'
            f'"initChips":{view.rules.stack},"maxReloadCount":{view.rules.reloads},'
            f"{self._blinds(hand)}}}"
        )

    def _blinds(self, hand: View) -> str:
        if hand.players:
            players = [hand.players[seat] for seat in words.blind_seats(hand)]
            amounts = hand.small_blind, hand.big_blind
        else:
            # No hand was dealt yet: name any two players of the table.
            players = [min(self._tokens), max(self._tokens)]
            amounts = hand.rules.small_blind, hand.rules.big_blind
        small, big = (
            f'{{"playerName":"{self._tokens[player]}","amount":{amount}}}'
            for player, amount in zip(players, amounts, strict=True)
        )
        return f'"smallBlind":{small},"bigBlind":{big}'

    # The end of a round and of the game.

    def _round_end(self, view: MatchView) -> bytes:
        players = []
        hand = view.hand
        for player in view.circle:
            # Players that are out have both keys too: programs read them for everyone.
            cards: tuple[int, ...] = ()
            if player in hand.players:
                cards = words.shown_cards(hand.cards[hand.players.index(player)])
            won = self._won.get(player, 0)
            extra = f'"hand":{words.hand_object(hand, cards)},"winMoney":{won},'
            players.append(self._player(player, view, cards, extra=extra))
        table = self._table(view, words.SHOWDOWN)
        return words.message("__round_end", f'{{"players":[{",".join(players)}],"table":{table}}}')

    def _start_reload(self, view: MatchView) -> bytes:
        players = ",".join(
            f'{{"playerName":"{self._tokens[player]}","chips":{view.stacks[player]},'
            f'"folded":false,"allIn":false,"isSurvive":{words.truth(not view.out[player])},'
            f'"reloadCount":{view.reloads[player]}}}'
            for player in view.circle
        )
        data = f'{{"players":[{players}],"tableNumber":"{self._number}"}}'
        return words.message("__start_reload", data)

    def _game_over(self, view: MatchView) -> bytes:
        hand = view.hand
        final = {player: self._final_chips(player, view) for player in view.circle}
        cards = {
            player: words.shown_cards(hand.cards[seat]) if hand.over else ()
            for seat, player in enumerate(hand.players)
        }
        players = [
            self._player(player, view, cards.get(player, ()), chips=final[player])
            for player in view.circle
        ]
        ranked = sorted(
            (player for player in view.circle if final[player] > 0),
            key=lambda player: (-final[player], -words.hand_rank(hand, cards.get(player, ()))),
        )
        winners = ",".join(
            f'{{"playerName":"{self._tokens[player]}",'
            f'"hand":{words.hand_object(hand, cards.get(player, ()))},"chips":{final[player]}}}'
            for player in ranked
        )
        data = (
            f'{{"players":[{",".join(players)}],"table":{self._table(view, words.SHOWDOWN)},'
            f'"winners":[{winners}]}}'
        )
        return words.message("__game_over", data)

    def _final_chips(self, player: int, view: MatchView) -> int:
        chips = {row[1]: row[2] for row in view.standings}[player]
        if view.rules.reserve:
            return min(chips, view.stacks[player])  # the protocol has no reserve
        if view.out[player]:
            return chips
        unused = view.rules.reloads - view.reloads[player]
        return chips + unused * view.rules.stack
