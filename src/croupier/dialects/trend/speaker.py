"""Events into the messages of the protocol.

Everyone at the table gets every broadcast, also who is out. Most messages differ between receivers
only in whose cards they show, so each player's object is written once without his cards and once
with them, and a message is put together from these. Names are tokens: 32 hex digits, never the
private name. Every key is always there, in the same order.
"""

from collections.abc import Iterable, Iterator, Mapping

from croupier.cards import upper
from croupier.dialects.base import Outgoing
from croupier.dialects.trend.ranker import hand_number
from croupier.match.events import (
    CountedDown,
    Joined,
    Left,
    MatchEnded,
    MatchStarted,
    ReloadOpened,
    Returned,
    Stopped,
)
from croupier.match.view import MatchView
from croupier.ranking import rank
from croupier.rules import rules as r
from croupier.rules.decisions import BET, RAISE
from croupier.rules.events import (
    CHECKED,
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
    PotWon,
)
from croupier.rules.view import View

STANDBY, PREPARING, RUNNING, FINISHED = 0, 1, 2, 3
ROUND_NAMES = ("Deal", "Flop", "Turn", "River")
SHOWDOWN = "Showdown"
ALL_IN = "allin"


class TrendSpeaker:
    """Speaks to those players of a table who joined in this dialect."""

    def __init__(
        self, table_number: str, tokens: Mapping[int, str], listeners: Iterable[int]
    ) -> None:
        """`tokens` names every player of the match, `listeners` are those who are spoken to."""
        self._number = table_number
        self._tokens = tokens
        self._listeners = listeners
        self._status = STANDBY
        self._hole: dict[int, tuple[int, ...]] = {}
        """The hole cards of this hand, by player; each is shown to its owner only."""
        self._won: dict[int, int] = {}
        self._all_in: set[int] = set()
        """Who has put in his last chip in this hand."""
        self._asked: Asked | None = None

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        """Return the messages that an event causes."""
        kind = type(event)
        if kind is Acted:
            self._asked = None
            self._note_all_in(view.hand, event.seat)  # type: ignore[attr-defined]
            return self._show_action(event, view)  # type: ignore[arg-type]
        if kind is Asked:
            self._asked = event  # type: ignore[assignment]
            return self._request(view)
        if kind is HandStarted:
            self._hole = {}
            self._won = {}
            self._all_in = set()
            return ()
        if kind is Posted:
            self._note_all_in(view.hand, event.seat)  # type: ignore[attr-defined]
            return ()
        if kind is HoleDealt:
            return self._dealt(event, view)  # type: ignore[arg-type]
        if kind is BoardDealt:
            return self._to_each("__deal", view)
        if kind is BetReturned:
            self._win(view.hand, event.seat, event.amount)  # type: ignore[attr-defined]
            return ()
        if kind is PotWon:
            for seat, share in event.winners:  # type: ignore[attr-defined]
                self._win(view.hand, seat, share)
            return ()
        if kind is HandEnded:
            return self._broadcast(self._round_end(view))
        return self._tell_of_match(event, view)

    def _tell_of_match(self, event: Event, view: MatchView) -> Outgoing:
        if isinstance(event, Joined):
            return self._peers("__new_peer", view)
        if isinstance(event, Left):
            return self._peers("__left", view)
        if isinstance(event, Returned):
            return self._returned(event.player, view)
        if isinstance(event, CountedDown):
            self._status = PREPARING
            data = f'{{"tableNumber":"{self._number}","countDown":{event.seconds}}}'
            return self._broadcast(_message("__game_prepare", data))
        if isinstance(event, MatchStarted):
            self._status = RUNNING
            text = f"table {self._number} started successfully"
            data = f'{{"msg":"{text}","tableNumber":"{self._number}","error_code":1}}'
            return self._broadcast(_message("__game_start", data))
        if isinstance(event, ReloadOpened):
            return self._broadcast(self._start_reload(view))
        if isinstance(event, Stopped):
            text = f"table {self._number} stopped successfully"
            data = f'{{"msg":"{text}","tableNumber":"{self._number}"}}'
            return self._broadcast(_message("__game_stop", data))
        if isinstance(event, MatchEnded):
            self._status = FINISHED
            return self._broadcast(self._game_over(view))
        return ()

    def resumed(self, view: MatchView) -> None:
        """Speak of a match that was already running when this speaker came."""
        self._status = RUNNING

    def _broadcast(self, message: bytes) -> Iterator[tuple[int, bytes]]:
        return ((player, message) for player in self._listeners)

    # Who is there.

    def _peers(self, name: str, view: MatchView) -> Iterator[tuple[int, bytes]]:
        present = [player for player, online in enumerate(view.online) if online]
        tokens = ",".join(f'"{self._tokens[player]}"' for player in present)
        first = _message(name, f"[{tokens}]")
        # Who leaves a running game keeps his seat, and is listed as gone.
        listed = range(len(view.online)) if self._status == RUNNING else present
        objects = ",".join(
            f'{{"playerName":"{self._tokens[player]}","isOnline":{_bool(view.online[player])}}}'
            for player in listed
        )
        head = f'{{"tableNumber":"{self._number}","players":[{objects}]'
        tail = f',"tableStatus":{self._status}}}'
        if name == "__new_peer" and self._status == RUNNING:
            parts = self._players(view)
            for player in self._listeners:
                basic = self._players_and_table(parts, player, view)
                yield player, first
                yield player, _message(f"{name}_2", f'{head},"basicData":{{{basic}}}{tail}')
            return
        second = _message(f"{name}_2", head + tail)
        for player in self._listeners:
            yield player, first
            yield player, second

    def _returned(self, player: int, view: MatchView) -> Iterator[tuple[int, bytes]]:
        yield from self._peers("__new_peer", view)
        if player not in self._listeners or self._status != RUNNING:
            return
        parts = self._players(view)
        yield player, _message("_join", f"{{{self._players_and_table(parts, player, view)}}}")
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

    def _to_each(self, name: str, view: MatchView, extra: str = "") -> Iterator[tuple[int, bytes]]:
        parts = self._players(view)
        for player in self._listeners:
            body = self._players_and_table(parts, player, view)
            yield player, _message(name, f"{{{extra}{body}}}")

    def _players_and_table(self, parts: dict[int, str], receiver: int, view: MatchView) -> str:
        if receiver in self._hole and receiver in view.hand.players and not view.hand.over:
            parts = parts | {receiver: self._player(receiver, view, self._hole[receiver])}
        players = ",".join(parts.values())
        return f'"players":[{players}],"table":{self._table(view)}'

    def _show_action(self, event: Acted, view: MatchView) -> Iterator[tuple[int, bytes]]:
        hand = view.hand
        player = hand.players[event.seat]
        word = ALL_IN if event.all_in else event.action
        amount = "" if event.action in (CHECKED, FOLDED) else f'"amount":{event.added},'
        chips = hand.stacks[event.seat]
        action = (
            f'"action":{{"action":"{word}","playerName":"{self._tokens[player]}",'
            f'{amount}"chips":{chips}}},'
        )
        return self._to_each("__show_action", view, action)

    def _request(self, view: MatchView) -> Iterator[tuple[int, bytes]]:
        asked = self._asked
        assert asked is not None
        hand = view.hand
        player = hand.players[asked.seat]
        if player not in self._listeners:
            return
        opening = hand.street > 0 and hand.high == 0
        min_bet = hand.big_blind if opening else asked.options.call
        cards = self._hole[player]
        own = self._player(player, view, cards, min_bet)
        others = ",".join(
            own if other == player else self._player(other, view, None) for other in view.circle
        )
        data = (
            f'{{"tableNumber":"{self._number}","self":{self._self(player, view, cards, min_bet)},'
            f'"game":{{"board":{_cards(hand.board)},"roundName":"{ROUND_NAMES[hand.street]}",'
            f'"roundCount":{view.rounds},"raiseCount":{_count(hand, RAISE)},'
            f'"betCount":{_count(hand, BET)},{self._blinds(hand)},"players":[{others}]}}}}'
        )
        yield player, _message("__bet" if opening else "__action", data)

    # Objects.

    def _players(self, view: MatchView) -> dict[int, str]:
        return {player: self._player(player, view, ()) for player in view.circle}

    def _player(
        self,
        player: int,
        view: MatchView,
        cards: tuple[int, ...] | None,
        min_bet: int | None = None,
        extra: str = "",
        chips: int | None = None,
    ) -> str:
        """Return a player's object; without cards if they are None."""
        head = self._head(player, view, cards, chips)
        least = "" if min_bet is None else f'"minBet":{min_bet},'
        return f'{head},{least}{extra}"isOnline":{_bool(view.online[player])},"isHuman":false}}'

    def _self(self, player: int, view: MatchView, cards: tuple[int, ...], min_bet: int) -> str:
        return f'{self._head(player, view, cards)},"minBet":{min_bet}}}'

    def _head(
        self,
        player: int,
        view: MatchView,
        cards: tuple[int, ...] | None,
        chips: int | None = None,
    ) -> str:
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
        shown = "" if cards is None else f'"cards":{_cards(cards)},'
        survives = not view.out[player]
        if self._status == FINISHED:  # nobody is declared out any more after the last round
            survives = _survives(player, view)
        return (
            f'{{"playerName":"{self._tokens[player]}","chips":{stack if chips is None else chips},'
            f'"folded":{_bool(folded)},"allIn":{_bool(all_in)},{shown}'
            f'"isSurvive":{_bool(survives)},"reloadCount":{view.reloads[player]},'
            f'"roundBet":{round_bet},"bet":{bet}'
        )

    def _table(self, view: MatchView, round_name: str = "") -> str:
        hand = view.hand
        board = (*hand.board, *hand.undealt)
        return (
            f'{{"tableNumber":"{self._number}","status":{self._status},'
            f'"roundName":"{round_name or _round_name(hand)}","board":{_cards(board)},'
            f'"roundCount":{view.rounds},"raiseCount":{_count(hand, RAISE)},'
            f'"betCount":{_count(hand, BET)},"totalBet":{hand.pot},'
            f'"initChips":{view.rules.stack},"maxReloadCount":{view.rules.reloads},'
            f"{self._blinds(hand)}}}"
        )

    def _blinds(self, hand: View) -> str:
        if hand.players:
            players = [hand.players[seat] for seat in _blind_seats(hand)]
            amounts = hand.small_blind, hand.big_blind
        else:
            # No hand was dealt yet: whoever it may be, it is one of those who are there.
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
        for player in view.circle:
            if player in view.hand.players:
                seat = view.hand.players.index(player)
                cards = _open(view.hand.cards[seat])
                won = self._won.get(player, 0)
                extra = f'"hand":{_hand(view.hand, cards)},"winMoney":{won},'
                players.append(self._player(player, view, cards, extra=extra))
            else:
                players.append(self._player(player, view, ()))
        table = self._table(view, SHOWDOWN)
        return _message("__round_end", f'{{"players":[{",".join(players)}],"table":{table}}}')

    def _start_reload(self, view: MatchView) -> bytes:
        players = ",".join(
            f'{{"playerName":"{self._tokens[player]}","chips":{view.stacks[player]},'
            f'"folded":false,"allIn":false,"isSurvive":{_bool(not view.out[player])},'
            f'"reloadCount":{view.reloads[player]}}}'
            for player in view.circle
        )
        data = f'{{"players":[{players}],"tableNumber":"{self._number}"}}'
        return _message("__start_reload", data)

    def _game_over(self, view: MatchView) -> bytes:
        hand = view.hand
        final = {player: self._final_chips(player, view) for player in view.circle}
        cards = {
            player: _open(hand.cards[seat]) if hand.over else ()
            for seat, player in enumerate(hand.players)
        }
        players = [
            self._player(player, view, cards.get(player, ()), chips=final[player])
            for player in view.circle
        ]
        ranked = sorted(
            (player for player in view.circle if final[player] > 0),
            key=lambda player: (-final[player], -_strength(hand, cards.get(player, ()))),
        )
        winners = ",".join(
            f'{{"playerName":"{self._tokens[player]}","hand":{_hand(hand, cards.get(player, ()))},'
            f'"chips":{final[player]}}}'
            for player in ranked
        )
        data = (
            f'{{"players":[{",".join(players)}],"table":{self._table(view, SHOWDOWN)},'
            f'"winners":[{winners}]}}'
        )
        return _message("__game_over", data)

    def _final_chips(self, player: int, view: MatchView) -> int:
        chips = {row[1]: row[2] for row in view.standings}[player]
        if view.out[player]:
            return chips
        unused = view.rules.reloads - view.reloads[player]
        return chips + unused * view.rules.stack


def _message(name: str, data: str) -> bytes:
    return f'{{"eventName":"{name}","data":{data}}}'.encode("ascii")


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _cards(cards: Iterable[int]) -> str:
    return "[" + ",".join(f'"{upper(card)}"' for card in cards) + "]"


def _open(cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return cards if they were shown, and none if not."""
    return () if not cards or cards[0] < 0 else cards


def _count(hand: View, verb: str) -> int:
    return sum(1 for street, done in hand.history if street == hand.street and done.action == verb)


def _round_name(hand: View) -> str:
    return SHOWDOWN if hand.over else ROUND_NAMES[hand.street]


def _survives(player: int, view: MatchView) -> bool:
    """Tell whether a player has chips, or can still buy some."""
    if view.out[player]:
        return False
    in_play = player in view.hand.players and not view.hand.over
    return bool(in_play or view.stacks[player] or view.reloads[player] < view.rules.reloads)


def _blind_seats(hand: View) -> tuple[int, int]:
    if len(hand.players) > 2:
        return 0, 1
    return (1, 0) if hand.rules.heads_up == r.BUTTON_SMALL else (0, 1)


def _full_board(hand: View) -> tuple[int, ...]:
    return (*hand.board, *hand.undealt)


def _hand(hand: View, cards: tuple[int, ...]) -> str:
    seven = (*cards, *_full_board(hand))
    if not cards or len(seven) < 7:
        return '{"cards":[],"rank":0,"message":""}'
    number, message = hand_number(seven)
    # A whole number is written without a fraction: 120, not 120.0.
    text = repr(int(number)) if number == int(number) else repr(number)
    return f'{{"cards":{_cards(seven)},"rank":{text},"message":"{message}"}}'


def _strength(hand: View, cards: tuple[int, ...]) -> int:
    seven = (*cards, *_full_board(hand))
    return rank(seven) if cards and len(seven) == 7 else 0
