"""The player side of `trend`: parses one JSON message at a time, encodes decisions.

Every message has all the figures of the table, so a player that reconnects in the middle of a hand
knows its state; only the earlier actions are lost. A raise to a chosen amount is sent as a `bet`,
which the protocol limits: it adds at least a big blind, and there may be four per street. The
options of a question are limited to what can be expressed.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from croupier.cards import parse
from croupier.dialects.player_side import (
    Committed,
    Failed,
    HandOver,
    MatchOver,
    Question,
    Reconnect,
    Step,
    WireError,
    digest_of,
)
from croupier.dialects.remote_hand import Figures, RemoteHand
from croupier.dialects.tokens import MAX_PRIVATE_NAME, token_of
from croupier.dialects.trend.words import SHOWDOWN
from croupier.rules.decisions import (
    ALL_IN,
    BET,
    CALL_KIND,
    FOLD_KIND,
    RAISE,
    Decision,
    Options,
)
from croupier.rules.events import BIG, CALLED, SMALL, HandStarted, Posted
from croupier.rules.rules import Rules
from croupier.rules.sets import TREND
from croupier.rules.view import View

NORMAL = 1000
TAKEN = 4002
"""Close codes; those of the protocol itself are 4000 and above."""

_VERBS = {"bet": BET, "raise": RAISE, "call": CALLED}


class TrendPlayer:
    """One player in one match; its name is a secret shared with the server."""

    def __init__(self, name: str, rules: Rules = TREND, nonce: str = "") -> None:
        """Play by the table's `rules`, which no message contains."""
        if not 0 < len(name) <= MAX_PRIVATE_NAME:
            raise ValueError(f"a name in trend has 1 to {MAX_PRIVATE_NAME} characters")
        self._name = name
        self._nonce = nonce
        self._token = token_of(name)
        self._rules = rules
        self._joined = False
        self._hand: RemoteHand | None = None
        self._seats: list[str] = []
        """The name of the player in each seat of this hand."""
        self._counts = (0, 0)
        """The numbers of raises and bets on this street, as last reported."""
        self._survives = True
        self._put = 0
        """What the player has put into this hand."""
        self._handlers: dict[str, Callable[[dict[str, Any]], Iterator[Step]]] = {
            "__new_round": self._started,
            "__deal": self._dealt,
            "__show_action": self._acted,
            "__action": self._asked_to_act,
            "__bet": self._asked,
            "__round_end": self._ended,
            "_join": self._rejoined,
            "__game_over": self._over,
            "__game_stop": self._stopped,
            "__commitment": self._committed,
        }

    @property
    def idle(self) -> bool:
        """Whether the player is out; it still gets the messages of the others' hands."""
        return not self._survives

    def hello(self) -> bytes:
        """Join, or rejoin after a lost connection."""
        self._hand = None
        nonce = {"nonce": self._nonce} if self._nonce else {}
        return _message("__join", {"playerName": self._name} | nonce)

    def goodbye(self) -> bytes:
        """Return nothing: the WebSocket close is enough."""
        return b""

    def lost(self, reason: str, code: int, at_once: bool) -> MatchOver | Failed | Reconnect:
        """Reconnect, unless the server gave a reason not to."""
        if code == TAKEN and self._joined:
            return Reconnect()  # the server has not noticed the loss yet
        if code >= 4000:
            return Failed(f"the server refused the player: {reason or f'code {code}'}")
        if code == NORMAL or (at_once and not self._joined):
            return Failed(f"the server closed the connection: {reason or 'without a reason'}")
        return Reconnect()

    def receive(self, data: bytes) -> Iterator[Step]:
        """Parse one message and yield the resulting steps."""
        try:
            message = json.loads(data)
        except (ValueError, RecursionError):
            raise WireError(f"{data[:40]!r} is not JSON") from None
        if not isinstance(message, dict) or "eventName" not in message:
            raise WireError(f"{data[:40]!r} has no eventName")
        self._joined = True
        name, content = message["eventName"], message.get("data")
        handler = self._handlers.get(name) if isinstance(name, str) else None
        if handler is None:
            return
        try:
            yield from handler(content if isinstance(content, dict) else {})
        except WireError as error:
            raise WireError(f"{name}: {error}") from None
        except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
            raise WireError(f"{name} has an unexpected structure ({error})") from None

    def _committed(self, data: dict[str, Any]) -> Iterator[Step]:
        yield Committed(digest_of(data["commitment"]))

    # A round.

    def _started(self, data: dict[str, Any]) -> Iterator[Step]:
        self._begin(data)
        yield from ()

    def _rejoined(self, data: dict[str, Any]) -> Iterator[Step]:
        """Continue a round in progress; between rounds the message contains none."""
        if data and data["table"].get("roundName") != SHOWDOWN:
            self._begin(data)
        yield from ()

    def _begin(self, data: dict[str, Any]) -> None:
        """Begin a round from its current state, with the blinds posted and possibly more."""
        table = data["table"]
        circle = [_text(player, "playerName") for player in data["players"]]
        dealt = {
            name: player
            for name, player in zip(circle, data["players"], strict=True)
            if player.get("isSurvive", True)
        }
        own = dealt.get(self._token)
        self._survives = own is not None
        self._hand = None
        if own is None or not own.get("cards") or len(dealt) < 2:
            return
        small, big = table["smallBlind"], table["bigBlind"]
        self._seats = _seat_order(dealt, small["playerName"], big["playerName"])
        rows = [dealt[name] for name in self._seats]
        posts = []
        for kind, blind in ((SMALL, small), (BIG, big)):
            seat = self._seat(blind["playerName"])
            amount = min(_chips(blind, "amount"), _put(rows[seat]))
            if amount:
                posts.append(Posted(seat, kind, amount))
        started = HandStarted(
            _chips(table, "roundCount"),
            tuple(circle.index(name) for name in self._seats),
            tuple(_chips(row, "chips") + _put(row) for row in rows),
            # No message contains the players' reserves.
            () if self._rules.reserve else (0,) * len(rows),
            _chips(small, "amount"),
            _chips(big, "amount"),
            0,
        )
        self._hand = RemoteHand(
            self._rules, self._seat(self._token), started, posts, _cards(own["cards"])
        )
        self._hand.board(_cards(table["board"]))
        self._counts = _counts(table)
        self._put = _put(own)

    def _dealt(self, data: dict[str, Any]) -> Iterator[Step]:
        if self._hand is not None:
            self._hand.board(_cards(data["table"]["board"]))
            self._counts = _counts(data["table"])
        yield from ()

    def _acted(self, data: dict[str, Any]) -> Iterator[Step]:
        hand, action = self._hand, data["action"]
        if hand is None:
            return
        seat, word = self._seat(action["playerName"]), action["action"]
        before, self._counts = self._counts, _counts(data["table"])
        if word == "fold":
            hand.fold(seat)
        else:
            added = 0 if word == "check" else _chips(action, "amount", 0)
            hand.put_in(seat, added, _VERBS.get(word) or self._verb_of_all_in(before))
            self._put += added if seat == hand.seat else 0
        yield from ()

    def _verb_of_all_in(self, before: tuple[int, int]) -> str:
        """Return the verb that an all-in counts as, judging by the table's counts."""
        raises, bets = self._counts
        if bets > before[1]:
            return BET
        return RAISE if raises > before[0] else ALL_IN

    def _asked_to_act(self, data: dict[str, Any]) -> Iterator[Step]:
        """Accept a question with the amount owed, which gives the bet to match.

        At a table with other rules it may be higher than any bet.
        """
        own = data.get("self") or {}
        owed = _chips(own, "minBet") if "minBet" in own else None
        yield from self._asked(data, owed)

    def _asked(self, data: dict[str, Any], owed: int | None = None) -> Iterator[Step]:
        game = data["game"]
        if self._hand is None:
            # The start of the round was missed; the question contains all that is needed.
            self._begin({"players": game["players"], "table": game})
        hand = self._hand
        if hand is None:
            raise WireError("it asks a player who has no cards")
        hand.board(_cards(game["board"]))
        self._counts = _counts(game)
        question = Question(hand.question(self._figures(game["players"], owed)))
        self._limit(question.view, question.options)
        self._put = question.view.put[hand.seat]
        yield question

    def _figures(self, players: list[dict[str, Any]], owed: int | None) -> Figures:
        by_name = {player["playerName"]: player for player in players}
        rows = [by_name[name] for name in self._seats]
        return Figures(
            [_chips(row, "chips") for row in rows],
            [_chips(row, "bet") for row in rows],
            [_put(row) for row in rows],
            [bool(row.get("folded")) for row in rows],
            None if owed is None else _chips(by_name[self._token], "bet") + owed,
        )

    def _limit(self, view: View, options: Options) -> None:
        """Remove options that the protocol cannot express; a raise without a verb is a bet."""
        if not options.max_to:
            return
        cap = self._rules.verb_cap
        raises, bets = self._counts
        options.verb = BET
        options.bet = cap < 0 or bets < cap
        options.raise_ = cap < 0 or raises < cap
        least = view.bets[view.seat] + view.big_blind
        options.min_to = min(max(options.min_to, least), options.max_to)

    def answer(self, question: Question, decision: Decision) -> bytes:
        """Encode a decision."""
        view, options = question.view, question.options
        if decision.kind == FOLD_KIND:
            return _action("fold")
        if decision.kind == CALL_KIND:
            return _action("call" if options.owed else "check")
        if decision.to >= options.max_to:
            return _action("allin")
        if decision.to < options.min_to:
            return _action("call")  # as an opening, it means a bet of the small blind
        if decision.verb == RAISE and (decision.to == 2 * view.high or not options.bet):
            return _action("raise")  # the server fixes its amount
        return _action("bet", decision.to - view.bets[view.seat])

    def _seat(self, name: str) -> int:
        try:
            return self._seats.index(name)
        except ValueError:
            raise WireError(f"nobody sits here with the name {name!r:.60}") from None

    # The end.

    def _ended(self, data: dict[str, Any]) -> Iterator[Step]:
        if self._hand is None:
            return
        self._hand = None
        yield HandOver(_chips(self._own(data), "winMoney", 0) - self._put)

    def _over(self, data: dict[str, Any]) -> Iterator[Step]:
        hand = self._hand
        if hand is not None:
            # The oldest servers omit the end of the last round and only report the final chips,
            # including the stacks that could still have been bought.
            own, table = self._own(data), data["table"]
            reloads = _chips(table, "maxReloadCount", self._rules.reloads)
            unused = reloads - _chips(own, "reloadCount", reloads)
            left = _chips(own, "chips") - unused * _chips(table, "initChips", self._rules.stack)
            yield HandOver(left - hand.view.stacks[hand.seat] - hand.view.put[hand.seat])
        yield MatchOver()

    def _own(self, data: dict[str, Any]) -> dict[str, Any]:
        for player in data["players"]:
            if player["playerName"] == self._token:
                return dict(player)
        raise WireError("the player is not in it")

    def _stopped(self, data: dict[str, Any]) -> Iterator[Step]:
        yield MatchOver("the organiser has stopped the match")


def _seat_order(dealt: Mapping[str, Any], small: str, big: str) -> list[str]:
    """Return the players' names from the left of the button, given them in table order."""
    order = list(dealt)
    if small not in dealt:
        raise WireError("the small blind is not at the table")
    start = order.index(small)
    order = order[start:] + order[:start]
    with_button = len(order) == 2 and big in dealt and _put(dealt[big]) > 0
    return order[::-1] if with_button else order


def _message(name: str, data: Any) -> bytes:
    return json.dumps({"eventName": name, "data": data}).encode("ascii")


def _action(word: str, amount: int | None = None) -> bytes:
    return _message("__action", {"action": word} | ({} if amount is None else {"amount": amount}))


def _chips(row: Mapping[str, Any], key: str, default: int | None = None) -> int:
    value = row[key] if default is None else row.get(key, default)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise WireError(f"{key} is {value!r:.40}")
    return value


def _put(row: Mapping[str, Any]) -> int:
    return _chips(row, "bet", 0) + _chips(row, "roundBet", 0)


def _text(row: Mapping[str, Any], key: str) -> str:
    value = row[key]
    if not isinstance(value, str):
        raise WireError(f"{key} is {value!r:.40}")
    return value


def _counts(row: Mapping[str, Any]) -> tuple[int, int]:
    return _chips(row, "raiseCount", 0), _chips(row, "betCount", 0)


def _cards(texts: Any) -> list[int]:
    try:
        return [parse(text) for text in texts]
    except (TypeError, ValueError) as error:
        raise WireError(str(error)) from None
