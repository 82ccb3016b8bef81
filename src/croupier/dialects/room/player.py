"""The player side of `room` in both versions: parses frames, encodes decisions.

Each state contains the options and all actions so far, so the hand is rebuilt from each one. The
first version reports neither blinds nor stacks: they are those of the rules, unless the raise
ranges contradict them (stakes.py).
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from croupier.cards import parse
from croupier.dialects.player_side import (
    Committed,
    Failed,
    HandOver,
    MatchOver,
    Question,
    Reconnect,
    Send,
    Step,
    WireError,
    digest_of,
    one_line,
)
from croupier.dialects.remote_hand import RemoteHand
from croupier.dialects.room.frames import BadFrame, FrameReader, frame
from croupier.dialects.room.reader import MAX_TEXT, V1, V2
from croupier.dialects.room.stakes import Stakes
from croupier.rules.decisions import BET, CALL_KIND, FOLD_KIND, RAISE, Decision, Options
from croupier.rules.events import BIG, SMALL, HandStarted, Posted
from croupier.rules.rules import BUTTON_SMALL, MAX_SEATS, NO_BIG, Rules
from croupier.rules.sets import ROOM, ROOM2
from croupier.rules.view import View

START = {"info": "start"}
READY = {"info": "ready", "status": "start"}
EXIT = {"info": "exit"}


class RoomPlayer:
    """One player in one room."""

    def __init__(
        self,
        name: str,
        room: str = "0",
        seats: int = 2,
        bots: Sequence[str] = (),
        hands: int = 100,
        version: int = V2,
        rules: Rules | None = None,
        nonce: str = "",
    ) -> None:
        """Ask for a room with `seats` seats, including the house bots, and `hands` hands.

        The first version cannot ask for a number of hands: the player leaves after them. `rules`
        are those of the table if they differ from the version's own.
        """
        if not 0 < len(name) <= MAX_TEXT:
            raise ValueError(f"a name in room has 1 to {MAX_TEXT} characters")
        if not 2 <= seats <= MAX_SEATS:
            raise ValueError(f"a room has 2 to {MAX_SEATS} seats, not {seats}")
        if len(bots) >= seats:
            raise ValueError(f"{len(bots)} bots leave no seat in a room of {seats}")
        self._connect: dict[str, Any] = {
            "info": "connect",
            "room_id": int(room) if room.isascii() and room.isdigit() else room,
            "name": name,
            "room_number": seats,
            "bots": list(bots),
        }
        if version == V2:
            self._connect["game_number"] = hands
        if nonce:
            self._connect["nonce"] = nonce
        self._limit = hands
        self._version = version
        self._rules = rules or (ROOM if version == V1 else ROOM2)
        self._rules_now = self._rules
        """The same, adjusted to whether a heads-up hand shows a big blind."""
        self._reader = FrameReader()
        self._size = seats
        self._stakes = Stakes(self._rules)
        self._first_position = -1
        self._numbers: dict[str, int] = {}
        """In the second version, player numbers by name, in the order of first positions."""
        self._hands = 0
        self._position = -1
        """The player's position in the current hand, -1 between hands."""
        self._handlers: dict[str, Callable[[dict[str, Any]], Iterator[Step]]] = {
            "name": self._named,
            "state": self._state,
            "result": self._result,
            "success": self._success,
            "commitment": self._committed,
            "error": self._error,
            "Unhandled error": self._error,
        }

    @property
    def idle(self) -> bool:
        """Always false: the server disconnects players that are out."""
        return False

    @property
    def _began(self) -> bool:
        return self._hands > 0 or self._position >= 0

    def hello(self) -> bytes:
        """Ask for a seat."""
        self._reader = FrameReader()
        self._position = -1  # an interrupted hand is void
        return _frame(self._connect)

    def goodbye(self) -> bytes:
        """Announce that the player leaves; the first version has no message for it."""
        return _frame(EXIT) if self._version == V2 else b""

    def lost(self, reason: str, code: int, at_once: bool) -> MatchOver | Failed | Reconnect:
        """Reconnect only after a restart of the server: a room in play takes nobody back.

        The first version ends a room by closing the connections between two hands.
        """
        if not self._began:
            return Failed("the server closed the connection at once") if at_once else Reconnect()
        if self._position >= 0:
            return Reconnect(Failed("the connection was lost in the middle of a hand"))
        if self._version == V1:
            return Reconnect(MatchOver("the server closed the room"))
        return Reconnect(Failed("the connection was lost between two hands"))

    def receive(self, data: bytes) -> Iterator[Step]:
        """Parse bytes and yield the resulting steps."""
        for message in self._reader.receive(data):
            if isinstance(message, BadFrame):
                raise WireError(message.reason)
            info = message.get("info")
            handler = self._handlers.get(info) if isinstance(info, str) else None
            if handler is None:
                raise WireError(f"a frame with the info {info!r:.40}")
            try:
                yield from handler(message)
            except WireError as error:
                raise WireError(f"{info}: {error}") from None
            except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
                raise WireError(f"{info} has an unexpected structure ({error})") from None

    def answer(self, question: Question, decision: Decision) -> bytes:
        """Encode a decision."""
        if decision.kind == FOLD_KIND:
            word = "fold"
        elif decision.kind == CALL_KIND:
            word = "call" if question.options.owed else "check"
        else:
            word = f"r{decision.to}"
        return _frame({"info": "action", "action": word})

    # Around a hand.

    def _committed(self, message: dict[str, Any]) -> Iterator[Step]:
        yield Committed(digest_of(message["commitment"]))

    def _named(self, message: dict[str, Any]) -> Iterator[Step]:
        self._size = len(message["name"])
        yield Send(_frame(START))

    def _result(self, message: dict[str, Any]) -> Iterator[Step]:
        if self._position < 0:
            raise WireError("it comes before any state")
        if self._version == V1:
            won = [_chips(amount) for amount in message["win_money"]]
            self._size = len(won)
        else:
            won = [_chips(player["win_money"]) for player in message["players"]]
        self._hands += 1
        yield HandOver(won[self._position])
        self._position = -1
        if self._version == V2:
            yield Send(_frame(READY))
        elif self._hands < self._limit:
            yield Send(_frame(START))
        else:
            yield MatchOver()

    def _success(self, message: dict[str, Any]) -> Iterator[Step]:
        yield MatchOver()

    def _error(self, message: dict[str, Any]) -> Iterator[Step]:
        text = f"the server says: {one_line(str(message.get('text')))}"
        yield MatchOver(text) if self._began else Failed(text)

    # Within a hand.

    def _state(self, message: dict[str, Any]) -> Iterator[Step]:
        own, turn = _chips(message["position"]), _chips(message["action_position"])
        players = message.get("players")
        if players is not None:
            self._size = len(players)
        history = [[_action(item) for item in street] for street in message["action_history"]]
        self._size = max([self._size, own + 1, turn + 1, *(p + 1 for s in history for p, _ in s)])
        if self._size > MAX_SEATS:
            raise WireError(f"{self._size} seats")
        raises = [_chips(to) for to in message["raise_range"]]
        if "raise" not in message["legal_actions"] or len(raises) != 2:
            raises = []
        if self._first_position < 0:
            self._first_position = own
        self._position = own
        if not any(history):
            self._stakes.begin(self._size, turn, raises, players)
            self._rules_now = self._rules
            if self._size == 2:
                heads_up = NO_BIG if self._stakes.no_big else BUTTON_SMALL
                self._rules_now = replace(self._rules, heads_up=heads_up)
        if turn < 0 or (turn != own and players is not None):
            return
        hand = self._hand(own, history, message, players)
        seat = self._seat(turn)
        if self._stakes.seen(turn, raises, hand.view.bets[seat], hand.view.put[seat]):
            hand = self._hand(own, history, message, players)
        if turn == own:
            check = "check" in message["legal_actions"]
            yield Question(self._question(hand, raises, check))

    def _hand(
        self,
        own: int,
        history: list[list[tuple[int, str]]],
        message: dict[str, Any],
        players: list[dict[str, Any]] | None,
    ) -> RemoteHand:
        """Return the hand up to this state."""
        stakes, size = self._stakes, self._size
        order = [self._position_of(seat) for seat in range(size)]
        posts = []
        for kind, position, amount in zip((SMALL, BIG), (0, 1), stakes.posts, strict=True):
            if amount:
                posts.append(Posted(self._seat(position), kind, amount))
        started = HandStarted(
            self._hands + 1,
            tuple(self._number(position, own, players) for position in order),
            tuple(stakes.stack(position) for position in order),
            # No message contains the players' reserves.
            () if self._rules.reserve else (0,) * size,
            stakes.small_blind,
            stakes.big_blind,
            0,
        )
        rules = self._rules_now
        hole, board = _cards(message["private_card"]), _cards(message["public_card"])
        hand = RemoteHand(rules, self._seat(own), started, posts, hole)
        for street, actions in enumerate(history):
            hand.board(board[: sum(rules.streets[: street + 1])])
            for position, action in actions:
                self._act(hand, self._seat(position), action)
        return hand

    def _act(self, hand: RemoteHand, seat: int, action: str) -> None:
        view = hand.view
        if action == "fold":
            hand.fold(seat)
        elif action == "check":
            hand.put_in(seat, 0)
        elif action == "call":
            hand.put_in(seat, max(0, min(view.high - view.bets[seat], view.stacks[seat])))
        elif action[:1] == "r" and action[1:].isascii() and action[1:].isdigit():
            hand.put_in(seat, _chips(int(action[1:19])) - view.bets[seat])
        else:
            raise WireError(f"{action!r:.40} is not an action")

    def _question(self, hand: RemoteHand, raises: list[int], check: bool) -> View:
        view = hand.view
        high = view.high
        owed = 0 if check else max(1, high - view.bets[hand.seat])
        call = min(owed, view.stacks[hand.seat])
        verb = RAISE if high else BET
        if raises:
            options = Options(owed, call, raises[0], raises[1], verb, True, True, True, 0)
        else:
            options = Options(owed, call, 0, 0, verb, False, False, False, 0)
        asked = hand.question(options=options)
        for seat in range(self._size):
            if not self._stakes.knows(self._position_of(seat)):
                # Without a raise range, the player's own stack is at most what it owes.
                asked.stacks[seat] = owed if seat == hand.seat else None  # type: ignore[assignment]
        return asked

    # Positions count from the small blind, seats from the left of the button.

    def _seat(self, position: int) -> int:
        if not 0 <= position < self._size:
            raise WireError(f"there is no position {position}")
        shift = self._size == 2 and not self._stakes.no_big
        return (position + shift) % self._size

    def _position_of(self, seat: int) -> int:
        shift = self._size == 2 and not self._stakes.no_big
        return (seat - shift) % self._size

    def _number(self, position: int, own: int, players: list[dict[str, Any]] | None) -> int:
        """Return the same number for the same player in every hand."""
        if players is not None:
            return self._numbers.setdefault(str(players[position]["name"]), len(self._numbers))
        return (position - own + self._first_position) % self._size


def _frame(message: dict[str, Any]) -> bytes:
    return frame(json.dumps(message))


def _action(item: Any) -> tuple[int, str]:
    """Return the position and the action in a history item of either version."""
    if isinstance(item, dict):
        return _chips(item["position"]), str(item["action"])
    position, colon, action = str(item).partition(":")
    if not colon or not (position.isascii() and position.isdigit() and len(position) < 3):
        raise WireError(f"{item!r:.40} is not an action")
    return int(position), action


def _chips(value: Any) -> int:
    """Return a number of chips; the original server sends fractions when a pot is split."""
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 10**18:
        raise WireError(f"{value!r:.40} is not a number of chips")
    return round(value)


def _cards(texts: Any) -> list[int]:
    try:
        return [parse(text) for text in texts]
    except (TypeError, ValueError) as error:
        raise WireError(str(error)) from None
